#include "driver/prepare.h"

#include <algorithm>
#include <map>

#include "driver/clean_up.h"
#include "driver/kept_calls.h"
#include "driver/unroll.h"
#include "spirv/cleanup/constant_tables.h"
#include "spirv/cleanup/fold_identities.h"
#include "spirv/cleanup/loop_bodies.h"
#include "spirv/cleanup/merge_returns.h"
#include "spirv/cleanup/outside_accesses.h"
#include "spirv/cleanup/simplify.h"
#include "spirv/cleanup/sink_loads.h"
#include "spirv/cleanup/switch_selectors.h"
#include "spirv/cleanup/trim_capabilities.h"
#include "spirv/cleanup/volatile_access.h"
#include "spirv/entry_points/extract_entry.h"
#include "spirv/entry_points/import_entries.h"
#include "spirv/ir/code_size.h"
#include "spirv/ir/debug_records.h"
#include "spirv/ir/decoration_groups.h"
#include "spirv/ir/foreign.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/uses.h"
#include "spirv/tools/binary.h"
#include "spirv/tools/foreign_reader.h"
#include "spirv/tools/newer_module.h"
#include "spirv/tools/tools.h"
#include "varyings/reflect/pointer_access.h"
#include "varyings/scalarize/lower_initializers.h"
#include "varyings/scalarize/output_copies.h"
#include "varyings/scalarize/own_stores.h"
#include "varyings/scalarize/payload_copies.h"
#include "varyings/scalarize/results_in_locals.h"
#include "varyings/scalarize/vertex_copies.h"
#include "varyings/scalarize/vertex_loads.h"

namespace varylink::driver {
namespace {

using spirv::CleanUp;
using spirv::Id;
using spirv::InstRef;
using spirv::Module;

// Real shaders stay far below this. Calls can nest so that inlining doubles the code with every level
// (rule ).
constexpr std::size_t kMaxInlinedSize = 200000;

bool is_resource_class(spv::StorageClass storage) {
  switch (storage) {
    case spv::StorageClass::UniformConstant:
    case spv::StorageClass::Uniform:
    case spv::StorageClass::PushConstant:
    case spv::StorageClass::StorageBuffer: return true;
    default: return false;
  }
}

std::vector<Id> global_variables(const Module& module, bool (*wanted)(spv::StorageClass)) {
  std::vector<Id> found;
  for (const InstRef inst : module.types)
    if (module[inst].op == spv::Op::OpVariable && wanted(static_cast<spv::StorageClass>(module.operand(inst, 0).word)))
      found.push_back(module[inst].result);
  return found;
}

// Functions with early returns cannot be inlined as they are. Merging the returns of the entry point itself would only
// complicate it, so it is done only if some other function needs it.
bool needs_merged_returns(const link::LinkedStage& stage) {
  return std::any_of(
      stage.module.functions.begin(), stage.module.functions.end(), [&](const spirv::Function& function) {
        const auto& kept = stage.kept_functions;
        return function.result != stage.entry.function && spirv::count_returns(stage.module, function) > 1 &&
               std::find(kept.begin(), kept.end(), function.result) == kept.end();
      });
}

std::vector<CleanUp> steps_to_inline(const link::LinkedStage& stage) {
  std::vector<CleanUp> steps;
  if (needs_merged_returns(stage)) steps.push_back(CleanUp::merge_returns);
  steps.insert(steps.end(), recipes::kInline.begin(), recipes::kInline.end());
  return steps;
}

// Instructions of a function with all its calls written out, each as often as it stands (call_tree() has each function
// once); saturates at kMaxInlinedSize. Recursion, which SPIR-V forbids in shaders, counts as too large.
std::size_t inlined_size(const Module& module, Id function, std::map<Id, std::size_t>& known) {
  if (const auto found = known.find(function); found != known.end()) return found->second;
  known[function] = kMaxInlinedSize;
  std::size_t size = 0;
  if (const spirv::Function* body = module.function(function))
    for (const spirv::Block& block : body->blocks) {
      size += spirv::code_size(module, block);
      for (const InstRef inst : block.body) {
        if (module[inst].op == spv::Op::OpFunctionCall)
          size += inlined_size(module, module.operand(inst, 0).word, known) - 1;
        size = std::min(size, kMaxInlinedSize);
      }
    }
  return known[function] = size;
}

void split_interface_copies(link::LinkedStage& stage) {
  const auto is_interface = [](spv::StorageClass storage) {
    return storage == spv::StorageClass::Input || storage == spv::StorageClass::Output;
  };
  varyings::split_memory_copies(stage.module, global_variables(stage.module, is_interface));
}

void remove_unused_variables(Module& module, const std::vector<Id>& candidates) {
  const spirv::Uses uses(module);
  std::vector<Id> unused = candidates;
  std::erase_if(unused, [&](Id variable) { return !uses.of(variable).empty(); });
  spirv::remove_globals(module, std::move(unused));
  module.sweep();
}

// Above that the validator counts components in words that wrap around, so that a location may seem to be another one.
Result<void> check_locations(const Module& module, const FileRef& file) {
  for (const InstRef inst : module.annotations) {
    const bool of_member = module[inst].op == spv::Op::OpMemberDecorate;
    const std::uint32_t at = of_member ? 2 : 1;
    if ((!of_member && module[inst].op != spv::Op::OpDecorate) ||
        module.operand(inst, at).word != static_cast<std::uint32_t>(spv::Decoration::Location))
      continue;
    const std::uint32_t location = module.operand(inst, at + 1).word;
    if (location > varyings::kMaxLocation)
      return make_error(ErrorKind::invalid_spirv, file,
                        "location " + std::to_string(location) + " is above what any device has",
                        "VUID-RuntimeSpirv-Location-06272");
  }
  return {};
}

}  // namespace

Result<link::LinkedStage> read_stage(const FileRef& file, Stage stage, const std::vector<std::uint32_t>& words,
                                     const std::string& entry_point) {
  Result<Module> module = spirv::read_with_foreign(words, file);
  if (!module) return module.error();
  spirv::list_interfaces_once(*module);
  const Result<varyings::Entry> entry = varyings::find_entry(*module, stage, entry_point, file);
  if (!entry) return entry.error();
  link::LinkedStage result;
  result.stage = stage;
  result.file = file;
  result.original = words;
  result.module = std::move(*module);
  result.entry = *entry;
  result.kept_globals = global_variables(result.module, is_resource_class);
  return result;
}

Result<link::LinkedStage> open_stage(const FileRef& file, Stage stage, const std::vector<std::uint32_t>& words,
                                     const std::string& entry_point, const spirv::ValidatorOptions& validator,
                                     spirv::ValidWords* valid_words) {
  Result<link::LinkedStage> result = read_stage(file, stage, words, entry_point);
  if (!result) return result;
  const bool is_newer = spirv::has_foreign(result->module);
  Result<Diagnostics> valid = spirv::validate_known(result->module, words, validator, file, {valid_words, stage});
  if (!valid && is_newer) {
    Diagnostic newer = spirv::read_module(words, file).error();
    newer.message += "; it is not linked, since what is known of it is not valid: " + valid.error().message;
    return newer;
  }
  if (!valid) return valid.error();
  if (const Result<void> located = check_locations(result->module, file); !located) return located.error();
  result->warnings = std::move(*valid);
  if (is_newer)
    result->warnings.push_back(make_warning(
        file, "the module is newer than " + spirv::validator_name() + ", which does not know " +
                  spirv::listed(spirv::newer_features(words)) + ": that stays as it is and is not validated"));
  result->valid_words = valid_words;
  result->original_module = std::make_shared<const Module>(result->module);
  spirv::expand_decoration_groups(result->module);
  if (result->module.entry_points.size() > 1) {
    spirv::keep_only_entries(result->module, {result->entry.inst});
    result->kept_globals = global_variables(result->module, is_resource_class);
  }
  return result;
}

std::string reason_to_leave_alone(const link::LinkedStage& stage) {
  struct Row {
    spv::Capability capability;
    const char* what;
  };
  constexpr Row kRefused[] = {
      {spv::Capability::Kernel, "OpenCL kernels"},
      {spv::Capability::Linkage, "linkage to other modules"},
      {spv::Capability::Addresses, "physical addressing"},
      {spv::Capability::MeshShadingNV, "NV mesh shading"},
      {spv::Capability::GeometryShaderPassthroughNV, "geometry shader passthrough"},
      {spv::Capability::PerViewAttributesNV, "per-view attributes"},
  };
  for (const Row& row : kRefused)
    if (stage.module.has_capability(row.capability)) return std::string("the module uses ") + row.what;
  std::map<Id, std::size_t> known;
  if (inlined_size(stage.module, stage.entry.function, known) >= kMaxInlinedSize)
    return "it has more than " + std::to_string(kMaxInlinedSize) + " instructions with its functions inlined";
  return {};
}

void prepare(link::LinkedStage& stage) {
  stage.allows_identities = stage.stage == Stage::fragment && spirv::allows_identities(stage.module);
  spirv::make_volatile_explicit(stage.module);
  spirv::remove_outside_accesses(stage.module);
  varyings::lower_initializers(stage.module, stage.entry);
  keep_functions(stage);
  std::vector<CleanUp> steps = steps_to_inline(stage);
  const bool copies_vertices = varyings::loads_whole_vertex_array(stage.module, stage.entry);
  // A dynamic index goes to the input itself first; then its copies fall apart.
  if (copies_vertices || varyings::loads_array_of_input(stage.module)) steps.push_back(CleanUp::forward_array_copies);
  if (copies_vertices) {
    stage.clean_up(steps);
    steps.clear();
    varyings::split_vertex_array_loads(stage.module, stage.entry);
  }
  steps.insert(steps.end(), recipes::kPromoteLocals.begin(), recipes::kPromoteLocals.end());
  stage.clean_up(steps);
  if (give_up_functions(stage)) {
    steps = steps_to_inline(stage);
    steps.insert(steps.end(), recipes::kPromoteLocals.begin(), recipes::kPromoteLocals.end());
    stage.clean_up(steps);
  }
  spirv::make_volatile_explicit(stage.module);  // of pointers that were parameters
  while (varyings::read_vertices_directly(stage.module, stage.entry)) stage.clean_up(recipes::kPromoteLocals);
  if (varyings::write_outputs_directly(stage.module, stage.entry)) stage.clean_up(recipes::kPromoteLocals);
  split_interface_copies(stage);
  if (varyings::forward_own_stores(stage.module, stage.entry)) stage.clean_up(recipes::kPromoteLocals);
  varyings::split_payload_copies(stage.module, stage.entry);
  varyings::keep_results_in_locals(stage.module, stage.entry);
  unroll_loops_over_varyings(stage, copies_vertices);
  spirv::remove_outside_accesses(stage.module);  // of indices that are constant by now
}

void restore_other_entries(link::LinkedStage& stage) {
  if (spirv::entry_point_count(stage.original) < 2) return;
  Result<Module> original = spirv::read_module(stage.original, stage.file);
  if (!original) return;
  spirv::expand_decoration_groups(*original);
  spirv::import_other_entries(stage.module, *original, static_cast<spv::ExecutionModel>(execution_model(stage.stage)),
                              stage.entry.name);
}

void finish(link::LinkedStage& stage, bool strip_resources, bool strip_attributes) {
  spirv::simplify(stage.module);
  stage.clean_up(recipes::kFinish);
  if (strip_resources) remove_unused_variables(stage.module, stage.kept_globals);
  if (strip_attributes && stage.stage == Stage::vertex) {
    std::vector<Id> inputs;
    for (const varyings::InterfaceVariable& input :
         varyings::interface_variables(stage.module, stage.entry, varyings::Direction::input))
      inputs.push_back(input.id);
    remove_unused_variables(stage.module, inputs);
  }
  spirv::initialize_tables(stage.module, stage.entry.function);
  spirv::restore_loop_bodies(stage.module);
  spirv::sink_loads(stage.module, stage.entry.function);
  if (stage.original_module && !spirv::switches_on_spec_constant_op(*stage.original_module))
    spirv::copy_spec_selectors(stage.module);
  spirv::remove_dangling_annotations(stage.module);
  spirv::remove_debug_of_removed(stage.module);
  stage.module.sweep();
  spirv::trim_capabilities(stage.module);
  unmark_functions(stage);
}

}  // namespace varylink::driver
