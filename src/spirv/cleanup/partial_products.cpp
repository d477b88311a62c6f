#include "spirv/cleanup/partial_products.h"

#include <set>
#include <vector>

#include "base/seeded_fault.h"
#include "spirv/cleanup/component_liveness.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/op_info.h"

namespace varylink::spirv {
namespace {

using Mask = ComponentLiveness::Mask;

class ProductWriter {
 public:
  explicit ProductWriter(Module& module)
      : module_(module), liveness_(module), no_contraction_(no_contraction_ids(module)) {
    no_contraction_.merge(own_math_mode_ids(module));
  }

  bool run() {
    bool changed = false;
    for (Function& function : module_.functions)
      for (Block& block : function.blocks) {
        std::vector<InstRef> body;
        for (const InstRef inst : block.body) {
          if (is_partial(inst)) {
            write_out(inst, body);
            changed = true;
          }
          body.push_back(inst);
        }
        block.body = std::move(body);
      }
    return changed;
  }

 private:
  bool is_partial(InstRef inst) const {
    const bool matrix_first = module_[inst].op == spv::Op::OpMatrixTimesVector;
    if (!matrix_first && module_[inst].op != spv::Op::OpVectorTimesMatrix) return false;
    const Id result = module_[inst].result;
    const Mask whole = (Mask{1} << component_count(module_, module_[inst].type)) - 1;
    const Mask live = liveness_.of(result) & whole;
    return live != 0 && live != whole && no_contraction_.count(result) == 0 &&
           module_.def_op(module_.operand(inst, matrix_first ? 0 : 1).word) == spv::Op::OpCompositeConstruct;
  }

  // The instruction itself becomes the last step, so that its result and decorations stay.
  void write_out(InstRef inst, std::vector<InstRef>& body) {
    body_ = &body;
    if (module_[inst].op == spv::Op::OpMatrixTimesVector)
      sum_of_columns(inst);
    else
      dots(inst);
  }

  void sum_of_columns(InstRef inst) {
    const Id matrix = module_.operand(inst, 0).word, vector = module_.operand(inst, 1).word;
    const Id type = module_[inst].type, scalar = element_type(module_, type);
    const std::uint32_t columns = component_count(module_, module_.type_of(vector));
    Id sum = 0;
    for (std::uint32_t i = columns - (seeded_fault("product-loses-a-column") ? 1 : 0); i-- > 0;) {
      const Id column = emit(spv::Op::OpCompositeExtract, type, {id(matrix), lit(i)});
      const Id factor = emit(spv::Op::OpCompositeExtract, scalar, {id(vector), lit(i)});
      const Id product = emit(spv::Op::OpVectorTimesScalar, type, {id(column), id(factor)});
      if (sum == 0)
        sum = product;
      else if (i > 0)
        sum = emit(spv::Op::OpFAdd, type, {id(product), id(sum)});
      else
        module_.rewrite(inst, spv::Op::OpFAdd, std::vector{id(product), id(sum)});
    }
  }

  void dots(InstRef inst) {
    const Id vector = module_.operand(inst, 0).word, matrix = module_.operand(inst, 1).word;
    const Id type = module_[inst].type, scalar = element_type(module_, type);
    std::vector<Operand> parts;
    for (std::uint32_t i = 0; i < component_count(module_, type); ++i) {
      const Id column = emit(spv::Op::OpCompositeExtract, module_.type_of(vector), {id(matrix), lit(i)});
      parts.push_back(id(emit(spv::Op::OpDot, scalar, {id(vector), id(column)})));
    }
    module_.rewrite(inst, spv::Op::OpCompositeConstruct, parts);
  }

  Id emit(spv::Op op, Id type, std::initializer_list<Operand> operands) {
    const Id result = module_.new_id();
    body_->push_back(module_.create(op, type, result, std::span<const Operand>(operands.begin(), operands.size())));
    return result;
  }

  Module& module_;
  ComponentLiveness liveness_;
  std::set<Id> no_contraction_;
  std::vector<InstRef>* body_ = nullptr;
};

}  // namespace

bool write_out_partial_products(Module& module) { return ProductWriter(module).run(); }

}  // namespace varylink::spirv
