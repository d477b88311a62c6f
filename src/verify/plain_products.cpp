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
      if (module_[inst].op == Op::OpMatrixTimesVector) write_vector(inst);
      if (module_[inst].op == Op::OpMatrixTimesMatrix) write_matrix(inst);
      if (module_[inst].op == Op::OpVectorTimesMatrix) write_dots(inst);
      if (module_[inst].op == Op::OpDot) write_dot(inst);
      body.push_back(inst);
    }
    block.body = std::move(body);
  }

 private:
  // The instruction itself becomes the last sum.
  void write_vector(InstRef inst) {
    module_.rewrite(inst, Op::OpFAdd,
                    last_sum(module_[inst].type, module_.operand(inst, 0).word, module_.operand(inst, 1).word));
  }

  // Column by column.
  void write_matrix(InstRef inst) {
    const Id left = module_.operand(inst, 0).word, right = module_.operand(inst, 1).word, type = module_[inst].type;
    const Id column = spirv::element_type(module_, type), factor = spirv::element_type(module_, module_.type_of(right));
    std::vector<spirv::Operand> columns;
    for (std::uint32_t i = 0; i < spirv::element_count(module_, type); ++i) {
      const Id vector = emit(Op::OpCompositeExtract, factor, {spirv::id(right), spirv::lit(i)});
      columns.push_back(spirv::id(emit(Op::OpFAdd, column, last_sum(column, left, vector))));
    }
    module_.rewrite(inst, Op::OpCompositeConstruct, columns);
  }

  // What is to be added for the product of a matrix, which has two columns or more, and a vector.
  std::vector<spirv::Operand> last_sum(Id type, Id matrix, Id vector) {
    const Id scalar = spirv::element_type(module_, type);
    Id sum = 0;
    for (std::uint32_t i = spirv::component_count(module_, module_.type_of(vector)); i-- > 0;) {
      const Id column = emit(Op::OpCompositeExtract, type, {spirv::id(matrix), spirv::lit(i)});
      const Id factor = emit(Op::OpCompositeExtract, scalar, {spirv::id(vector), spirv::lit(i)});
      const Id product = emit(Op::OpVectorTimesScalar, type, {spirv::id(column), spirv::id(factor)});
      if (i == 0) return {spirv::id(product), spirv::id(sum)};
      sum = sum == 0 ? product : emit(Op::OpFAdd, type, {spirv::id(product), spirv::id(sum)});
    }
    return {};
  }

  void write_dots(InstRef inst) {
    const Id vector = module_.operand(inst, 0).word, matrix = module_.operand(inst, 1).word;
    const Id type = module_[inst].type, scalar = spirv::element_type(module_, type);
    std::vector<spirv::Operand> dots;
    for (std::uint32_t i = 0; i < spirv::component_count(module_, type); ++i) {
      const Id column = emit(Op::OpCompositeExtract, module_.type_of(vector), {spirv::id(matrix), spirv::lit(i)});
      dots.push_back(spirv::id(emit(Op::OpFAdd, scalar, last_dot_sum(scalar, vector, column))));
    }
    module_.rewrite(inst, Op::OpCompositeConstruct, dots);
  }

  void write_dot(InstRef inst) {
    module_.rewrite(inst, Op::OpFAdd,
                    last_dot_sum(module_[inst].type, module_.operand(inst, 0).word, module_.operand(inst, 1).word));
  }

  // What is to be added for the dot product of two vectors.
  std::vector<spirv::Operand> last_dot_sum(Id scalar, Id left, Id right) {
    const std::uint32_t count = spirv::component_count(module_, module_.type_of(left));
    Id sum = 0;
    for (std::uint32_t i = 0;; ++i) {
      const Id a = emit(Op::OpCompositeExtract, scalar, {spirv::id(left), spirv::lit(i)});
      const Id b = emit(Op::OpCompositeExtract, scalar, {spirv::id(right), spirv::lit(i)});
      const Id product = emit(Op::OpFMul, scalar, {spirv::id(a), spirv::id(b)});
      if (i + 1 == count) return {spirv::id(sum), spirv::id(product)};
      sum = sum == 0 ? product : emit(Op::OpFAdd, scalar, {spirv::id(sum), spirv::id(product)});
    }
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
