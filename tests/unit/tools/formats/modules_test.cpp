#include "formats/fossilize/modules.h"

#include "formats/fossilize/hasher.h"
#include "support/catch.h"

namespace varylink::formats::fossilize {
namespace {

const std::vector<std::uint32_t> kWords = {0x07230203, 0,          0x7f,       0x80,      0x3fff,
                                           0x4000,     0x0fffffff, 0x10000000, 0xffffffff};

}  // namespace

TEST_CASE("fossilize: words take one byte for each seven bits", "[formats]") {
  CHECK(encoded_words(std::vector<std::uint32_t>{0}).size() == 1);
  CHECK(encoded_words(std::vector<std::uint32_t>{0x7f}) == "\x7f");
  CHECK(encoded_words(std::vector<std::uint32_t>{0x80}) == "\x80\x01");
  CHECK(encoded_words(std::vector<std::uint32_t>{0xffffffff}).size() == 5);
  CHECK(decoded_words(encoded_words(kWords), kWords.size()) == std::optional(kWords));
}

TEST_CASE("fossilize: bytes that hold more or fewer words are no module", "[formats]") {
  const std::string bytes = encoded_words(kWords);
  CHECK_FALSE(decoded_words(bytes, kWords.size() - 1));
  CHECK_FALSE(decoded_words(bytes, kWords.size() + 1));
  CHECK_FALSE(decoded_words(bytes, std::size_t{1} << 60));
  for (std::size_t size = 0; size < bytes.size(); ++size)
    CHECK_FALSE(decoded_words(bytes.substr(0, size), kWords.size()));
  CHECK_FALSE(decoded_words("\xff\xff\xff\xff\xff\x01", 1));  // more than 32 bits
}

TEST_CASE("fossilize: a module's payload is read as it was written, and cut nowhere", "[formats]") {
  const ShaderModule module = {kWords, 0};
  const std::uint64_t hash = hash_of(module);
  const std::string payload = module_payload(module, hash);
  const Result<ShaderModule> again = read_module(payload, hash, "a.foz");
  REQUIRE(again);
  CHECK(again->words == kWords);
  CHECK_FALSE(read_module(payload, hash + 1, "a.foz"));
  for (std::size_t size = 0; size < payload.size(); ++size) {
    INFO(size);
    const Result<ShaderModule> cut = read_module(payload.substr(0, size), hash, "a.foz");
    REQUIRE_FALSE(cut);
    CHECK(cut.error().message.size() > 0);
  }
}

TEST_CASE("fossilize: the hash is FNV-1 over words", "[formats]") {
  CHECK(Hasher().get() == 0xcbf29ce484222325ull);
  Hasher one;
  one.bytes("a");
  CHECK(one.get() == 0xaf63bd4c8601b7beull);  // FNV-1 of "a" with 64 bits
  Hasher parts, whole;
  parts.u32(0x89abcdef);
  parts.u32(0x01234567);
  whole.u64(0x0123456789abcdefull);
  CHECK(parts.get() == whole.get());
  CHECK(hash_of({kWords, 0}) != hash_of({kWords, 1}));
}

}  // namespace varylink::formats::fossilize
