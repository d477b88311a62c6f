// main() of every test program, compiled once: with Catch2 2 this file takes longer than all tests together.
#include "support/catch_main.h"

#include "platform/program.h"

#if VARYLINK_CATCH2_MAJOR < 3
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#else
#include <catch2/catch_session.hpp>
#endif

namespace varylink::test {

OtherMain& other_main() {
  static OtherMain other = nullptr;
  return other;
}

}  // namespace varylink::test

int main(int argc, char** argv) {
  using namespace varylink;
  if (test::other_main() != nullptr && test::other_main()(argc, argv)) return 0;
  platform::prepare_standard_streams();
  return Catch::Session().run(argc, argv);
}
