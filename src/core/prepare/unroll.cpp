#include "prepare/unroll.h"

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "prepare/recipes.h"
#include "spirv/cleanup/clean_ups.h"
#include "spirv/cleanup/component_liveness.h"
#include "spirv/cleanup/loop_nest.h"
#include "spirv/cleanup/simplify.h"
#include "spirv/ir/cfg.h"
#include "spirv/ir/code_size.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/pointer_path.h"
#include "spirv/ir/scalar_view.h"
#include "varyings/scalarize/scalarize_plan.h"

namespace varylink::prepare {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;

// A varying array has at most 32 locations times 4; a loop that walks one has no more rounds, but may take each element
// twice.
constexpr std::uint32_t kMaxLoopRounds = 2 * 128 + 1;

// Rule: a module with unrolled code may be this many times as large, but small ones may always grow to a number
// of instructions.
struct Growth {
  std::size_t factor = 0, free_size = 0;
  std::size_t limit(std::size_t size) const { return std::max(free_size, size * factor); }
};
constexpr Growth kForVaryings = {4, 4000};
// Copies to local arrays win less: a component or two.
constexpr Growth kForCopies = {2, 1000};
// Counters, tests and the branches that they decide are folded afterwards: this part of the unrolled code may stay.
constexpr std::size_t kFolded = 3;

// The arrays that the loops in question index.
enum class Indexed : std::uint8_t { varyings, varyings_and_locals, copies_of_inputs };

std::set<Id> user_inputs(const link::LinkedStage& stage) {
  std::set<Id> inputs;
  if (stage.stage == Stage::vertex) return inputs;
  for (const varyings::InterfaceVariable& input :
       varyings::interface_variables(stage.module, stage.entry, varyings::Direction::input))
    inputs.insert(input.id);
  return inputs;
}

// The value is, or has in it, what was loaded from one of the variables.
bool is_made_of(const Module& module, Id value, const std::set<Id>& variables) {
  std::set<Id> seen;
  std::vector<Id> open = {value};
  while (!open.empty()) {
    const Id id = open.back();
    open.pop_back();
    if (!seen.insert(id).second) continue;
    const InstRef def = module.def(id);
    const spv::Op op = module.def_op(id);
    if (op == spv::Op::OpLoad && variables.count(spirv::root_of(module, module.operand(def, 0).word)) != 0) return true;
    if (!spirv::is_rearrangement(op)) continue;
    for (const spirv::Operand& operand : module.operands(def))
      if (operand.is_id) open.push_back(operand.word);
  }
  return false;
}

// A local array to which something is stored that is made of inputs.
bool copies_inputs(const Module& module, const varyings::VariableAccesses& accesses, const std::set<Id>& inputs) {
  return std::any_of(accesses.accesses.begin(), accesses.accesses.end(), [&](const varyings::PointerAccess& access) {
    return access.kind == varyings::PointerAccess::Kind::store &&
           is_made_of(module, module.operand(access.inst, 1).word, inputs);
  });
}

// The accesses of one variable whose indices are not constant.
struct Indexing {
  Id value = 0;
  std::uint32_t block = 0;
};
using Indexings = std::vector<Indexing>;

class IndexedVariables {
 public:
  IndexedVariables(const link::LinkedStage& stage, std::uint32_t function)
      : stage_(stage), module_(stage.module), function_(function), uses_(module_), places_(spirv::places_of(module_)) {}

  // By variable, in the order of declaration.
  std::vector<Indexings> of(Indexed indexed) const {
    std::vector<Indexings> found;
    if (indexed != Indexed::copies_of_inputs) add_varyings(found);
    if (indexed != Indexed::varyings) add_locals(found, indexed == Indexed::copies_of_inputs);
    std::erase_if(found, [](const Indexings& indexings) { return indexings.empty(); });
    return found;
  }

 private:
  void add_varyings(std::vector<Indexings>& found) const {
    for (const varyings::Direction direction : {varyings::Direction::input, varyings::Direction::output}) {
      const bool external = (stage_.stage == Stage::vertex && direction == varyings::Direction::input) ||
                            (stage_.stage == Stage::fragment && direction == varyings::Direction::output);
      if (external) continue;
      for (const varyings::InterfaceVariable& variable :
           varyings::interface_variables(module_, stage_.entry, direction)) {
        found.emplace_back();
        for (const varyings::PointerAccess& access : varyings::accesses_of(module_, uses_, variable.id).accesses)
          if (varyings::constant_path(module_, variable, access).dynamic_behind)
            add(access, variable.arrayed ? 1 : 0, found.back());
      }
    }
  }

  void add_locals(std::vector<Indexings>& found, bool copies_only) const {
    const std::set<Id> inputs = copies_only ? user_inputs(stage_) : std::set<Id>{};
    if (copies_only && inputs.empty()) return;
    for (const InstRef inst : module_.functions[function_].blocks.front().body) {
      if (module_[inst].op != spv::Op::OpVariable) continue;
      const varyings::VariableAccesses accesses = varyings::accesses_of(module_, uses_, module_[inst].result);
      if (copies_only && !copies_inputs(module_, accesses, inputs)) continue;
      found.emplace_back();
      for (const varyings::PointerAccess& access : accesses.accesses) add(access, 0, found.back());
    }
  }

  void add(const varyings::PointerAccess& access, std::size_t first, Indexings& indexings) const {
    const spirv::Place& place = places_[access.inst.index];
    if (place.function != function_) return;
    for (std::size_t i = first; i < access.indices.size(); ++i)
      if (!spirv::constant_int(module_, access.indices[i])) indexings.push_back({access.indices[i], place.block});
  }

  const link::LinkedStage& stage_;
  const Module& module_;
  std::uint32_t function_;
  spirv::Uses uses_;
  std::vector<spirv::Place> places_;
};

// Chooses loops to write out, as long as the function stays below a size.
class Choice {
 public:
  Choice(const spirv::LoopNest& nest, std::size_t limit)
      : nest_(nest), limit_(limit), chosen_(nest.loops().size(), false) {}

  // All that is needed for the indices of one variable to be constant, or nothing.
  void add(const Indexings& indexings) {
    std::vector<bool> needed(chosen_.size(), false);
    for (const Indexing& indexing : indexings) {
      const auto wanted = nest_.loops_behind(indexing.value, indexing.block);
      if (!wanted) continue;
      if (!wanted->all_needed) {
        add_inner_ones(wanted->loops);
        continue;
      }
      for (const std::uint32_t loop : wanted->loops) needed[loop] = true;
      add_inside(indexing.block, needed);
    }
    for (std::uint32_t loop = 0; loop < needed.size(); ++loop) needed[loop] = needed[loop] || chosen_[loop];
    if (nest_.size_with(needed) <= limit_) chosen_ = needed;
  }

  // Headers of what was chosen; with them loops of a single round, which are none. Empty if nothing was.
  std::vector<Id> headers() const {
    std::vector<Id> headers;
    if (std::find(chosen_.begin(), chosen_.end(), true) == chosen_.end()) return headers;
    for (std::uint32_t loop = 0; loop < chosen_.size(); ++loop)
      if (chosen_[loop] || nest_.loops()[loop].rounds == 1) headers.push_back(nest_.loops()[loop].header);
    return headers;
  }

 private:
  // Loops around the block that are inside of needed ones: these would be copied, with what they index.
  void add_inside(std::uint32_t block, std::vector<bool>& needed) const {
    std::vector<std::uint32_t> inside;
    for (std::uint32_t loop = nest_.loop_at(block); loop != spirv::LoopNest::kNone; loop = nest_.loops()[loop].parent) {
      if (needed[loop])
        for (const std::uint32_t inner : inside) needed[inner] = true;
      else if (nest_.loops()[loop].rounds != 0)
        inside.push_back(loop);
    }
  }

  // As many as fit, from the inside out.
  void add_inner_ones(const std::vector<std::uint32_t>& loops) {
    for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop) {
      std::vector<bool> with = chosen_;
      with[*loop] = true;
      if (nest_.size_with(with) > limit_) return;
      chosen_ = std::move(with);
    }
  }

  const spirv::LoopNest& nest_;
  std::size_t limit_;
  std::vector<bool> chosen_;  // by loop
};

std::size_t size_with_labels(const Module& module) {
  std::size_t size = spirv::code_size(module);
  for (const spirv::Function& function : module.functions) size += function.blocks.size();
  return size;
}

// Writes out the loops because of which an index is not constant, and folds their counters. False, and nothing is
// changed, if there are none, or the code may become larger than `limit`.
bool unroll(link::LinkedStage& stage, Indexed indexed, std::size_t limit) {
  bool any = false;
  for (std::uint32_t function = 0; function < stage.module.functions.size(); ++function) {
    const std::vector<Indexings> variables = IndexedVariables(stage, function).of(indexed);
    if (variables.empty()) continue;
    const spirv::LoopNest nest(stage.module, stage.module.functions[function], kMaxLoopRounds);
    Choice choice(nest, kFolded * limit);
    for (const Indexings& indexings : variables) choice.add(indexings);
    const std::vector<Id> headers = choice.headers();
    if (headers.empty()) continue;
    spirv::unroll_loops(stage.module, function, headers, kMaxLoopRounds);
    any = true;
  }
  if (any) run_recipe(kFoldUnrolled, stage);
  return any;
}

// Components of inputs that somebody needs: of an array each element once, of the vertices of a primitive one.
class NeededInputs {
 public:
  explicit NeededInputs(const link::LinkedStage& stage) : module_(stage.module), uses_(module_), liveness_(module_) {
    if (stage.stage == Stage::vertex) return;
    for (const varyings::InterfaceVariable& input :
         varyings::interface_variables(module_, stage.entry, varyings::Direction::input)) {
      if (input.unsupported) continue;  // a specialization constant says how large it is
      needed_.assign(spirv::scalars_of_type(module_, input.element_type), false);
      for (const varyings::PointerAccess& access : varyings::accesses_of(module_, uses_, input.id).accesses) {
        if (input.arrayed && access.indices.empty())
          needed_.assign(needed_.size(), true);
        else
          need_behind(input.element_type, 0, std::span(access.indices).subspan(input.arrayed ? 1 : 0),
                      module_[access.inst].result);
      }
      count_ += static_cast<std::size_t>(std::count(needed_.begin(), needed_.end(), true));
    }
  }

  std::size_t count() const { return count_; }

 private:
  // What `loaded` needs of the part behind the indices, in the scalars of a value of `type` from `first` on. An
  // unrolled loop may read past the end, where nothing is.
  void need_behind(Id type, std::uint32_t first, std::span<const Id> indices, Id loaded) {
    if (indices.empty()) return need(type, first, loaded);
    const auto constant = spirv::constant_index(module_, indices.front());
    const std::uint32_t count = spirv::element_count(module_, type);
    for (std::uint32_t i = 0; i < count; ++i)
      if (const auto element = spirv::element_at(module_, type, i); element && constant.value_or(i) == i)
        need_behind(element->type, first + element->scalars_before, indices.subspan(1), loaded);
  }

  void need(Id type, std::uint32_t first, Id value) {
    const std::uint32_t count = spirv::scalars_of_type(module_, type);
    if (spirv::is_scalar_or_vector(module_, type)) {
      for (std::uint32_t i = 0; i < count; ++i)
        if ((liveness_.of(value) >> i & 1) != 0) needed_[first + i] = true;
      return;
    }
    for (const InstRef use : uses_.of(value)) {
      const auto part = module_[use].op == spv::Op::OpCompositeExtract
                            ? spirv::scalar_range(module_, type, module_.operands(use).subspan(1))
                            : std::nullopt;
      if (part)
        need(module_[use].type, first + part->first, module_[use].result);
      else
        std::fill_n(needed_.begin() + first, count, true);
    }
  }

  const Module& module_;
  const spirv::Uses uses_;
  const spirv::ComponentLiveness liveness_;
  std::vector<bool> needed_;  // scalars of the input that is looked at
  std::size_t count_ = 0;
};

// Inputs that are copied to a local array are needed as a whole, even if the loop reads parts. Unrolling pays if fewer
// are needed then (rule ); else the loop stays.
void unroll_loops_over_copies(link::LinkedStage& stage) {
  const std::size_t limit = kForCopies.limit(size_with_labels(stage.module));
  while (spirv::loop_count(stage.module) > 0) {
    link::LinkedStage unrolled = stage;
    if (!unroll(unrolled, Indexed::copies_of_inputs, limit)) return;
    spirv::simplify(unrolled.module);  // arrays split by element show the needed elements
    const bool is_less = spirv::loop_count(unrolled.module) < spirv::loop_count(stage.module) &&
                         size_with_labels(unrolled.module) <= limit;
    if (!is_less || NeededInputs(unrolled).count() >= NeededInputs(stage).count()) return;
    stage = std::move(unrolled);
  }
}

}  // namespace

void unroll_loops_over_varyings(link::LinkedStage& stage, bool local_arrays) {
  if (spirv::loop_count(stage.module) == 0) return;
  const std::size_t limit = kForVaryings.limit(size_with_labels(stage.module));
  const Indexed indexed = local_arrays ? Indexed::varyings_and_locals : Indexed::varyings;
  // The bounds of a loop may be known once others are gone.
  for (std::size_t loops = spirv::loop_count(stage.module);;) {
    link::LinkedStage unrolled = stage;
    if (!unroll(unrolled, indexed, limit) || size_with_labels(unrolled.module) > limit) break;
    stage = std::move(unrolled);
    if (spirv::loop_count(stage.module) >= loops) break;
    loops = spirv::loop_count(stage.module);
  }
  unroll_loops_over_copies(stage);
}

}  // namespace varylink::prepare
