// A file that several writers read and add to in turn.
#include "platform/shared_file.h"

#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "platform/file_system.h"
#include "platform/temporary_folder.h"
#include "support/catch.h"

namespace varylink::platform {
namespace {

std::string content(const std::string& name) {
  SharedFile file;
  std::string bytes;
  REQUIRE(file.open(name) == 0);
  REQUIRE(file.read(0, bytes) == 0);
  return bytes;
}

// Adds `count` bytes one by one, each where the file ends.
void add_bytes(const std::string& name, int count) {
  SharedFile file;
  if (file.open(name) != 0) return;
  for (int i = 0; i < count; ++i) {
    const std::lock_guard turn(file);
    std::string there;
    if (file.read(0, there) == 0) (void)file.replace_end(there.size(), "x");
  }
}

}  // namespace

TEST_CASE("platform: the end of a shared file is read and replaced", "[platform]") {
  const TemporaryFolder folder("varylink-shared-");
  const std::string name = folder.path_of("file");
  SharedFile one, other;
  REQUIRE(one.open(name) == 0);
  REQUIRE(other.open(name) == 0);
  REQUIRE(one.replace_end(0, "whole, half") == 0);
  std::string end = "read: ";
  REQUIRE(other.read(7, end) == 0);
  CHECK(end == "read: half");
  REQUIRE(other.replace_end(7, "new") == 0);
  REQUIRE(one.replace_end(10, ", more") == 0);
  CHECK(content(name) == "whole, new, more");
  CHECK(one.open(folder.path_of("no/file")) != 0);
}

TEST_CASE("platform: a shared file is locked by one object at a time", "[platform]") {
  const TemporaryFolder folder("varylink-shared-");
  const std::string name = folder.path_of("file");
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([&] { add_bytes(name, 200); });
  for (std::thread& each : threads) each.join();
  CHECK(size_of(name) == 800);
}

}  // namespace varylink::platform
