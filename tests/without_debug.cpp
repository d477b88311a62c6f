// Prints for each file of SPIR-V a digest of what is in it apart from debug information, and its name.
#include "support/without_debug.h"

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

#include "base/sha256.h"

int main(int count, char** arguments) {
  using namespace varylink;
  for (int i = 1; i < count; ++i) {
    std::ifstream file(arguments[i], std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    if (!file) return 1;
    std::vector<std::uint32_t> words(bytes.size() / sizeof(std::uint32_t));
    std::memcpy(words.data(), bytes.data(), words.size() * sizeof(std::uint32_t));
    Sha256 hash;
    hash.add(std::span<const std::uint32_t>(test::without_debug(words)));
    std::printf("%s %s\n", hash.hex().c_str(), arguments[i]);
  }
  return 0;
}
