#include "base/sha256.h"

#include <vector>

#include "support/catch.h"

namespace varylink {
namespace {

std::string hash_of(std::string_view text) {
  Sha256 hash;
  hash.add(text);
  return hash.hex();
}

// Examples of FIPS 180-4 and of NIST's "Cryptographic Standards and Guidelines".
TEST_CASE("sha256: published vectors", "[base]") {
  CHECK(hash_of("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(hash_of("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(hash_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(hash_of(std::string(1000000, 'a')) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("sha256: it does not matter how the bytes are handed over", "[base]") {
  for (std::size_t length = 0; length < 200; ++length) {
    std::string text;
    for (std::size_t i = 0; i < length; ++i) text += static_cast<char>(i * 7 + 1);
    Sha256 parts;
    for (std::size_t i = 0; i < length; i += 13) parts.add(std::string_view(text).substr(i, 13));
    CHECK(parts.hex() == hash_of(text));
  }
}

TEST_CASE("sha256: words are hashed lowest byte first", "[base]") {
  const std::vector<std::uint32_t> words = {0x64636261};
  CHECK(content_hash(words) == hash_of("abcd"));
}

}  // namespace
}  // namespace varylink
