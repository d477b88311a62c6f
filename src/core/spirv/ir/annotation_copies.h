// Names and decorations for ids that are copies of others.
#pragma once

#include <algorithm>
#include <vector>

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Works on one section of a module: debug_names or annotations. Nothing is removed from the section while this object
// lives; instructions added by this object or others are seen.
class AnnotationCopies {
 public:
  explicit AnnotationCopies(std::vector<InstRef> Module::*section) : section_(section) {}

  // Says of `to` in the section what it says of `from`.
  void copy(Module& module, Id from, Id to) {
    index(module);
    if (from >= of_.size()) return;
    for (const InstRef inst : of_[from]) {
      const auto operands = module.operands(inst);
      std::vector<Operand> copied(operands.begin(), operands.end());
      copied.front() = id(to);
      (module.*section_).push_back(module.create(module[inst].op, 0, 0, copied));
    }
  }

 private:
  void index(const Module& module) {
    const std::vector<InstRef>& section = module.*section_;
    for (; count_ < section.size(); ++count_) {
      const Id target = module.operand(section[count_], 0).word;
      if (target >= of_.size()) of_.resize(std::max<std::size_t>(module.bound, target + 1));
      of_[target].push_back(section[count_]);
    }
  }

  std::vector<InstRef> Module::*section_;
  std::vector<std::vector<InstRef>> of_;  // by target
  std::size_t count_ = 0;                 // of the section that have been entered
};

}  // namespace varylink::spirv
