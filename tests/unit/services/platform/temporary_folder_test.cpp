#include "platform/temporary_folder.h"

#include <cstdio>

#include "platform/file_system.h"
#include "support/catch.h"

namespace varylink::platform {
namespace {

TEST_CASE("a temporary folder goes with everything in it", "[platform]") {
  std::string name;
  {
    const TemporaryFolder folder("varylink-test-");
    REQUIRE(folder.is_there());
    name = folder.path_of("");
    REQUIRE(make_folder(folder.path_of("empty")) == 0);
    REQUIRE(make_folder(folder.path_of("full")) == 0);
    std::FILE* const file = std::fopen(folder.path_of("full/file").c_str(), "w");
    REQUIRE(file != nullptr);
    std::fclose(file);
    CHECK(kind_of(name) == FileKind::folder);
  }
  CHECK(kind_of(name) == FileKind::none);
}

}  // namespace
}  // namespace varylink::platform
