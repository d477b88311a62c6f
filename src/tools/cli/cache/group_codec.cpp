#include "cli/cache/group_codec.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/diagnostic_json.h"
#include "store/word_bytes.h"

namespace varylink::cli {
namespace {

using Json = nlohmann::json;

Json slot_json(varyings::Slot slot) { return Json::array({slot.location, slot.component}); }
varyings::Slot slot_of(const Json& json) { return {json.at(0).get<std::uint32_t>(), json.at(1).get<std::uint32_t>()}; }

Json size_json(const link::InterfaceSize& size) {
  return Json::array({size.components, size.locations, size.highest_location, size.not_counted});
}
link::InterfaceSize size_of(const Json& json) {
  return {json.at(0).get<std::uint32_t>(), json.at(1).get<std::uint32_t>(), json.at(2).get<std::uint32_t>(),
          json.at(3).get<std::uint32_t>()};
}

template <typename T, typename Convert>
Json list_json(const std::vector<T>& values, Convert convert) {
  Json json = Json::array();
  for (const T& value : values) json.push_back(convert(value));
  return json;
}
template <typename T, typename Convert>
std::vector<T> list_of(const Json& json, Convert convert) {
  std::vector<T> values;
  for (const Json& value : json) values.push_back(convert(value));
  return values;
}

Json component_json(const link::ComponentRecord& record) {
  return Json::array({slot_json(record.old_slot), record.new_slot ? slot_json(*record.new_slot) : Json(nullptr),
                      static_cast<int>(record.outcome), record.reason, record.producer_name, record.consumer_name,
                      record.type, record.interpolation, record.patch,
                      list_json(record.mentions, [](const FileMention& mention) { return kept_json(mention); })});
}
link::ComponentRecord component_of(const Json& json) {
  link::ComponentRecord record;
  record.old_slot = slot_of(json.at(0));
  if (!json.at(1).is_null()) record.new_slot = slot_of(json.at(1));
  record.outcome = static_cast<link::Outcome>(json.at(2).get<int>());
  record.reason = json.at(3).get<std::string>();
  record.producer_name = json.at(4).get<std::string>();
  record.consumer_name = json.at(5).get<std::string>();
  record.type = json.at(6).get<std::string>();
  record.interpolation = json.at(7).get<std::string>();
  record.patch = json.at(8).get<bool>();
  record.mentions = list_of<FileMention>(json.at(9), mention_of);
  return record;
}

Json interface_json(const link::InterfaceReport& report) {
  return Json::array({static_cast<int>(report.producer), static_cast<int>(report.consumer), size_json(report.before),
                      size_json(report.after), list_json(report.components, component_json)});
}
link::InterfaceReport interface_of(const Json& json) {
  link::InterfaceReport report;
  report.producer = static_cast<Stage>(json.at(0).get<int>());
  report.consumer = static_cast<Stage>(json.at(1).get<int>());
  report.before = size_of(json.at(2));
  report.after = size_of(json.at(3));
  report.components = list_of<link::ComponentRecord>(json.at(4), component_of);
  return report;
}

Json remark_json(const link::Remark& remark) { return Json::array({remark.pass, remark.stage, remark.message}); }
link::Remark remark_of(const Json& json) {
  return {json.at(0).get<std::string>(), json.at(1).get<std::string>(), json.at(2).get<std::string>()};
}

Json pipeline_json(const link::LinkedPipeline& pipeline) {
  return Json::array({static_cast<int>(pipeline.failure), list_json(pipeline.interfaces, interface_json),
                      list_json(pipeline.remarks, remark_json),
                      list_json(pipeline.diagnostics, [](const Diagnostic& each) { return kept_json(each); }),
                      state::to_json(pipeline.assumptions.state), pipeline.assumptions.layout.has_value(),
                      pipeline.unchecked});
}
link::LinkedPipeline pipeline_of(const Json& json) {
  link::LinkedPipeline pipeline;
  pipeline.failure = static_cast<ErrorKind>(json.at(0).get<int>());
  pipeline.interfaces = list_of<link::InterfaceReport>(json.at(1), interface_of);
  pipeline.remarks = list_of<link::Remark>(json.at(2), remark_of);
  pipeline.diagnostics = list_of<Diagnostic>(json.at(3), diagnostic_of);
  if (auto state = state::parse_pipeline_state(json.at(4).get<std::string>(), {}))
    pipeline.assumptions.state = std::move(*state);
  if (json.at(5).get<bool>()) pipeline.assumptions.layout.emplace();
  pipeline.unchecked = json.at(6).get<std::string>();
  return pipeline;
}

Json words_json(const std::vector<std::uint32_t>& words) { return Json::binary(store::bytes_from_words(words)); }
std::vector<std::uint32_t> words_of(const Json& json) { return store::words_from_bytes(json.get_binary()); }

}  // namespace

std::string encode(const link::LinkedGroup& group) {
  const Json json = {{"modules", list_json(group.modules, words_json)},
                     {"pipelines", list_json(group.pipelines, pipeline_json)}};
  std::string bytes;
  Json::to_cbor(json, bytes);
  return bytes;
}

std::optional<link::LinkedGroup> decode(std::string_view bytes) {
  const Json json = Json::from_cbor(bytes, true, false);
  if (json.is_discarded()) return std::nullopt;
  try {
    link::LinkedGroup group;
    group.modules = list_of<std::vector<std::uint32_t>>(json.at("modules"), words_of);
    group.pipelines = list_of<link::LinkedPipeline>(json.at("pipelines"), pipeline_of);
    return group;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

std::string encode(const std::vector<link::InterfaceReport>& interfaces) {
  std::string bytes;
  Json::to_cbor(list_json(interfaces, interface_json), bytes);
  return bytes;
}

std::optional<std::vector<link::InterfaceReport>> decode_interfaces(std::string_view bytes) {
  const Json json = Json::from_cbor(bytes, true, false);
  if (json.is_discarded()) return std::nullopt;
  try {
    return list_of<link::InterfaceReport>(json, interface_of);
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

void restore_stages(link::LinkedGroup& linked, const link::GroupInput& group) {
  for (std::size_t i = 0; i < linked.pipelines.size() && i < group.pipelines.size(); ++i) {
    link::LinkedPipeline& pipeline = linked.pipelines[i];
    pipeline.stages.clear();
    if (pipeline.failure != ErrorKind::none) continue;
    for (const std::size_t module : group.pipelines[i].modules)
      pipeline.stages.push_back({group.modules[module].stage, linked.modules[module]});
    std::stable_sort(pipeline.stages.begin(), pipeline.stages.end(),
                     [](const auto& a, const auto& b) { return a.stage < b.stage; });
  }
}

}  // namespace varylink::cli
