#include "support/listing_check.h"

#include <algorithm>
#include <vector>

#include "support/case_file.h"

namespace varylink::test {
namespace {

std::string single_spaced(const std::string& line) {
  std::string text;
  for (const std::string& word : split_words(line)) text += (text.empty() ? "" : " ") + word;
  return text;
}

// Whether `text` stands in `line` at `at`; "%*" stands for any id.
bool stands_at(const std::string& line, std::size_t at, const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i, ++at) {
    if (text.compare(i, 2, "%*") == 0 && at < line.size() && line[at] == '%') {
      at = std::min(line.find(' ', at), line.size()) - 1;
      ++i;
    } else if (at >= line.size() || line[at] != text[i]) {
      return false;
    }
  }
  return true;
}

bool contains(const std::string& line, const std::string& text) {
  for (std::size_t at = 0; at < line.size(); ++at)
    if (stands_at(line, at, text)) return true;
  return false;
}

class Listing {
 public:
  explicit Listing(const std::string& text) {
    for (const std::string& line : split_lines(text)) lines_.push_back(single_spaced(line));
  }

  // First line from `from` on that contains `text`; the number of lines if there is none.
  std::size_t find(const std::string& text, std::size_t from) const {
    const auto found = std::find_if(lines_.begin() + static_cast<std::ptrdiff_t>(from), lines_.end(),
                                    [&](const std::string& line) { return contains(line, text); });
    return static_cast<std::size_t>(found - lines_.begin());
  }
  std::size_t count(const std::string& text) const {
    return static_cast<std::size_t>(
        std::count_if(lines_.begin(), lines_.end(), [&](const std::string& line) { return contains(line, text); }));
  }
  std::size_t size() const { return lines_.size(); }

 private:
  std::vector<std::string> lines_;
};

// Sentence that says why "COUNT n: text" does not hold, empty if it does.
std::string check_count(const Listing& listing, const std::string& check) {
  const std::size_t colon = check.find(':');
  if (colon == std::string::npos) return "COUNT needs 'COUNT n: text'\n";
  const std::string number = trim(check.substr(5, colon - 5)), text = trim(check.substr(colon + 1));
  const std::size_t count = listing.count(text);
  if (number == std::to_string(count)) return {};
  return "'" + text + "' is in " + std::to_string(count) + " lines instead of " + number + "\n";
}

}  // namespace

std::string failed_checks(const std::string& text, const std::string& checks) {
  const Listing listing(text);
  std::string failed;
  std::size_t next = 0;
  for (const std::string& line : split_lines(checks)) {
    const std::string check = single_spaced(line);
    if (check.empty()) continue;
    if (check.rfind("COUNT ", 0) == 0) {
      failed += check_count(listing, check);
    } else if (check.rfind("NOT: ", 0) == 0) {
      const std::string unwanted = check.substr(5);
      if (listing.count(unwanted) != 0) failed += "'" + unwanted + "' is there but must not be\n";
    } else {
      const std::size_t found = listing.find(check, next);
      if (found < listing.size())
        next = found + 1;
      else
        failed += "'" + check + "' is not there" + (listing.count(check) != 0 ? " in this place" : "") + "\n";
    }
  }
  return failed;
}

}  // namespace varylink::test
