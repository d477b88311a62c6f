// A file that several writers add lines to.
#include "platform/append_file.h"

#include <cstdio>
#include <memory>
#include <string>

#include "platform/file_system.h"
#include "platform/temporary_folder.h"
#include "support/catch.h"

namespace varylink::platform {

TEST_CASE("platform: a line that a writer left half is ended before the next one", "[platform]") {
  const TemporaryFolder folder("varylink-append-");
  const std::string name = folder.path_of("file");
  AppendFile one, other;
  REQUIRE(one.open(name) == 0);
  REQUIRE(other.open(name) == 0);
  REQUIRE(one.append("first\n") == 0);
  REQUIRE(one.append("half") == 0);
  REQUIRE(other.append("second\n") == 0);
  REQUIRE(one.append("third\n") == 0);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(open_for_reading(name), std::fclose);
  REQUIRE(file);
  std::string content(100, '\0');
  content.resize(std::fread(content.data(), 1, content.size(), file.get()));
  CHECK(content == "first\nhalf\nsecond\nthird\n");
}

}  // namespace varylink::platform
