#include "base/nearest.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace varylink {
namespace {

constexpr std::size_t kLettersPerEdit = 3;
constexpr std::size_t kShortest = 3;  // shorter words are near to too many

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

std::size_t most_edits(std::string_view word) { return std::max<std::size_t>(1, word.size() / kLettersPerEdit); }

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Rows of the usual table: distances from beginnings of `a` to every beginning of `b`.
  std::vector<std::size_t> before, previous(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = previous[j - 1] + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
      row[j] = std::min({replaced, previous[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = std::exchange(previous, row);
  }
  return previous[b.size()];
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  std::string best;
  if (word.size() < kShortest) return best;
  std::size_t least = most_edits(word) + 1;
  for (const std::string& candidate : candidates) {
    const bool begins = candidate.starts_with(word) || (candidate.size() >= kShortest && word.starts_with(candidate));
    const std::size_t distance = begins ? 1 : edit_distance(word, candidate);
    if (distance >= least) continue;
    least = distance;
    best = candidate;
  }
  return best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string meant = nearest(word, candidates);
  return meant.empty() ? std::string() : "; did you mean '" + meant + "'?";
}

}  // namespace varylink
