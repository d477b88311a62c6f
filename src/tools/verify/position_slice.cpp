#include "verify/position_slice.h"

#include <algorithm>
#include <map>

#include "spirv/ir/globals.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/pointer_path.h"
#include "spirv/ir/pointer_uses.h"
#include "verify/reflect_code.h"

namespace varylink::verify {
namespace {

using spv::Op;

// What a stage must produce, or reads, on the way to the position: user locations and the built-in position.
struct Wanted {
  std::set<std::uint32_t> locations;
  bool position = false;
  bool vertex_index = false;
};

bool has_builtin(const spirv::Module& module, spirv::Id variable, spv::BuiltIn builtin) {
  if (varyings::decorations_of(module, variable).value(spv::Decoration::BuiltIn) == static_cast<std::uint32_t>(builtin))
    return true;
  const spirv::Id type = spirv::type_without_arrays(module, spirv::pointee_type(module, module.type_of(variable)));
  if (module.def_op(type) != Op::OpTypeStruct) return false;
  for (std::uint32_t i = 0; i < module.operands(module.def(type)).size(); ++i)
    if (varyings::member_decorations_of(module, type, i).value(spv::Decoration::BuiltIn) ==
        static_cast<std::uint32_t>(builtin))
      return true;
  return false;
}

// Backward data-flow slice inside one module.
class Slice {
 public:
  explicit Slice(const Shader& shader) : shader_(shader), module_(shader.module), seen_(module_.bound, false) {
    for (const spirv::Function* function : call_tree(module_, shader.entry.function)) index(*function);
  }

  Wanted run(const Wanted& outputs) {
    for (const spirv::Id variable : shader_.entry.interface)
      if (is_wanted_output(variable, outputs)) want_stores_to(variable);
    while (!pending_.empty()) {
      const spirv::Id value = pending_.back();
      pending_.pop_back();
      visit(value);
    }
    return result_;
  }

 private:
  void index(const spirv::Function& function) {
    std::vector<spirv::Id> parameters;
    for (const spirv::InstRef ref : function.head)
      if (module_[ref].op == Op::OpFunctionParameter) parameters.push_back(module_[ref].result);
    for (std::size_t i = 0; i < parameters.size(); ++i)
      parameter_place_[parameters[i]] = {function.result, static_cast<std::uint32_t>(i)};
    for (const spirv::Block& block : function.blocks)
      for (const spirv::InstRef ref : block.body) index(function, ref);
  }

  void index(const spirv::Function& function, spirv::InstRef ref) {
    const Op op = module_[ref].op;
    if (op == Op::OpReturnValue) returns_[function.result].push_back(module_.operand(ref, 0).word);
    if (op != Op::OpFunctionCall) {
      for (const spirv::Id pointer : spirv::pointers_written(module_, ref))
        stores_[spirv::root_of(module_, pointer)].push_back(ref);
      return;
    }
    const auto operands = module_.operands(ref);
    calls_[operands[0].word].push_back(ref);
    for (const spirv::Operand operand : operands.subspan(1))
      if (module_.def_op(operand.word) == Op::OpVariable) passed_[operand.word].push_back(ref);
  }

  bool is_wanted_output(spirv::Id variable, const Wanted& outputs) const {
    const spirv::InstRef def = module_.def(variable);
    if (!def || module_[def].op != Op::OpVariable) return false;
    if (static_cast<spv::StorageClass>(module_.operand(def, 0).word) != spv::StorageClass::Output) return false;
    if (outputs.position && has_builtin(module_, variable, spv::BuiltIn::Position)) return true;
    return std::any_of(shader_.outputs.begin(), shader_.outputs.end(), [&](const varyings::InterfaceVariable& output) {
      return output.id == variable && touches(output, outputs.locations);
    });
  }

  static bool touches(const varyings::InterfaceVariable& variable, const std::set<std::uint32_t>& locations) {
    return std::any_of(variable.leaves.begin(), variable.leaves.end(),
                       [&](const varyings::Leaf& leaf) { return locations.count(leaf.slot.location) != 0; });
  }

  void want(spirv::Id value) {
    if (value >= seen_.size() || seen_[value]) return;
    seen_[value] = true;
    pending_.push_back(value);
  }

  void want_stores_to(spirv::Id base) {
    if (!written_.insert(base).second) return;
    for (const spirv::InstRef store : stores_[base])
      for (const spirv::Operand operand : module_.operands(store))
        if (operand.is_id && spirv::root_of(module_, operand.word) != base) want(operand.word);
    for (const spirv::InstRef call : passed_[base]) want_call(call);
    if (const auto place = parameter_place_.find(base); place != parameter_place_.end()) want(base);
  }

  void want_call(spirv::InstRef call) {
    const auto operands = module_.operands(call);
    for (const spirv::Operand operand : operands.subspan(1)) want(operand.word);
    for (const spirv::Id value : returns_[operands[0].word]) want(value);
    const spirv::Function* callee = module_.function(operands[0].word);
    if (callee == nullptr) return;
    for (const spirv::InstRef ref : callee->head)
      if (module_[ref].op == Op::OpFunctionParameter) want_stores_to(module_[ref].result);
  }

  void visit(spirv::Id value) {
    const spirv::InstRef def = module_.def(value);
    if (!def) return;
    switch (module_[def].op) {
      case Op::OpVariable: visit_variable(value); break;
      case Op::OpFunctionCall: want_call(def); break;
      case Op::OpFunctionParameter: visit_parameter(value); break;
      default:
        for (const spirv::Operand operand : module_.operands(def))
          if (operand.is_id) want(operand.word);
    }
  }

  void visit_parameter(spirv::Id value) {
    const auto place = parameter_place_.find(value);
    if (place == parameter_place_.end()) return;
    for (const spirv::InstRef call : calls_[place->second.first])
      want(module_.operand(call, place->second.second + 1).word);
  }

  void visit_variable(spirv::Id variable) {
    const auto storage = static_cast<spv::StorageClass>(module_.operand(module_.def(variable), 0).word);
    if (storage != spv::StorageClass::Input) return want_stores_to(variable);
    if (has_builtin(module_, variable, spv::BuiltIn::Position)) result_.position = true;
    if (has_builtin(module_, variable, spv::BuiltIn::VertexIndex)) result_.vertex_index = true;
    for (const varyings::InterfaceVariable& input : shader_.inputs)
      if (input.id == variable)
        for (const varyings::Leaf& leaf : input.leaves) result_.locations.insert(leaf.slot.location);
  }

  const Shader& shader_;
  const spirv::Module& module_;
  std::vector<bool> seen_;
  std::vector<spirv::Id> pending_;
  std::set<spirv::Id> written_;
  std::map<spirv::Id, std::vector<spirv::InstRef>> stores_, calls_, passed_;
  std::map<spirv::Id, std::vector<spirv::Id>> returns_;
  std::map<spirv::Id, std::pair<spirv::Id, std::uint32_t>> parameter_place_;
  Wanted result_;
};

// Pointee type behind an access chain's first `steps` indices.
spirv::Id type_after(const spirv::Module& module, spirv::Id type, std::span<const spirv::Operand> indices) {
  for (const spirv::Operand index : indices) {
    const std::int64_t member = spirv::constant_int(module, index.word).value_or(0);
    type = spirv::element_type(module, type, static_cast<std::uint32_t>(member));
  }
  return type;
}

std::uint32_t smallest_in_chain(const spirv::Module& module, spirv::InstRef ref) {
  std::uint32_t smallest = 0xffffffffu;
  const auto operands = module.operands(ref);
  const spirv::Id base = operands[0].word;
  if (module.def_op(base) != Op::OpVariable) return smallest;
  const auto storage = static_cast<spv::StorageClass>(module.operand(module.def(base), 0).word);
  if (storage != spv::StorageClass::Function && storage != spv::StorageClass::Private) return smallest;
  const spirv::Id type = spirv::pointee_type(module, module.type_of(base));
  for (std::size_t i = 1; i < operands.size(); ++i) {
    if (spirv::constant_int(module, operands[i].word)) continue;
    const spirv::Id array = type_after(module, type, operands.subspan(1, i - 1));
    const std::uint32_t length = default_array_length(module, array);
    if (length > 0) smallest = std::min(smallest, length);
  }
  return smallest;
}

}  // namespace

PositionSources position_sources(const std::vector<Shader>& stages) {
  Wanted wanted;
  wanted.position = true;
  for (auto shader = stages.rbegin(); shader != stages.rend(); ++shader) {
    if (shader->stage == Stage::fragment) continue;
    if (shader->stage == Stage::mesh || shader->stage == Stage::task) return {};
    wanted = Slice(*shader).run(wanted);
  }
  return {wanted.locations, wanted.vertex_index};
}

std::uint32_t smallest_indexed_array(const Shader& shader) {
  std::uint32_t smallest = 0xffffffffu;
  for (const spirv::Function* function : call_tree(shader.module, shader.entry.function))
    for (const spirv::Block& block : function->blocks)
      for (const spirv::InstRef ref : block.body)
        if (spirv::is_access_chain(shader.module[ref].op))
          smallest = std::min(smallest, smallest_in_chain(shader.module, ref));
  return smallest;
}

}  // namespace varylink::verify
