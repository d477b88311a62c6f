#include "driver/open_stage.h"

#include <algorithm>
#include <map>

#include "spirv/entry_points/extract_entry.h"
#include "spirv/entry_points/import_entries.h"
#include "spirv/ir/code_size.h"
#include "spirv/ir/decoration_groups.h"
#include "spirv/ir/foreign.h"
#include "spirv/ir/globals.h"
#include "spirv/tools/binary.h"
#include "spirv/tools/foreign_reader.h"
#include "spirv/tools/newer_module.h"
#include "spirv/tools/tools.h"

namespace varylink::driver {
namespace {

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

Result<link::LinkedStage> stage_of(Result<Module> module, const FileRef& file, const link::StageInput& input) {
  if (!module) return module.error();
  spirv::list_interfaces_once(*module);
  const Result<varyings::Entry> entry = varyings::find_entry(*module, input.stage, input.entry_point, file);
  if (!entry) return entry.error();
  link::LinkedStage result;
  result.stage = input.stage;
  result.file = file;
  result.original = input.words;
  result.module = std::move(*module);
  result.entry = *entry;
  result.kept_globals = global_variables(result.module, is_resource_class);
  return result;
}

// What the validator accepts is read in less time. It does not know newer instructions, of which the rest is validated,
// and of words that do not read the reader says what is wrong.
Result<link::LinkedStage> read_and_validate(const FileRef& file, const link::StageInput& input,
                                            const spirv::ValidatorOptions& validator, spirv::ValidWords* valid_words) {
  if (input.read && input.read_is_valid) return stage_of(*input.read, file, input);
  Result<Diagnostics> valid = spirv::validate(input.words, validator, file, {valid_words, input.stage});
  if (valid) {
    Result<link::LinkedStage> result =
        stage_of(input.read ? *input.read : spirv::read_valid_module(input.words, file), file, input);
    if (result) result->warnings = std::move(*valid);
    return result;
  }
  Result<link::LinkedStage> result = read_stage(file, input);
  if (!result) return result;
  if (!spirv::has_foreign(result->module)) return valid.error();
  valid = spirv::validate_known(result->module, input.words, validator, file, {valid_words, input.stage});
  if (!valid) {
    Diagnostic newer = spirv::read_module(input.words, file).error();
    newer.message += "; it is not linked, since what is known of it is not valid: " + valid.error().message;
    return newer;
  }
  result->warnings = std::move(*valid);
  result->warnings.push_back(make_warning(
      file, "the module is newer than " + spirv::validator_name() + ", which does not know " +
                spirv::listed(spirv::newer_features(input.words)) + ": that stays as it is and is not validated"));
  return result;
}

}  // namespace

Result<link::LinkedStage> read_stage(const FileRef& file, const link::StageInput& input) {
  return stage_of(link::module_of(input, file), file, input);
}

Result<Module> read_result(const Module& module, const std::vector<std::uint32_t>& words, const FileRef& file) {
  return spirv::has_foreign(module) ? spirv::read_with_foreign(words, file) : spirv::read_valid_module(words, file);
}

void read_once(std::vector<link::StageInput>& before, std::vector<link::StageInput>& after) {
  const auto keep = [](link::StageInput& stage, Result<Module> module) {
    if (module) stage.read = std::make_shared<const Module>(std::move(*module));
  };
  for (link::StageInput& stage : before)
    if (!stage.read) keep(stage, spirv::read_with_foreign(stage.words, stage.file));
  for (link::StageInput& stage : after)
    for (const link::StageInput& original : before) {
      if (original.stage != stage.stage || !original.read) continue;
      if (original.words == stage.words)
        stage.read = original.read;
      else
        keep(stage, read_result(*original.read, stage.words, stage.file));
    }
}

Result<link::LinkedStage> open_stage(const FileRef& file, const link::StageInput& input,
                                     const spirv::ValidatorOptions& validator, spirv::ValidWords* valid_words) {
  Result<link::LinkedStage> result = read_and_validate(file, input, validator, valid_words);
  if (!result) return result;
  if (const Result<void> located = check_locations(result->module, file); !located) return located.error();
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

void restore_other_entries(link::LinkedStage& stage) {
  if (spirv::entry_point_count(stage.original) < 2) return;
  Result<Module> original = spirv::read_module(stage.original, stage.file);
  if (!original) return;
  spirv::expand_decoration_groups(*original);
  spirv::import_other_entries(stage.module, *original, static_cast<spv::ExecutionModel>(execution_model(stage.stage)),
                              stage.entry.name);
}

}  // namespace varylink::driver
