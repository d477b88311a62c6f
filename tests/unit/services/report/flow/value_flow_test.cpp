#include "report/flow/value_flow.h"

#include "support/catch.h"

namespace varylink::report {
namespace {

using link::Outcome;
using Kind = ValueFlow::Kind;
using Sides = ValueFlow::Sides;
using Names = std::vector<std::string>;
using Positions = std::vector<std::size_t>;

constexpr Sides kProducer{true, false}, kConsumer{false, true}, kNobody{};

ValueFlow::Node node(Kind kind, Sides before, Sides after, std::vector<std::uint32_t> operands = {}, Names uses = {}) {
  return {kind, "n", std::move(operands), before, after, std::move(uses)};
}

// a, b, c cross as 0.xyz; the consumer added a + b and doubled c. Now the sum crosses at 0.x and c at 0.y.
ValueFlow sums() {
  ValueFlow flow;
  flow.nodes = {node(Kind::leaf, kProducer, kProducer),
                node(Kind::leaf, kProducer, kProducer),
                node(Kind::leaf, kProducer, kProducer),
                node(Kind::constant, kConsumer, kConsumer),
                node(Kind::operation, kConsumer, kProducer, {0, 1}, {"Dot"}),
                node(Kind::operation, kConsumer, kConsumer, {2, 3}, {"FMax"})};
  flow.before = {{{0, 0}, "a", 0, Outcome::moved}, {{0, 1}, "b", 1, Outcome::moved}, {{0, 2}, "c", 2, Outcome::kept}};
  flow.after = {{{0, 0}, "a + b", 4, Outcome::moved}, {{0, 1}, "c", 2, Outcome::kept}};
  return flow;
}

TEST_CASE("a value moved if another side computes it", "[report]") {
  const auto moved = [](Sides before, Sides after) { return movement_of(node(Kind::operation, before, after)); };
  CHECK(moved(kProducer, kProducer) == Movement::none);
  CHECK(moved(kProducer, kConsumer) == Movement::to_consumer);
  CHECK(moved(kProducer, Sides{true, true}) == Movement::to_consumer);
  CHECK(moved(kConsumer, kProducer) == Movement::to_producer);
  CHECK(moved(kProducer, kNobody) == Movement::gone);
  CHECK(moved(kNobody, kProducer) == Movement::none);
  // A uniform is there on both sides; reading it elsewhere is no motion.
  CHECK(movement_of(node(Kind::resource, kProducer, kConsumer)) == Movement::none);
  CHECK(movement_of(node(Kind::leaf, kProducer, kNobody)) == Movement::gone);
  CHECK(text(Movement::to_producer, ValueFlow{}) == "to vert");
  CHECK(text(Movement::to_consumer, ValueFlow{}) == "to frag");
}

TEST_CASE("what crosses instead shares a part with what went", "[report]") {
  ValueFlow flow = sums();
  CHECK(successors_of(flow, {0, 0}) == Positions{0});
  CHECK(successors_of(flow, {0, 1}) == Positions{0});
  CHECK(successors_of(flow, {0, 2}).empty());
  CHECK(successors_of(flow, {7, 0}).empty());
  // A common constant is no relation.
  flow.nodes[4].operands = {0, 3};
  flow.nodes.push_back(node(Kind::operation, kProducer, kNobody, {1, 3}));
  flow.before[1].node = 6;
  CHECK(successors_of(flow, {0, 1}).empty());
}

TEST_CASE("a component is needed by what uses it, and what uses what the consumer makes of it", "[report]") {
  ValueFlow flow = sums();
  CHECK(uses_of(flow, {0, 2}) == Names{"FMax"});
  CHECK(uses_of(flow, {0, 0}).empty());  // the sum is the producer's now
  flow.nodes[2].uses = {"Phi"};
  CHECK(uses_of(flow, {0, 2}) == Names{"FMax", "Phi"});
  flow.before[2].node.reset();
  CHECK(uses_of(flow, {0, 2}).empty());
}

}  // namespace
}  // namespace varylink::report
