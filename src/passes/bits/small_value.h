// Values that need fewer bits than a component has: what they can be, and the code that makes bits of them and back.
#pragma once

#include <optional>

#include "graph/value_range.h"
#include "spirv/ir/emitter.h"

namespace varylink::passes {

struct SmallValue {
  enum class Kind : std::uint8_t {
    number,  // an integer from `least` on: the bits are its distance
    choice,  // one of two constants
    half,    // 16 bits as they are
  };
  Kind kind = Kind::number;
  varyings::ScalarType type;
  std::uint32_t bits = 1;
  std::uint32_t least = 0;                 // number: the bits of the least one
  std::uint32_t if_clear = 0, if_set = 0;  // choice: the bits of the constants
};

// None if the value may need a whole component. One of two floats is told apart by comparison, so that both have to be
// zero or normal, and not both zero.
std::optional<SmallValue> small_value(varyings::ScalarType type, const graph::ValueRange& range);

// Basic operations that the consumer needs to get the value out of a word, at bit 0, in the middle, or at its end.
double decoding_cost(const SmallValue& value, std::uint32_t offset, bool is_last);

class SmallValueCode {
 public:
  SmallValueCode(spirv::Globals& globals, spirv::Emitter& emitter) : globals_(globals), emitter_(emitter) {}

  // A uint with the bits of `id` at `offset` and zeros elsewhere, whatever an undefined `id` may be.
  spirv::Id encode(const SmallValue& value, spirv::Id id, std::uint32_t offset);
  // The value at `offset` of a word. `is_last`: the bits above it are zeros.
  spirv::Id decode(const SmallValue& value, spirv::Id word, std::uint32_t offset, bool is_last);
  spirv::Id combine(spirv::Id left, spirv::Id right);

 private:
  spirv::Id uint_type() { return globals_.int_type(32, false); }
  spirv::Id type_of(const SmallValue& value);
  spirv::Id constant(const SmallValue& value, std::uint32_t bits);
  spirv::Id binary(spv::Op op, spirv::Id left, std::uint32_t right);
  spirv::Id extract_bits(const SmallValue& value, spirv::Id word, std::uint32_t offset, bool is_last);

  spirv::Globals& globals_;
  spirv::Emitter& emitter_;
};

}  // namespace varylink::passes
