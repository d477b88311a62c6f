// Words that were meant: for messages about an unknown name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace varylink {

// Letters to insert, remove, replace or swap with their neighbour to get from one word to the other (the "optimal
// string alignment" distance). Upper and lower case are the same letter.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The candidate that `word` is most likely a misspelling of: a candidate that begins with it or that it begins with, or
// the nearest one with at most one edit per three letters. The first of equals; empty if none is near, or the word has
// less than three letters.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

// "; did you mean 'link'?" for the nearest candidate, empty if none is near. To be put behind a message.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace varylink
