#include "passes/packing/read_vectors.h"

#include <algorithm>
#include <utility>

#include "analysis/component_nodes.h"
#include "varyings/reflect/pointer_access.h"

namespace varylink::passes {
namespace {

using varyings::Slot;

// Measured with the drivers of bench/README.md: a texture coordinate from two locations costs a fetch ahead or moves of
// registers, any other vector a move at most.
constexpr std::uint32_t kTextureWeight = 8, kOperandWeight = 2;

// Takes an image, then a coordinate.
bool takes_coordinate(spv::Op op) { return op >= spv::Op::OpImageSampleImplicitLod && op <= spv::Op::OpImageWrite; }

class VectorReader {
 public:
  explicit VectorReader(const link::LinkedStage& consumer)
      : module_(consumer.module), function_(*module_.function(consumer.entry.function)), components_(module_) {
    const spirv::Uses uses(module_);
    for (const varyings::Varying& input : consumer.inputs) {
      if (input.form != varyings::Varying::Form::scalar) continue;
      for (const varyings::PointerAccess& access : varyings::accesses_of(module_, uses, input.variable).accesses) {
        const spirv::Id result = module_[access.inst].result;
        if (result != 0) components_.define(result, {static_cast<analysis::NodeId>(slots_.size())});
      }
      slots_.push_back(input.slot);
    }
  }

  void add_to(std::vector<PlacementVector>& found) {
    for (const spirv::Block& block : function_.blocks)
      for (const spirv::InstRef inst : block.body)
        if (!spirv::is_debug_inst(module_, inst) && !components_.add_rename(inst)) add_operands(inst, found);
  }

 private:
  void add_operands(spirv::InstRef inst, std::vector<PlacementVector>& found) const {
    const std::size_t coordinate = takes_coordinate(module_[inst].op) ? 1 : module_.operands(inst).size();
    const auto operands = module_.operands(inst);
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (!operands[i].is_id) continue;
      std::vector<Slot> slots = slots_in(operands[i].word);
      // Larger vectors are in several locations anyway.
      if (slots.size() < 2 || slots.size() > kComponents) continue;
      const std::uint32_t weight = i == coordinate ? kTextureWeight : kOperandWeight;
      const auto known =
          std::find_if(found.begin(), found.end(), [&](const auto& read) { return read.slots == slots; });
      if (known == found.end()) {
        found.push_back({std::move(slots), weight, i == coordinate});
        continue;
      }
      known->weight = std::max(known->weight, weight);
      known->is_coordinate = known->is_coordinate || i == coordinate;
    }
  }

  std::vector<Slot> slots_in(spirv::Id value) const {
    std::vector<Slot> slots;
    for (const analysis::NodeId node : components_.components(value))
      if (!analysis::is_constant(node) && std::find(slots.begin(), slots.end(), slots_[node]) == slots.end())
        slots.push_back(slots_[node]);
    return slots;
  }

  const spirv::Module& module_;
  const spirv::Function& function_;
  analysis::ComponentNodes components_;
  std::vector<Slot> slots_;  // by node
};

}  // namespace

std::vector<PlacementVector> read_vectors(const link::Link& link) {
  std::vector<PlacementVector> found;
  for (const link::LinkedStage* consumer : link.consumers) VectorReader(*consumer).add_to(found);
  return found;
}

}  // namespace varylink::passes
