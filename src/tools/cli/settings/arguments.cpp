#include "cli/settings/arguments.h"

#include <algorithm>

#include "frontend/read_file.h"

namespace varylink::cli {
namespace {

constexpr int kMaxDepth = 16;
constexpr std::string_view kSpace = " \t\r\n\f\v";

std::vector<std::string>& files_read() {
  static std::vector<std::string> files;
  return files;
}

// Reads the word that starts at `at` and moves `at` behind it. False if a quote is not closed.
bool read_word(const std::string& text, std::size_t& at, std::string& word) {
  char quote = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (quote == 0 && kSpace.find(c) != std::string_view::npos) break;
    if (c == '\\' && quote != '\'' && at + 1 < text.size())
      word += text[++at];
    else if (quote == 0 && (c == '\'' || c == '"'))
      quote = c;
    else if (c == quote)
      quote = 0;
    else
      word += c;
  }
  return quote == 0;
}

// -MF takes its file as the next argument or attached to it.
std::string respelled(const std::string& argument) {
  if (argument == "-MD") return "--MD";
  if (argument == "-MP") return "--MP";
  if (argument == "-MT") return "--depfile-target";
  if (argument == "-MF") return "--depfile";
  if (argument.starts_with("-MF")) return "--depfile=" + argument.substr(3);
  return argument;
}

// "--record=": the option parser would take the next argument for its value.
bool has_empty_value(const std::string& argument) {
  return argument.starts_with("--") && argument.size() > 3 && argument.find('=') == argument.size() - 1;
}

Result<void> expand(const std::vector<std::string>& arguments, int depth, std::vector<std::string>& result) {
  for (auto each = arguments.begin(); each != arguments.end(); ++each) {
    const std::string& argument = *each;
    if (argument == "--") {  // the words of another program
      result.insert(result.end(), each, arguments.end());
      return {};
    }
    if (argument.size() < 2 || argument[0] != '@') {
      const bool is_empty = has_empty_value(argument);
      result.push_back(is_empty ? argument.substr(0, argument.size() - 1) : respelled(argument));
      if (is_empty) result.emplace_back();
      continue;
    }
    const std::string path = argument.substr(1);
    if (depth == kMaxDepth)
      return make_error(ErrorKind::usage, path, "response files are nested more than 16 levels deep");
    const Result<std::string> text = frontend::read_file(path);
    if (!text) return text.error();
    files_read().push_back(path);
    const Result<std::vector<std::string>> words =
        split_words(std::string(frontend::without_byte_order_mark(*text)), path);
    if (!words) return words.error();
    if (const Result<void> expanded = expand(*words, depth + 1, result); !expanded) return expanded;
  }
  return {};
}

// The option parser takes what stands behind "--" away from a command that had a file before. `run` has there what
// another program gets.
void name_files_behind_dashes(std::vector<std::string>& arguments) {
  if (arguments.empty() || arguments.front() == "run") return;
  const auto dashes = std::find(arguments.begin(), arguments.end(), "--");
  if (dashes == arguments.end()) return;
  for (auto file = dashes + 1; file != arguments.end(); ++file)
    if (file->size() > 1 && file->front() == '-') file->insert(0, "./");
  arguments.erase(dashes);
}

}  // namespace

const std::vector<std::string>& response_files() { return files_read(); }

Result<std::vector<std::string>> split_words(const std::string& text, const std::string& file) {
  std::vector<std::string> words;
  std::size_t at = 0;
  while ((at = text.find_first_not_of(kSpace, at)) != std::string::npos) {
    std::string word;
    if (!read_word(text, at, word)) return make_error(ErrorKind::usage, file, "a quote is not closed");
    words.push_back(std::move(word));
  }
  return words;
}

Result<std::vector<std::string>> expand_arguments(const std::vector<std::string>& arguments) {
  std::vector<std::string> result;
  if (const Result<void> expanded = expand(arguments, 0, result); !expanded) return expanded.error();
  name_files_behind_dashes(result);
  return result;
}

}  // namespace varylink::cli
