#include "frontend/glsl_messages.h"

#include "support/catch.h"

using namespace varylink;
using namespace varylink::frontend;

TEST_CASE("compiler messages keep file, line and severity", "[frontend]") {
  const Diagnostics said = parse_glsl_log(
      "WARNING: inc/a.glsl:3: 'x' : odd \n"
      "ERROR: C:/b.vert:12: 'y' : undeclared identifier \n"
      "ERROR: 2 compilation errors.  No code generated.\n\n",
      "b.vert");
  REQUIRE(said.size() == 2);
  CHECK(render(said[0]) == "inc/a.glsl:3: warning: 'x' : odd");
  CHECK(said[0].kind == ErrorKind::none);
  CHECK(said[1].file == "C:/b.vert");
  CHECK(said[1].line == 12);
  CHECK(said[1].kind == ErrorKind::glsl);
}

TEST_CASE("a message without a place is about the file that was compiled", "[frontend]") {
  const Diagnostics said = parse_glsl_log("ERROR: #version: not supported\nERROR: a:b: c\n", "x.vert");
  REQUIRE(said.size() == 2);
  CHECK(render(said[0]) == "x.vert: error: #version: not supported");
  CHECK(render(said[1]) == "x.vert: error: a:b: c");
}
