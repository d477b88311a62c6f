// Users of each id, and positions of instructions. A snapshot: rebuild it after an edit.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "spirv/ir/module.h"

namespace varylink::spirv {

class Uses {
 public:
  // Indexes every id operand in function bodies and in the global section. Names, decorations, entry points and
  // execution modes are not uses; debug instructions are listed apart, so that debug info never keeps anything alive.
  explicit Uses(const Module& module);

  // Instructions that have `value` as an operand (or as result type), once per operand, in module order.
  std::span<const InstRef> of(Id value) const&;
  // Non-semantic instructions (debug info) that mention `value`.
  std::span<const InstRef> debug_uses_of(Id value) const&;
  // Both look into this snapshot: a loop over those of a temporary would read freed memory.
  std::span<const InstRef> of(Id value) const&& = delete;
  std::span<const InstRef> debug_uses_of(Id value) const&& = delete;

 private:
  struct Table {
    std::vector<std::uint32_t> first;
    std::vector<InstRef> users;
    std::span<const InstRef> of(Id value) const;
  };
  static Table build(const Module& module, std::span<const InstRef> users);
  Table uses_, debug_uses_;
};

// Whether an OpExtInst is of a set that carries no meaning for the result.
bool is_of_non_semantic_set(const Module& module, InstRef inst);

// True for OpLine, OpNoLine and instructions of non-semantic sets: they carry no meaning for the result. Not for
// DebugPrintf and DebugBreak, which are there for their effect.
inline bool is_debug_inst(const Module& module, InstRef inst) {
  const spv::Op op = module[inst].op;
  return op == spv::Op::OpLine || op == spv::Op::OpNoLine ||
         (op == spv::Op::OpExtInst && is_of_non_semantic_set(module, inst));
}

// Position of an instruction inside its function.
struct Place {
  std::uint32_t function = 0xffffffffu;  // index into Module::functions, all ones outside of functions
  std::uint32_t block = 0;               // index into Function::blocks
  std::uint32_t index = 0;               // index into Block::body
  bool in_function() const { return function != 0xffffffffu; }
};

// Places of all instructions in block bodies, by InstRef::index.
std::vector<Place> places_of(const Module& module);

}  // namespace varylink::spirv
