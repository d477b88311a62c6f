#include "passes/bits/bit_fields.h"

#include <algorithm>
#include <tuple>

namespace varylink::passes {

std::vector<BitWord> lay_out(std::vector<BitField> fields) {
  struct Word {
    BitWord fields;
    std::uint32_t used = 0;
  };
  std::sort(fields.begin(), fields.end(), [](const BitField& a, const BitField& b) {
    return std::tuple(b.bits, a.slot) < std::tuple(a.bits, b.slot);
  });
  std::vector<Word> words;
  for (const BitField& field : fields) {
    auto word =
        std::find_if(words.begin(), words.end(), [&](const Word& each) { return each.used + field.bits <= 32; });
    if (word == words.end()) word = words.insert(words.end(), Word{});
    word->fields.push_back(field);
    word->used += field.bits;
  }
  std::vector<BitWord> result;
  for (Word& word : words) {
    std::sort(word.fields.begin(), word.fields.end(),
              [](const BitField& a, const BitField& b) { return a.slot < b.slot; });
    std::uint32_t offset = 0;
    for (BitField& field : word.fields) {
      field.offset = offset;
      offset += field.bits;
    }
    result.push_back(std::move(word.fields));
  }
  std::sort(result.begin(), result.end(),
            [](const BitWord& a, const BitWord& b) { return a.front().slot < b.front().slot; });
  return result;
}

}  // namespace varylink::passes
