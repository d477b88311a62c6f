#include "cli/run_summary.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "base/version.h"

namespace varylink::cli {
namespace {

using RunJson = nlohmann::ordered_json;

constexpr std::size_t kBestListed = 10;  // pipelines with most to win
constexpr const char* kRecorded = "recorded";
constexpr const char* kPassedThrough = "passed through";

RunPipeline::Size read_size(const RunJson& line, const char* key) {
  const auto found = line.find(key);
  if (found == line.end() || !found->is_object()) return {};
  return {found->value("components", std::uint64_t{0}), found->value("locations", std::uint64_t{0})};
}

void read_line(const RunJson& line, RunRecord& run) {
  if (line.contains("message")) {
    std::string message = line.value("message", "");
    // Each instance says what it finds.
    if (std::find(run.messages.begin(), run.messages.end(), message) == run.messages.end())
      run.messages.push_back(std::move(message));
  }
  if (line.contains("linkedLater")) ++run.linked_later;
  if (line.contains("instance")) ++run.instances;
  if (!line.contains("pipeline")) return;
  RunPipeline& pipeline = run.pipelines.emplace_back();
  pipeline.key = line.value("pipeline", "");
  pipeline.stages = line.value("stages", "");
  pipeline.outcome = line.value("outcome", "");
  pipeline.reason = line.value("reason", "");
  pipeline.before = read_size(line, "before");
  pipeline.after = read_size(line, "after");
  pipeline.from_cache = line.value("fromCache", false);
  pipeline.steps = line.value("steps", std::uint64_t{0});
  if (const auto report = line.find("report"); report != line.end()) pipeline.report = report->dump();
  pipeline.link_ms = line.value("linkMs", 0.0);
  pipeline.driver_ms = line.value("driverMs", 0.0);
}

struct Totals {
  std::size_t linked = 0, recorded = 0, unchanged = 0, passed_through = 0, from_cache = 0;
  std::map<std::string, std::size_t> reasons;
  RunPipeline::Size before, after;  // of what was linked or unchanged
  double link_ms = 0, driver_ms = 0;
};

Totals totals_of(const RunRecord& run) {
  Totals totals;
  for (const RunPipeline& each : run.pipelines) {
    totals.linked += each.outcome == kLinkedOutcome;
    totals.from_cache += each.from_cache;
    totals.recorded += each.outcome == kRecorded;
    totals.unchanged += each.outcome == kUnchangedOutcome;
    if (each.outcome == kPassedThrough) {
      ++totals.passed_through;
      ++totals.reasons[each.reason];
    }
    totals.before.components += each.before.components;
    totals.before.locations += each.before.locations;
    totals.after.components += each.after.components;
    totals.after.locations += each.after.locations;
    totals.link_ms += each.link_ms;
    totals.driver_ms += each.driver_ms;
  }
  return totals;
}

std::uint64_t won(const RunPipeline& pipeline) { return pipeline.before.components - pipeline.after.components; }

// Those that were linked, each once, the ones with most to win first.
std::vector<const RunPipeline*> best_of(const RunRecord& run) {
  std::map<std::string, const RunPipeline*> by_key;
  for (const RunPipeline& each : run.pipelines)
    if (each.outcome == kLinkedOutcome && each.before.components > each.after.components)
      by_key.emplace(each.key, &each);
  std::vector<const RunPipeline*> list;
  for (const auto& [key, pipeline] : by_key) list.push_back(pipeline);
  std::stable_sort(list.begin(), list.end(), [](const auto* a, const auto* b) { return won(*a) > won(*b); });
  list.resize(std::min(list.size(), kBestListed));
  return list;
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  return text;
}

std::string sizes(const RunPipeline::Size& before, const RunPipeline::Size& after) {
  return "components " + std::to_string(before.components) + " → " + std::to_string(after.components) + ", locations " +
         std::to_string(before.locations) + " → " + std::to_string(after.locations);
}

std::string plural(std::size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

RunJson json_of(const RunPipeline::Size& size) {
  return {{"components", size.components}, {"locations", size.locations}};
}

}  // namespace

RunRecord read_journal(const std::string& text) {
  RunRecord run;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const RunJson json = RunJson::parse(line, nullptr, false);
    if (!json.is_object()) continue;
    try {
      read_line(json, run);
    } catch (const RunJson::exception&) {  // a member of another type: another version of the layer
    }
  }
  return run;
}

std::string progress_of(const RunRecord& run) {
  const Totals totals = totals_of(run);
  std::string text = "varylink: " + plural(run.pipelines.size(), "graphics pipeline");
  if (totals.recorded != 0) text += ", " + std::to_string(totals.recorded) + " recorded";
  if (totals.linked != 0) text += ", " + std::to_string(totals.linked) + " linked";
  if (totals.before.components != 0) text += ", " + sizes(totals.before, totals.after);
  return text;
}

std::string summary_of(const RunRecord& run) {
  std::string text;
  for (const std::string& message : run.messages) text += "varylink: " + message + "\n";
  if (run.instances == 0) return text + "varylink: the program made no Vulkan instance: nothing was linked\n";
  const Totals totals = totals_of(run);
  text += "varylink: " + plural(run.pipelines.size(), "graphics pipeline") + ": " + std::to_string(totals.linked) +
          " linked, " + std::to_string(totals.recorded) + " recorded, " + std::to_string(totals.unchanged) +
          " unchanged, " + std::to_string(totals.passed_through) + " passed through\n";
  if (run.pipelines.empty()) return text;
  if (totals.from_cache != 0) text += "  from the cache: " + std::to_string(totals.from_cache) + "\n";
  if (run.linked_later != 0) text += "  in the cache for the next run: " + std::to_string(run.linked_later) + "\n";
  if (totals.before.components != 0) text += "  " + sizes(totals.before, totals.after) + "\n";
  text += "  time: linking " + number(totals.link_ms) + " ms, driver " + number(totals.driver_ms) + " ms\n";
  for (const auto& [reason, count] : totals.reasons)
    text += "  passed through: " + std::to_string(count) + "  " + reason + "\n";
  for (const RunPipeline* each : best_of(run))
    text += "  " + each->key + "  " + each->stages + "  " + sizes(each->before, each->after) + "\n";
  return text;
}

std::string json_of(const RunRecord& run) {
  const Totals totals = totals_of(run);
  RunJson json = {{"version", kVersion}, {"instances", run.instances}};
  json["summary"] = {{"pipelines", run.pipelines.size()},
                     {"linked", totals.linked},
                     {"recorded", totals.recorded},
                     {"unchanged", totals.unchanged},
                     {"passedThrough", totals.passed_through},
                     {"fromCache", totals.from_cache},
                     {"linkedLater", run.linked_later},
                     {"reasons", totals.reasons},
                     {"before", json_of(totals.before)},
                     {"after", json_of(totals.after)},
                     {"linkMs", totals.link_ms},
                     {"driverMs", totals.driver_ms}};
  json["messages"] = run.messages;
  json["pipelines"] = RunJson::array();
  for (const RunPipeline& each : run.pipelines) {
    RunJson line = {{"pipeline", each.key}, {"stages", each.stages}, {"outcome", each.outcome}};
    if (!each.reason.empty()) line["reason"] = each.reason;
    line["before"] = json_of(each.before);
    line["after"] = json_of(each.after);
    line["fromCache"] = each.from_cache;
    if (each.steps != 0) line["steps"] = each.steps;
    line["linkMs"] = each.link_ms;
    line["driverMs"] = each.driver_ms;
    json["pipelines"].push_back(std::move(line));
  }
  return json.dump(2) + "\n";
}

}  // namespace varylink::cli
