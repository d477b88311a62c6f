#include "prepare/check_properties.h"

#ifdef VARYLINK_VALIDATE_EACH_PASS
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "spirv/ir/globals.h"
#include "spirv/tools/binary.h"
#endif

namespace varylink::prepare {

#ifdef VARYLINK_VALIDATE_EACH_PASS

namespace {

using enum link::Property;
using link::LinkedStage;
using link::Property;

[[noreturn]] void end(const std::string& message) {
  std::fprintf(stderr, "varylink: %s\n", message.c_str());
  std::abort();
}

// The code that has an effect, so that two states can be compared.
std::vector<std::uint32_t> words_of(LinkedStage& stage) {
  constexpr spirv::CleanUp kSteps[] = {spirv::CleanUp::remove_dead_code};
  stage.clean_up(kSteps);
  std::vector<std::uint32_t> words = spirv::write_module(stage.module);
  words[3] = 0;  // the bound
  return words;
}

bool finds_nothing(const LinkedStage& stage, Step step) {
  LinkedStage copy = stage;
  const std::vector<std::uint32_t> before = words_of(copy);
  const StepInfo& info = info_of(step);
  if (info.clean_up)
    copy.clean_up({&*info.clean_up, 1});
  else
    info.run(copy, {});
  return words_of(copy) == before;
}

// Local variables that came since others became values. Older ones that stayed then may become values once an index is
// folded or a branch goes: nothing relies on that.
std::vector<spirv::Id> new_locals(const LinkedStage& stage) {
  std::vector<spirv::Id> locals;
  for (const spirv::Function& function : stage.module.functions) {
    if (function.blocks.empty()) continue;
    for (const spirv::InstRef inst : function.blocks.front().body)
      if (stage.module[inst].op == spv::Op::OpVariable && stage.module[inst].result >= stage.promoted_below)
        locals.push_back(stage.module[inst].result);
  }
  return locals;
}

bool promotes_nothing_new(const LinkedStage& stage) {
  const std::vector<spirv::Id> locals = new_locals(stage);
  if (locals.empty()) return true;
  LinkedStage copy = stage;
  constexpr spirv::CleanUp kSteps[] = {spirv::CleanUp::mem2reg};
  copy.clean_up(kSteps);
  return std::ranges::all_of(locals, [&](spirv::Id local) { return static_cast<bool>(copy.module.def(local)); });
}

bool is_scalar(const LinkedStage& stage, const varyings::Varying& varying) {
  if (varying.form != varyings::Varying::Form::scalar || varying.variable == 0) return true;
  const spirv::Module& module = stage.module;
  const spirv::Id type =
      spirv::type_without_arrays(module, spirv::pointee_type(module, module.type_of(varying.variable)));
  return module.def_op(type) != spv::Op::OpTypeVector && module.def_op(type) != spv::Op::OpTypeStruct;
}

bool holds(const LinkedStage& stage, Property property) {
  switch (property) {
    case volatile_explicit: return finds_nothing(stage, Step::make_volatile_explicit);
    case no_initializers: return finds_nothing(stage, Step::lower_initializers);
    case calls_inlined: return finds_nothing(stage, Step::inline_functions);
    case locals_in_ssa: return promotes_nothing_new(stage);
    case io_scalarized:
      return std::ranges::all_of(stage.inputs, [&](const auto& input) { return is_scalar(stage, input); }) &&
             std::ranges::all_of(stage.outputs, [&](const auto& output) { return is_scalar(stage, output); });
    case no_leftovers:
    case no_new_constants: return true;  // of no code alone
  }
  return false;
}

}  // namespace

void check_needs(link::Properties has, const StepInfo& step) {
  for (const Property property : link::kAllProperties)
    if (step.needs.has(property) && !has.has(property))
      end(std::string(step.name) + " needs " + std::string(name_of(property)));
}

void check_properties(const LinkedStage& stage, std::string_view where) {
  for (const Property property : link::kAllProperties)
    if (stage.properties.has(property) && !holds(stage, property))
      end(std::string(where) + ": the " + std::string(short_name(stage.stage)) + " stage should have " +
          std::string(name_of(property)));
}

#else

void check_needs(link::Properties, const StepInfo&) {}
void check_properties(const link::LinkedStage&, std::string_view) {}

#endif

}  // namespace varylink::prepare
