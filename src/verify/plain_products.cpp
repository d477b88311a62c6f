#include "verify/plain_products.h"

#include <vector>

#include "spirv/ir/globals.h"

namespace varylink::verify {
namespace {

using spirv::Id;
using spirv::InstRef;
using spv::Op;

class ProductWriter {
 public:
  explicit ProductWriter(spirv::Module& module) : module_(module) {}

  void run(spirv::Block& block) {
    std::vector<InstRef> body;
    body_ = &body;
    for (const InstRef inst : block.body) {
      if (module_[inst].op == Op::OpMatrixTimesVector) sum_columns(inst);
      if (module_[inst].op == Op::OpVectorTimesMatrix) write_dots(inst);
      body.push_back(inst);
    }
    block.body = std::move(body);
  }

 private:
  // The instruction itself becomes the last sum. A matrix has two columns or more.
  void sum_columns(InstRef inst) {
    const Id matrix = module_.operand(inst, 0).word, vector = module_.operand(inst, 1).word;
    const Id type = module_[inst].type, scalar = spirv::element_type(module_, type);
    Id sum = 0;
    for (std::uint32_t i = spirv::component_count(module_, module_.type_of(vector)); i-- > 0;) {
      const Id column = emit(Op::OpCompositeExtract, type, {spirv::id(matrix), spirv::lit(i)});
      const Id factor = emit(Op::OpCompositeExtract, scalar, {spirv::id(vector), spirv::lit(i)});
      const Id product = emit(Op::OpVectorTimesScalar, type, {spirv::id(column), spirv::id(factor)});
      if (sum == 0)
        sum = product;
      else if (i > 0)
        sum = emit(Op::OpFAdd, type, {spirv::id(product), spirv::id(sum)});
      else
        module_.rewrite(inst, Op::OpFAdd, {spirv::id(product), spirv::id(sum)});
    }
  }

  void write_dots(InstRef inst) {
    const Id vector = module_.operand(inst, 0).word, matrix = module_.operand(inst, 1).word;
    const Id type = module_[inst].type, scalar = spirv::element_type(module_, type);
    std::vector<spirv::Operand> dots;
    for (std::uint32_t i = 0; i < spirv::component_count(module_, type); ++i) {
      const Id column = emit(Op::OpCompositeExtract, module_.type_of(vector), {spirv::id(matrix), spirv::lit(i)});
      dots.push_back(spirv::id(emit(Op::OpDot, scalar, {spirv::id(vector), spirv::id(column)})));
    }
    module_.rewrite(inst, Op::OpCompositeConstruct, dots);
  }

  Id emit(Op op, Id type, const std::vector<spirv::Operand>& operands) {
    const Id result = module_.new_id();
    body_->push_back(module_.create(op, type, result, operands));
    return result;
  }

  spirv::Module& module_;
  std::vector<InstRef>* body_ = nullptr;
};

}  // namespace

void write_out_products(spirv::Module& module) {
  ProductWriter writer(module);
  for (spirv::Function& function : module.functions)
    for (spirv::Block& block : function.blocks) writer.run(block);
}

}  // namespace varylink::verify
