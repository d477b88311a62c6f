#include "driver/unroll.h"

#include <algorithm>

#include "driver/clean_up.h"
#include "spirv/cleanup/one_trip_loops.h"
#include "spirv/ir/cfg.h"
#include "spirv/ir/globals.h"
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

// Blocks in which a local array is.
void add_dynamic_locals(const Module& module, const spirv::Function& function, std::vector<bool>& dynamic) {
  const spirv::Uses uses(module);
  const std::vector<spirv::Place> places = spirv::places_of(module);
  const auto is_dynamic = [&](spirv::Id index) { return !varyings::constant_int(module, index); };
  for (const spirv::Block& block : function.blocks)
    for (const InstRef inst : block.body) {
      if (module[inst].op != spv::Op::OpVariable) continue;
      for (const varyings::PointerAccess& access : varyings::accesses_of(module, uses, module[inst].result).accesses)
        if (std::any_of(access.indices.begin(), access.indices.end(), is_dynamic))
          dynamic[places[access.inst.index].block] = true;
    }
}

bool is_small_constant(const Module& module, spirv::Id value) {
  const auto constant = varyings::constant_int(module, value);
  return constant && std::abs(*constant) <= kMaxTrips;
}

// A loop counter: a phi of the header that starts from a small constant.
bool is_small_counter(const Module& module, const spirv::Block& header, spirv::Id value) {
  const InstRef phi = module.def(value);
  if (!phi || module[phi].op != spv::Op::OpPhi) return false;
  if (std::find(header.body.begin(), header.body.end(), phi) == header.body.end()) return false;
  for (std::uint32_t i = 0; i < module.operands(phi).size(); i += 2)
    if (is_small_constant(module, module.operand(phi, i).word)) return true;
  return false;
}

// The condition that leaves the loop compares a counter with a small constant. With whole steps, which is all that
// SPIRV-Tools unrolls, the loop then runs at most 2 * kMaxTrips times; without this bound unrolling could take forever.
bool is_short(const Module& module, const spirv::Function& function, const spirv::Cfg& cfg, std::uint32_t header,
              spirv::Id merge_label) {
  std::vector<std::uint32_t> blocks = {header};
  for (const std::uint32_t next : cfg.successors(header)) blocks.push_back(next);
  for (const std::uint32_t block : blocks) {
    const InstRef branch = function.blocks[block].body.back();
    if (module[branch].op != spv::Op::OpBranchConditional) continue;
    if (module.operand(branch, 1).word != merge_label && module.operand(branch, 2).word != merge_label) continue;
    const InstRef condition = module.def(module.operand(branch, 0).word);
    if (!condition || module[condition].op < spv::Op::OpIEqual || module[condition].op > spv::Op::OpSLessThanEqual)
      return false;
    const spirv::Id a = module.operand(condition, 0).word, b = module.operand(condition, 1).word;
    const spirv::Block& first = function.blocks[header];
    return (is_small_counter(module, first, a) && is_small_constant(module, b)) ||
           (is_small_counter(module, first, b) && is_small_constant(module, a));
  }
  return false;
}

// Marks every loop that indexes a user varying, or if asked a local array, with something that is not constant and
// whose trip count looks small. Returns false if there is none.
bool mark_loops(link::LinkedStage& stage, bool local_arrays) {
  constexpr auto kUnroll = static_cast<std::uint32_t>(spv::LoopControlMask::Unroll);
  constexpr auto kDontUnroll = static_cast<std::uint32_t>(spv::LoopControlMask::DontUnroll);
  Module& module = stage.module;
  bool any = false;
  for (std::uint32_t f = 0; f < module.functions.size(); ++f) {
    const spirv::Function& function = module.functions[f];
    std::vector<bool> dynamic = dynamic_blocks(stage, function, f);
    if (local_arrays) add_dynamic_locals(module, function, dynamic);
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

}  // namespace

void unroll_loops_over_varyings(link::LinkedStage& stage, bool local_arrays) {
  const std::size_t limit = std::max(kFreeSize, stage.module.inst_count() * kMaxGrowth);
  // A loop that contains others can only be unrolled once these are gone.
  while (mark_loops(stage, local_arrays)) {
    const link::LinkedStage before = stage;
    unroll_marked(stage);
    if (stage.module.inst_count() > limit) stage = before;
    if (loop_count(stage.module) >= loop_count(before.module)) return;
  }
}

}  // namespace varylink::driver
