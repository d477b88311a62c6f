#include "report/run_diff.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

namespace varylink::report {
namespace {

using ParsedJson = nlohmann::json;

constexpr int kReadSchemaVersion = 1;

// Measures of one run for a pipeline.
struct Measured {
  bool linked = false;
  std::vector<std::pair<std::string, std::uint64_t>> values;  // measure and value, in the order of the table
  std::vector<std::pair<std::string, double>> weights;        // not in the table, since they say the same once more
};

struct Run {
  std::string profile;
  std::vector<std::string> names;
  std::map<std::string, Measured> pipelines;
};

Measured measured(const ParsedJson& pipeline) {
  Measured result;
  result.linked = pipeline.at("status").get<std::string>() == "linked";
  std::uint64_t components = 0, locations = 0;
  for (const ParsedJson& interface : pipeline.at("interfaces")) {
    components += interface.at("after").at("components").get<std::uint64_t>();
    locations += interface.at("after").at("locations").get<std::uint64_t>();
  }
  result.values = {{"components", components}, {"locations", locations}};
  for (const ParsedJson& stage : pipeline.at("stages")) {
    const auto cost = stage.find("cost");
    if (cost == stage.end()) continue;
    const std::string name = stage.at("stage").get<std::string>();
    const ParsedJson& after = cost->at("after");
    result.values.emplace_back(name + " instructions", after.at("instructions").get<std::uint64_t>());
    result.values.emplace_back(name + " critical path", after.at("critical_path").get<std::uint64_t>());
    result.values.emplace_back(name + " live scalars", after.at("peak_live").get<std::uint64_t>());
    if (const auto work = after.find("work"); work != after.end())
      result.weights.emplace_back(name + " work", work->get<double>());
  }
  return result;
}

Result<Run> read_run(std::string_view text, const std::string& file) {
  const Diagnostic error = make_error(ErrorKind::usage, file, "is not a report of varylink link");
  const ParsedJson root = ParsedJson::parse(text, nullptr, false);
  if (!root.is_object()) return error;
  try {
    if (root.at("schema").get<int>() != kReadSchemaVersion)
      return make_error(ErrorKind::usage, file,
                        "has report schema " + root.at("schema").dump() + ", this varylink reads " +
                            std::to_string(kReadSchemaVersion));
    Run run;
    if (const auto profile = root.at("options").find("--profile"); profile != root.at("options").end())
      run.profile = profile->get<std::string>();
    for (const ParsedJson& pipeline : root.at("pipelines")) {
      const std::string name = pipeline.at("name").get<std::string>();
      run.names.push_back(name);
      run.pipelines[name] = measured(pipeline);
    }
    return run;
  } catch (const ParsedJson::exception&) {
    return error;
  }
}

class Comparison {
 public:
  Comparison(const Run& before, const Run& after, RunDiff& diff)
      : before_(before), after_(after), diff_(diff), same_profile_(before.profile == after.profile) {}

  void run();

 private:
  void compare(const std::string& name, const Measured& before, const Measured& after);
  void keep_values(const std::string& name, const Measured* before, const Measured& after);
  void count(const std::string& measure, std::uint64_t before, std::uint64_t after, PipelineChange& change);
  bool is_comparable(const std::string& measure) const {
    return same_profile_ || measure == "components" || measure == "locations";
  }

  const Run& before_;
  const Run& after_;
  RunDiff& diff_;
  bool same_profile_;
  std::map<std::string, std::size_t> places_;  // measure -> index into diff_.measures
};

void Comparison::count(const std::string& measure, std::uint64_t before, std::uint64_t after, PipelineChange& change) {
  const auto [place, is_new] = places_.emplace(measure, diff_.measures.size());
  if (is_new) diff_.measures.push_back({measure, 0, 0, 0, 0, 0});
  MeasureSummary& summary = diff_.measures[place->second];
  summary.helped += after < before;
  summary.hurt += after > before;
  summary.same += after == before;
  summary.before += before;
  summary.after += after;
  if (after != before) change.changes.push_back({measure, before, after});
}

void Comparison::keep_values(const std::string& name, const Measured* before, const Measured& after) {
  if (!after.linked) return;
  PipelineValues& kept = diff_.values.emplace_back();
  kept.name = name;
  const auto keep = [&](const auto& now, const auto* old) {
    for (const auto& [measure, value] : now) {
      MeasuredValue& each = kept.values.emplace_back();
      each.measure = measure;
      each.after = static_cast<double>(value);
      if (!old || !is_comparable(measure)) continue;
      for (const auto& [other, then] : *old)
        if (other == measure) each.before = static_cast<double>(then);
    }
  };
  const bool has_before = before != nullptr && before->linked;
  keep(after.values, has_before ? &before->values : nullptr);
  keep(after.weights, has_before ? &before->weights : nullptr);
}

void Comparison::compare(const std::string& name, const Measured& before, const Measured& after) {
  if (before.linked != after.linked) (after.linked ? diff_.now_linked : diff_.now_failing).push_back(name);
  if (!before.linked || !after.linked) return;
  ++diff_.compared;
  PipelineChange change;
  change.name = name;
  for (const auto& now : after.values) {
    const auto old = std::find_if(before.values.begin(), before.values.end(),
                                  [&](const auto& other) { return other.first == now.first; });
    if (old != before.values.end() && is_comparable(now.first)) count(now.first, old->second, now.second, change);
  }
  if (!change.changes.empty()) diff_.pipelines.push_back(std::move(change));
}

void Comparison::run() {
  if (!same_profile_)
    diff_.notes.push_back("the costs of stages are not compared: the runs used profile '" + before_.profile +
                          "' and '" + after_.profile + "'");
  for (const std::string& name : before_.names)
    if (after_.pipelines.count(name) == 0) diff_.only_before.push_back(name);
  for (const std::string& name : after_.names) {
    const auto old = before_.pipelines.find(name);
    keep_values(name, old == before_.pipelines.end() ? nullptr : &old->second, after_.pipelines.at(name));
    if (old == before_.pipelines.end())
      diff_.only_after.push_back(name);
    else
      compare(name, old->second, after_.pipelines.at(name));
  }
}

}  // namespace

Result<RunDiff> diff_runs(std::string_view before, const std::string& before_file, std::string_view after,
                          const std::string& after_file) {
  const Result<Run> old_run = read_run(before, before_file);
  if (!old_run) return old_run.error();
  const Result<Run> new_run = read_run(after, after_file);
  if (!new_run) return new_run.error();
  RunDiff diff;
  diff.before_file = before_file;
  diff.after_file = after_file;
  Comparison(*old_run, *new_run, diff).run();
  return diff;
}

}  // namespace varylink::report
