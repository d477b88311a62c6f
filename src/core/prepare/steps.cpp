#include "prepare/steps.h"

#include <algorithm>
#include <array>

#include "analysis/discontinuity.h"
#include "prepare/kept_calls.h"
#include "prepare/unroll.h"
#include "spirv/cleanup/clean_ups.h"
#include "spirv/cleanup/simplify.h"
#include "spirv/ir/debug_records.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/uses.h"
#include "varyings/reflect/pointer_access.h"
#include "varyings/scalarize/code_forms.h"

namespace varylink::prepare {
namespace {

using enum link::Property;
using link::LinkedStage;
using link::Properties;
using spirv::CleanUp;
using spirv::Id;
using spirv::InstRef;

// Steps that do not tell whether something changed.
template <auto step>
Change on_module(LinkedStage& stage, const StepFacts&) {
  step(stage.module);
  return Change::untold;
}

template <auto step>
Change on_entry(LinkedStage& stage, const StepFacts&) {
  step(stage.module, stage.entry);
  return Change::untold;
}

template <auto step>
Change on_function(LinkedStage& stage, const StepFacts&) {
  step(stage.module, stage.entry.function);
  return Change::untold;
}

template <auto step>
Change on_stage(LinkedStage& stage, const StepFacts&) {
  step(stage);
  return Change::untold;
}

// Steps that do.
template <auto step>
Change changes_module(LinkedStage& stage, const StepFacts&) {
  return step(stage.module) ? Change::some : Change::none;
}

template <auto step>
Change changes_entry(LinkedStage& stage, const StepFacts&) {
  return step(stage.module, stage.entry) ? Change::some : Change::none;
}

template <auto step>
Change changes_stage(LinkedStage& stage, const StepFacts&) {
  return step(stage) ? Change::some : Change::none;
}

Change unroll_loops(LinkedStage& stage, const StepFacts& facts) {
  unroll_loops_over_varyings(stage, facts.copies_vertices);
  return Change::untold;
}

constexpr int kMaxProductRounds = 8;  // rule

// Columns of a product are products themselves, of which less is needed.
void write_out_products(spirv::Module& module) {
  for (int round = 0; round < kMaxProductRounds && spirv::write_out_partial_products(module); ++round)
    spirv::simplify(module);
}

// Copies of varyings, and of locals: these are split and promoted by their loads and stores.
void split_memory_copies(spirv::Module& module) {
  std::vector<Id> variables;
  const auto add = [&](InstRef inst) {
    using enum spv::StorageClass;
    const Id id = module[inst].result;
    if (spirv::is_variable_in(module, id, Input) || spirv::is_variable_in(module, id, Output) ||
        spirv::is_variable_in(module, id, Private) || spirv::is_variable_in(module, id, Function))
      variables.push_back(id);
  };
  std::for_each(module.types.begin(), module.types.end(), add);
  for (const spirv::Function& function : module.functions)
    if (!function.blocks.empty()) std::for_each(function.blocks[0].body.begin(), function.blocks[0].body.end(), add);
  varyings::split_memory_copies(module, variables);
}

// A decoration of what stays names the variable: CounterBuffer, which reflection reads.
bool is_named_by_others(const spirv::Module& module, Id variable, const std::vector<Id>& unused) {
  return std::ranges::any_of(module.annotations, [&](spirv::InstRef inst) {
    if (module[inst].op != spv::Op::OpDecorateId || std::ranges::count(unused, module.operand(inst, 0).word) != 0)
      return false;
    return std::ranges::any_of(module.operands(inst).subspan(1), [&](const spirv::Operand& operand) {
      return operand.is_id && operand.word == variable;
    });
  });
}

void remove_unused(spirv::Module& module, const std::vector<Id>& candidates) {
  const spirv::Uses uses(module);
  std::vector<Id> unused = candidates;
  std::erase_if(unused, [&](Id variable) { return !uses.of(variable).empty(); });
  const std::vector<Id> without_use = unused;
  std::erase_if(unused, [&](Id variable) { return is_named_by_others(module, variable, without_use); });
  spirv::remove_globals(module, std::move(unused));
  module.sweep();
}

void remove_unused_resources(LinkedStage& stage) { remove_unused(stage.module, stage.kept_globals); }

void remove_unused_attributes(LinkedStage& stage) {
  std::vector<Id> inputs;
  for (const varyings::InterfaceVariable& input :
       varyings::interface_variables(stage.module, stage.entry, varyings::Direction::input))
    inputs.push_back(input.id);
  remove_unused(stage.module, inputs);
}

void copy_spec_selectors(LinkedStage& stage) {
  if (stage.original_module && !spirv::switches_on_spec_constant_op(*stage.original_module))
    spirv::copy_spec_selectors(stage.module);
}

void trim_capabilities(spirv::Module& module) {
  spirv::remove_dangling_annotations(module);
  spirv::remove_debug_of_removed(module);
  module.sweep();
  spirv::trim_capabilities(module);
}

Change write_out_mixes(LinkedStage& stage, const StepFacts&) {
  const spirv::Function* function = stage.module.function(stage.entry.function);
  std::optional<std::vector<bool>> reaching;
  const auto keeps_rounding = [&](Id value) {
    if (!reaching) reaching = analysis::reaches_discontinuity(stage.module, *function);
    return value < reaching->size() && (*reaching)[value];
  };
  return spirv::write_out_mixes(stage.module, keeps_rounding) ? Change::some : Change::none;
}

constexpr std::array kSteps = {
    StepInfo{.step = Step::make_volatile_explicit,
             .name = "make-volatile-explicit",
             .summary = "loads and stores of volatile memory say so themselves",
             .run = on_module<spirv::make_volatile_explicit>,
             .gives = {volatile_explicit}},
    StepInfo{.step = Step::make_local_accesses_plain,
             .name = "make-local-accesses-plain",
             .summary = "loads and stores of locals and varyings say nothing of alignment and caches",
             .run = on_module<spirv::make_local_accesses_plain>},
    StepInfo{.step = Step::remove_outside_accesses,
             .name = "remove-outside-accesses",
             .summary = "accesses at constant indices outside of arrays go (rule R-4.78)",
             .run = on_module<spirv::remove_outside_accesses>,
             .needs = {volatile_explicit}},
    StepInfo{.step = Step::lower_initializers,
             .name = "lower-initializers",
             .summary = "initializers of outputs become stores",
             .run = on_entry<varyings::lower_initializers>,
             .gives = {no_initializers}},
    StepInfo{.step = Step::keep_functions,
             .name = "keep-functions",
             .summary = "functions that no varying goes through are marked to stay (rule R-9.5)",
             .run = on_stage<keep_functions>},
    StepInfo{.step = Step::merge_returns,
             .name = "merge-returns",
             .summary = "functions return at one place, so that they can be inlined",
             .clean_up = CleanUp::merge_returns},
    StepInfo{.step = Step::inline_functions,
             .name = "inline-functions",
             .summary = "calls become the code of the function",
             .clean_up = CleanUp::inline_functions,
             .gives = {calls_inlined},
             .breaks = {volatile_explicit, locals_in_ssa}},
    StepInfo{.step = Step::private_to_local,
             .name = "private-to-local",
             .summary = "private variables of one function become its local variables",
             .clean_up = CleanUp::private_to_local,
             .breaks = {locals_in_ssa}},
    StepInfo{.step = Step::forward_array_copies,
             .name = "forward-array-copies",
             .summary = "reads of a local copy become reads of the original",
             .clean_up = CleanUp::forward_array_copies,
             .needs = {calls_inlined},
             .breaks = {locals_in_ssa}},
    StepInfo{.step = Step::split_vertex_array_loads,
             .name = "split-vertex-array-loads",
             .summary = "loads of whole per-vertex arrays become loads of each vertex",
             .run = on_entry<varyings::split_vertex_array_loads>},
    StepInfo{.step = Step::sroa,
             .name = "sroa",
             .summary = "local structures and arrays become their members",
             .clean_up = CleanUp::sroa},
    StepInfo{.step = Step::mem2reg,
             .name = "mem2reg",
             .summary = "local variables become values",
             .clean_up = CleanUp::mem2reg,
             .gives = {locals_in_ssa}},
    StepInfo{.step = Step::remove_dead_branches,
             .name = "remove-dead-branches",
             .summary = "branches on constants go one way",
             .clean_up = CleanUp::remove_dead_branches},
    StepInfo{.step = Step::merge_blocks,
             .name = "merge-blocks",
             .summary = "a block and the only one behind it become one",
             .clean_up = CleanUp::merge_blocks},
    StepInfo{.step = Step::remove_dead_code,
             .name = "remove-dead-code",
             .summary = "code and declarations without effect go",
             .clean_up = CleanUp::remove_dead_code},
    StepInfo{.step = Step::give_up_functions,
             .name = "give-up-functions",
             .summary = "kept functions with an argument that says something about varyings are unmarked",
             .run = changes_stage<give_up_functions>,
             .needs = {locals_in_ssa},
             .breaks = {calls_inlined}},
    StepInfo{.step = Step::read_vertices_directly,
             .name = "read-vertices-directly",
             .summary = "local copies of per-vertex inputs go",
             .run = changes_entry<varyings::read_vertices_directly>,
             .needs = {calls_inlined, locals_in_ssa, volatile_explicit},
             .breaks = {locals_in_ssa}},
    StepInfo{.step = Step::write_outputs_directly,
             .name = "write-outputs-directly",
             .summary = "local arrays that are copied to outputs go (rule R-5.45)",
             .run = changes_entry<varyings::write_outputs_directly>,
             .needs = {calls_inlined, locals_in_ssa, volatile_explicit},
             .breaks = {locals_in_ssa}},
    StepInfo{.step = Step::split_memory_copies,
             .name = "split-memory-copies",
             .summary = "copies of varyings, private and local variables become loads and stores",
             .run = on_module<split_memory_copies>},
    StepInfo{.step = Step::forward_own_stores,
             .name = "forward-own-stores",
             .summary = "a control stage keeps what it loads of its own outputs (rules R-5.3, R-5.9)",
             .run = changes_entry<varyings::forward_own_stores>,
             .needs = {calls_inlined, volatile_explicit},
             .breaks = {locals_in_ssa}},
    StepInfo{.step = Step::split_payload_copies,
             .name = "split-payload-copies",
             .summary = "copies of the whole task payload become copies of its members",
             .run = on_entry<varyings::split_payload_copies>},
    StepInfo{.step = Step::keep_results_in_locals,
             .name = "keep-results-in-locals",
             .summary = "results of the last stage are kept in local variables until it returns (rule R-2.12)",
             .run = on_entry<varyings::keep_results_in_locals>,
             .needs = {calls_inlined, volatile_explicit},
             .breaks = {locals_in_ssa}},
    StepInfo{.step = Step::unroll_loops,
             .name = "unroll-loops",
             .summary = "loops are unrolled whose counter indexes varyings (rule R-9.3)",
             .run = unroll_loops,
             .needs = {calls_inlined},
             .breaks = {locals_in_ssa}},
    StepInfo{.step = Step::fold_composites,
             .name = "fold-composites",
             .summary = "components are used where they come from",
             .run = on_module<spirv::fold_composites>},
    StepInfo{.step = Step::initialize_tables,
             .name = "initialize-tables",
             .summary = "local arrays of constants get them as initializers (rule R-4.43)",
             .run = on_function<spirv::initialize_tables>},
    StepInfo{.step = Step::gvn, .name = "gvn", .summary = "equal values are computed once", .clean_up = CleanUp::gvn},
    StepInfo{.step = Step::hoist_common_values,
             .name = "hoist-common-values",
             .summary = "what all sides of a branch compute is computed in front of it (rule R-8.9)",
             .run = changes_module<spirv::hoist_common_values>,
             .needs = {locals_in_ssa}},
    StepInfo{.step = Step::simplify,
             .name = "simplify",
             .summary = "components are used where they come from, and unused ones go",
             .run = on_module<spirv::simplify>},
    StepInfo{.step = Step::sccp,
             .name = "sccp",
             .summary = "values computed from constants become constants",
             .clean_up = CleanUp::sccp},
    StepInfo{.step = Step::fold_integers,
             .name = "fold-integers",
             .summary = "integers and conditions computed from constants become constants (rule R-4.41)",
             .clean_up = CleanUp::fold_integers},
    StepInfo{.step = Step::write_out_products,
             .name = "write-out-products",
             .summary = "matrix products of which a part is needed are written out",
             .run = on_module<write_out_products>},
    StepInfo{.step = Step::merge_equal_arms,
             .name = "merge-equal-arms",
             .summary = "branches that make no difference go one way",
             .run = changes_module<spirv::merge_equal_arms>},
    StepInfo{.step = Step::fold_identities,
             .name = "fold-identities",
             .summary = "products with 0 and 1, sums with 0 and the like go",
             .run = changes_module<spirv::fold_identities>},
    StepInfo{.step = Step::write_out_mixes,
             .name = "write-out-mixes",
             .summary = "mixes that begin at 1 are written as their definition, but where rounding shows (rule R-4.28)",
             .run = write_out_mixes,
             .needs = {locals_in_ssa}},
    StepInfo{.step = Step::remove_unused_resources,
             .name = "remove-unused-resources",
             .summary = "resources that nothing uses are not declared",
             .run = on_stage<remove_unused_resources>},
    StepInfo{.step = Step::remove_unused_attributes,
             .name = "remove-unused-attributes",
             .summary = "vertex attributes that nothing reads are not declared",
             .run = on_stage<remove_unused_attributes>},
    StepInfo{.step = Step::restore_loop_bodies,
             .name = "restore-loop-bodies",
             .summary = "the body of a loop stands in front of its continue construct",
             .run = on_module<spirv::restore_loop_bodies>},
    StepInfo{.step = Step::sink_loads,
             .name = "sink-loads",
             .summary = "inputs are loaded where their values are needed",
             .run = on_function<spirv::sink_loads>},
    StepInfo{.step = Step::copy_spec_selectors,
             .name = "copy-spec-selectors",
             .summary = "switches select by a copy of specialization constants",
             .run = on_stage<copy_spec_selectors>},
    StepInfo{.step = Step::trim_capabilities,
             .name = "trim-capabilities",
             .summary = "capabilities that nothing needs are not declared",
             .run = on_module<trim_capabilities>},
    StepInfo{.step = Step::unmark_functions,
             .name = "unmark-functions",
             .summary = "kept functions lose their mark",
             .run = on_stage<unmark_functions>,
             .breaks = {calls_inlined}},
};

constexpr bool is_in_order() {
  for (std::size_t i = 0; i < kSteps.size(); ++i)
    if (kSteps[i].step != static_cast<Step>(i)) return false;
  return true;
}
static_assert(is_in_order());

}  // namespace

const StepInfo& info_of(Step step) { return kSteps[static_cast<std::size_t>(step)]; }

std::span<const StepInfo> all_steps() { return kSteps; }

const StepInfo* find_step(std::string_view name) {
  const auto found =
      std::find_if(kSteps.begin(), kSteps.end(), [&](const StepInfo& step) { return step.name == name; });
  return found == kSteps.end() ? nullptr : &*found;
}

}  // namespace varylink::prepare
