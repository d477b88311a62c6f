// Appends new instructions to a list that will become part of a block.
#pragma once

#include <initializer_list>
#include <span>
#include <vector>

#include "spirv/ir/globals.h"
#include "spirv/ir/module.h"

namespace varylink::spirv {

class Emitter {
 public:
  Emitter(spirv::Module& module, spirv::Globals& globals) : module_(module), globals_(globals) {}

  // New instructions go to the end of `list`, which must outlive the emission.
  void write_to(std::vector<spirv::InstRef>& list) { list_ = &list; }

  spirv::Id emit(spv::Op op, spirv::Id type, std::span<const spirv::Operand> operands) {
    const spirv::Id result = module_.new_id();
    list_->push_back(module_.create(op, type, result, operands));
    return result;
  }
  spirv::Id emit(spv::Op op, spirv::Id type, std::initializer_list<spirv::Operand> operands) {
    return emit(op, type, std::span<const spirv::Operand>(operands.begin(), operands.size()));
  }

  spirv::Id load(spirv::Id type, spirv::Id pointer) { return emit(spv::Op::OpLoad, type, {spirv::id(pointer)}); }
  void store(spirv::Id pointer, spirv::Id value) {
    list_->push_back(module_.create(spv::Op::OpStore, 0, 0, {spirv::id(pointer), spirv::id(value)}));
  }
  spirv::Id extract(spirv::Id type, spirv::Id composite, std::uint32_t index) {
    return emit(spv::Op::OpCompositeExtract, type, {spirv::id(composite), spirv::lit(index)});
  }
  spirv::Id construct(spirv::Id type, const std::vector<spirv::Id>& parts) {
    std::vector<spirv::Operand> operands;
    for (const spirv::Id part : parts) operands.push_back(spirv::id(part));
    return emit(spv::Op::OpCompositeConstruct, type, operands);
  }
  // Pointer to an element of `base`, of type pointer to `type` in `storage`. `base` itself if there are no indices.
  spirv::Id chain(spv::StorageClass storage, spirv::Id type, spirv::Id base, std::span<const spirv::Id> indices) {
    if (indices.empty()) return base;
    std::vector<spirv::Operand> operands = {spirv::id(base)};
    for (const spirv::Id index : indices) operands.push_back(spirv::id(index));
    return emit(spv::Op::OpAccessChain, globals_.pointer_type(storage, type), operands);
  }
  // `then` where the boolean holds. Before SPIR-V 1.4 a choice between vectors takes a vector of conditions.
  spirv::Id select(spirv::Id type, spirv::Id condition, spirv::Id then, spirv::Id otherwise) {
    const std::uint32_t width = spirv::component_count(module_, type);
    if (width > 1 && module_.version < 0x00010400)
      condition =
          construct(globals_.vector_type(globals_.bool_type(), width), std::vector<spirv::Id>(width, condition));
    return emit(spv::Op::OpSelect, type, {spirv::id(condition), spirv::id(then), spirv::id(otherwise)});
  }
  void append(spirv::InstRef inst) { list_->push_back(inst); }

 private:
  spirv::Module& module_;
  spirv::Globals& globals_;
  std::vector<spirv::InstRef>* list_ = nullptr;
};

}  // namespace varylink::spirv
