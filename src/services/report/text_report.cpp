#include "report/text_report.h"

#include <array>
#include <cstdint>
#include <cstdio>

#include "base/printable.h"

namespace varylink::report {
namespace {

constexpr const char* kCountArrow = "→";

std::string change(std::uint32_t before, std::uint32_t after) {
  return std::to_string(before) + " " + kCountArrow + " " + std::to_string(after);
}

std::string outcomes(const link::InterfaceReport& interface) {
  constexpr std::array kGoneOutcomes = {link::Outcome::dead, link::Outcome::constant, link::Outcome::uniform,
                                        link::Outcome::duplicate, link::Outcome::moved};
  std::string text;
  for (const link::Outcome outcome : kGoneOutcomes) {
    const std::uint32_t count = interface.count(outcome);
    if (count == 0) continue;
    text += (text.empty() ? "" : ", ") + std::string(link::name_of(outcome)) + " " + std::to_string(count);
  }
  return text;
}

std::string table_row(const char* label, std::uint64_t before, std::uint64_t after) {
  std::array<char, 96> buffer{};
  const double percent =
      before == 0 ? 0.0
                  : 100.0 * (static_cast<double>(after) - static_cast<double>(before)) / static_cast<double>(before);
  std::snprintf(buffer.data(), buffer.size(), "  %-18s %10llu %10llu %+8.1f %%\n", label,
                static_cast<unsigned long long>(before), static_cast<unsigned long long>(after), percent);
  return buffer.data();
}

std::string failures(const Totals& totals) {
  std::string text;
  for (const auto& [name, failure] : totals.failed)
    text += "  failed: " + printable(name) + " (" + std::string(name_of(failure)) + ")\n";
  return text;
}

// ", with -O2, -O3".
std::string with(const std::vector<std::string>& means) {
  std::string text;
  for (const std::string& each : means) text += (text.empty() ? ", with " : ", ") + each;
  return text;
}

}  // namespace

std::string interface_line(const link::InterfaceReport& interface) {
  const link::InterfaceSize& before = interface.before;
  const link::InterfaceSize& after = interface.after;
  std::string line = std::string(short_name(interface.producer)) + kCountArrow +
                     std::string(short_name(interface.consumer)) + "  components " +
                     change(before.components, after.components) + ", locations " +
                     change(before.locations, after.locations) + ", bytes per vertex " +
                     change(before.bytes_per_vertex(), after.bytes_per_vertex());
  if (before.not_counted + after.not_counted > 0)
    line += ", not counted " + change(before.not_counted, after.not_counted) + " of unknown length";
  const std::string gone = outcomes(interface);
  return gone.empty() ? line : line + "  (" + gone + ")";
}

std::string next_level_line(const NextLevel& next) {
  const std::string start = "at -O" + std::to_string(next.level) + ": ";
  if (next.then.components == next.now.components && next.then.locations == next.now.locations)
    return start + "no fewer components";
  return start + "components " + change(next.now.components, next.then.components) + ", locations " +
         change(next.now.locations, next.then.locations);
}

std::string fit_line(const FitRecord& fit) {
  return (fit.fits ? "fits into the limits" : "does not fit into the limits") + with(fit.means);
}

std::string fragment_cost_line(const FragmentCostRecord& cost) {
  if (!cost.percent) return "cost of the fragment shader not known";
  std::array<char, 32> number{};
  std::snprintf(number.data(), number.size(), "%.1f", *cost.percent);
  return std::string("fragment shader at ") + number.data() + " % of its cost" + with(cost.means);
}

std::string cost_line(const StageRecord& stage) {
  if (!stage.cost_before || !stage.cost_after) return {};
  const analysis::StageCost& before = *stage.cost_before;
  const analysis::StageCost& after = *stage.cost_after;
  return std::string(short_name(stage.stage)) + "  instructions " + change(before.instructions, after.instructions) +
         ", critical path " + change(before.critical_path, after.critical_path) + ", live scalars " +
         change(before.peak_live, after.peak_live) +
         (stage.kept ? ", kept " + std::to_string(stage.kept->kept) + " of " + std::to_string(stage.kept->original) +
                           " instructions"
                     : "") +
         (stage.larger_because.empty() ? "" : ", more bytes: " + stage.larger_because);
}

std::string summary_table(const Totals& totals) {
  std::string text = std::to_string(totals.pipelines) + (totals.pipelines == 1 ? " pipeline: " : " pipelines: ") +
                     std::to_string(totals.linked) + " linked, " + std::to_string(totals.pipelines - totals.linked) +
                     " failed\n";
  text += failures(totals);
  if (!totals.unchecked.empty())
    text += std::to_string(totals.unchecked.size()) + " of the linked passed through unchecked\n";
  for (const std::string& name : totals.unchecked) text += "  unchecked: " + printable(name) + "\n";
  if (totals.linked == 0) return text;
  text += "                         before      after\n";
  text += table_row("components", totals.before.components, totals.after.components);
  text += table_row("locations", totals.before.locations, totals.after.locations);
  text += table_row("bytes per vertex", std::uint64_t{4} * totals.before.components,
                    std::uint64_t{4} * totals.after.components);
  if (totals.before.not_counted + totals.after.not_counted > 0)
    text += table_row("of unknown length", totals.before.not_counted, totals.after.not_counted);
  return text;
}

}  // namespace varylink::report
