#include "support/case_file.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace varylink::test {
namespace {

constexpr std::string_view kTitleMark = "== ";

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

// A directive is ";; key: value" with a one-word key in lower case, so that prose with a colon in it is prose.
bool is_directive(const std::string& line, std::size_t colon) {
  return colon != std::string::npos && colon > 0 &&
         std::all_of(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(colon),
                     [](char c) { return (c >= 'a' && c <= 'z') || c == '-'; });
}

void parse_head(CaseFile& file) {
  for (const std::string& raw : split_lines(file.head)) {
    if (raw.rfind(";;", 0) != 0) continue;
    const std::string line = trim(std::string_view(raw).substr(2));
    const std::size_t colon = line.find(':');
    if (is_directive(line, colon))
      file.directives.emplace_back(line.substr(0, colon), trim(line.substr(colon + 1)));
    else if (!line.empty())
      file.description += (file.description.empty() ? "" : " ") + line;
  }
}

Result<void> check(const CaseFile& file) {
  if (file.description.empty()) return make_error(ErrorKind::usage, file.path, "the case does not say what must hold");
  if (file.sections.empty()) return make_error(ErrorKind::usage, file.path, "the case has no section");
  for (const CaseSection& section : file.sections)
    if (file.find(section.title) != &section)
      return make_error(ErrorKind::usage, file.path, "section '" + section.title + "' is there twice");
  return {};
}

// Lengths of the longest common subsequences of the tails a[i..] and b[j..].
std::vector<std::vector<std::uint32_t>> common_tails(const std::vector<std::string>& a,
                                                     const std::vector<std::string>& b) {
  std::vector<std::vector<std::uint32_t>> length(a.size() + 1, std::vector<std::uint32_t>(b.size() + 1, 0));
  for (std::size_t i = a.size(); i-- > 0;)
    for (std::size_t j = b.size(); j-- > 0;)
      length[i][j] = a[i] == b[j] ? length[i + 1][j + 1] + 1 : std::max(length[i + 1][j], length[i][j + 1]);
  return length;
}

}  // namespace

const CaseSection* CaseFile::find(std::string_view title) const {
  const auto found = std::find_if(sections.begin(), sections.end(),
                                  [&](const CaseSection& section) { return section.title == title; });
  return found == sections.end() ? nullptr : &*found;
}

std::string CaseFile::directive(std::string_view key) const {
  for (const auto& [name, value] : directives)
    if (name == key) return value;
  return {};
}

void CaseFile::set(std::string_view title, std::string body, std::string_view before) {
  for (CaseSection& section : sections)
    if (section.title == title) {
      section.body = std::move(body);
      return;
    }
  const auto place = std::find_if(sections.begin(), sections.end(),
                                  [&](const CaseSection& section) { return section.title.rfind(before, 0) == 0; });
  sections.insert(place, CaseSection{std::string(title), std::move(body), 0});
}

void CaseFile::remove(std::string_view title) {
  std::erase_if(sections, [&](const CaseSection& section) { return section.title == title; });
}

std::string CaseFile::text() const {
  std::string text = head;
  for (const CaseSection& section : sections) text += std::string(kTitleMark) + section.title + "\n" + section.body;
  return text;
}

Result<CaseFile> parse_case(std::string_view text, std::string path) {
  CaseFile file;
  file.path = std::move(path);
  int number = 0;
  for (const std::string& line : split_lines(text)) {
    ++number;
    if (line.rfind(kTitleMark, 0) == 0)
      file.sections.push_back({joined(split_words(line.substr(kTitleMark.size()))), {}, number});
    else
      (file.sections.empty() ? file.head : file.sections.back().body) += line + "\n";
  }
  parse_head(file);
  if (Result<void> checked = check(file); !checked) return checked.error();
  return file;
}

bool states_what_must_hold(const CaseFile& file) {
  return std::any_of(file.sections.begin(), file.sections.end(), [](const CaseSection& section) {
    return section.title.starts_with("check ") ||
           (section.title.starts_with("expect ") && trim(section.body) == "unchanged");
  });
}

Result<CaseFile> read_case(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return make_error(ErrorKind::io, path, "cannot be read");
  std::ostringstream text;
  text << stream.rdbuf();
  return parse_case(text.str(), path);
}

std::vector<std::string> case_files(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failed))
    if (entry.path().extension() == ".case") paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

std::vector<std::string> split_words(std::string_view text) {
  std::istringstream stream{std::string(text)};
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::vector<std::string> split_list(std::string text) {
  std::replace(text.begin(), text.end(), ',', ' ');
  return split_words(text);
}

std::string trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1));
}

std::string line_diff(const std::string& expected, const std::string& actual) {
  const std::vector<std::string> a = split_lines(expected), b = split_lines(actual);
  const auto length = common_tails(a, b);
  std::string diff;
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    if (i < a.size() && j < b.size() && a[i] == b[j]) {
      diff += "  " + a[i++] + "\n";
      ++j;
    } else if (j == b.size() || (i < a.size() && length[i + 1][j] >= length[i][j + 1])) {
      diff += "- " + a[i++] + "\n";
    } else {
      diff += "+ " + b[j++] + "\n";
    }
  }
  return diff;
}

}  // namespace varylink::test
