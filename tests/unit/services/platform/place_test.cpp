// Names of one place, with and without a file there.
#include "platform/place.h"

#include "platform/file_system.h"
#include "platform/path.h"
#include "support/catch.h"

namespace varylink::platform {

TEST_CASE("platform: a place has one name", "[platform]") {
  const std::string folder = make_temporary_folder("varylink-place-");
  const std::string place = place_of(joined(folder, "new/file"));
  CHECK(place_of(joined(folder, "./new/../new//file")) == place);
  CHECK(place_of(joined(folder, "new/file/")) != place_of(joined(folder, "new/other")));
  CHECK(place_of(joined(folder, "new")) != place);
  CHECK(place_of("file") == place_of("./file"));
  CHECK(place_of("no/such/../file") == place_of("no/file"));
  REQUIRE(make_folder(joined(folder, "new")) == 0);
  CHECK(place_of(joined(folder, "new/file")) == place);
  CHECK(place_of(folder) == place_of(folder + "/"));
  CHECK(remove(joined(folder, "new")) == 0);
  CHECK(remove(folder) == 0);
}

}  // namespace varylink::platform
