// A batch of edits to function bodies: code in front of instructions, code at the start of the entry point, replaced
// values, removed instructions. Edits are collected first and applied at once, so that no analysis sees a half-edited
// body.
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Moves the OpPhi of a block in front of its other instructions, both in the order they had. Code that takes the place
// of one OpPhi, or is written in front of it, would otherwise stand between it and the next (SPIR-V 2.16.1, OpPhi).
void put_phis_first(const Module& module, std::vector<InstRef>& body);

class CodeEdit {
 public:
  // Lists to which new instructions are appended. `locals` is for local variables, which precede all other code.
  std::vector<spirv::InstRef>& before(spirv::InstRef inst) { return before_[inst]; }
  std::vector<spirv::InstRef>& start() { return start_; }
  std::vector<spirv::InstRef>& locals() { return locals_; }

  // Every use of `old_value` becomes a use of `new_value`, which must not itself be replaced.
  void replace(spirv::Id old_value, spirv::Id new_value) { replacements_[old_value] = new_value; }
  void remove(spirv::InstRef inst) { dead_.push_back(inst); }

  // Applies everything to the function bodies of `module`, start() and locals() to that of `entry_function`. Each block
  // still starts with all of its OpPhi, whatever stands in front of one or was rewritten.
  // Decorations of replaced values move along. A new value has a permission (RelaxedPrecision) only if all values that
  // it replaces have it.
  void apply(spirv::Module& module, spirv::Id entry_function);

 private:
  void rebuild(const spirv::Module& module, std::vector<spirv::InstRef>& body, bool is_start) const;
  void replace_in(spirv::Module& module, spirv::InstRef inst) const;
  void replace_in_annotations(spirv::Module& module) const;
  std::set<spirv::Id> used_by_new_code(const spirv::Module& module) const;

  std::map<spirv::InstRef, std::vector<spirv::InstRef>> before_;
  std::vector<spirv::InstRef> start_, locals_, dead_;
  std::map<spirv::Id, spirv::Id> replacements_;
};

// Calls write(inst, body) for every instruction of every function body, in order; `body` is what stands in front of it,
// to which code for it can be appended. Returns whether some call returned true.
template <typename Write>
bool write_in_front(Module& module, const Write& write) {
  bool changed = false;
  for (Function& function : module.functions)
    for (Block& block : function.blocks) {
      std::vector<InstRef> body;
      for (const InstRef inst : block.body) {
        changed = write(inst, body) || changed;
        body.push_back(inst);
      }
      block.body = std::move(body);
    }
  return changed;
}

}  // namespace varylink::spirv
