#include "base/nearest.h"

#include "support/catch.h"

using namespace varylink;

TEST_CASE("nearest: the edits from one word to another", "[base]") {
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("abc", "") == 3);
  CHECK(edit_distance("link", "link") == 0);
  CHECK(edit_distance("lnik", "link") == 1);  // neighbours swapped
  CHECK(edit_distance("lin", "link") == 1);
  CHECK(edit_distance("linkk", "link") == 1);
  CHECK(edit_distance("lunk", "link") == 1);
  CHECK(edit_distance("Stages", "stages") == 0);
  CHECK(edit_distance("kitten", "sitting") == 3);
}

TEST_CASE("nearest: a misspelled word finds what was meant, anything else finds nothing", "[base]") {
  const std::vector<std::string> words = {"link", "verify", "check", "stages", "state", "--report", "--target-env"};
  CHECK(nearest("lnik", words) == "link");
  CHECK(nearest("--reprot", words) == "--report");
  CHECK(nearest("stat", words) == "state");
  CHECK(nearest("--target", words) == "--target-env");  // the beginning of it
  CHECK(nearest("spec", words) == "");
  CHECK(nearest("", words) == "");
  CHECK(nearest("x", words) == "");
  CHECK(did_you_mean("chekc", words) == "; did you mean 'check'?");
  CHECK(did_you_mean("wholly-different", words) == "");
}
