#include "fuzz/coverage.h"

#include <cctype>
#include <charconv>

#include "fuzz/feature_weights.h"

namespace varylink::fuzz {
namespace {

// Identifiers, numbers and quoted names differ from pipeline to pipeline; the sentence around them is what counts.
std::string generalized(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const bool word = std::isalnum(c) || c == '_' || c == '%';
    if (!word) {
      out += text[i] == '\t' || text[i] == '\n' ? ' ' : text[i];
      continue;
    }
    std::size_t end = i;
    bool has_digit = false;
    while (end < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_' || text[end] == '%')) {
      has_digit = has_digit || std::isdigit(static_cast<unsigned char>(text[end]));
      ++end;
    }
    out += has_digit ? std::string("#") : std::string(text.substr(i, end - i));
    i = end - 1;
  }
  return out;
}

}  // namespace

void Coverage::count_report(const link::LinkedPipeline& linked) {
  for (const link::InterfaceReport& interface : linked.interfaces) {
    const std::string pair =
        std::string(short_name(interface.producer)) + "->" + std::string(short_name(interface.consumer));
    count("interface", pair);
    for (const link::ComponentRecord& record : interface.components) {
      const std::string outcome{link::name_of(record.outcome)};
      count("fate", outcome);
      count("fate by interface", pair + " " + outcome);
      if (!record.reason.empty()) count("reason", outcome + ": " + generalized(record.reason));
    }
  }
  for (const link::Remark& remark : linked.remarks) count("remark", remark.pass + ": " + generalized(remark.message));
}

void Coverage::merge(const Coverage& other) {
  for (const auto& [group, names] : other.groups_) {
    for (const auto& [name, times] : names) groups_[group][name] += times;
  }
}

std::uint64_t Coverage::value(const std::string& group, const std::string& name) const {
  const auto found = groups_.find(group);
  if (found == groups_.end()) return 0;
  const auto entry = found->second.find(name);
  return entry == found->second.end() ? 0 : entry->second;
}

std::map<std::string, std::uint64_t> Coverage::group(const std::string& group) const {
  const auto found = groups_.find(group);
  return found == groups_.end() ? std::map<std::string, std::uint64_t>{} : found->second;
}

std::string Coverage::serialize() const {
  std::string text;
  for (const auto& [group, names] : groups_) {
    for (const auto& [name, times] : names) text += group + "\t" + name + "\t" + std::to_string(times) + "\n";
  }
  return text;
}

void Coverage::add_line(std::string_view line) {
  const std::size_t first = line.find('\t');
  const std::size_t last = line.rfind('\t');
  if (first == std::string_view::npos || first == last) return;
  std::uint64_t times = 0;
  const std::string_view number = line.substr(last + 1);
  if (std::from_chars(number.data(), number.data() + number.size(), times).ec != std::errc{}) return;
  count(std::string(line.substr(0, first)), std::string(line.substr(first + 1, last - first - 1)), times);
}

std::string Coverage::table() const {
  std::string text;
  for (const auto& [group, names] : groups_) {
    text += group + "\n";
    for (const auto& [name, times] : names) {
      const std::string number = std::to_string(times);
      text += std::string(number.size() < 10 ? 10 - number.size() : 1, ' ') + number + "  " + name + "\n";
    }
  }
  std::string missing;
  for (const FeatureInfo& feature : feature_table()) {
    if (value("feature", std::string(feature.name)) == 0) missing += " " + std::string(feature.name);
  }
  if (!missing.empty()) text += "features that never fired:" + missing + "\n";
  return text;
}

}  // namespace varylink::fuzz
