#include "cli/files/depfile.h"

namespace varylink::cli {
namespace {

std::string escaped(const std::string& path) {
  std::string text;
  for (const char c : path) {
    if (c == ' ' || c == '#' || c == '\t') text += '\\';
    if (c == '$') text += '$';
    text += c;
  }
  return text;
}

}  // namespace

std::string dependency_rule(const std::vector<std::string>& targets, const std::vector<std::string>& prerequisites) {
  if (targets.empty()) return {};
  std::string rule;
  for (const std::string& target : targets) rule += (rule.empty() ? "" : " ") + escaped(target);
  rule += ":";
  for (const std::string& prerequisite : prerequisites) rule += " \\\n  " + escaped(prerequisite);
  return rule + "\n";
}

std::string empty_rules(const std::vector<std::string>& files) {
  std::string rules;
  for (const std::string& file : files) rules += escaped(file) + ":\n";
  return rules;
}

}  // namespace varylink::cli
