#include <spirv/unified1/GLSL.std.450.h>

#include <optional>
#include <set>
#include <vector>

#include "spirv/cleanup/clean_ups.h"
#include "spirv/ir/code_edit.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/value_decorations.h"

namespace varylink::spirv {
namespace {

constexpr std::uint32_t kFloatOne = 0x3f800000u;  // 1.0f

class MixWriter {
 public:
  MixWriter(Module& module, const std::function<bool(Id)>& keeps_rounding)
      : module_(module), keeps_rounding_(keeps_rounding) {}

  bool run() {
    return write_in_front(module_, [this](InstRef inst, std::vector<InstRef>& body) {
      if (!begins_at_one(inst) || !may_change(inst)) return false;
      write_out(inst, body);
      return true;
    });
  }

 private:
  bool begins_at_one(InstRef inst) const {
    return is_glsl_inst(module_, inst) && module_.operand(inst, 1).word == GLSLstd450FMix &&
           has_bits(module_, module_.operand(inst, 2).word, kFloatOne);
  }

  bool may_change(InstRef inst) {
    if (!precise_) {
      precise_ = kept_as_written(module_);
      relaxed_ = relaxed_ids(module_);
    }
    return precise_->count(module_[inst].result) == 0 && !keeps_rounding_(module_[inst].result);
  }

  void write_out(InstRef inst, std::vector<InstRef>& body) {
    const Id one = module_.operand(inst, 2).word, b = module_.operand(inst, 3).word, c = module_.operand(inst, 4).word;
    const Id rest = add_before(inst, spv::Op::OpFSub, one, c, body);
    const Id product = add_before(inst, spv::Op::OpFMul, b, c, body);
    module_.rewrite(inst, spv::Op::OpFAdd, {id(rest), id(product)});
  }

  // The operation on values of the type of `inst`, as precise as `inst`.
  Id add_before(InstRef inst, spv::Op op, Id a, Id b, std::vector<InstRef>& body) {
    const Id result = module_.new_id();
    body.push_back(module_.create(op, module_[inst].type, result, {id(a), id(b)}));
    if (relaxed_.count(module_[inst].result) != 0) decorate(module_, result, spv::Decoration::RelaxedPrecision);
    return result;
  }

  Module& module_;
  const std::function<bool(Id)>& keeps_rounding_;
  std::optional<std::set<Id>> precise_;  // read when there is a mix to ask for
  std::set<Id> relaxed_;
};

}  // namespace

bool write_out_mixes(Module& module, const std::function<bool(Id)>& keeps_rounding) {
  return MixWriter(module, keeps_rounding).run();
}

}  // namespace varylink::spirv
