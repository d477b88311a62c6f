// Questions about literal strings that are asked of every instruction, and so must not make a copy first.
#pragma once

#include <span>
#include <string_view>

#include "spirv/ir/module.h"

namespace varylink::spirv {

// The literal string at the front of the operands begins with `text`, which has no zero in it.
inline bool starts_with(std::span<const Operand> operands, std::string_view text) {
  if (operands.size() * 4 < text.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (static_cast<char>(operands[i / 4].word >> (8 * (i % 4)) & 0xff) != text[i]) return false;
  return true;
}

// It is `text`.
inline bool is_text(std::span<const Operand> operands, std::string_view text) {
  const std::size_t end = text.size();
  return starts_with(operands, text) && end / 4 < operands.size() &&
         (operands[end / 4].word >> (8 * (end % 4)) & 0xff) == 0;
}

}  // namespace varylink::spirv
