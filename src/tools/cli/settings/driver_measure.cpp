#include "cli/settings/driver_measure.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/settings/number_option.h"
#include "cli/settings/picture_check.h"
#include "measure/figures.h"
#include "measure/measurement_json.h"

#ifdef VARYLINK_HAVE_VULKAN
#include "meter/meter.h"
#endif

namespace varylink::cli {

void declare_fail_above(CLI::App& app, std::optional<double>& percent, const char* group) {
  add_number(app, "--fail-above", percent,
             "exit status 6 if a stage gets worse by more than this in instructions, registers, spills, occupancy or "
             "what else the driver says that is better when it is less (docs/measure.md); lines say so from 2 on",
             {{0.0, 1e6}})
      ->type_name("PERCENT")
      ->group(group);
}

#ifdef VARYLINK_HAVE_VULKAN

namespace {

using measure::Change;
using nlohmann::ordered_json;

constexpr double kWorthSaying = 2;  // percent

}  // namespace

struct DriverMeasure::State {
  measure::Meter meter;
  MeasureOptions options;
  ordered_json pipelines = ordered_json::array();
  measure::Sums sums;
  std::vector<std::string> worse;           // "lit: frag: Instructions 30 -> 40 (+33.3 %)"
  std::map<std::string, int> not_measured;  // by reason
  std::size_t stages = 0;
  int status = 0;

  double limit() const { return options.fail_above.value_or(kWorthSaying); }
  bool is_worse(const Change& change) const {
    return measure::is_judged(change.statistic) && change.worse_by() > limit();
  }
  // The changes of one stage, in one line.
  std::string line(const std::vector<Change>& changes) const;
  void compare(const std::string& name, Measured& measured);
};

std::string DriverMeasure::State::line(const std::vector<Change>& changes) const {
  std::string text;
  for (const Change& change : changes) {
    if (change.before == change.after || measure::sense_of(change.statistic) == measure::Sense::unknown) continue;
    text += (text.empty() ? "" : ", ") + measure::text_of(change.statistic, change.before, change.after);
    if (is_worse(change)) text += " WORSE";
  }
  return changes.front().stage + ": " + (text.empty() ? "unchanged" : text);
}

// Adds up what was measured, and says it in lines.
void DriverMeasure::State::compare(const std::string& name, Measured& measured) {
  const std::vector<Change> changes = measure::changes_of(measured.measurement);
  sums.add(changes);
  for (auto first = changes.begin(); first != changes.end();) {
    const auto end = std::find_if(first, changes.end(), [&](const Change& each) { return each.stage != first->stage; });
    measured.lines.push_back(line({first, end}));
    ++stages;
    if (std::any_of(first, end, [&](const Change& each) { return is_worse(each); })) {
      measured.worse = true;
      worse.push_back(name + ": " + measured.lines.back());
    }
    first = end;
  }
  if (measured.worse && options.fail_above) status = worse_status(status, kStatusWorse);
}

DriverMeasure::DriverMeasure(std::unique_ptr<State> state) : state_(std::move(state)) {}
DriverMeasure::DriverMeasure(DriverMeasure&&) noexcept = default;
DriverMeasure& DriverMeasure::operator=(DriverMeasure&&) noexcept = default;
DriverMeasure::~DriverMeasure() = default;

Result<DriverMeasure> DriverMeasure::start(const MeasureOptions& options) {
  Result<measure::Meter> meter = measure::Meter::start();
  if (!meter) return meter.error();
  return DriverMeasure(std::unique_ptr<State>(new State{std::move(*meter), options}));
}

DriverMeasure::Measured DriverMeasure::measure(const std::string& name, const state::PipelineState& state,
                                               const std::vector<link::StageInput>& original,
                                               const std::vector<link::StageInput>& linked) {
  Measured result;
  result.measurement = state_->meter.measure(original, linked, state, state_->options.time_limit_s);
  const std::string& failure = result.measurement.failure;
  if (state_->options.lists_pipelines) {
    ordered_json json{{"name", name}};
    json.update(measure::to_json(result.measurement));
    state_->pipelines.push_back(std::move(json));
  }
  if (failure.empty()) {
    state_->compare(name, result);
    return result;
  }
  const bool only_linked = result.measurement.only_linked_fails;
  state_->status = worse_status(state_->status, only_linked ? kStatusWorse : kStatusNotCovered);
  ++state_->not_measured[failure];
  result.lines.push_back("not measured: " + failure);
  result.worse = true;
  return result;
}

const std::string& DriverMeasure::device() const { return state_->meter.description(); }

int DriverMeasure::status() const { return state_->status; }

std::string DriverMeasure::summary() const {
  std::string text = state_->meter.description() + "\n" + state_->sums.text();
  char limit[32];
  std::snprintf(limit, sizeof limit, "%g", state_->limit());
  text += "worse by more than " + std::string(limit) + " % in one of them: " + std::to_string(state_->worse.size()) +
          " of " + std::to_string(state_->stages) + " stages\n";
  for (const auto& [reason, count] : state_->not_measured)
    text += "not measured: " + std::to_string(count) + ": " + reason + "\n";
  return text;
}

std::string DriverMeasure::json() const {
  ordered_json sums = ordered_json::object();
  for (const auto& [name, sum] : state_->sums.all())
    sums[name] = {{"before", sum.before}, {"after", sum.after}, {"better", sum.better}, {"worse", sum.worse}};
  const ordered_json all{
      {"device", state_->meter.description()}, {"worseThan", state_->limit()}, {"stages", state_->stages},
      {"worseStages", state_->worse.size()},   {"worse", state_->worse},       {"sums", sums},
      {"pipelines", state_->pipelines}};
  // File names may hold any bytes; they must not make the dump throw.
  return all.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

#else

struct DriverMeasure::State {};

Result<DriverMeasure> DriverMeasure::start(const MeasureOptions&) {
  return make_error(
      ErrorKind::usage, "",
      "this varylink was built without Vulkan: install libvulkan-dev and mesa-vulkan-drivers and build again");
}
DriverMeasure::DriverMeasure(std::unique_ptr<State> state) : state_(std::move(state)) {}
DriverMeasure::DriverMeasure(DriverMeasure&&) noexcept = default;
DriverMeasure& DriverMeasure::operator=(DriverMeasure&&) noexcept = default;
DriverMeasure::~DriverMeasure() = default;
DriverMeasure::Measured DriverMeasure::measure(const std::string&, const state::PipelineState&,
                                               const std::vector<link::StageInput>&,
                                               const std::vector<link::StageInput>&) {
  return {};
}
const std::string& DriverMeasure::device() const {
  static const std::string none;
  return none;
}
int DriverMeasure::status() const { return kStatusNoDriver; }
std::string DriverMeasure::summary() const { return {}; }
std::string DriverMeasure::json() const { return {}; }

#endif

}  // namespace varylink::cli
