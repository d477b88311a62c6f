// libFuzzer's side of a target. VARYLINK_FUZZ_TARGET is the position of the target in targets().
#include <algorithm>
#include <cstring>
#include <vector>

#include "fuzz/mutate_words.h"
#include "fuzz/targets.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  varylink::fuzz::targets()[VARYLINK_FUZZ_TARGET].run(data, size);
  return 0;
}

#if VARYLINK_FUZZ_TARGET < 2

namespace {

// The part of the data that is one module: for pairs either of the two.
struct Range {
  std::size_t first, size;
};

Range choose_module(const std::uint8_t* data, std::size_t size, varylink::fuzz::Random& random) {
  std::uint32_t words = 0;
  if (VARYLINK_FUZZ_TARGET == 0 || size < 4) return {0, size};
  std::memcpy(&words, data, 4);
  const std::size_t split = 4 + std::size_t{words} * 4;
  if (split > size) return {4, size - 4};
  return random.chance(0.5) ? Range{4, split - 4} : Range{split, size - split};
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  varylink::fuzz::Random random(seed);
  if (random.chance(0.05)) return LLVMFuzzerMutate(data, size, max_size);
  const Range range = choose_module(data, size, random);
  if (range.size < 4) return LLVMFuzzerMutate(data, size, max_size);
  std::vector<std::uint32_t> words(range.size / 4);
  std::memcpy(words.data(), data + range.first, words.size() * 4);
  const int count = random.range(1, 3);
  for (int i = 0; i < count; ++i) varylink::fuzz::mutate_words(words, random);
  const std::vector<std::uint8_t> tail(data + range.first + range.size, data + size);
  if (range.first + words.size() * 4 + tail.size() > max_size) return size;
  if (!words.empty()) std::memcpy(data + range.first, words.data(), words.size() * 4);
  std::copy(tail.begin(), tail.end(), data + range.first + words.size() * 4);
  if (VARYLINK_FUZZ_TARGET == 1 && range.first == 4 && !tail.empty()) {
    const auto first_words = static_cast<std::uint32_t>(words.size());
    std::memcpy(data, &first_words, 4);
  }
  return range.first + words.size() * 4 + tail.size();
}

#endif
