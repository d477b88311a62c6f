#include "analysis/pipeline_state.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/nearest.h"

namespace varylink::analysis {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::pair<const char*, Topology> kTopologies[] = {
    {"points", Topology::points}, {"lines", Topology::lines}, {"triangles", Topology::triangles}};

// Each reads one member; the text says what is wrong with it, and is empty if nothing is.

std::string read_topology(const OrderedJson& value, PipelineState& state) {
  for (const auto& [name, topology] : kTopologies)
    if (value == name) {
      state.topology = topology;
      return {};
    }
  return "\"topology\" is points, lines or triangles";
}

std::string read_attributes(const OrderedJson& value, PipelineState& state) {
  const auto is_location = [](const OrderedJson& entry) {
    return entry.is_number_unsigned() && entry.get<std::uint64_t>() <= 0xffffffffu;
  };
  if (!value.is_array() || !std::all_of(value.begin(), value.end(), is_location))
    return "\"instanceRateAttributes\" is a list of locations";
  for (const OrderedJson& location : value) state.instance_rate_attributes.insert(location.get<std::uint32_t>());
  return {};
}

std::string read_flag(const std::string& name, const OrderedJson& value, bool& flag) {
  if (!value.is_boolean()) return "\"" + name + "\" is true or false";
  flag = value.get<bool>();
  return {};
}

std::string read_state_member(const std::string& name, const OrderedJson& value, PipelineState& state) {
  if (name == "topology") return read_topology(value, state);
  if (name == "instanceRateAttributes") return read_attributes(value, state);
  if (name == "noFragment") return read_flag(name, value, state.no_fragment);
  if (name == "sharedSpecConstants") return read_flag(name, value, state.shared_spec_constants);
  return "\"" + name + "\" is not a member of a pipeline state" +
         did_you_mean(name, {"topology", "instanceRateAttributes", "noFragment", "sharedSpecConstants"});
}

}  // namespace

PipelineState common(const PipelineState& a, const PipelineState& b) {
  PipelineState both;
  both.no_fragment = a.no_fragment && b.no_fragment;
  both.shared_spec_constants = a.shared_spec_constants && b.shared_spec_constants;
  if (a.topology == b.topology) both.topology = a.topology;
  std::set_intersection(a.instance_rate_attributes.begin(), a.instance_rate_attributes.end(),
                        b.instance_rate_attributes.begin(), b.instance_rate_attributes.end(),
                        std::inserter(both.instance_rate_attributes, both.instance_rate_attributes.end()));
  return both;
}

PipelineState combined(const PipelineState& a, const PipelineState& b) {
  PipelineState either = a;
  either.no_fragment = a.no_fragment || b.no_fragment;
  either.shared_spec_constants = a.shared_spec_constants || b.shared_spec_constants;
  if (b.topology != Topology::unknown) either.topology = b.topology;
  either.instance_rate_attributes.insert(b.instance_rate_attributes.begin(), b.instance_rate_attributes.end());
  return either;
}

Result<PipelineState> parse_pipeline_state(std::string_view text, const std::string& file) {
  const OrderedJson root = OrderedJson::parse(text, nullptr, false);
  if (root.is_discarded()) return make_error(ErrorKind::usage, file, "is not JSON");
  if (!root.is_object()) return make_error(ErrorKind::usage, file, "a pipeline state is a JSON object");
  PipelineState state;
  for (const auto& [name, value] : root.items())
    if (std::string problem = read_state_member(name, value, state); !problem.empty())
      return make_error(ErrorKind::usage, file, std::move(problem));
  return state;
}

std::string to_json(const PipelineState& state) {
  OrderedJson json = OrderedJson::object();
  for (const auto& [name, topology] : kTopologies)
    if (state.topology == topology) json["topology"] = name;
  if (!state.instance_rate_attributes.empty()) json["instanceRateAttributes"] = state.instance_rate_attributes;
  if (state.no_fragment) json["noFragment"] = true;
  if (state.shared_spec_constants) json["sharedSpecConstants"] = true;
  return json.dump();
}

}  // namespace varylink::analysis
