#include "measure/figures.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <iterator>

namespace varylink::measure {
namespace {

struct Figure {
  std::string_view part;  // of the name, in lower case
  Sense sense;
  bool judged;
};

// The first that is part of a name counts.
constexpr Figure kFigures[] = {
    {"hash", Sense::unknown, false},
    {"pre-sched", Sense::unknown, false},  // estimates from before the registers are allocated
    {"preamble", Sense::fewer_is_better, false},
    {"instruction", Sense::fewer_is_better, true},
    {"spill", Sense::fewer_is_better, true},
    {"fills", Sense::fewer_is_better, true},
    {"fill count", Sense::fewer_is_better, true},
    {"stp count", Sense::fewer_is_better, true},  // Adreno's stores and loads of private memory
    {"ldp count", Sense::fewer_is_better, true},
    {"scratch", Sense::fewer_is_better, true},
    {"local memory", Sense::fewer_is_better, true},
    {"stack size", Sense::fewer_is_better, true},
    {"sgprs", Sense::fewer_is_better, false},  // shared by a wave, never what limits it
    {"vgprs", Sense::fewer_is_better, true},
    {"register", Sense::fewer_is_better, true},
    {"gprs", Sense::fewer_is_better, true},
    {"subgroups per simd", Sense::more_is_better, true},
    {"max waves", Sense::more_is_better, true},
    {"max warps", Sense::more_is_better, true},
    {"dispatch width", Sense::more_is_better, true},
    {"threads", Sense::more_is_better, true},
    {"occupancy", Sense::more_is_better, true},
    {"inverse throughput", Sense::fewer_is_better, true},
    {"cycle", Sense::fewer_is_better, true},
    {"latency", Sense::fewer_is_better, false},  // what other waves hide
    {"combined inputs", Sense::fewer_is_better, true},
    {"combined outputs", Sense::fewer_is_better, true},
    {"send count", Sense::fewer_is_better, true},
    {"code size", Sense::fewer_is_better, false},   // padded; the instructions tell
    {"binary size", Sense::fewer_is_better, true},  // NVIDIA's drivers count no instructions
    {"branches", Sense::fewer_is_better, false},
};

const Figure* find_figure(std::string_view statistic) {
  std::string lower;
  std::transform(statistic.begin(), statistic.end(), std::back_inserter(lower),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto* found = std::find_if(std::begin(kFigures), std::end(kFigures),
                                   [&](const Figure& figure) { return lower.find(figure.part) != std::string::npos; });
  return found == std::end(kFigures) ? nullptr : found;
}

std::string stages_of(const Executable& executable) {
  std::string text;
  for (const Stage stage : executable.stages) text += (text.empty() ? "" : "+") + std::string(short_name(stage));
  return text.empty() ? executable.name : text;
}

// With the driver's name where several executables are of the same stages.
std::string label_of(const Executable& executable, const std::vector<Executable>& all) {
  const auto same =
      std::count_if(all.begin(), all.end(), [&](const Executable& other) { return other.stages == executable.stages; });
  return stages_of(executable) + (same > 1 ? " (" + executable.name + ")" : "");
}

template <typename List>
auto find_named(const List& list, const std::string& name) {
  return std::find_if(list.begin(), list.end(), [&](const auto& each) { return each.name == name; });
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.10g", value);
  return text;
}

}  // namespace

Sense sense_of(std::string_view statistic) {
  const Figure* figure = find_figure(statistic);
  return figure == nullptr ? Sense::unknown : figure->sense;
}

bool is_judged(std::string_view statistic) {
  const Figure* figure = find_figure(statistic);
  return figure != nullptr && figure->judged;
}

double Change::worse_by() const {
  const Sense sense = sense_of(statistic);
  if (sense == Sense::unknown) return 0;
  const double grown = 100 * (after - before) / (before == 0 ? 1 : std::abs(before));
  return sense == Sense::fewer_is_better ? grown : -grown;
}

std::vector<Change> changes_of(const Measurement& measurement) {
  std::vector<Change> changes;
  for (const Executable& before : measurement.before) {
    const auto after = find_named(measurement.after, before.name);
    if (after == measurement.after.end()) continue;
    const std::string label = label_of(before, measurement.before);
    for (const Statistic& statistic : before.statistics) {
      const auto other = find_named(after->statistics, statistic.name);
      if (other != after->statistics.end()) changes.push_back({label, statistic.name, statistic.value, other->value});
    }
  }
  return changes;
}

void Sums::add(const std::vector<Change>& changes) {
  for (const Change& change : changes) {
    if (sense_of(change.statistic) == Sense::unknown) continue;
    Sum& sum = sums_[change.statistic];
    sum.before += change.before;
    sum.after += change.after;
    if (change.worse_by() > 0) ++sum.worse;
    if (change.worse_by() < 0) ++sum.better;
  }
}

std::string Sums::text() const {
  std::string text;
  for (const auto& [name, sum] : sums_) {
    if (sum.before == 0 && sum.after == 0) continue;
    text += text_of(name, sum.before, sum.after) + ", " + std::to_string(sum.better) + " better, " +
            std::to_string(sum.worse) + " worse\n";
  }
  return text;
}

std::string text_of(const std::string& statistic, double before, double after) {
  std::string text = statistic + " " + number(before) + " -> " + number(after);
  if (before == after || before == 0) return text;
  char percent[32];
  std::snprintf(percent, sizeof percent, " (%+.1f %%)", 100 * (after - before) / before);
  return text + percent;
}

}  // namespace varylink::measure
