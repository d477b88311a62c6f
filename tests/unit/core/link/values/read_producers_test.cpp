// Passes share what was read of a producer, and each finds it as if no other had been there.
#include "link/values/read_producers.h"

#include "support/catch.h"
#include "support/scalarized_pair.h"

namespace varylink::link {
namespace {

const std::string kVertex =
    "#version 450\nlayout(location = 0) in float a;\nlayout(location = 0) out float o;\n"
    "void main() { o = a * 2.0; gl_Position = vec4(0.0); }\n";
const std::string kFragment =
    "#version 450\nlayout(location = 0) in float i;\nlayout(location = 0) out vec4 o;\nvoid main() { o = vec4(i); }\n";

constexpr varyings::ScalarType kFloat{varyings::ScalarKind::floating, 32};

TEST_CASE("values that a pass added are numbered anew for the next", "[values]") {
  const test::ScalarizedPair pair(kVertex, kFragment);
  const LinkOptions options;
  passes::PassContext context(options);
  ReadProducers& first = context.producers_of(pair.link());
  const std::size_t size = first.graph().size();
  const graph::ValueId three = first.graph().constant(kFloat, {0x40400000u});
  first.graph().constant(kFloat, {0x40800000u});
  CHECK(first.graph().constant(kFloat, {0x40400000u}) == three);

  ReadProducers& second = context.producers_of(pair.link());
  CHECK(&second == &first);
  CHECK(second.graph().size() == size);
  CHECK(second.graph().constant(kFloat, {0x40800000u}) == three);
}

TEST_CASE("a stage that has changed is read again", "[values]") {
  const test::ScalarizedPair pair(kVertex, kFragment);
  ReadProducers read(pair.link());
  CHECK(read.is_current());
  SECTION("the producer") { pair.link().producers.front()->note_change(); }
  SECTION("the consumer, which says which buffers are read for certain") {
    pair.link().consumers.front()->note_change();
  }
  CHECK_FALSE(read.is_current());
}

}  // namespace
}  // namespace varylink::link
