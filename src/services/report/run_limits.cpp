#include "report/run_limits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/nearest.h"
#include "base/strict_json.h"

namespace varylink::report {
namespace {

constexpr const char* kBecomes = "→";
constexpr std::array kStages = {"vert", "tesc", "tese", "geom", "task", "mesh", "frag"};
constexpr std::array kLongStages = {"vertex", "tess-control", "tess-evaluation", "geometry",
                                    "task",   "mesh",         "fragment"};
constexpr std::array kOfStage = {"instructions", "critical-path", "live-scalars", "work"};

// Every name of a measure, as options and budgets write it.
std::vector<std::string> names_of_measures() {
  std::vector<std::string> names = {"components", "locations"};
  for (const auto& stages : {kStages, kLongStages})
    for (const std::string stage : stages)
      for (const std::string measure : kOfStage) names.push_back(stage + "-" + measure);
  return names;
}

// The measure of a run that the name means, "frag live scalars"; empty if it means none.
std::string measure_called(const std::string& name) {
  if (name == "components" || name == "locations") return name;
  for (std::size_t i = 0; i < kStages.size(); ++i)
    for (const std::string stage : {kStages[i], kLongStages[i]})
      for (const std::string measure : kOfStage) {
        if (name != stage + "-" + measure) continue;
        std::string words = measure;
        std::replace(words.begin(), words.end(), '-', ' ');
        return std::string(kStages[i]) + " " + words;
      }
  return {};
}

std::string unknown_measure(const std::string& name) {
  return "there is no measure '" + name + "'" + did_you_mean(name, names_of_measures());
}

std::string text_of(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), std::floor(value) == value ? "%.0f" : "%.2f", value);
  return text.data();
}

bool fits(std::string_view pattern, std::string_view name) {
  std::size_t star = std::string_view::npos, behind_star = 0, at = 0, in_name = 0;
  while (in_name < name.size()) {
    if (at < pattern.size() && (pattern[at] == '?' || pattern[at] == name[in_name]) && pattern[at] != '*') {
      ++at;
      ++in_name;
    } else if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      behind_star = in_name;
    } else if (star != std::string_view::npos) {  // the star takes one character more
      at = star + 1;
      in_name = ++behind_star;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', at) == std::string_view::npos;
}

const MeasuredValue* value_of(const PipelineValues& pipeline, const std::string& measure) {
  for (const MeasuredValue& value : pipeline.values)
    if (value.measure == measure) return &value;
  return nullptr;
}

}  // namespace

Result<GrowthLimit> parse_growth_limit(const std::string& text) {
  const auto usage = [&](const std::string& what) {
    return make_error(ErrorKind::usage, "", "--fail-on " + text + ": " + what);
  };
  GrowthLimit limit;
  limit.text = text;
  const std::size_t sign = text.find('>');
  if (sign == std::string::npos)
    return usage("is none of worse, failing, missing and changed, and no condition like components>0 or frag-work>2%");
  const std::string name = text.substr(0, sign);
  std::string number = text.substr(sign + 1);
  limit.measure = measure_called(name);
  if (limit.measure.empty()) return usage(unknown_measure(name));
  limit.is_percent = number.ends_with('%');
  if (limit.is_percent) number.pop_back();
  char* end = nullptr;
  limit.most = std::strtod(number.c_str(), &end);
  const bool is_number = !number.empty() && end == number.c_str() + number.size() && std::isfinite(limit.most);
  if (!is_number || limit.most < 0 || number.front() == ' ') return usage("'" + number + "' is no number from 0 on");
  return limit;
}

Result<std::vector<Budget>> parse_budgets(std::string_view text, const std::string& file) {
  JsonProblem problem;
  std::vector<Budget> budgets;
  if (const std::optional<nlohmann::json> json = parse_json(text, problem)) {
    const StrictJson root(*json, problem);
    if (!root.is_object()) root.complain("budgets are an object from patterns of names to measures");
    for (const auto& [pattern, limits] : root.members()) {
      if (!limits.is_object()) limits.complain("a budget is an object like {\"components\": 16}");
      for (const auto& [name, limit] : limits.members()) {
        const std::string measure = measure_called(name);
        if (measure.empty()) limit.complain(unknown_measure(name));
        if (!limit.value().is_number() || limit.value().get<double>() < 0) limit.complain("is no number from 0 on");
        if (!root.is_sound()) break;
        budgets.push_back({pattern, measure, limit.value().get<double>()});
      }
    }
  }
  if (!problem.message.empty()) return json_error(text, file, problem);
  return budgets;
}

std::vector<std::string> beyond(const RunDiff& diff, const GrowthLimit& limit) {
  std::vector<std::string> lines;
  for (const PipelineValues& pipeline : diff.values) {
    const MeasuredValue* value = value_of(pipeline, limit.measure);
    if (!value || !value->before || value->after <= *value->before) continue;
    const double growth = value->after - *value->before;
    const double allowed = limit.is_percent ? *value->before * limit.most / 100 : limit.most;
    if (growth > allowed)
      lines.push_back(pipeline.name + ": " + limit.measure + " " + text_of(*value->before) + " " + kBecomes + " " +
                      text_of(value->after));
  }
  return lines;
}

std::vector<std::string> beyond(const RunDiff& diff, const std::vector<Budget>& budgets) {
  std::vector<std::string> lines;
  for (const PipelineValues& pipeline : diff.values)
    for (const Budget& budget : budgets) {
      const MeasuredValue* value = value_of(pipeline, budget.measure);
      if (value && value->after > budget.most && fits(budget.pattern, pipeline.name))
        lines.push_back(pipeline.name + ": " + budget.measure + " " + text_of(value->after) + ", at most " +
                        text_of(budget.most) + " (" + budget.pattern + ")");
    }
  return lines;
}

}  // namespace varylink::report
