#include "spirv/ir/scalar_view.h"

#include <algorithm>

#include "spirv/ir/globals.h"
#include "spirv/ir/operations.h"

namespace varylink::spirv {
namespace {

constexpr int kMaxDepth = 64;                  // of types in each other, in valid modules far less
constexpr std::uint64_t kMaxScalars = 0xffff;  // of a type; more is as good as that

std::uint64_t count(const Module& module, Id type, int depth) {
  const InstRef def = module.def(type);
  if (!def || depth > kMaxDepth) return 0;
  const auto inner = [&](std::uint32_t position) {
    return std::min(count(module, module.operand(def, position).word, depth + 1), kMaxScalars);
  };
  switch (type_kind(module, type)) {
    case TypeKind::boolean:
    case TypeKind::integer:
    case TypeKind::floating: return 1;
    case TypeKind::vector:
    case TypeKind::matrix: return inner(0) * module.operand(def, 1).word;
    case TypeKind::array: return inner(0) * std::max(element_count(module, type), 1u);
    case TypeKind::runtime_array: return inner(0);
    case TypeKind::structure: {
      std::uint64_t total = 0;
      for (std::uint32_t i = 0; i < module[def].operand_count; ++i) total += inner(i);
      return total;
    }
    default: return 0;
  }
}

// Builds the list for one operation.
class Arrangement {
 public:
  Arrangement(const Module& module, Id type, std::span<const Operand> operands, std::vector<Scalar>& scalars,
              std::uint32_t most)
      : module_(module), type_(type), operands_(operands), most_(most), scalars_(scalars) {}

  void find(spv::Op op) {
    scalars_.clear();
    switch (op) {
      case spv::Op::OpCompositeConstruct: return construct();
      case spv::Op::OpCompositeExtract: return extract();
      case spv::Op::OpCompositeInsert: return insert();
      case spv::Op::OpVectorShuffle: return shuffle();
      case spv::Op::OpTranspose: return transpose();
      default: return add(operand(0), {0, scalars_in(operand(0))});
    }
  }

 private:
  Id operand(std::size_t position) const { return operands_[position].word; }
  std::uint32_t scalars_in(Id value) const { return scalars_of_type(module_, module_.type_of(value)); }

  void add(Id value, ScalarRange range) {
    for (std::uint32_t i = 0; i < range.count && scalars_.size() < most_; ++i)
      scalars_.push_back({value, range.first + i});
  }

  void construct() {
    for (const Operand& part : operands_) add(part.word, {0, scalars_in(part.word)});
  }

  void extract() {
    const auto range = scalar_range(module_, module_.type_of(operand(0)), operands_.subspan(1));
    if (range) add(operand(0), *range);
  }

  void insert() {
    const Id part = operand(0), whole = operand(1);
    add(whole, {0, scalars_in(whole)});
    const auto range = scalar_range(module_, type_, operands_.subspan(2));
    for (std::uint32_t i = 0; range && i < range->count && range->first + i < scalars_.size(); ++i)
      scalars_[range->first + i] = {part, i};
  }

  void shuffle() {
    const std::uint32_t first_size = scalars_in(operand(0));
    for (const Operand& lane : operands_.subspan(2))
      scalars_.push_back(lane.word == 0xffffffffu ? Scalar{}
                         : lane.word < first_size ? Scalar{operand(0), lane.word}
                                                  : Scalar{operand(1), lane.word - first_size});
  }

  void transpose() {
    const std::uint32_t columns = element_count(module_, type_);
    const std::uint32_t rows = columns == 0 ? 0 : scalars_of_type(module_, type_) / columns;
    for (std::uint32_t column = 0; column < columns; ++column)
      for (std::uint32_t row = 0; row < rows; ++row) scalars_.push_back({operand(0), row * columns + column});
  }

  const Module& module_;
  const Id type_;
  const std::span<const Operand> operands_;
  const std::uint32_t most_;
  std::vector<Scalar>& scalars_;
};

}  // namespace

std::uint32_t scalars_of_type(const Module& module, Id type) {
  if (const std::uint32_t components = component_count(module, type); components != 0) return components;
  return static_cast<std::uint32_t>(std::min(count(module, type, 0), kMaxScalars));
}

std::uint32_t scalars_of_number(const Module& module, Id type) {
  if (type_kind(module, type) != TypeKind::matrix) return component_count(module, type);
  return element_count(module, type) * component_count(module, element_type(module, type));
}

std::optional<Element> element_at(const Module& module, Id type, std::uint32_t index) {
  if (!module.def(type)) return std::nullopt;
  switch (type_kind(module, type)) {
    case TypeKind::vector:
    case TypeKind::matrix:
    case TypeKind::array:
    case TypeKind::runtime_array: {
      const Id inner = element_type(module, type);
      return Element{inner, index * scalars_of_type(module, inner)};
    }
    case TypeKind::structure: {
      if (index >= module[module.def(type)].operand_count) return std::nullopt;
      std::uint32_t before = 0;
      for (std::uint32_t i = 0; i < index; ++i) before += scalars_of_type(module, element_type(module, type, i));
      return Element{element_type(module, type, index), before};
    }
    default: return std::nullopt;
  }
}

std::optional<ScalarRange> scalar_range(const Module& module, Id type, std::span<const Operand> indices) {
  ScalarRange range;
  for (const Operand& index : indices) {
    const auto next = element_at(module, type, index.word);
    if (!next) return std::nullopt;
    type = next->type;
    range.first += next->scalars_before;
  }
  range.count = scalars_of_type(module, type);
  return range;
}

bool arranges_scalars(const Module& module, spv::Op op, Id type, std::span<const Operand> operands,
                      std::vector<Scalar>& scalars, std::uint32_t most) {
  if (!row_of(op).is(kArranges)) return false;
  Arrangement(module, type, operands, scalars, most).find(op);
  return true;
}

bool arranges_scalars(const Module& module, InstRef inst, std::vector<Scalar>& scalars, std::uint32_t most) {
  return arranges_scalars(module, module[inst].op, module[inst].type, module.operands(inst), scalars, most);
}

std::uint32_t read_scalars(const Module& module, const Uses& uses, Id vector) {
  const std::uint32_t count = scalars_of_type(module, module.type_of(vector));
  const std::uint32_t all = count < 32 ? (1u << count) - 1 : 0xffffffffu;
  std::uint32_t read = 0;
  std::vector<Scalar> scalars;
  for (const InstRef user : uses.of(vector)) {
    const spv::Op op = module[user].op;
    if (op != spv::Op::OpCompositeExtract && op != spv::Op::OpVectorShuffle) return all;
    arranges_scalars(module, user, scalars);
    for (const Scalar& scalar : scalars)
      if (scalar.value == vector) read |= scalar.index < 32 ? 1u << scalar.index : 0;
  }
  return read;
}

}  // namespace varylink::spirv
