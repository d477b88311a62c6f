#include "formats/fossilize/database.h"

#include "formats/fossilize/deflate.h"
#include "support/catch.h"

namespace varylink::formats::fossilize {
namespace {

constexpr std::uint64_t kFirst = 0x0123456789abcdefull, kSecond = 0xfedcba9876543210ull;

std::string header() {
  return {
      "\x81"
      "FOSSILIZEDB\0\0\0\6",
      16};
}

// Two entries; the second one is deflated where this build can.
std::string two_entries() {
  return header() + entry_bytes(Tag::sampler, kFirst, "{\"version\": 6}", false) +
         entry_bytes(Tag::graphics_pipeline, kSecond, std::string(300, 'x'), has_zlib());
}

Database read(std::string bytes) {
  Result<Database> database = read_database(std::move(bytes), "a.foz");
  REQUIRE(database);
  return std::move(*database);
}

}  // namespace

TEST_CASE("fossilize: entries are read as they were written", "[formats]") {
  if (!has_zlib()) return;
  REQUIRE(is_database(two_entries()));
  const Database database = read(two_entries());
  CHECK(database.header == header());
  CHECK_FALSE(database.is_cut_off);
  REQUIRE(database.entries.size() == 2);
  CHECK(database.entries[0].tag == Tag::sampler);
  CHECK(database.entries[0].hash == kFirst);
  CHECK(database.entries[1].hash == kSecond);
  const Result<std::string> first = payload_of(database.entries[0], "a.foz");
  const Result<std::string> second = payload_of(database.entries[1], "a.foz");
  REQUIRE((first && second));
  CHECK(*first == "{\"version\": 6}");
  CHECK(*second == std::string(300, 'x'));
  std::string again(database.header);
  for (const Entry& entry : database.entries) again += entry.bytes;
  CHECK(again == two_entries());
}

TEST_CASE("fossilize: a database that is cut anywhere has the entries that are whole", "[formats]") {
  const std::string whole = two_entries();
  const std::size_t first_end = header().size() + entry_bytes(Tag::sampler, kFirst, "{\"version\": 6}", false).size();
  for (std::size_t size = header().size(); size < whole.size(); ++size) {
    INFO(size);
    const Database database = read(whole.substr(0, size));
    CHECK(database.entries.size() == (size < first_end ? 0u : 1u));
    CHECK(database.is_cut_off == (size != header().size() && size != first_end));
  }
  for (std::size_t size = 0; size < header().size(); ++size) CHECK_FALSE(read_database(whole.substr(0, size), "a.foz"));
}

TEST_CASE("fossilize: a damaged payload is an error that names the file", "[formats]") {
  if (!has_zlib()) return;
  const std::string whole = two_entries();
  for (std::size_t at = header().size(); at < whole.size(); ++at) {
    INFO(at);
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    const Result<Database> database = read_database(damaged, "a.foz");
    if (!database) {
      CHECK(database.error().file == "a.foz");
      continue;
    }
    bool differs = database->entries.size() != 2 || database->is_cut_off;
    for (const Entry& entry : database->entries) {
      const Result<std::string> payload = payload_of(entry, "a.foz");
      differs |= !payload || entry.hash != (&entry == &database->entries[0] ? kFirst : kSecond) ||
                 entry.tag != (&entry == &database->entries[0] ? Tag::sampler : Tag::graphics_pipeline);
      if (payload) CHECK((*payload == "{\"version\": 6}" || *payload == std::string(300, 'x')));
    }
    CHECK(differs);
  }
}

TEST_CASE("fossilize: other files and versions are refused", "[formats]") {
  CHECK_FALSE(is_database("#version 450"));
  CHECK_FALSE(is_database(""));
  std::string later = two_entries();
  later[15] = 99;
  CHECK_FALSE(read_database(later, "a.foz"));
}

TEST_CASE("fossilize: deflated data has the size that is said, or is damaged", "[formats]") {
  if (!has_zlib()) return;
  const std::string data = deflated("abcabcabcabc");
  CHECK(inflated(data, 12) == std::optional<std::string>("abcabcabcabc"));
  CHECK_FALSE(inflated(data, 11));
  CHECK_FALSE(inflated(data, 13));
  CHECK_FALSE(inflated(data.substr(0, data.size() / 2), 12));
  CHECK_FALSE(inflated("", 12));
}

}  // namespace varylink::formats::fossilize
