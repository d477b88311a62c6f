#include <algorithm>
#include <vector>

#include "spirv/cleanup/clean_ups.h"
#include "spirv/cleanup/value_numbers.h"
#include "spirv/ir/cfg.h"

namespace varylink::spirv {
namespace {

class Merger {
 public:
  explicit Merger(Module& module) : module_(module), numbers_(module), replaced_by_(module.bound, 0) {}

  void run() {
    for (const Function& function : module_.functions) find_equal_values(function);
    if (!any_) return;
    for (const Function& function : module_.functions)
      for (const Block& block : function.blocks)
        for (const InstRef inst : block.body) rename(inst);
    module_.sweep();
  }

 private:
  struct Known {
    std::uint32_t block;
    Id value;
  };

  void find_equal_values(const Function& function) {
    const Cfg cfg(module_, function);
    std::vector<std::vector<Known>> known(numbers_.count() + 1);
    for (const std::uint32_t block : cfg.reverse_post_order())
      for (const InstRef inst : function.blocks[block].body) {
        const Id result = module_[inst].result;
        if (result == 0) continue;
        std::vector<Known>& values = known[numbers_.of(result)];
        const auto equal = std::find_if(values.begin(), values.end(),
                                        [&](const Known& other) { return cfg.dominates(other.block, block); });
        if (equal == values.end()) {
          values.push_back({block, result});
          continue;
        }
        replaced_by_[result] = equal->value;
        module_.kill(inst);
        any_ = true;
      }
  }

  void rename(InstRef inst) {
    const auto operands = module_.operands(inst);
    for (std::uint32_t i = 0; i < operands.size(); ++i)
      if (operands[i].is_id && replaced_by_[operands[i].word] != 0)
        module_.set_operand(inst, i, id(replaced_by_[operands[i].word]));
  }

  Module& module_;
  ValueNumbers numbers_;
  std::vector<Id> replaced_by_;  // by id, 0 if it stays
  bool any_ = false;
};

}  // namespace

void gvn(Module& module) { Merger(module).run(); }

}  // namespace varylink::spirv
