#include "fuzz/sound_mutations.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <utility>

#include "spirv/ir/op_info.h"
#include "spirv/tools/binary.h"

namespace varylink::fuzz {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;
using spv::Op;

// Operations of one signature each.
constexpr std::array kFloatBinary = {Op::OpFAdd, Op::OpFSub, Op::OpFMul, Op::OpFDiv, Op::OpFMod, Op::OpFRem};
constexpr std::array kIntBinary = {Op::OpIAdd,       Op::OpISub,      Op::OpIMul,
                                   Op::OpBitwiseAnd, Op::OpBitwiseOr, Op::OpBitwiseXor};
constexpr std::array kFloatCompare = {Op::OpFOrdEqual, Op::OpFOrdLessThan, Op::OpFOrdGreaterThan, Op::OpFUnordNotEqual,
                                      Op::OpFOrdLessThanEqual};
constexpr std::array kIntCompare = {Op::OpIEqual, Op::OpINotEqual, Op::OpSLessThan, Op::OpULessThan,
                                    Op::OpSGreaterThan};
constexpr std::array kUnary = {Op::OpFNegate, Op::OpDPdx, Op::OpDPdy, Op::OpFwidth, Op::OpCopyObject};

bool is_pure(const Module& module, InstRef inst) {
  const Op op = module[inst].op;
  return module[inst].result != 0 && op != Op::OpPhi && op != Op::OpDPdx && op != Op::OpDPdy &&
         (spirv::is_component_wise(module, inst) || spirv::is_rearrangement(op));
}

// A body and a place in it.
struct Spot {
  spirv::Block* block = nullptr;
  std::size_t at = 0;
  InstRef inst() const { return block->body[at]; }
};

template <typename Keep>
std::vector<Spot> spots(Module& module, Keep keep) {
  std::vector<Spot> found;
  for (spirv::Function& function : module.functions)
    for (spirv::Block& block : function.blocks)
      for (std::size_t i = 0; i < block.body.size(); ++i)
        if (keep(block.body[i])) found.push_back({&block, i});
  return found;
}

bool mutate_literal(Module& module, Random& random) {
  std::vector<InstRef> constants;
  for (const InstRef inst : module.types)
    if ((module[inst].op == Op::OpConstant || module[inst].op == Op::OpSpecConstant) &&
        module[inst].operand_count == 1 && module.def_op(module[inst].type) == Op::OpTypeFloat)
      constants.push_back(inst);
  if (constants.empty()) return false;
  const InstRef inst = random.pick(constants);
  constexpr std::array<std::uint32_t, 9> kValues = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000,
                                                    0x7fc00000, 0x00000001, 0x7f7fffff, 0x40490fdb};
  const std::uint32_t old = module.operand(inst, 0).word;
  module.set_operand(
      inst, 0, spirv::lit(random.chance(0.5) ? kValues[random.below(kValues.size())] : old ^ (1u << random.below(32))));
  return true;
}

// Values of a type that are there at a place: constants, and what the block has computed in front of it.
std::vector<Id> values_at(const Module& module, const Spot& spot, Id type) {
  std::vector<Id> values;
  for (const InstRef inst : module.types)
    if (module[inst].type == type && module[inst].result != 0 && module[inst].op != Op::OpVariable)
      values.push_back(module[inst].result);
  for (std::size_t i = 0; i < spot.at; ++i)
    if (const InstRef inst = spot.block->body[i]; module[inst].type == type && module[inst].result != 0)
      values.push_back(module[inst].result);
  return values;
}

bool mutate_operand(Module& module, Random& random) {
  const std::vector<Spot> places =
      spots(module, [&](InstRef inst) { return is_pure(module, inst) || module[inst].op == Op::OpStore; });
  if (places.empty()) return false;
  const Spot spot = random.pick(places);
  const InstRef inst = spot.inst();
  const std::uint32_t first = module[inst].op == Op::OpStore ? 1 : spirv::first_value_operand(module, inst);
  std::vector<std::uint32_t> operands;
  for (std::uint32_t i = first; i < module[inst].operand_count; ++i)
    if (module.operand(inst, i).is_id) operands.push_back(i);
  if (operands.empty()) return false;
  const std::uint32_t position = random.pick(operands);
  const std::vector<Id> values = values_at(module, spot, module.type_of(module.operand(inst, position).word));
  if (values.empty()) return false;
  module.set_operand(inst, position, spirv::id(random.pick(values)));
  return true;
}

bool mutate_operation(Module& module, Random& random) {
  const std::array<std::span<const Op>, 5> classes = {kFloatBinary, kIntBinary, kFloatCompare, kIntCompare, kUnary};
  const auto class_of = [&](InstRef inst) -> std::span<const Op> {
    for (const std::span<const Op> each : classes)
      if (std::find(each.begin(), each.end(), module[inst].op) != each.end()) return each;
    return {};
  };
  const std::vector<Spot> places = spots(module, [&](InstRef inst) { return !class_of(inst).empty(); });
  if (places.empty()) return false;
  const InstRef inst = random.pick(places).inst();
  const std::span<const Op> ops = class_of(inst);
  const auto operands = module.operands(inst);
  // The last class has operations for fragment shaders only, which vertex shaders are refused for.
  module.rewrite(inst, ops[random.below(static_cast<std::uint32_t>(ops.size()))],
                 std::vector<spirv::Operand>(operands.begin(), operands.end()));
  return true;
}

bool mutate_decoration(Module& module, Random& random) {
  const std::vector<Spot> places = spots(module, [&](InstRef inst) { return is_pure(module, inst); });
  if (places.empty()) return false;
  if (!module.annotations.empty() && random.chance(0.2)) {
    std::vector<std::size_t> hints;  // whose going makes nothing invalid
    for (std::size_t i = 0; i < module.annotations.size(); ++i)
      if (module[module.annotations[i]].op == Op::OpDecorate && module[module.annotations[i]].operand_count == 2)
        hints.push_back(i);
    if (hints.empty()) return false;
    module.annotations.erase(module.annotations.begin() + static_cast<std::ptrdiff_t>(random.pick(hints)));
    return true;
  }
  constexpr std::array kHints = {spv::Decoration::RelaxedPrecision, spv::Decoration::NoContraction};
  const auto hint = static_cast<std::uint32_t>(kHints[random.below(kHints.size())]);
  const Id target = module[random.pick(places).inst()].result;
  module.annotations.push_back(module.create(Op::OpDecorate, 0, 0, {spirv::id(target), spirv::lit(hint)}));
  return true;
}

bool mutate_order(Module& module, Random& random) {
  const auto uses = [&](InstRef inst, Id id) {
    const auto operands = module.operands(inst);
    return std::any_of(operands.begin(), operands.end(),
                       [&](const spirv::Operand& o) { return o.is_id && o.word == id; });
  };
  std::vector<Spot> places = spots(module, [&](InstRef inst) { return is_pure(module, inst); });
  std::erase_if(places, [&](const Spot& spot) {
    if (spot.at + 1 >= spot.block->body.size()) return true;
    const InstRef next = spot.block->body[spot.at + 1];
    return !is_pure(module, next) || uses(next, module[spot.inst()].result);
  });
  if (!places.empty() && random.chance(0.7)) {
    const Spot spot = random.pick(places);
    std::swap(spot.block->body[spot.at], spot.block->body[spot.at + 1]);
    return true;
  }
  auto& section = random.chance(0.5) ? module.annotations : module.debug_names;
  if (section.size() < 2) return false;
  const std::size_t at = random.below(static_cast<std::uint32_t>(section.size() - 1));
  std::swap(section[at], section[at + 1]);
  return true;
}

// A copy, and one of the later users takes it.
bool mutate_copy(Module& module, Random& random) {
  const std::vector<Spot> places = spots(module, [&](InstRef inst) { return is_pure(module, inst); });
  if (places.empty()) return false;
  const Spot spot = random.pick(places);
  const InstRef inst = spot.inst();
  const auto operands = module.operands(inst);
  const std::vector<spirv::Operand> same(operands.begin(), operands.end());
  const Id old = module[inst].result, fresh = module.new_id();
  const InstRef copy = module.create(module[inst].op, module[inst].type, fresh, same);
  spot.block->body.insert(spot.block->body.begin() + static_cast<std::ptrdiff_t>(spot.at) + 1, copy);
  for (std::size_t i = spot.at + 2; i < spot.block->body.size(); ++i)
    for (std::uint32_t k = 0; k < module[spot.block->body[i]].operand_count; ++k)
      if (const spirv::Operand operand = module.operand(spot.block->body[i], k); operand.is_id && operand.word == old) {
        module.set_operand(spot.block->body[i], k, spirv::id(fresh));
        return true;
      }
  return true;
}

struct Kind {
  std::string_view name;
  bool (*apply)(Module&, Random&);
};
constexpr std::array<Kind, 6> kKinds = {{{"literal", mutate_literal},
                                         {"operand", mutate_operand},
                                         {"operation", mutate_operation},
                                         {"decoration", mutate_decoration},
                                         {"order", mutate_order},
                                         {"copy", mutate_copy}}};

}  // namespace

std::string_view mutate_soundly(std::vector<std::uint32_t>& words, Random& random) {
  Result<Module> module = spirv::read_module(words, {});
  if (!module) return {};
  const Kind& kind = kKinds[random.below(kKinds.size())];
  if (!kind.apply(*module, random)) return {};
  words = spirv::write_module(*module);
  return kind.name;
}

}  // namespace varylink::fuzz
