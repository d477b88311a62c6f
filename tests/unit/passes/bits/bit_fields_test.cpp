#include "passes/bits/bit_fields.h"

#include <random>
#include <set>

#include "support/catch.h"

namespace varylink::passes {
namespace {

std::uint32_t bits_of(const BitWord& word) {
  std::uint32_t bits = 0;
  for (const BitField& field : word) bits += field.bits;
  return bits;
}

TEST_CASE("fields of a word do not overlap, and no two words could be one", "[bits]") {
  std::mt19937 random(4);
  for (int round = 0; round < 500; ++round) {
    std::vector<BitField> fields;
    for (std::uint32_t i = 0, count = random() % 12; i < count; ++i)
      fields.push_back({{i / 4, i % 4}, 1 + static_cast<std::uint32_t>(random() % 31), 0});
    const std::vector<BitWord> words = lay_out(fields);
    std::set<varyings::Slot> seen;
    for (const BitWord& word : words) {
      std::uint32_t next = 0;
      for (const BitField& field : word) {
        CHECK(field.offset == next);
        CHECK(field.bits == fields[field.slot.location * 4 + field.slot.component].bits);
        CHECK(seen.insert(field.slot).second);
        next += field.bits;
      }
      CHECK(next <= 32);
    }
    CHECK(seen.size() == fields.size());
    for (std::size_t a = 0; a < words.size(); ++a)
      for (std::size_t b = a + 1; b < words.size(); ++b) CHECK(bits_of(words[a]) + bits_of(words[b]) > 32);
  }
}

}  // namespace
}  // namespace varylink::passes
