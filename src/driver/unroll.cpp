#include "driver/unroll.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <set>

#include "driver/clean_up.h"
#include "spirv/cleanup/component_liveness.h"
#include "spirv/cleanup/one_trip_loops.h"
#include "spirv/cleanup/simplify.h"
#include "spirv/ir/cfg.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/op_info.h"
#include "varyings/lift/lift_plan.h"

namespace varylink::driver {
namespace {

using spirv::InstRef;
using spirv::Module;

// A varying array has at most 32 locations times 4; a loop that walks one is not longer.
constexpr std::int64_t kMaxTrips = 128;
// Rule: unrolled code may be this many times as large, but small modules may always grow to kFreeSize
// instructions.
constexpr std::size_t kMaxGrowth = 4;
constexpr std::size_t kFreeSize = 4000;
// What is copied to local arrays first is less to win: a component or two.
constexpr std::size_t kMaxGrowthForCopies = 2;
constexpr std::size_t kFreeSizeForCopies = 1000;

// Blocks in which some user varying is reached with an index that is not constant.
std::vector<bool> dynamic_blocks(const link::LinkedStage& stage, const spirv::Function& function,
                                 std::uint32_t function_index) {
  std::vector<bool> dynamic(function.blocks.size(), false);
  const spirv::Uses uses(stage.module);
  const std::vector<spirv::Place> places = spirv::places_of(stage.module);
  for (const varyings::Direction direction : {varyings::Direction::input, varyings::Direction::output}) {
    const bool external = (stage.stage == Stage::vertex && direction == varyings::Direction::input) ||
                          (stage.stage == Stage::fragment && direction == varyings::Direction::output);
    if (external) continue;
    for (const varyings::InterfaceVariable& variable :
         varyings::interface_variables(stage.module, stage.entry, direction))
      for (const varyings::PointerAccess& access : varyings::accesses_of(stage.module, uses, variable.id).accesses) {
        const spirv::Place& place = places[access.inst.index];
        if (place.function == function_index && varyings::constant_path(stage.module, variable, access).dynamic_behind)
          dynamic[place.block] = true;
      }
  }
  return dynamic;
}

// What the loops in question index.
enum class Indexed : std::uint8_t { varyings, varyings_and_locals, copies_of_inputs };

std::set<spirv::Id> user_inputs(const link::LinkedStage& stage) {
  std::set<spirv::Id> inputs;
  if (stage.stage == Stage::vertex) return inputs;
  for (const varyings::InterfaceVariable& input :
       varyings::interface_variables(stage.module, stage.entry, varyings::Direction::input))
    inputs.insert(input.id);
  return inputs;
}

spirv::Id variable_behind(const Module& module, spirv::Id pointer) {
  while (module.def_op(pointer) == spv::Op::OpAccessChain || module.def_op(pointer) == spv::Op::OpInBoundsAccessChain)
    pointer = module.operand(module.def(pointer), 0).word;
  return pointer;
}

// The value is, or has in it, what was loaded from one of the variables.
bool is_made_of(const Module& module, spirv::Id value, const std::set<spirv::Id>& variables) {
  std::set<spirv::Id> seen;
  std::vector<spirv::Id> open = {value};
  while (!open.empty()) {
    const spirv::Id id = open.back();
    open.pop_back();
    if (!seen.insert(id).second) continue;
    const InstRef def = module.def(id);
    const spv::Op op = module.def_op(id);
    if (op == spv::Op::OpLoad && variables.count(variable_behind(module, module.operand(def, 0).word)) != 0)
      return true;
    if (!spirv::is_rearrangement(op)) continue;
    for (const spirv::Operand& operand : module.operands(def))
      if (operand.is_id) open.push_back(operand.word);
  }
  return false;
}

// A local array to which something is stored that is made of inputs.
bool copies_inputs(const Module& module, const varyings::VariableAccesses& accesses,
                   const std::set<spirv::Id>& inputs) {
  return std::any_of(accesses.accesses.begin(), accesses.accesses.end(), [&](const varyings::PointerAccess& access) {
    return access.kind == varyings::PointerAccess::Kind::store &&
           is_made_of(module, module.operand(access.inst, 1).word, inputs);
  });
}

// Blocks in which a local array is; if `inputs` are given one that has copies of them.
void add_dynamic_locals(const Module& module, const spirv::Function& function, std::vector<bool>& dynamic,
                        const std::set<spirv::Id>* inputs) {
  const spirv::Uses uses(module);
  const std::vector<spirv::Place> places = spirv::places_of(module);
  const auto is_dynamic = [&](spirv::Id index) { return !varyings::constant_int(module, index); };
  for (const spirv::Block& block : function.blocks)
    for (const InstRef inst : block.body) {
      if (module[inst].op != spv::Op::OpVariable) continue;
      const varyings::VariableAccesses accesses = varyings::accesses_of(module, uses, module[inst].result);
      if (inputs && !copies_inputs(module, accesses, *inputs)) continue;
      for (const varyings::PointerAccess& access : accesses.accesses)
        if (std::any_of(access.indices.begin(), access.indices.end(), is_dynamic))
          dynamic[places[access.inst.index].block] = true;
    }
}

// A loop counter: a phi of the header that starts from a constant and goes on by constant steps.
struct Counter {
  std::int64_t start = 0, step = 0;  // as SPIRV-Tools reads them: by the signedness of their types
};

// What is added to the phi in each round; none if it is anything else.
std::optional<std::int64_t> step_of(const Module& module, spirv::Id next, spirv::Id phi) {
  const InstRef inst = module.def(next);
  if (!inst || (module[inst].op != spv::Op::OpIAdd && module[inst].op != spv::Op::OpISub)) return std::nullopt;
  const bool subtracts = module[inst].op == spv::Op::OpISub;
  const spirv::Id a = module.operand(inst, 0).word, b = module.operand(inst, 1).word;
  if (a != phi && (subtracts || b != phi)) return std::nullopt;
  const auto step = varyings::constant_int(module, a == phi ? b : a);
  return step && subtracts ? std::optional(-*step) : step;
}

std::optional<Counter> counter_of(const Module& module, const spirv::Block& header, spirv::Id value) {
  const InstRef phi = module.def(value);
  if (!phi || module[phi].op != spv::Op::OpPhi || module.operands(phi).size() != 4) return std::nullopt;
  if (std::find(header.body.begin(), header.body.end(), phi) == header.body.end()) return std::nullopt;
  const auto type = varyings::scalar_type_of(module, module[phi].type);
  if (!type || type->width != 32) return std::nullopt;
  for (const std::uint32_t i : {0u, 2u}) {
    const auto start = varyings::constant_int(module, module.operand(phi, i).word);
    const auto step = step_of(module, module.operand(phi, 2 - i).word, value);
    if (start && step) return Counter{*start, *step};
  }
  return std::nullopt;
}

bool holds(spv::Op comparison, std::int64_t a, std::int64_t b) {
  switch (comparison) {
    case spv::Op::OpULessThan:
    case spv::Op::OpSLessThan: return a < b;
    case spv::Op::OpULessThanEqual:
    case spv::Op::OpSLessThanEqual: return a <= b;
    case spv::Op::OpUGreaterThan:
    case spv::Op::OpSGreaterThan: return a > b;
    case spv::Op::OpUGreaterThanEqual:
    case spv::Op::OpSGreaterThanEqual: return a >= b;
    default: return false;
  }
}

bool is_unsigned(spv::Op comparison) {
  return comparison == spv::Op::OpULessThan || comparison == spv::Op::OpULessThanEqual ||
         comparison == spv::Op::OpUGreaterThan || comparison == spv::Op::OpUGreaterThanEqual;
}

// A word as the comparison reads it.
std::int64_t as_compared(std::int64_t value, spv::Op comparison) {
  const auto word = static_cast<std::uint32_t>(value);
  return is_unsigned(comparison) ? std::int64_t{word} : std::int64_t{static_cast<std::int32_t>(word)};
}

// Runs the loop as SPIRV-Tools counts its rounds, whole numbers of the signedness of the types, and beside it as the
// instructions are defined, words that wrap around and are compared as the instruction says. False if the two differ in
// any round, or there are more than 2 * kMaxTrips; without this bound unrolling could take forever.
bool runs_shortly(const Counter& counter, spv::Op comparison, std::int64_t bound) {
  std::int64_t value = counter.start;
  for (std::int64_t trip = 0; trip <= 2 * kMaxTrips; ++trip, value += counter.step) {
    const bool goes_on = holds(comparison, value, bound);
    if (goes_on != holds(comparison, as_compared(value, comparison), as_compared(bound, comparison))) return false;
    if (!goes_on) return true;
  }
  return false;
}

// The condition that leaves the loop compares a counter with a constant, and holds for few rounds.
bool is_short(const Module& module, const spirv::Function& function, const spirv::Cfg& cfg, std::uint32_t header,
              spirv::Id merge_label) {
  std::vector<std::uint32_t> blocks = {header};
  for (const std::uint32_t next : cfg.successors(header)) blocks.push_back(next);
  for (const std::uint32_t block : blocks) {
    const InstRef branch = function.blocks[block].body.back();
    if (module[branch].op != spv::Op::OpBranchConditional) continue;
    if (module.operand(branch, 1).word != merge_label && module.operand(branch, 2).word != merge_label) continue;
    const InstRef condition = module.def(module.operand(branch, 0).word);
    if (!condition || module.operands(condition).size() != 2) return false;
    const auto counter = counter_of(module, function.blocks[header], module.operand(condition, 0).word);
    const auto bound = varyings::constant_int(module, module.operand(condition, 1).word);
    const bool leaves_where_true = module.operand(branch, 1).word == merge_label;
    return counter && bound && !leaves_where_true && runs_shortly(*counter, module[condition].op, *bound);
  }
  return false;
}

// Blocks of the function in which one of these is reached with an index that is not constant.
std::vector<bool> blocks_with(Indexed indexed, const link::LinkedStage& stage, std::uint32_t function_index) {
  const spirv::Function& function = stage.module.functions[function_index];
  std::vector<bool> dynamic(function.blocks.size(), false);
  if (indexed == Indexed::copies_of_inputs) {
    const std::set<spirv::Id> inputs = user_inputs(stage);
    if (!inputs.empty()) add_dynamic_locals(stage.module, function, dynamic, &inputs);
    return dynamic;
  }
  dynamic = dynamic_blocks(stage, function, function_index);
  if (indexed == Indexed::varyings_and_locals) add_dynamic_locals(stage.module, function, dynamic, nullptr);
  return dynamic;
}

// Marks every loop that indexes one of these with something that is not constant and whose trip count looks small.
// Returns false if there is none.
bool mark_loops(link::LinkedStage& stage, Indexed indexed) {
  constexpr auto kUnroll = static_cast<std::uint32_t>(spv::LoopControlMask::Unroll);
  constexpr auto kDontUnroll = static_cast<std::uint32_t>(spv::LoopControlMask::DontUnroll);
  Module& module = stage.module;
  bool any = false;
  for (std::uint32_t f = 0; f < module.functions.size(); ++f) {
    const spirv::Function& function = module.functions[f];
    const std::vector<bool> dynamic = blocks_with(indexed, stage, f);
    if (std::count(dynamic.begin(), dynamic.end(), true) == 0) continue;
    const spirv::Cfg cfg(module, function);
    for (std::uint32_t header = 0; header < function.blocks.size(); ++header) {
      const InstRef merge = spirv::loop_merge(module, function.blocks[header]);
      if (!merge || !cfg.reachable(header)) continue;
      const spirv::Id end_label = module.operand(merge, 0).word;
      if (!is_short(module, function, cfg, header, end_label)) continue;
      const std::uint32_t end = cfg.block_of(end_label);
      for (std::uint32_t block = 0; block < dynamic.size(); ++block) {
        if (!dynamic[block] || !cfg.reachable(block) || !cfg.dominates(header, block)) continue;
        if (cfg.reachable(end) && cfg.dominates(end, block)) continue;
        const std::uint32_t control = (module.operand(merge, 2).word | kUnroll) & ~kDontUnroll;
        module.set_operand(merge, 2, spirv::lit(control));
        any = true;
      }
    }
  }
  return any;
}

std::size_t loop_count(const Module& module) {
  std::size_t count = 0;
  for (const spirv::Function& function : module.functions)
    for (const spirv::Block& block : function.blocks) count += spirv::loop_merge(module, block) ? 1 : 0;
  return count;
}

// Unrolls the marked loops and folds their counters.
void unroll_marked(link::LinkedStage& stage) {
  spirv::open_one_trip_loops(stage.module);
  stage.clean_up(recipes::kUnroll);
}

// Components of inputs that somebody needs: each load counts, and each element of an array once.
std::size_t needed_inputs(const link::LinkedStage& stage) {
  const Module& module = stage.module;
  const spirv::Uses uses(module);
  const spirv::ComponentLiveness liveness(module);
  std::map<std::vector<spirv::Id>, spirv::ComponentLiveness::Mask> needed;  // by variable and indices
  for (const spirv::Id input : user_inputs(stage))
    for (const varyings::PointerAccess& access : varyings::accesses_of(module, uses, input).accesses) {
      std::vector<spirv::Id> place = {input};
      place.insert(place.end(), access.indices.begin(), access.indices.end());
      needed[place] |= liveness.of(module[access.inst].result);
    }
  std::size_t sum = 0;
  for (const auto& [place, mask] : needed) sum += static_cast<std::size_t>(std::popcount(mask));
  return sum;
}

std::size_t size_limit(const Module& module, std::size_t growth, std::size_t free_size) {
  return std::max(free_size, module.inst_count() * growth);
}

// What is copied to a local array is needed as a whole, whatever the loop reads of it. Unrolled the loop pays if less
// is needed then (rule ); else it stays.
void unroll_loops_over_copies(link::LinkedStage& stage) {
  const std::size_t limit = size_limit(stage.module, kMaxGrowthForCopies, kFreeSizeForCopies);
  while (loop_count(stage.module) > 0) {
    link::LinkedStage unrolled = stage;
    if (!mark_loops(unrolled, Indexed::copies_of_inputs)) return;
    const std::size_t needed = needed_inputs(stage), loops = loop_count(stage.module);
    unroll_marked(unrolled);
    spirv::simplify(unrolled.module);  // what was taken apart element by element shows what is needed of it
    const bool is_less = loop_count(unrolled.module) < loops && unrolled.module.inst_count() <= limit;
    if (!is_less || needed_inputs(unrolled) >= needed) return;
    stage = std::move(unrolled);
  }
}

}  // namespace

void unroll_loops_over_varyings(link::LinkedStage& stage, bool local_arrays) {
  const std::size_t limit = size_limit(stage.module, kMaxGrowth, kFreeSize);
  const Indexed indexed = local_arrays ? Indexed::varyings_and_locals : Indexed::varyings;
  // A loop that contains others can only be unrolled once these are gone.
  while (mark_loops(stage, indexed)) {
    const link::LinkedStage before = stage;
    unroll_marked(stage);
    if (stage.module.inst_count() > limit) stage = before;
    if (loop_count(stage.module) >= loop_count(before.module)) break;
  }
  unroll_loops_over_copies(stage);
}

}  // namespace varylink::driver
