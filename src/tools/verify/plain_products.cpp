#include "verify/plain_products.h"

#include <vector>

#include "spirv/ir/emitter.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/product_code.h"

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
    emitter_.write_to(body);
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
                    spirv::sum_of_columns(module_, emitter_, module_[inst].type, module_.operand(inst, 0).word,
                                          module_.operand(inst, 1).word));
  }

  // Column by column.
  void write_matrix(InstRef inst) {
    const Id left = module_.operand(inst, 0).word, right = module_.operand(inst, 1).word, type = module_[inst].type;
    const Id column = spirv::element_type(module_, type), factor = spirv::element_type(module_, module_.type_of(right));
    std::vector<spirv::Operand> columns;
    for (std::uint32_t i = 0; i < spirv::element_count(module_, type); ++i) {
      const Id vector = emitter_.emit(Op::OpCompositeExtract, factor, {spirv::id(right), spirv::lit(i)});
      const auto last = spirv::sum_of_columns(module_, emitter_, column, left, vector);
      columns.push_back(spirv::id(emitter_.emit(Op::OpFAdd, column, last)));
    }
    module_.rewrite(inst, Op::OpCompositeConstruct, columns);
  }

  void write_dots(InstRef inst) {
    const Id vector = module_.operand(inst, 0).word, matrix = module_.operand(inst, 1).word;
    const Id type = module_[inst].type, scalar = spirv::element_type(module_, type);
    std::vector<spirv::Operand> dots;
    for (std::uint32_t i = 0; i < spirv::component_count(module_, type); ++i) {
      const Id column =
          emitter_.emit(Op::OpCompositeExtract, module_.type_of(vector), {spirv::id(matrix), spirv::lit(i)});
      dots.push_back(spirv::id(emitter_.emit(Op::OpFAdd, scalar, last_dot_sum(scalar, vector, column))));
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
      const Id a = emitter_.emit(Op::OpCompositeExtract, scalar, {spirv::id(left), spirv::lit(i)});
      const Id b = emitter_.emit(Op::OpCompositeExtract, scalar, {spirv::id(right), spirv::lit(i)});
      const Id product = emitter_.emit(Op::OpFMul, scalar, {spirv::id(a), spirv::id(b)});
      if (i + 1 == count) return {spirv::id(sum), spirv::id(product)};
      sum = sum == 0 ? product : emitter_.emit(Op::OpFAdd, scalar, {spirv::id(sum), spirv::id(product)});
    }
  }

  spirv::Module& module_;
  spirv::Globals globals_{module_};
  spirv::Emitter emitter_{module_, globals_};
};

}  // namespace

void write_out_products(spirv::Module& module) {
  ProductWriter writer(module);
  for (spirv::Function& function : module.functions)
    for (spirv::Block& block : function.blocks) writer.run(block);
}

}  // namespace varylink::verify
