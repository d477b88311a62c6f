#include "verify/normalized_shader.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>

#include "spirv/cleanup/clean_ups.h"
#include "spirv/cleanup/run_clean_up.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/operations.h"
#include "spirv/ir/pointer_path.h"
#include "spirv/tools/binary.h"
#include "varyings/reflect/decoration_index.h"
#include "verify/block_array_qualifiers.h"
#include "verify/plain_products.h"
#include "verify/reflect_code.h"

namespace varylink::verify {
namespace {

using spv::Op;

// Puts a null constant of the variable's type in front of it and makes it the initializer.
void initialize_with_zero(spirv::Module& module, const varyings::InterfaceVariable& variable) {
  const spirv::InstRef def = module.def(variable.id);
  const auto place = std::find(module.types.begin(), module.types.end(), def);
  if (place == module.types.end() || module.operands(def).size() != 1) return;
  const spirv::Id zero = module.new_id();
  const spirv::Operand storage = module.operand(def, 0);
  module.types.insert(place, module.create(Op::OpConstantNull, variable.type, zero, {}));
  module.rewrite(def, Op::OpVariable, {storage, spirv::id(zero)});
}

// Locals without initializer start as zero.
void initialize_locals(spirv::Module& module) {
  std::map<spirv::Id, spirv::Id> zeros;  // by type
  for (spirv::Function& function : module.functions) {
    if (function.blocks.empty()) continue;
    for (const spirv::InstRef ref : function.blocks.front().body) {
      if (module[ref].op != Op::OpVariable || module.operands(ref).size() != 1) continue;
      const spirv::Id type = spirv::pointee_type(module, module[ref].type);
      if (!spirv::is_plain_type(module, type)) continue;
      spirv::Id& zero = zeros[type];
      if (zero == 0) {
        zero = module.new_id();
        module.types.push_back(module.create(Op::OpConstantNull, type, zero, {}));
      }
      const spirv::Operand storage = module.operand(ref, 0);
      module.rewrite(ref, Op::OpVariable, {storage, spirv::id(zero)});
    }
  }
}

// Conversions between float widths count: spirv-val accepts NoContraction on them, and drivers keep their rounding
// then.
bool rounds(Op op) { return op == Op::OpExtInst || spirv::row_of(op).is(spirv::kRounds); }

bool is_float(const spirv::Module& module, spirv::Id type) {
  const std::optional<varyings::ScalarType> scalar = varyings::scalar_type_of(module, type);
  return scalar && scalar->kind == varyings::ScalarKind::floating;
}

void forbid_contraction(spirv::Module& module) {
  const varyings::DecorationIndex decorations(module);
  for (const spirv::Function& function : module.functions)
    for (const spirv::Block& block : function.blocks)
      for (const spirv::InstRef ref : block.body) {
        const spirv::Inst inst = module[ref];
        if (!rounds(inst.op) || !is_float(module, inst.type)) continue;
        if (decorations.of(inst.result).has(spv::Decoration::NoContraction)) continue;
        spirv::decorate(module, inst.result, spv::Decoration::NoContraction);
      }
}

// A conversion to half that leaves its rounding to the driver.
bool rounds_to_half(const spirv::Module& module, const varyings::DecorationIndex& decorations, spirv::InstRef ref) {
  using varyings::ScalarKind;
  using varyings::ScalarType;
  const spirv::Inst& inst = module[ref];
  if (inst.op != Op::OpFConvert || decorations.of(inst.result).has(spv::Decoration::FPRoundingMode)) return false;
  return varyings::scalar_type_of(module, inst.type) == ScalarType{ScalarKind::floating, 16} &&
         varyings::scalar_type_of(module, module.type_of(module.operand(ref, 0).word)) ==
             ScalarType{ScalarKind::floating, 32};
}

void quantize_halves(spirv::Module& module) {
  const varyings::DecorationIndex decorations(module);
  for (spirv::Function& function : module.functions)
    for (spirv::Block& block : function.blocks) {
      std::vector<spirv::InstRef> body;
      for (const spirv::InstRef ref : block.body) {
        if (rounds_to_half(module, decorations, ref)) {
          const spirv::Operand operand = module.operand(ref, 0);
          const spirv::Id quantized = module.new_id();
          body.push_back(module.create(Op::OpQuantizeToF16, module.type_of(operand.word), quantized, {operand}));
          module.set_operand(ref, 0, spirv::id(quantized));
        }
        body.push_back(ref);
      }
      block.body = std::move(body);
    }
}

spirv::Module drawing_module(const Shader& shader) {
  spirv::Module module = shader.module;
  write_out_products(module);
  quantize_halves(module);
  forbid_contraction(module);
  initialize_locals(module);
  repeat_qualifiers_of_block_arrays(module, shader);
  if (shader.stage != Stage::fragment) return module;
  for (const varyings::InterfaceVariable& variable : shader.outputs)
    if (!spirv::has_initializer(module, variable.id)) initialize_with_zero(module, variable);
  return module;
}

class Nudger {
 public:
  Nudger(const Shader& shader, spirv::Module& module, bool flip) : module_(module), up_(flip) {
    for (const varyings::InterfaceVariable& input : shader.inputs)
      for (const varyings::Leaf& leaf : input.leaves)
        if (!leaf.interpolation.flat && !leaf.interpolation.per_vertex) interpolated_[input.id].push_back(leaf.path);
  }

  void run() {
    for (spirv::Function& function : module_.functions)
      for (spirv::Block& block : function.blocks) run(block);
  }

 private:
  void run(spirv::Block& block) {
    std::vector<spirv::InstRef> body;
    for (const spirv::InstRef ref : block.body) {
      if (is_nudged(ref))
        nudge(ref, body);
      else
        body.push_back(ref);
    }
    block.body = std::move(body);
  }

  bool is_nudged(spirv::InstRef ref) const {
    const spirv::Inst& inst = module_[ref];
    if (inst.op != Op::OpLoad || !spirv::is_scalar_or_vector(module_, inst.type)) return false;
    if (varyings::scalar_type_of(module_, inst.type) != varyings::ScalarType{varyings::ScalarKind::floating, 32})
      return false;
    const spirv::Id pointer = module_.operand(ref, 0).word;
    const auto leaves = interpolated_.find(spirv::variable_behind(module_, pointer));
    if (leaves == interpolated_.end()) return false;
    const std::vector<std::uint32_t> path = constant_indices(pointer);
    return std::any_of(leaves->second.begin(), leaves->second.end(), [&](const std::vector<std::uint32_t>& leaf) {
      return std::equal(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(std::min(path.size(), leaf.size())),
                        leaf.begin());
    });
  }

  // Those that a pointer goes by from its variable, up to the first that is not constant.
  std::vector<std::uint32_t> constant_indices(spirv::Id pointer) const {
    std::vector<std::uint32_t> path;
    for (const spirv::Id index : spirv::access_path(module_, pointer).indices) {
      const std::optional<std::uint32_t> number = spirv::constant_index(module_, index);
      if (!number) break;
      path.push_back(*number);
    }
    return path;
  }

  // %r = OpLoad becomes %new = OpLoad; %r = %new * (1 +- kNudge).
  void nudge(spirv::InstRef ref, std::vector<spirv::InstRef>& body) {
    const spirv::Inst old = module_[ref];
    const auto span = module_.operands(ref);
    const std::vector<spirv::Operand> operands(span.begin(), span.end());
    const bool vector = module_.def_op(old.type) == Op::OpTypeVector;
    const spirv::Id scalar = vector ? module_.operand(module_.def(old.type), 0).word : old.type;
    const spirv::Id loaded = module_.new_id();
    const spirv::Id amount = factor(scalar);
    module_.kill(ref);
    body.push_back(module_.create(Op::OpLoad, old.type, loaded, operands));
    body.push_back(module_.create(vector ? Op::OpVectorTimesScalar : Op::OpFMul, old.type, old.result,
                                  {spirv::id(loaded), spirv::id(amount)}));
  }

  spirv::Id factor(spirv::Id scalar) {
    const spirv::Id result = module_.new_id();
    const float value = up_ ? 1.0f + kNudge : 1.0f - kNudge;
    up_ = !up_;
    module_.types.push_back(
        module_.create(Op::OpConstant, scalar, result, {spirv::lit(std::bit_cast<std::uint32_t>(value))}));
    return result;
  }

  spirv::Module& module_;
  bool up_;
  std::map<spirv::Id, std::vector<std::vector<std::uint32_t>>> interpolated_;  // paths of leaves, by variable
};

}  // namespace

std::vector<std::uint32_t> normalized_shader(const Shader& shader) {
  return spirv::write_module(drawing_module(shader));
}

std::vector<std::uint32_t> nudged_form(const Shader& shader, bool flip) {
  spirv::Module module = drawing_module(shader);
  Nudger(shader, module, flip).run();
  return spirv::write_module(module);
}

std::vector<std::uint32_t> reshaped_form(const Shader& shader) {
  using spirv::CleanUp;
  constexpr CleanUp kSteps[] = {CleanUp::inline_functions, CleanUp::sroa, CleanUp::mem2reg,
                                CleanUp::remove_dead_branches, CleanUp::merge_blocks};
  spirv::Module module = drawing_module(shader);
  spirv::run_clean_up(module, kSteps, {});
  spirv::restore_loop_bodies(module);
  return spirv::write_module(module);
}

std::vector<std::uint32_t> perspective_form(const Shader& shader) {
  spirv::Module module = drawing_module(shader);
  for (const spirv::InstRef inst : module.annotations) {
    const bool on_member = module[inst].op == Op::OpMemberDecorate;
    if (!on_member && module[inst].op != Op::OpDecorate) continue;
    const std::uint32_t decoration = module.operand(inst, on_member ? 2 : 1).word;
    if (decoration == static_cast<std::uint32_t>(spv::Decoration::NoPerspective)) module.kill(inst);
  }
  module.sweep();
  return spirv::write_module(module);
}

bool has_perspective_form(const Shader& shader) {
  return shader.stage == Stage::fragment &&
         std::any_of(shader.inputs.begin(), shader.inputs.end(), [](const varyings::InterfaceVariable& input) {
           return std::any_of(input.leaves.begin(), input.leaves.end(),
                              [](const varyings::Leaf& leaf) { return leaf.interpolation.no_perspective; });
         });
}

}  // namespace varylink::verify
