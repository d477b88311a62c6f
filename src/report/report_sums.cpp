#include "report/report_sums.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string_view>

namespace varylink::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array kSizes = {"components", "locations", "highest_location", "bytes_per_vertex"};

void add_size(Json& sum, const Json& size) {
  for (const char* member : kSizes) {
    const auto value = size.at(member).get<std::uint64_t>(), so_far = sum.at(member).get<std::uint64_t>();
    sum[member] = member == std::string_view("highest_location") ? std::max(value, so_far) : value + so_far;
  }
}

std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json summary_of(const Json& pipelines) {
  Json before, after;
  for (const char* member : kSizes) before[member] = after[member] = 0;
  std::size_t linked = 0;
  for (const Json& pipeline : pipelines) {
    if (pipeline.at("status") != "linked") continue;
    ++linked;
    for (const Json& interface : pipeline.at("interfaces")) {
      add_size(before, interface.at("before"));
      add_size(after, interface.at("after"));
    }
  }
  return {{"pipelines", pipelines.size()},
          {"linked", linked},
          {"failed", pipelines.size() - linked},
          {"before", std::move(before)},
          {"after", std::move(after)}};
}

// Modules in the order in which pipelines first use them, variants likewise.
Json modules_of(const Json& pipelines) {
  Json modules = Json::array();
  std::map<std::string, std::size_t> places, variant_places;
  for (const Json& pipeline : pipelines) {
    if (pipeline.at("status") != "linked") continue;
    for (const Json& stage : pipeline.at("stages")) {
      Json module = {
          {"stage", stage.at("stage")}, {"file", stage.at("file")}, {"entry_point", stage.at("entry_point")}};
      Json variant = {{"content", stage.at("content")}, {"bytes", stage.at("bytes")}, {"output", stage.at("output")}};
      const std::string name = text_of(module), variant_name = name + text_of(variant);
      const auto [place, is_new] = places.emplace(name, modules.size());
      if (is_new) {
        module["variants"] = Json::array();
        modules.push_back(std::move(module));
      }
      Json& variants = modules[place->second]["variants"];
      const auto [variant_place, is_new_variant] = variant_places.emplace(variant_name, variants.size());
      if (is_new_variant) variants.push_back(std::move(variant));
      variants[variant_place->second]["pipelines"].push_back(pipeline.at("name"));
    }
  }
  return modules;
}

}  // namespace

std::string report_text(Json head, Json pipelines, bool lists_modules) {
  Json modules = lists_modules ? modules_of(pipelines) : Json();
  Json summary = summary_of(pipelines);
  head["pipelines"] = std::move(pipelines);
  if (lists_modules) head["modules"] = std::move(modules);
  head["summary"] = std::move(summary);
  return head.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace varylink::report
