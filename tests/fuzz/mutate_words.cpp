#include "fuzz/mutate_words.h"

#include <algorithm>

namespace varylink::fuzz {
namespace {

constexpr std::size_t kHeaderWords = 5;

struct Piece {
  std::size_t first, count;
};

std::vector<Piece> instructions_of(const std::vector<std::uint32_t>& words) {
  std::vector<Piece> pieces;
  for (std::size_t at = kHeaderWords; at < words.size();) {
    const std::size_t count = words[at] >> 16;
    if (count == 0 || at + count > words.size()) break;
    pieces.push_back({at, count});
    at += count;
  }
  return pieces;
}

void mutate_operand(std::vector<std::uint32_t>& words, const Piece& piece, Random& random) {
  if (piece.count < 2) return;
  std::uint32_t& word = words[piece.first + 1 + random.below(static_cast<std::uint32_t>(piece.count - 1))];
  const std::uint32_t bound = std::max(2u, std::min(words[3], 100000u));
  switch (random.below(5)) {
    case 0: word = 1 + random.below(bound); break;  // another id
    case 1: word += 1; break;
    case 2: word -= 1; break;
    case 3: word ^= 1u << random.below(32); break;
    default: word = random.below(64);  // a small literal: an enumerant, an index
  }
}

}  // namespace

void mutate_words(std::vector<std::uint32_t>& words, Random& random) {
  const std::vector<Piece> pieces = instructions_of(words);
  if (words.empty()) return;
  if (pieces.empty()) {
    words[random.below(static_cast<std::uint32_t>(words.size()))] ^= 1u << random.below(32);
    return;
  }
  const Piece piece = random.pick(pieces), other = random.pick(pieces);
  const auto begin = words.begin();
  const auto at = [&](std::size_t index) { return begin + static_cast<std::ptrdiff_t>(index); };
  switch (random.below(10)) {
    case 0: words.erase(at(piece.first), at(piece.first + piece.count)); break;
    case 1: {
      const std::vector<std::uint32_t> copy(at(piece.first), at(piece.first + piece.count));
      words.insert(at(other.first), copy.begin(), copy.end());
      break;
    }
    case 2:
      if (piece.first + piece.count == other.first) {
        std::rotate(at(piece.first), at(other.first), at(other.first + other.count));
        break;
      }
      [[fallthrough]];
    case 3: words[piece.first] = (words[piece.first] & 0xffff0000u) | (words[other.first] & 0xffffu); break;  // opcode
    default: mutate_operand(words, piece, random);
  }
}

}  // namespace varylink::fuzz
