// A test case as one text file that reads as documentation: sources and expectations in named sections.
//
//   ;; One sentence that says what must hold.
//   ;; link: -O1
//   == vert
//   (GLSL)
//   == frag
//   (GLSL)
//   == expect status
//   ok
//
// Lines at the top that start with ";;" are the description; ";; key: value" among them are directives. A line that
// starts with "== " opens a section, which lasts until the next one. What the sections mean is up to the user of this
// file; see tests/pipelines/README.md for pipeline cases.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace varylink::test {

struct CaseSection {
  std::string title;  // words behind "== ", single spaces between them: "expect status"
  std::string body;   // everything up to the next section, line breaks included
  int line = 0;       // 1-based line of the title
};

struct CaseFile {
  std::string path;
  std::string head;  // everything in front of the first section
  std::string description;
  std::vector<std::pair<std::string, std::string>> directives;  // in order; a key may come several times
  std::vector<CaseSection> sections;

  // The section with that title, nullptr if there is none.
  const CaseSection* find(std::string_view title) const;
  // Value of the first directive with that key, empty if there is none.
  std::string directive(std::string_view key) const;

  // Replaces the body of a section. A section that is not there yet goes in front of the first one whose title starts
  // with `before`, or to the end.
  void set(std::string_view title, std::string body, std::string_view before = "check");
  // Takes a section away, if it is there.
  void remove(std::string_view title);

  // The file as text: what was parsed, with single spaces in titles and a line break at the end.
  std::string text() const;
};

// Error (usage): no description, a title twice, nothing in the file.
Result<CaseFile> parse_case(std::string_view text, std::string path);
// Error (io): the file cannot be read.
Result<CaseFile> read_case(const std::string& path);

// It has a check section or expects something to be "unchanged", which a blessing never rewrites. A case that states
// nothing but other expectations says what came out on the day it was blessed, not what must hold.
bool states_what_must_hold(const CaseFile& file);

// The *.case files directly in `folder`, sorted by name; empty if there is no such folder.
std::vector<std::string> case_files(const std::string& folder);

// ---- text that the users of case files need as well

std::vector<std::string> split_lines(std::string_view text);
std::vector<std::string> split_words(std::string_view text);
std::vector<std::string> split_list(std::string text);  // "a,b, c"
std::string trim(std::string_view text);

// The lines of both texts with "  " in front of common ones, "- " in front of those only in `expected` and "+ " in
// front of those only in `actual`.
std::string line_diff(const std::string& expected, const std::string& actual);

}  // namespace varylink::test
