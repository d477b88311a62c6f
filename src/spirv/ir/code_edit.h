// A batch of edits to function bodies: code in front of instructions, code at the start of the entry point, values that
// take the place of others, instructions that go. Collected first, applied at once, so that nothing moves under the
// feet of whoever collects.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "spirv/ir/module.h"

namespace varylink::spirv {

class CodeEdit {
 public:
  // Lists that new instructions are appended to. `locals` is for local variables, which stand in front of everything.
  std::vector<spirv::InstRef>& before(spirv::InstRef inst) { return before_[inst]; }
  std::vector<spirv::InstRef>& start() { return start_; }
  std::vector<spirv::InstRef>& locals() { return locals_; }

  // Every use of `old_value` becomes a use of `new_value`, which must not itself be replaced.
  void replace(spirv::Id old_value, spirv::Id new_value) { replacements_[old_value] = new_value; }
  void remove(spirv::InstRef inst) { dead_.push_back(inst); }

  // Applies everything to the function bodies of `module`, start() and locals() to that of `entry_function`;
  // decorations of replaced values move along with them. What they permit (RelaxedPrecision) holds of a new value only
  // if everything that the new value is used for permits it.
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

}  // namespace varylink::spirv
