#include "link/values/equal_components.h"

#include <algorithm>

#include "base/seeded_fault.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/op_info.h"

namespace varylink::link {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;
using spv::Op;

constexpr int kMostSteps = 6;  // from operand to operand

class Comparison {
 public:
  explicit Comparison(const Module& module) : module_(module) {}

  // Components a and b of the vector.
  bool are_equal(Id vector, std::uint32_t a, std::uint32_t b, int steps) const {
    const InstRef def = module_.def(vector);
    if (!def || steps == 0) return false;
    const auto operands = module_.operands(def);
    switch (module_[def].op) {
      case Op::OpConstantNull: return true;
      case Op::OpConstantComposite:
      case Op::OpCompositeConstruct:
        // Parts of a construction may be vectors themselves; then they are fewer than the components.
        return operands.size() == spirv::component_count(module_, module_[def].type) &&
               are_equal_scalars(operands[a].word, operands[b].word, steps - 1);
      case Op::OpVectorTimesScalar: return are_equal_in_operands(def, a, b, steps);
      default: return spirv::is_component_wise(module_, def) && are_equal_in_operands(def, a, b, steps);
    }
  }

 private:
  bool are_equal_scalars(Id left, Id right, int steps) const {
    if (left == right) return true;
    const InstRef a = module_.def(left), b = module_.def(right);
    const auto takes_component = [&](InstRef def) {
      return def && module_[def].op == Op::OpCompositeExtract && module_.operands(def).size() == 2;
    };
    if (!takes_component(a) || !takes_component(b)) return false;
    const Id vector = module_.operand(a, 0).word;
    return vector == module_.operand(b, 0).word &&
           are_equal(vector, module_.operand(a, 1).word, module_.operand(b, 1).word, steps);
  }

  // A scalar is the same for all components where the instruction takes one.
  bool are_equal_in_operands(InstRef def, std::uint32_t a, std::uint32_t b, int steps) const {
    const Op op = module_[def].op;
    const bool takes_scalar = op == Op::OpSelect || op == Op::OpVectorTimesScalar;
    const std::uint32_t count = spirv::component_count(module_, module_[def].type);
    const auto values = module_.operands(def).subspan(spirv::first_value_operand(module_, def));
    return std::all_of(values.begin(), values.end(), [&](const spirv::Operand& operand) {
      const std::uint32_t given = spirv::component_count(module_, module_.type_of(operand.word));
      return (takes_scalar && given == 1) || (given == count && are_equal(operand.word, a, b, steps - 1));
    });
  }

  const Module& module_;
};

}  // namespace

std::uint32_t first_equal_component(const Module& module, Id vector, std::uint32_t component) {
  if (seeded_fault("components-are-all-equal")) return 0;
  for (std::uint32_t other = 0; other < component; ++other)
    if (Comparison(module).are_equal(vector, other, component, kMostSteps)) return other;
  return component;
}

}  // namespace varylink::link
