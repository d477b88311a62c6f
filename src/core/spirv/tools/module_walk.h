// One way over the words of a module with the parser of SPIRV-Tools, which is all that they are asked when modules are
// read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "spirv/ir/module.h"

namespace varylink::spirv {

constexpr std::uint32_t kNewestVersion = 0x00010600u;  // SPIR-V 1.6, for which modules are parsed

struct ModuleWalk {
  Module module;      // instructions up to the end, or to the error
  std::string error;  // why the walk ended; empty: all words were read
  // Where the error is: position of the first word of its instruction. The header is at 0.
  std::size_t at = 0;
  // The error is one that no version of SPIR-V allows, whatever the parser knows: an id beyond the bound.
  bool is_damage = false;
  bool is_misplaced = false;     // an instruction stands behind the functions, or in one but in no block
  bool is_out_of_order = false;  // a section comes behind one that has to follow it (SPIR-V 2.4)
};

// An instruction that the parser does not know, to be put between those that it does.
struct ForeignInst {
  std::size_t at = 0;  // position among the words of the others
  std::uint32_t opcode = 0;
  Id type = 0, result = 0;
  std::vector<Operand> operands;
};

// Which ids the module gets.
enum class Ids {
  as_written,
  // New ones, one behind the other in the order in which they are mentioned, where most below the bound name nothing.
  // Tables by id are as large as the bound, and soon after a bound near the limit no id would be left for new code.
  dense,
};

// `words`: a header at least. `foreign`: in the order of their positions.
ModuleWalk walk_module(std::span<const std::uint32_t> words, Ids ids = Ids::as_written,
                       std::span<const ForeignInst> foreign = {});

// The sections in front of the functions, in the order of SPIR-V 2.4.
using Section = std::vector<InstRef> Module::*;
std::span<const Section> sections();
// Where an instruction outside of functions belongs; opcodes that are not known count as declarations.
Section section_of(spv::Op op);
// The instruction ends a block.
bool is_terminator(spv::Op op);

}  // namespace varylink::spirv
