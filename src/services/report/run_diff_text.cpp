// The helped/hurt table of two runs, as text and as Markdown.
#include <algorithm>
#include <array>
#include <cstdio>

#include "base/printable.h"
#include "report/run_diff.h"

namespace varylink::report {
namespace {

constexpr const char* kArrow = "→";

std::string percent(std::uint64_t before, std::uint64_t after) {
  if (after == before) return "0.0 %";
  if (before == 0) return "new";
  std::array<char, 32> buffer{};
  const double change =
      100.0 * (static_cast<double>(after) - static_cast<double>(before)) / static_cast<double>(before);
  std::snprintf(buffer.data(), buffer.size(), "%+.1f %%", change);
  return buffer.data();
}

std::string change_text(const MeasureChange& change) {
  return change.measure + " " + std::to_string(change.before) + " " + kArrow + " " + std::to_string(change.after);
}

// How much worse the pipeline became in its worst measure, in relation to what it was; negative if in none.
double worst(const PipelineChange& pipeline) {
  double result = -1e300;
  for (const MeasureChange& change : pipeline.changes) {
    const double before = std::max<double>(static_cast<double>(change.before), 1);
    result = std::max(result, (static_cast<double>(change.after) - static_cast<double>(change.before)) / before);
  }
  return result;
}

bool is_hurt(const PipelineChange& pipeline) { return worst(pipeline) > 0; }

// A plain name inside Markdown: characters of markup are escaped.
std::string escaped(const std::string& name, TextStyle style) {
  const std::string text = printable(name);
  if (style == TextStyle::plain) return text;
  std::string result;
  for (const char c : text) {
    if (std::string_view("\\`*_{}[]<>|#").find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

class Renderer {
 public:
  Renderer(const RunDiff& diff, TextStyle style, std::size_t limit) : diff_(diff), style_(style), limit_(limit) {}

  std::string run() {
    heading();
    for (const std::string& note : diff_.notes) line(escaped(note, style_));
    table();
    std::vector<const PipelineChange*> hurt, helped;
    for (const PipelineChange& pipeline : diff_.pipelines) (is_hurt(pipeline) ? hurt : helped).push_back(&pipeline);
    const auto by_worst = [](const auto* a, const auto* b) { return worst(*a) > worst(*b); };
    std::stable_sort(hurt.begin(), hurt.end(), by_worst);
    std::stable_sort(helped.begin(), helped.end(), [&](const auto* a, const auto* b) { return by_worst(b, a); });
    changes("hurt", hurt);
    changes("helped", helped);
    names("failing now", diff_.now_failing);
    names("linked now", diff_.now_linked);
    names("only in " + diff_.before_file, diff_.only_before);
    names("only in " + diff_.after_file, diff_.only_after);
    return text_;
  }

 private:
  bool markdown() const { return style_ == TextStyle::markdown; }
  void line(const std::string& line) { text_ += line + (markdown() ? "\n\n" : "\n"); }
  void heading();
  void table();
  void row(const MeasureSummary& summary);
  void changes(const std::string& title, const std::vector<const PipelineChange*>& pipelines);
  void names(const std::string& title, const std::vector<std::string>& pipelines);
  std::size_t shown(std::size_t count) const { return limit_ == 0 ? count : std::min(count, limit_); }
  void rest(std::size_t count);

  const RunDiff& diff_;
  TextStyle style_;
  std::size_t limit_;
  std::string text_;
};

void Renderer::heading() {
  line(escaped(diff_.before_file, style_) + " " + kArrow + " " + escaped(diff_.after_file, style_) + ": " +
       std::to_string(diff_.compared) + (diff_.compared == 1 ? " pipeline" : " pipelines") + " linked in both, " +
       std::to_string(diff_.pipelines.size()) + " changed");
}

void Renderer::row(const MeasureSummary& summary) {
  std::array<char, 160> buffer{};
  const char* format =
      markdown() ? "| %s | %zu | %zu | %zu | %llu | %llu | %s |\n" : "  %-20s %7zu %7zu %7zu %10llu %10llu %10s\n";
  std::snprintf(buffer.data(), buffer.size(), format, summary.measure.c_str(), summary.helped, summary.hurt,
                summary.same, static_cast<unsigned long long>(summary.before),
                static_cast<unsigned long long>(summary.after), percent(summary.before, summary.after).c_str());
  text_ += buffer.data();
}

void Renderer::table() {
  if (diff_.measures.empty()) return;
  text_ += markdown() ? "| measure | helped | hurt | same | before | after | change |\n|---|--:|--:|--:|--:|--:|--:|\n"
                      : "                        helped    hurt    same     before      after     change\n";
  for (const MeasureSummary& summary : diff_.measures) row(summary);
  if (markdown()) text_ += "\n";
}

void Renderer::rest(std::size_t count) {
  if (shown(count) == count) return;
  text_ += (markdown() ? "- and " : "  and ") + std::to_string(count - shown(count)) + " more\n";
}

void Renderer::changes(const std::string& title, const std::vector<const PipelineChange*>& pipelines) {
  if (pipelines.empty()) return;
  line(title + ":");
  for (std::size_t i = 0; i < shown(pipelines.size()); ++i) {
    std::string row = (markdown() ? "- " : "  ") + escaped(pipelines[i]->name, style_) + ": ";
    for (const MeasureChange& change : pipelines[i]->changes)
      row += (&change == pipelines[i]->changes.data() ? "" : ", ") + change_text(change);
    text_ += row + "\n";
  }
  rest(pipelines.size());
  if (markdown()) text_ += "\n";
}

void Renderer::names(const std::string& title, const std::vector<std::string>& pipelines) {
  if (pipelines.empty()) return;
  line(escaped(title, style_) + ":");
  for (std::size_t i = 0; i < shown(pipelines.size()); ++i)
    text_ += (markdown() ? "- " : "  ") + escaped(pipelines[i], style_) + "\n";
  rest(pipelines.size());
  if (markdown()) text_ += "\n";
}

}  // namespace

std::size_t count_of(const RunDiff& diff, Regression kind) {
  const auto hurt = static_cast<std::size_t>(std::count_if(diff.pipelines.begin(), diff.pipelines.end(), is_hurt));
  switch (kind) {
    case Regression::worse: return hurt + diff.now_failing.size();
    case Regression::failing: return diff.now_failing.size();
    case Regression::missing: return diff.only_before.size();
    case Regression::changed:
      return diff.pipelines.size() + diff.now_failing.size() + diff.now_linked.size() + diff.only_before.size() +
             diff.only_after.size();
  }
  return 0;
}

std::string render(const RunDiff& diff, TextStyle style, std::size_t limit) {
  return Renderer(diff, style, limit).run();
}

}  // namespace varylink::report
