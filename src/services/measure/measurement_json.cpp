#include "measure/measurement_json.h"

#include <nlohmann/json.hpp>

#include "measure/figures.h"

namespace varylink::measure {
namespace {

using nlohmann::ordered_json;

ordered_json list_of(const std::vector<Executable>& executables) {
  ordered_json list = ordered_json::array();
  for (const Executable& executable : executables) {
    ordered_json stages = ordered_json::array(), statistics = ordered_json::object();
    for (const Stage stage : executable.stages) stages.push_back(short_name(stage));
    for (const Statistic& each : executable.statistics) statistics[each.name] = each.value;
    list.push_back({{"name", executable.name}, {"stages", stages}, {"statistics", statistics}});
  }
  return list;
}

}  // namespace

ordered_json to_json(const Measurement& measurement) {
  if (!measurement.failure.empty())
    return {{"failure", measurement.failure}, {"onlyLinkedFails", measurement.only_linked_fails}};
  ordered_json changes = ordered_json::array();
  for (const Change& change : changes_of(measurement))
    if (sense_of(change.statistic) != Sense::unknown)
      changes.push_back({{"stage", change.stage},
                         {"statistic", change.statistic},
                         {"before", change.before},
                         {"after", change.after},
                         {"worseBy", change.worse_by()}});
  return {{"before", list_of(measurement.before)}, {"after", list_of(measurement.after)}, {"changes", changes}};
}

}  // namespace varylink::measure
