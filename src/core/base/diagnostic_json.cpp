#include "base/diagnostic_json.h"

#include <nlohmann/json.hpp>

namespace varylink {
namespace {

using Json = nlohmann::json;

Json kept_json(const SourcePlace& place) { return Json::array({place.file, place.line}); }
SourcePlace place_of(const Json& json) { return {json.at(0).get<std::string>(), json.at(1).get<int>()}; }

}  // namespace

Json kept_json(const FileMention& mention) { return Json::array({mention.at, mention.module}); }
FileMention mention_of(const Json& json) { return {json.at(0).get<std::size_t>(), json.at(1).get<std::size_t>()}; }

Json kept_json(const Diagnostic& diagnostic) {
  Json mentions = Json::array();
  for (const FileMention& mention : diagnostic.mentions) mentions.push_back(kept_json(mention));
  return Json::array({static_cast<int>(diagnostic.severity), static_cast<int>(diagnostic.kind),
                      diagnostic.module ? Json(*diagnostic.module) : Json(nullptr), diagnostic.line,
                      diagnostic.location, diagnostic.message, diagnostic.vuid, std::move(mentions),
                      kept_json(diagnostic.place), kept_json(diagnostic.other_place), diagnostic.file});
}

Diagnostic diagnostic_of(const Json& json) {
  Diagnostic diagnostic;
  diagnostic.severity = static_cast<Severity>(json.at(0).get<int>());
  diagnostic.kind = static_cast<ErrorKind>(json.at(1).get<int>());
  if (!json.at(2).is_null()) diagnostic.module = json.at(2).get<std::size_t>();
  diagnostic.line = json.at(3).get<int>();
  diagnostic.location = json.at(4).get<std::string>();
  diagnostic.message = json.at(5).get<std::string>();
  diagnostic.vuid = json.at(6).get<std::string>();
  for (const Json& mention : json.at(7)) diagnostic.mentions.push_back(mention_of(mention));
  diagnostic.place = place_of(json.at(8));
  diagnostic.other_place = place_of(json.at(9));
  diagnostic.file = json.at(10).get<std::string>();
  return diagnostic;
}

}  // namespace varylink
