#include "report/json_report.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "measure/measurement_json.h"
namespace varylink::report {
namespace {

using Json = nlohmann::ordered_json;

// Raise it when a field changes its meaning or goes away; new fields do not change it.
constexpr int kSchemaVersion = 1;

Json to_json(const link::InterfaceSize& size) {
  return {{"components", size.components},
          {"locations", size.locations},
          {"highest_location", size.highest_location},
          {"not_counted", size.not_counted},
          {"bytes_per_vertex", size.bytes_per_vertex()}};
}

Json to_json(const link::ComponentRecord& component) {
  Json json = {{"old", varyings::text(component.old_slot)}};
  json["new"] = component.new_slot ? Json(varyings::text(*component.new_slot)) : Json(nullptr);
  json["fate"] = link::name_of(component.outcome);
  json["reason"] = component.reason;
  json["producer_name"] = component.producer_name;
  json["consumer_name"] = component.consumer_name;
  json["type"] = component.type;
  json["interpolation"] = component.interpolation;
  json["patch"] = component.patch;
  return json;
}

Json to_json(const link::InterfaceReport& interface) {
  Json components = Json::array();
  for (const link::ComponentRecord& component : interface.components) components.push_back(to_json(component));
  return {{"producer", short_name(interface.producer)},
          {"consumer", short_name(interface.consumer)},
          {"before", to_json(interface.before)},
          {"after", to_json(interface.after)},
          {"components", std::move(components)}};
}

Json side_json(const ValueFlow& flow, const ValueFlow::Sides& sides) {
  Json names = Json::array();
  if (sides.producer) names.push_back(short_name(flow.producer));
  if (sides.consumer) names.push_back(short_name(flow.consumer));
  return names;
}

Json components_json(const std::vector<ValueFlow::Component>& components) {
  Json list = Json::array();
  for (const ValueFlow::Component& component : components)
    list.push_back({{"slot", varyings::text(component.slot)},
                    {"name", component.name},
                    {"fate", link::name_of(component.outcome)},
                    {"value", component.node ? Json(*component.node) : Json(nullptr)}});
  return list;
}

std::string_view kind_text(ValueFlow::Kind kind) {
  switch (kind) {
    case ValueFlow::Kind::leaf: return "read";
    case ValueFlow::Kind::constant: return "constant";
    case ValueFlow::Kind::resource: return "uniform";
    case ValueFlow::Kind::operation: return "operation";
    case ValueFlow::Kind::per_store_point: return "by_place";
  }
  return "";
}

Json to_json(const ValueFlow& flow) {
  Json values = Json::array();
  for (const ValueFlow::Node& node : flow.nodes)
    values.push_back({{"kind", kind_text(node.kind)},
                      {"label", node.label},
                      {"operands", node.operands},
                      {"before", side_json(flow, node.before)},
                      {"after", side_json(flow, node.after)},
                      {"moved", text(movement_of(node), flow)},
                      {"uses", node.uses}});
  return {{"producer", short_name(flow.producer)},
          {"consumer", short_name(flow.consumer)},
          {"before", components_json(flow.before)},
          {"after", components_json(flow.after)},
          {"values", std::move(values)}};
}

Json to_json(const Diagnostic& diagnostic) {
  Json json = {{"severity", name_of(diagnostic.severity)}};
  if (diagnostic.kind != ErrorKind::none) json["kind"] = name_of(diagnostic.kind);
  if (!diagnostic.file.empty()) json["file"] = diagnostic.file;
  if (diagnostic.line > 0) json["line"] = diagnostic.line;
  if (!diagnostic.location.empty()) json["location"] = diagnostic.location;
  json["message"] = diagnostic.message;
  if (!diagnostic.vuid.empty()) json["vuid"] = diagnostic.vuid;
  return json;
}

Json counts_json(const std::array<std::uint32_t, analysis::kOpClassCount>& counts) {
  Json json = Json::object();
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (counts[i] != 0) json[std::string(analysis::name_of(static_cast<analysis::OpClass>(i)))] = counts[i];
  return json;
}

double in_hundredths(double work) { return std::round(100 * work) / 100; }

Json to_json(const analysis::StageCost& cost) {
  return {{"work", in_hundredths(cost.work)},
          {"instructions", cost.instructions},
          {"slots", cost.slots},
          {"critical_path", cost.critical_path},
          {"peak_live", cost.peak_live},
          {"operations", counts_json(cost.operations.all)},
          {"uniform_operations", counts_json(cost.operations.uniform)}};
}

Json to_json(const StageRecord& stage) {
  Json json = {{"stage", short_name(stage.stage)}, {"file", stage.file}, {"entry_point", stage.entry_point}};
  json["output"] = stage.output.empty() ? Json(nullptr) : Json(stage.output);
  json["content"] = stage.content.empty() ? Json(nullptr) : Json(stage.content);
  json["bytes"] = stage.content.empty() ? Json(nullptr) : Json(stage.bytes);
  if (stage.cost_before && stage.cost_after)
    json["cost"] = {{"before", to_json(*stage.cost_before)}, {"after", to_json(*stage.cost_after)}};
  if (stage.kept) json["kept"] = {{"instructions", stage.kept->kept}, {"of", stage.kept->original}};
  if (!stage.larger_because.empty()) json["larger_because"] = stage.larger_because;
  return json;
}

Json to_json(const FragmentCostRecord& cost) {
  return {{"percent", cost.percent ? Json(std::round(10 * *cost.percent) / 10) : Json(nullptr)}, {"means", cost.means}};
}

Json to_json(const prove::Finding& finding) {
  return {
      {"stage", short_name(finding.stage)}, {"what", finding.what},     {"verdict", prove::name_of(finding.verdict)},
      {"original", finding.original},       {"linked", finding.linked}, {"witness", finding.witness}};
}

Json to_json(const link::Remark& remark) {
  return {{"pass", remark.pass}, {"stage", remark.stage}, {"message", remark.message}};
}

Json to_json(const link::UnusedDeclaration& unused) {
  Json json = Json::object();
  switch (unused.kind) {
    case link::UnusedDeclaration::Kind::attribute:
      json["location"] = unused.number;
      json["locations"] = unused.locations;
      break;
    case link::UnusedDeclaration::Kind::binding:
      json["set"] = unused.set;
      json["binding"] = unused.number;
      break;
    case link::UnusedDeclaration::Kind::spec_constant: json["id"] = unused.number; break;
  }
  json["name"] = unused.name;
  Json stages = Json::array();
  for (const Stage stage : unused.stages) stages.push_back(short_name(stage));
  json["stages"] = std::move(stages);
  json["unused_by_all"] = unused.unused_by_all;
  json["was_used"] = unused.was_used;
  return json;
}

Json unused_json(const std::vector<link::UnusedDeclaration>& all) {
  using Kind = link::UnusedDeclaration::Kind;
  Json json = {
      {"vertex_attributes", Json::array()}, {"bindings", Json::array()}, {"specialization_constants", Json::array()}};
  for (const link::UnusedDeclaration& unused : all) {
    const char* list = unused.kind == Kind::attribute ? "vertex_attributes"
                       : unused.kind == Kind::binding ? "bindings"
                                                      : "specialization_constants";
    json[list].push_back(to_json(unused));
  }
  return json;
}

template <typename T>
Json list(const std::vector<T>& values) {
  Json json = Json::array();
  for (const T& value : values) json.push_back(to_json(value));
  return json;
}

Json work_json(const PipelineWork& work, double fragments_per_vertex) {
  return {{"before", in_hundredths(work.before)},
          {"after", in_hundredths(work.after)},
          {"fragments_per_vertex", fragments_per_vertex}};
}

Json to_json(const ReportEntry& pipeline) {
  Json json = {{"name", pipeline.name},
               {"status", pipeline.linked() ? "linked" : "failed"},
               {"failure", name_of(pipeline.failure)},
               {"exit_status", exit_status(pipeline.failure)},
               {"cache_key", pipeline.cache_key.empty() ? Json(nullptr) : Json(pipeline.cache_key)},
               {"stages", list(pipeline.stages)},
               {"diagnostics", list(pipeline.diagnostics)},
               {"interfaces", list(pipeline.interfaces)},
               {"remarks", list(pipeline.remarks)}};
  if (!pipeline.unchecked.empty()) json["unchecked"] = pipeline.unchecked;
  if (!pipeline.assumptions.empty()) {
    json["assumes"] = Json::parse(link::to_json(pipeline.assumptions));
    json["assumes"]["hash"] = link::hash_of(pipeline.assumptions);
  }
  if (pipeline.proof) {
    const prove::Proof& proof = pipeline.proof->proof;
    json["proof"] = {{"verdict", prove::name_of(proof.verdict)},
                     {"level", pipeline.proof->level},
                     {"reason", proof.reason},
                     {"findings", list(proof.findings)}};
  }
  if (const std::optional<NextLevel>& next = pipeline.next_level)
    json["next_level"] = {
        {"level", next->level}, {"components", next->then.components}, {"locations", next->then.locations}};
  if (pipeline.driver) {
    json["driver"] = {{"device", pipeline.driver->device}};
    json["driver"].update(measure::to_json(pipeline.driver->measurement));
  }
  if (const std::optional<PipelineWork> work = work_of(pipeline))
    json["work"] = work_json(*work, pipeline.fragments_per_vertex);
  if (pipeline.fragment_cost) json["fragment_cost"] = to_json(*pipeline.fragment_cost);
  if (pipeline.fit) json["limits"] = {{"fits", pipeline.fit->fits}, {"means", pipeline.fit->means}};
  if (pipeline.unused) json["unused"] = unused_json(*pipeline.unused);
  if (!pipeline.flows.empty()) json["value_graphs"] = list(pipeline.flows);
  if (pipeline.milliseconds) json["milliseconds"] = *pipeline.milliseconds;
  return json;
}

Json to_json(const ShardRecord& shard) {
  Json json = {{"index", shard.index + 1}, {"count", shard.count}, {"total", shard.total}};
  if (shard.positions) json["positions"] = *shard.positions;
  return json;
}

}  // namespace

std::string JsonReport::begin(const RunRecord& run) const {
  Json options = Json::object();
  for (const auto& [name, value] : run.options) options[name] = value;
  Json head = {{"schema", kSchemaVersion}, {"varylink", run.version}};
  if (!run.validator.empty()) head["validator"] = run.validator;
  head["options"] = std::move(options);
  if (run.shard) head["shard"] = to_json(*run.shard);
  return text_.begin(head);
}

std::string JsonReport::add(const ReportEntry& pipeline) { return text_.add(to_json(pipeline)); }

std::string json_report(const RunRecord& run, std::span<const ReportEntry> pipelines) {
  JsonReport report(run.lists_modules);
  std::string text = report.begin(run);
  for (const ReportEntry& pipeline : pipelines) text += report.add(pipeline);
  return text + report.end();
}

}  // namespace varylink::report
