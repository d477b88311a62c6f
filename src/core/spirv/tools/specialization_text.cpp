#include "spirv/tools/specialization_text.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>

#include "spirv/cleanup/number_operations.h"
#include "spirv/tools/specialize.h"

namespace varylink::spirv {
namespace {

std::string integer_text(std::uint64_t bits, std::uint32_t width, bool is_signed) {
  if (!is_signed) return std::to_string(bits);
  const std::uint32_t unused = 64 - width;
  return std::to_string(static_cast<std::int64_t>(bits << unused) >> unused);
}

// The shortest text that reads as the same bits. With a point or an exponent, since an integer has no negative zero.
template <typename Float>
std::optional<std::string> shortest_text(Float number) {
  if (!std::isfinite(number)) return std::nullopt;
  std::array<char, 64> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number);
  std::string text(buffer.data(), end.ptr);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::optional<std::string> float_text(std::uint64_t bits, std::uint32_t width) {
  if (width == 64) return shortest_text(std::bit_cast<double>(bits));
  if (width == 16) return shortest_text(static_cast<float>(float_value(bits, width)));
  return width == 32 ? shortest_text(std::bit_cast<float>(static_cast<std::uint32_t>(bits))) : std::nullopt;
}

// The constant with the SpecId.
InstRef constant_of(const Module& module, std::uint32_t id) {
  for (const InstRef inst : module.annotations)
    if (is_spec_id(module, inst) && module.operand(inst, 2).word == id) return module.def(module.operand(inst, 0).word);
  return {};
}

}  // namespace

std::optional<std::string> specialization_text(const Module& module, std::uint32_t id, std::string_view bytes) {
  const InstRef constant = constant_of(module, id);
  if (!constant || bytes.empty() || bytes.size() > sizeof(std::uint64_t)) return std::nullopt;
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) bits |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  const InstRef type = module.def(module[constant].type);
  if (module[type].op == spv::Op::OpTypeBool)
    return bytes.size() == 4 ? std::optional<std::string>(bits != 0 ? "true" : "false") : std::nullopt;
  const std::uint32_t width = module.operand(type, 0).word;
  if (width != 8 * bytes.size()) return std::nullopt;
  if (module[type].op == spv::Op::OpTypeFloat) return float_text(bits, width);
  return integer_text(bits, width, module.operand(type, 1).word != 0);
}

}  // namespace varylink::spirv
