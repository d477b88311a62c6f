#include <algorithm>
#include <set>
#include <vector>

#include "spirv/cleanup/clean_ups.h"
#include "spirv/cleanup/component_liveness.h"
#include "spirv/ir/code_edit.h"
#include "spirv/ir/emitter.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/product_code.h"
#include "spirv/ir/uses.h"
#include "spirv/ir/value_decorations.h"

namespace varylink::spirv {
namespace {

using Mask = ComponentLiveness::Mask;

class ProductWriter {
 public:
  explicit ProductWriter(Module& module)
      : module_(module), uses_(module), liveness_(module), kept_(kept_as_written(module)) {}

  bool run() {
    return write_in_front(module_, [this](InstRef inst, std::vector<InstRef>& body) {
      if (is_partial(inst))
        write_out(inst, body);
      else if (is_partial_matrix(inst))
        write_columns(inst, body);
      else
        return false;
      return true;
    });
  }

 private:
  bool is_partial(InstRef inst) const {
    const bool matrix_first = module_[inst].op == spv::Op::OpMatrixTimesVector;
    if (!matrix_first && module_[inst].op != spv::Op::OpVectorTimesMatrix) return false;
    return is_partly_live(inst) && kept_.count(module_[inst].result) == 0 &&
           module_.def_op(module_.operand(inst, matrix_first ? 0 : 1).word) == spv::Op::OpCompositeConstruct;
  }

  // Of a vector, some components and not all.
  bool is_partly_live(InstRef inst) const {
    const Mask whole = (Mask{1} << component_count(module_, module_[inst].type)) - 1;
    const Mask live = liveness_.of(module_[inst].result) & whole;
    return live != 0 && live != whole;
  }

  static bool makes_matrix(spv::Op op) {
    return op == spv::Op::OpTranspose || op == spv::Op::OpMatrixTimesScalar || op == spv::Op::OpMatrixTimesMatrix ||
           op == spv::Op::OpOuterProduct;
  }

  // A matrix that is made of one that was put together in this stage, or of two vectors, and of which nobody needs all.
  bool is_partial_matrix(InstRef inst) const {
    const spv::Op op = module_[inst].op;
    if (!makes_matrix(op) || kept_.count(module_[inst].result) != 0) return false;
    const auto is_put_together = [&](std::uint32_t operand) {
      return module_.def_op(module_.operand(inst, operand).word) == spv::Op::OpCompositeConstruct;
    };
    const bool is_made_here = op == spv::Op::OpOuterProduct || is_put_together(0) ||
                              (op == spv::Op::OpMatrixTimesMatrix && is_put_together(1));
    return is_made_here && is_read_in_part(module_[inst].result, kMaxNesting);
  }

  bool is_read_in_part(Id matrix, int nesting) const {
    const Id type = module_.type_of(matrix);
    const std::uint32_t columns = element_count(module_, type);
    const Mask whole = (Mask{1} << component_count(module_, element_type(module_, type))) - 1;
    std::vector<Mask> live(columns, 0);
    bool is_part_of_product = false;
    for (const InstRef user : uses_.of(matrix)) {
      const spv::Op op = module_[user].op;
      if (op == spv::Op::OpCompositeExtract) {
        const auto operands = module_.operands(user);
        if (operands[1].word >= columns) return false;
        live[operands[1].word] |=
            operands.size() > 2 ? Mask{1} << operands[2].word : liveness_.of(module_[user].result) & whole;
      } else if ((op == spv::Op::OpMatrixTimesVector || op == spv::Op::OpVectorTimesMatrix) && is_partly_live(user)) {
        is_part_of_product = true;
      } else if (makes_matrix(op) && nesting > 0 && is_read_in_part(module_[user].result, nesting - 1)) {
        is_part_of_product = true;
      } else {
        return false;
      }
    }
    return is_part_of_product || std::any_of(live.begin(), live.end(), [&](Mask column) { return column != whole; });
  }

  // The instruction itself puts the matrix together, column by column: those that nobody needs go.
  void write_columns(InstRef inst, std::vector<InstRef>& body) {
    emitter_.write_to(body);
    const spv::Op op = module_[inst].op;
    const Id type = module_[inst].type, column = element_type(module_, type), scalar = element_type(module_, column);
    const Id left = module_.operand(inst, 0).word;
    const Id right = op == spv::Op::OpTranspose ? 0 : module_.operand(inst, 1).word;
    std::vector<Operand> parts;
    for (std::uint32_t i = 0; i < element_count(module_, type); ++i) {
      Id made = 0;
      if (op == spv::Op::OpTranspose) {
        made = row_of(left, i, column, scalar);
      } else if (op == spv::Op::OpMatrixTimesMatrix) {
        const Id factor = emitter_.emit(spv::Op::OpCompositeExtract, element_type(module_, module_.type_of(right)),
                                        {id(right), lit(i)});
        made = emitter_.emit(spv::Op::OpMatrixTimesVector, column, {id(left), id(factor)});
      } else if (op == spv::Op::OpOuterProduct) {
        const Id factor = emitter_.emit(spv::Op::OpCompositeExtract, scalar, {id(right), lit(i)});
        made = emitter_.emit(spv::Op::OpVectorTimesScalar, column, {id(left), id(factor)});
      } else {
        const Id factor = emitter_.emit(spv::Op::OpCompositeExtract, column, {id(left), lit(i)});
        made = emitter_.emit(spv::Op::OpVectorTimesScalar, column, {id(factor), id(right)});
      }
      parts.push_back(id(made));
    }
    module_.rewrite(inst, spv::Op::OpCompositeConstruct, parts);
  }

  Id row_of(Id matrix, std::uint32_t row, Id type, Id scalar) {
    std::vector<Operand> parts;
    for (std::uint32_t c = 0; c < component_count(module_, type); ++c)
      parts.push_back(id(emitter_.emit(spv::Op::OpCompositeExtract, scalar, {id(matrix), lit(c), lit(row)})));
    return emitter_.emit(spv::Op::OpCompositeConstruct, type, parts);
  }

  // The instruction itself becomes the last step, so that its result and decorations stay.
  void write_out(InstRef inst, std::vector<InstRef>& body) {
    emitter_.write_to(body);
    if (module_[inst].op == spv::Op::OpMatrixTimesVector)
      sum_of_columns(inst);
    else
      dots(inst);
  }

  void sum_of_columns(InstRef inst) {
    const Id matrix = module_.operand(inst, 0).word, vector = module_.operand(inst, 1).word;
    const auto last = spirv::sum_of_columns(module_, emitter_, module_[inst].type, matrix, vector);
    module_.rewrite(inst, spv::Op::OpFAdd, last);
  }

  void dots(InstRef inst) {
    const Id vector = module_.operand(inst, 0).word, matrix = module_.operand(inst, 1).word;
    const Id type = module_[inst].type, scalar = element_type(module_, type);
    std::vector<Operand> parts;
    for (std::uint32_t i = 0; i < component_count(module_, type); ++i) {
      const Id column = emitter_.emit(spv::Op::OpCompositeExtract, module_.type_of(vector), {id(matrix), lit(i)});
      parts.push_back(id(emitter_.emit(spv::Op::OpDot, scalar, {id(vector), id(column)})));
    }
    module_.rewrite(inst, spv::Op::OpCompositeConstruct, parts);
  }

  static constexpr int kMaxNesting = 8;  // of products in products (rule)

  Module& module_;
  Uses uses_;
  ComponentLiveness liveness_;
  std::set<Id> kept_;
  Globals globals_{module_};
  Emitter emitter_{module_, globals_};
};

}  // namespace

bool write_out_partial_products(Module& module) { return ProductWriter(module).run(); }

}  // namespace varylink::spirv
