#include "base/printable.h"

#include <array>
#include <cstdint>
#include <cstdio>

namespace varylink {
namespace {

struct Character {
  std::uint32_t code = 0;
  std::size_t length = 0;  // in bytes; 0: no UTF-8
};

// The character at the front (RFC 3629).
Character first_of(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return {byte(0), 1};
  const std::size_t length = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < length) return {};
  std::uint32_t code = byte(0) & (0xffu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3fu);
  }
  const bool is_overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  if (is_overlong || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return {};
  return {code, length};
}

bool is_command(std::uint32_t code) {
  const auto within = [&](std::uint32_t first, std::uint32_t last) { return code >= first && code <= last; };
  return code < 0x20 || within(0x7f, 0x9f) || code == 0x61c || within(0x200e, 0x200f) || within(0x2028, 0x202e) ||
         within(0x2066, 0x2069) || code == 0xfeff;
}

std::string escaped(std::uint32_t code) {
  if (code == '\n') return "\\n";
  if (code == '\t') return "\\t";
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), code < 0x100 ? "\\x%02x" : "\\u%04x", static_cast<unsigned>(code));
  return text.data();
}

}  // namespace

std::string printable(std::string_view text, LineBreaks breaks) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const Character character = first_of(text);
    const bool is_kept = breaks == LineBreaks::kept && (character.code == '\n' || character.code == '\t');
    if (character.length == 0)
      result += escaped(static_cast<unsigned char>(text.front()));
    else if (is_command(character.code) && !is_kept)
      result += escaped(character.code);
    else
      result += text.substr(0, character.length);
    text.remove_prefix(character.length == 0 ? 1 : character.length);
  }
  return result;
}

}  // namespace varylink
