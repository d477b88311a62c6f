// One SPIR-V module in memory, kept flat: instructions in one array, operand words in a second one, and 32-bit handles
// instead of pointers. Nothing is lost on the way in: reading a valid module and writing it back gives the same words
// (tests/unit/core/spirv/roundtrip_test.cpp).
//
// A value is its SPIR-V result id, so dumps, error messages and `spirv-dis` agree.
//
// Lifetime: an InstRef stays valid for the life of the Module and of its copies. An Inst& or a span of operands does
// not: any call that adds an instruction may move the arrays. Keep the handle across an edit, never the reference.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The C++11 header gives spv::Op etc. as scoped enumerations.
#include <spirv/unified1/spirv.hpp11>

#include "base/handle.h"

namespace varylink::spirv {

using Id = std::uint32_t;  // SPIR-V result id; 0 is no id
using InstRef = Handle<struct InstTag>;

// One operand word and whether it is an id. Literals that need several words (strings, 64-bit numbers) are several
// operands.
struct Operand {
  std::uint32_t word = 0;
  bool is_id = false;
  friend bool operator==(const Operand&, const Operand&) = default;
};

inline Operand id(Id value) { return {value, true}; }
inline Operand lit(std::uint32_t value) { return {value, false}; }

struct Inst {
  spv::Op op = spv::Op::OpNop;
  Id type = 0;                      // result type, 0 if the instruction has none
  Id result = 0;                    // result id, 0 if the instruction has none
  std::uint32_t first_operand = 0;  // operands behind type and result: [first_operand, first_operand + operand_count)
  std::uint32_t operand_count = 0;
};

// A basic block. `head` is the OpLabel, preceded by any OpLine that stands before it. `body` is everything up to and
// including the terminator: phis, instructions, debug lines, the merge instruction, the terminator.
struct Block {
  Id label = 0;
  std::vector<InstRef> head;
  std::vector<InstRef> body;
};

// `head` is OpFunction and its parameters (with debug lines between them), `tail` is OpFunctionEnd.
struct Function {
  Id result = 0;
  std::vector<InstRef> head;
  std::vector<Block> blocks;
  std::vector<InstRef> tail;
};

struct EntryPoint {
  InstRef inst;
  spv::ExecutionModel model = spv::ExecutionModel::Vertex;
  Id function = 0;
  std::string name;
  std::vector<Id> interface;
};

class Module {
 public:
  // Header words (SPIR-V 2.3).
  std::uint32_t version = 0x00010000;
  std::uint32_t generator = 0;
  std::uint32_t schema = 0;
  Id bound = 1;

  // The sections in the order of SPIR-V 2.4. `types` holds types, constants, global variables, OpUndef, and the debug
  // lines and non-semantic instructions between them.
  std::vector<InstRef> capabilities, extensions, imports, memory_model, entry_points, execution_modes, debug_strings,
      debug_names, debug_processed, annotations, types;
  std::vector<Function> functions;

  const Inst& operator[](InstRef inst) const { return insts_[inst.index]; }
  std::span<const Operand> operands(InstRef inst) const {
    const Inst& record = insts_[inst.index];
    return {operands_.data() + record.first_operand, record.operand_count};
  }
  Operand operand(InstRef inst, std::uint32_t position) const {
    const Inst& record = insts_[inst.index];
    return position < record.operand_count ? operands_[record.first_operand + position] : Operand{};
  }
  std::size_t inst_count() const { return insts_.size(); }

  // The instruction that defines `value`; none for an id that nothing defines.
  InstRef def(Id value) const { return value < defs_.size() ? defs_[value] : InstRef{}; }

  // Opcode of the instruction that defines `value`; OpNop if nothing does.
  spv::Op def_op(Id value) const {
    const InstRef inst = def(value);
    return inst ? insts_[inst.index].op : spv::Op::OpNop;
  }

  // Result type id of the value; 0 for things without a type (labels, types).
  Id type_of(Id value) const {
    const InstRef inst = def(value);
    return inst ? insts_[inst.index].type : 0;
  }

  // A result id that nothing uses yet.
  Id new_id() { return bound++; }

  // Creates an instruction that is in no section yet. The caller puts the handle where it belongs.
  InstRef create(spv::Op op, Id type, Id result, std::span<const Operand> operands);
  InstRef create(spv::Op op, Id type, Id result, std::initializer_list<Operand> operands);

  // Replaces opcode and operands of an existing instruction; type and result stay.
  void rewrite(InstRef inst, spv::Op op, std::span<const Operand> operands);
  void rewrite(InstRef inst, spv::Op op, std::initializer_list<Operand> operands);
  void set_operand(InstRef inst, std::uint32_t position, Operand operand);
  // Adds an operand at the end. A list that grows this way costs no more than its length.
  void append_operand(InstRef inst, Operand operand);
  void set_type(InstRef inst, Id type) { insts_[inst.index].type = type; }

  // Turns the instruction into OpNop, which the writer skips. Its result id has no definition any more.
  void kill(InstRef inst);
  bool is_dead(InstRef inst) const { return insts_[inst.index].op == spv::Op::OpNop; }

  // Drops the handles of killed instructions from all sections.
  void sweep();

  // ---- frequent queries

  std::vector<EntryPoint> entries() const;
  // Function with that result id, nullptr if there is none.
  Function* function(Id result);
  const Function* function(Id result) const;
  // OpName of an id, empty if there is none. With `member` the OpMemberName.
  std::string name(Id target) const;
  std::string member_name(Id target, std::uint32_t member) const;
  bool has_capability(spv::Capability capability) const;

 private:
  friend class Reader;
  std::vector<Inst> insts_;
  std::vector<Operand> operands_;
  std::vector<InstRef> defs_;  // by id
  // The instruction that append_operand was last used on, and for how many operands there is room behind its first.
  InstRef growing_;
  std::uint32_t room_ = 0;

  void define(Id result, InstRef inst);
};

// Decodes a literal string that starts at `position` of the operands; `next` receives the position behind it.
std::string decode_string(std::span<const Operand> operands, std::uint32_t position, std::uint32_t* next = nullptr);
// Operands of a literal string (SPIR-V 2.2.1: UTF-8, zero-terminated, padded to a word).
std::vector<Operand> encode_string(std::string_view text);

}  // namespace varylink::spirv
