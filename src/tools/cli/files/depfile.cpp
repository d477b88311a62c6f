#include "cli/files/depfile.h"

namespace varylink::cli {
namespace {

// In front of a colon '%' is a pattern's.
std::string escaped(const std::string& path, bool is_target) {
  std::string text;
  for (const char c : path) {
    if (c == ' ' || c == '#' || c == '\t' || (c == '%' && is_target)) text += '\\';
    if (c == '$') text += '$';
    text += c;
  }
  return text;
}

}  // namespace

std::string dependency_rule(const std::vector<std::string>& targets, const std::vector<std::string>& prerequisites) {
  if (targets.empty()) return {};
  std::string rule;
  for (const std::string& target : targets) rule += (rule.empty() ? "" : " ") + escaped(target, true);
  rule += ":";
  for (const std::string& prerequisite : prerequisites) rule += " \\\n  " + escaped(prerequisite, false);
  return rule + "\n";
}

std::string empty_rules(const std::vector<std::string>& files) {
  std::string rules;
  for (const std::string& file : files) rules += escaped(file, true) + ":\n";
  return rules;
}

}  // namespace varylink::cli
