#include "graph/value_text.h"

#include <array>
#include <bit>
#include <charconv>

#include "graph/resource.h"
#include "spirv/ir/operations.h"
#include "spirv/tools/names.h"

namespace varylink::graph {
namespace {

template <typename Number>
std::string decimal(Number number) {
  std::array<char, 64> digits{};
  const std::to_chars_result end = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  return {digits.data(), end.ptr};
}

std::string constant_text(const Value& value) {
  const std::uint32_t low = value.words.empty() ? 0 : value.words.front();
  const std::uint64_t wide = value.words.size() > 1 ? low | std::uint64_t{value.words[1]} << 32 : low;
  switch (value.type.kind) {
    case varyings::ScalarKind::boolean: return low != 0 ? "true" : "false";
    case varyings::ScalarKind::uint: return decimal(wide) + "u";
    case varyings::ScalarKind::sint:
      return value.type.width == 64 ? decimal(static_cast<std::int64_t>(wide))
                                    : decimal(static_cast<std::int32_t>(low));
    case varyings::ScalarKind::floating: break;
  }
  if (value.type.width == 64) return decimal(std::bit_cast<double>(wide));
  if (value.type.width == 32) return decimal(std::bit_cast<float>(low));
  return "float16 bits " + decimal(low);
}

std::string resource_text(const ResourceKey& key) {
  const std::string chosen = key.is_indexed() ? " + " + std::to_string(key.stride) + " * index" : "";
  const std::string byte = " byte " + std::to_string(key.offset) + chosen;
  if (key.storage == spv::StorageClass::PushConstant) return "push constant" + byte;
  const std::string element = key.arrayed ? "[" + std::to_string(key.element) + "]" : "";
  return "set " + std::to_string(key.set) + " binding " + std::to_string(key.binding) + element + byte;
}

std::string operation_text(const Value& value) {
  if (value.op == spv::Op::OpExtInst) return spirv::glsl_name(value.glsl);
  const spirv::OperationRow& row = spirv::row_of(value.op);
  switch (row.formula) {
    case spirv::Formula::add: return "+";
    case spirv::Formula::subtract: return "-";
    case spirv::Formula::multiply: return "*";
    case spirv::Formula::divide: return row.reads(spirv::Reading::floating) ? "/" : spirv::name_of(value.op);
    default: return spirv::name_of(value.op);
  }
}

}  // namespace

std::string text(const Value& value) {
  switch (value.kind) {
    case ValueKind::constant: return constant_text(value);
    case ValueKind::resource: return resource_text(ResourceKey::from(value.words));
    case ValueKind::specialization: return "specialization constant " + std::to_string(value.words.front());
    case ValueKind::operation: return operation_text(value);
    case ValueKind::per_store_point: return "by place";
    case ValueKind::leaf: break;
  }
  return {};
}

}  // namespace varylink::graph
