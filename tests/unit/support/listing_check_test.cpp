#include "support/listing_check.h"

#include "support/catch.h"

namespace varylink::test {
namespace {

const std::string kListing = "%a = OpLoad %float %x\n  OpStore   %y %a\nOpStore %z %a\n";

TEST_CASE("checks find lines in their order", "[support]") {
  CHECK(failed_checks(kListing, "OpLoad\n\nOpStore %y %a\nOpStore\n").empty());
  CHECK_FALSE(failed_checks(kListing, "OpStore %z\nOpLoad\n").empty());
  CHECK_FALSE(failed_checks(kListing, "OpStore\nOpStore\nOpStore\n").empty());
}

TEST_CASE("an id of any name", "[support]") {
  CHECK(failed_checks(kListing, "%* = OpLoad %float %*\nOpStore %* %a\nNOT: OpStore %* %x\nCOUNT 2: OpStore %* %*\n")
            .empty());
  CHECK_FALSE(failed_checks(kListing, "OpLoad %* %* %*\n").empty());
}

TEST_CASE("NOT and COUNT look at the whole listing", "[support]") {
  CHECK(failed_checks(kListing, "OpStore\nNOT: OpFMul\nCOUNT 2: OpStore\nCOUNT 0: OpKill\n").empty());
  CHECK_FALSE(failed_checks(kListing, "OpStore %z\nNOT: OpLoad\n").empty());
  CHECK_FALSE(failed_checks(kListing, "COUNT 1: OpStore\n").empty());
  CHECK_FALSE(failed_checks(kListing, "COUNT two OpStore\n").empty());
}

}  // namespace
}  // namespace varylink::test
