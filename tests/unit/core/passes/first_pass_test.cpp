// A first pass, for CONTRIBUTING.md: smaller than any that links, and whole.
//
//   Stores to outputs that the next stage does not declare store zero.
//
//   before:  %v = OpFMul %float %a %b     after:  OpStore %unread %float_0
//            OpStore %unread %v
//
// Rules: the output is no capture and not read back by its own stage. Cost: one look at each store.
#include "link/values/slot_values.h"
#include "passes/pass.h"
#include "spirv/ir/globals.h"
#include "support/catch.h"
#include "support/listing_check.h"
#include "support/scalarized_pair.h"

namespace varylink::passes {
namespace {

struct ZeroStore {
  spirv::InstRef store;
  spirv::Id type = 0;
};

// Reads, and changes nothing.
std::vector<ZeroStore> plan_zero_stores(const link::LinkedStage& producer, const link::LinkedStage& consumer) {
  std::vector<ZeroStore> plan;
  const link::StoreTable stores(producer);
  for (const varyings::Varying& output : producer.outputs) {
    if (output.form != varyings::Varying::Form::scalar || output.captured || output.proxy) continue;
    if (link::find_varying(consumer.inputs, output.slot)) continue;
    const link::SlotStores* found = stores.find(output.slot);
    if (!found || found->read_back) continue;
    for (const link::SlotStore& store : found->stores) {
      const spirv::Id value = producer.module.operand(store.inst, 1).word;
      if (store.value.kind == link::ScalarValue::Kind::computed)
        plan.push_back({store.inst, producer.module.type_of(value)});
    }
  }
  return plan;
}

// run_pass() removes the code that only fed these stores.
Result<Progress> zero_unread_stores(link::Link& link, PassContext& context) {
  link::LinkedStage& producer = *link.producers.front();
  Progress progress = Progress::none;
  for (const ZeroStore& each : plan_zero_stores(producer, *link.consumers.front())) {
    if (!context.spend_fuel()) break;
    const spirv::Id zero = spirv::Globals(producer.module).null_constant(each.type);
    producer.module.set_operand(each.store, 1, spirv::id(zero));
    progress = Progress::producer;
  }
  return progress;
}

constexpr PassInfo kZeroUnreadStores = {.name = "zero-unread-stores",
                                        .run = zero_unread_stores,
                                        .summary = "store zero to outputs that the next stage does not declare",
                                        .level = link::Level::exact};

constexpr const char* kVertex =
    "layout(location = 0) in float a; layout(location = 0) out float read; layout(location = 1) out vec2 unread;\n"
    "void main() { gl_Position = vec4(a); read = a + 1.0; unread = vec2(a * a, 2.0); }\n";
constexpr const char* kFragment =
    "layout(location = 0) in float read; layout(location = 0) out vec4 o; void main() { o = vec4(read); }\n";

TEST_CASE("a first pass: stores to outputs that nothing reads are zero", "[passes][first-pass]") {
  test::ScalarizedPair pair(kVertex, kFragment);
  CHECK(test::failed_checks(pair.producer_listing(), "OpFMul") == "");
  CHECK(pair.run(kZeroUnreadStores) == Progress::producer);
  CHECK(test::failed_checks(pair.producer_listing(), "NOT: OpFMul\nOpFAdd") == "");
  CHECK(pair.run(kZeroUnreadStores) == Progress::none);
}

TEST_CASE("a first pass: nothing without fuel, or where everything is read", "[passes][first-pass]") {
  test::ScalarizedPair pair(kVertex, kFragment);
  CHECK(pair.run(kZeroUnreadStores, 0) == Progress::none);
  test::ScalarizedPair all_read(kVertex,
                                "layout(location = 0) in float read; layout(location = 1) in vec2 unread;\n"
                                "layout(location = 0) out vec4 o; void main() { o = vec4(read, unread, 1); }\n");
  CHECK(all_read.run(kZeroUnreadStores) == Progress::none);
}

}  // namespace
}  // namespace varylink::passes
