#include <algorithm>

#include "driver/check_group.h"
#include "driver/group_steps.h"
#include "driver/open_stage.h"
#include "prepare/recipes.h"
#include "spirv/ir/foreign.h"
#include "spirv/tools/binary.h"
#include "spirv/tools/foreign_reader.h"

namespace varylink::driver {
namespace {

using link::LinkedStage;

template <typename Visit>
void each_module(GroupRecords& group, const InterfaceRecord& interface, const Visit& visit) {
  for (const auto* side : {&interface.modules.producers, &interface.modules.consumers})
    for (const std::size_t module : *side) visit(group.modules[module]);
}

// Whether a module was added.
bool mark_changed(GroupRecords& group, const InterfaceRecord& interface) {
  bool added = false;
  each_module(group, interface, [&](ModuleRecord& module) {
    if (module.is_changed || !module.may_change()) return;
    module.is_changed = added = true;
  });
  return added;
}

void find_changed(GroupRecords& group) {
  bool added = false;
  for (const InterfaceRecord& interface : group.interfaces)
    if (interface.is_changed()) added = mark_changed(group, interface) || added;
  // A module that is written anew has other variables on all its interfaces, even if nothing moved on some of them.
  while (added) {
    added = false;
    for (const InterfaceRecord& interface : group.interfaces) {
      bool is_written = false;
      each_module(group, interface, [&](const ModuleRecord& module) { is_written = is_written || module.is_changed; });
      if (is_written) added = mark_changed(group, interface) || added;
    }
  }
}

void write_module(ModuleRecord& module, const link::LinkOptions& options) {
  LinkedStage& stage = module.stage;
  module.result = stage.original;
  module.keeps_built_ins = !module.is_changed;
  if (!module.is_changed) return;
  prepare::run_recipe(prepare::kFinish, stage, {options.strip_unused_resources, options.strip_unused_attributes});
  module.keeps_built_ins = module.built_ins_before && module.built_ins_before == module.built_in_code();
  restore_other_entries(stage);
  const bool is_newer = spirv::has_foreign(stage.module);
  if (is_newer) {
    const Result<spirv::Module> original = spirv::read_with_foreign(stage.original, stage.file);
    module.unwritable = original ? spirv::restore_foreign(stage.module, *original) : original.error().message;
    if (!module.unwritable.empty()) return;
  }
  module.result = spirv::write_module(stage.module);
  const auto valid = spirv::validate_known(stage.module, module.result, options.validator, stage.file,
                                           {stage.valid_words, stage.stage});
  if (!valid && is_newer)
    module.unwritable = "with instructions that are newer than this build the result is not valid";
  else if (!valid)
    module.error = make_error(ErrorKind::verification_failed, stage.file,
                              "the linked module is not valid: " + valid.error().message, valid.error().vuid);
}

void check_pipeline(const GroupRecords& group, PipelineRecord& pipeline, ResultChecker& checker) {
  for (const std::size_t module : pipeline.modules)
    if (group.modules[module].error) return pipeline.reject(*group.modules[module].error);
  pipeline.add_findings(checker.check(pipeline.modules));
}

void drop_unused(GroupRecords& group) {
  for (ModuleRecord& module : group.modules) module.is_used = false;
  for (const PipelineRecord& pipeline : group.pipelines)
    for (const std::size_t module : pipeline.modules) group.modules[module].is_used = true;
  for (ModuleRecord& module : group.modules)
    if (!module.is_used) module.result.clear();
}

}  // namespace

bool write_group(GroupRecords& group) {
  find_changed(group);
  for (InterfaceRecord& interface : group.interfaces)
    interface.link.restore_declared_slots(group.modules[interface.modules.producers.front()].is_changed);
  for (ModuleRecord& module : group.modules) write_module(module, *group.options);
  if (std::any_of(group.modules.begin(), group.modules.end(),
                  [](const ModuleRecord& module) { return !module.unwritable.empty(); }))
    return false;
  restore_originals(group);
  ResultChecker checker(group.modules, *group.options);
  for (PipelineRecord& pipeline : group.pipelines) check_pipeline(group, pipeline, checker);
  for (const PipelineRecord& pipeline : group.pipelines)
    for (const std::size_t module : pipeline.modules)
      group.modules[module].written_outputs = checker.outputs_of(module);
  drop_unused(group);
  return true;
}

void pass_group_through(GroupRecords& group) {
  for (const PipelineRecord& pipeline : group.pipelines)
    for (const std::size_t module : pipeline.modules)
      group.modules[module].result = group.modules[module].stage.original;
}

void keep_spec_ids(GroupRecords& group) {
  if (!group.options->keep_spec_ids) return;
  for (ModuleRecord& module : group.modules) {
    const link::StageInput& input = *module.input;
    if (module.result.empty() || input.specialization.empty()) continue;
    Result<spirv::Module> result = spirv::read_with_foreign(module.result, module.stage.file);
    const Result<spirv::Module> before = spirv::read_with_foreign(input.unspecialized, module.stage.file);
    if (!result || !before) continue;
    spirv::declare_unused_spec_constants(*result, *before, input.specialization);
    module.result = spirv::write_module(*result);
  }
}

void pass_unread_through(GroupRecords& group) {
  for (const PipelineRecord& pipeline : group.pipelines)
    for (const std::size_t module : pipeline.unread) group.modules[module].result = group.modules[module].input->words;
}

}  // namespace varylink::driver
