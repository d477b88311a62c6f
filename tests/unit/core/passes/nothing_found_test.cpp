// Passes are not run again where they found nothing.
#include "passes/pass.h"
#include "support/catch.h"

namespace varylink::passes {
namespace {

TEST_CASE("what a pass did not find it does not find until something changes", "[passes]") {
  link::LinkedStage producer, consumer;
  link::Link link;
  link.producers = {&producer};
  link.consumers = {&consumer};
  const link::LinkOptions options;
  PassContext context(options);
  const PassInfo &pass = registry()[0], &other = registry()[1];
  CHECK_FALSE(context.found_nothing_before(pass, link));
  context.note_nothing_found(pass, link);
  CHECK(context.found_nothing_before(pass, link));
  CHECK_FALSE(context.found_nothing_before(other, link));

  const link::LinkedStage before = consumer;
  for (link::LinkedStage* stage : {&producer, &consumer}) {
    stage->note_change();
    CHECK_FALSE(context.found_nothing_before(pass, link));
    context.note_nothing_found(pass, link);
    CHECK(context.found_nothing_before(pass, link));
  }
  consumer = before;
  CHECK_FALSE(context.found_nothing_before(pass, link));
}

TEST_CASE("a pass may find more with more fuel", "[passes]") {
  link::LinkedStage producer, consumer;
  link::Link link;
  link.producers = {&producer};
  link.consumers = {&consumer};
  link::LinkOptions options;
  options.fuel = 2;
  PassContext context(options);
  PassContext trial = context;
  CHECK(trial.spend_fuel());
  trial.note_nothing_found(registry()[0], link);
  CHECK(trial.found_nothing_before(registry()[0], link));
  CHECK_FALSE(context.found_nothing_before(registry()[0], link));
  CHECK(trial.spend_fuel());
  CHECK_FALSE(trial.found_nothing_before(registry()[0], link));
}

}  // namespace
}  // namespace varylink::passes
