// Decorations of instructions that SPIRV-Tools copy. Unrolling a loop, they give each copy a new id and none of the
// decorations of the original: NonUniform, NoContraction and the others would hold in the first iteration only (rule
// What they do copy is the source line, so that each decorated instruction gets a line of its own for the time
// of the run, which says whose copy an instruction is.
#pragma once

#include <vector>

#include "spirv/ir/module.h"

namespace varylink::spirv {

class DecoratedCopies {
 public:
  // Puts a line in front of every instruction in a function of `module` whose result has decorations. The lines of the
  // source stay and hold for the same instructions.
  explicit DecoratedCopies(Module& module);

  // Gives copies in `module`, which has come out of the run, the decorations of what they are copies of, and removes
  // the lines again.
  void restore(Module& module) const;

 private:
  struct Original {
    spv::Op op = spv::Op::OpNop;
    Id result = 0;
  };

  void mark_block(Module& module, Block& block);
  void restore_block(Module& module, Block& block, Id file, std::vector<std::pair<Id, Id>>& copies) const;

  Id file_ = 0;  // the OpString that the lines are of, 0 if there is nothing to mark
  bool has_lines_ = false;
  std::vector<Original> originals_;  // by line
};

}  // namespace varylink::spirv
