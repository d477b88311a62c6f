#include "verify/block_layout.h"

#include <algorithm>

#include "spirv/ir/operations.h"
#include "varyings/reflect/interface_variable.h"

namespace varylink::verify {
namespace {

constexpr std::size_t kMaxFields = 1u << 16;
constexpr int kMaxDepth = 16;

// How the matrix around a type is stored.
struct MatrixRule {
  std::uint32_t stride = 16;
  bool row_major = false;
};

class LayoutBuilder {
 public:
  explicit LayoutBuilder(const spirv::Module& module) : module_(module) {}

  void add(spirv::Id type, std::uint32_t offset, const MatrixRule& rule, int depth = 0) {
    if (depth > kMaxDepth) return;
    const spirv::InstRef def = module_.def(type);
    if (!def) return;
    switch (spirv::type_kind(module_, type)) {
      case spirv::TypeKind::boolean:
      case spirv::TypeKind::integer:
      case spirv::TypeKind::floating: add_scalar(type, offset, {}); break;
      case spirv::TypeKind::vector: add_vector(type, offset); break;
      case spirv::TypeKind::matrix: add_matrix(type, offset, rule); break;
      case spirv::TypeKind::array:
      case spirv::TypeKind::runtime_array: add_array(type, offset, rule, depth); break;
      case spirv::TypeKind::structure: add_struct(type, offset, depth); break;
      case spirv::TypeKind::pointer:
        result_.has_pointers = true;
        grow(offset, 8);
        break;
      default: break;
    }
  }

  BlockLayout take() { return std::move(result_); }

 private:
  void grow(std::uint32_t offset, std::uint32_t bytes) { result_.size = std::max(result_.size, offset + bytes); }

  void add_scalar(spirv::Id type, std::uint32_t offset, Field field) {
    const std::optional<varyings::ScalarType> scalar = varyings::scalar_type_of(module_, type);
    if (!scalar) return;
    field.offset = offset;
    field.type = *scalar;
    grow(offset, scalar->width / 8);
    if (result_.fields.size() < kMaxFields) result_.fields.push_back(field);
  }

  std::uint32_t scalar_bytes(spirv::Id type) const {
    const std::optional<varyings::ScalarType> scalar = varyings::scalar_type_of(module_, type);
    return scalar ? std::max(1u, scalar->width / 8) : 4;
  }

  void add_vector(spirv::Id type, std::uint32_t offset) {
    const spirv::Id element = module_.operand(module_.def(type), 0).word;
    const std::uint32_t count = module_.operand(module_.def(type), 1).word;
    for (std::uint32_t i = 0; i < count; ++i) add_scalar(element, offset + i * scalar_bytes(element), {});
  }

  void add_matrix(spirv::Id type, std::uint32_t offset, const MatrixRule& rule) {
    const spirv::Id column_type = module_.operand(module_.def(type), 0).word;
    const std::uint32_t columns = module_.operand(module_.def(type), 1).word;
    const spirv::Id scalar = module_.operand(module_.def(column_type), 0).word;
    const std::uint32_t rows = module_.operand(module_.def(column_type), 1).word;
    const std::uint32_t bytes = scalar_bytes(scalar);
    for (std::uint32_t column = 0; column < columns; ++column) {
      for (std::uint32_t row = 0; row < rows; ++row) {
        Field field;
        field.column = static_cast<std::uint8_t>(column);
        field.row = static_cast<std::uint8_t>(row);
        field.columns = static_cast<std::uint8_t>(columns);
        field.rows = static_cast<std::uint8_t>(rows);
        const std::uint32_t major = rule.row_major ? row : column;
        const std::uint32_t minor = rule.row_major ? column : row;
        add_scalar(scalar, offset + major * rule.stride + minor * bytes, field);
      }
    }
  }

  void add_array(spirv::Id type, std::uint32_t offset, const MatrixRule& rule, int depth) {
    const spirv::Id element = module_.operand(module_.def(type), 0).word;
    const bool runtime = module_.def_op(type) == spv::Op::OpTypeRuntimeArray;
    const std::uint32_t length = runtime ? kRuntimeElements : default_array_length(module_, type);
    const std::uint32_t stride =
        varyings::decorations_of(module_, type).value(spv::Decoration::ArrayStride).value_or(16);
    for (std::uint32_t i = 0; i < length && result_.fields.size() < kMaxFields; ++i)
      add(element, offset + i * stride, rule, depth + 1);
    if (length > 0) grow(offset, length * stride);
  }

  void add_struct(spirv::Id type, std::uint32_t offset, int depth) {
    const auto members = module_.operands(module_.def(type));
    for (std::uint32_t i = 0; i < members.size(); ++i) {
      const varyings::Decorations decorations = varyings::member_decorations_of(module_, type, i);
      MatrixRule rule;
      rule.stride = decorations.value(spv::Decoration::MatrixStride).value_or(16);
      rule.row_major = decorations.has(spv::Decoration::RowMajor);
      add(members[i].word, offset + decorations.value(spv::Decoration::Offset).value_or(0), rule, depth + 1);
    }
  }

  const spirv::Module& module_;
  BlockLayout result_;
};

}  // namespace

std::uint32_t default_array_length(const spirv::Module& module, spirv::Id array_type) {
  if (module.def_op(array_type) != spv::Op::OpTypeArray) return 0;
  const spirv::Id length = module.operand(module.def(array_type), 1).word;
  const spv::Op op = module.def_op(length);
  if (op != spv::Op::OpConstant && op != spv::Op::OpSpecConstant) return 0;
  constexpr std::uint32_t kSane = 1u << 20;
  return std::min(module.operand(module.def(length), 0).word, kSane);
}

BlockLayout block_layout(const spirv::Module& module, spirv::Id type) {
  LayoutBuilder builder(module);
  builder.add(type, 0, {});
  return builder.take();
}

}  // namespace varylink::verify
