#include "spirv/cleanup/undefined_operations.h"

#include <array>

#include "support/catch.h"

namespace varylink::spirv {
namespace {

using spv::Op;

std::optional<Bits> defined(Op op, std::uint32_t width, Bits a, Bits b) {
  const NumberType type{NumberType::Kind::integer, width};
  return apply(op, 0, type, type, std::array{a, b});
}

std::optional<Bits> any(Op op, std::uint32_t width, Bits a, Bits b) {
  const NumberType type{NumberType::Kind::integer, width};
  return any_result(op, 0, type, type, std::array{a, b});
}

std::optional<Bits> any_conversion(Op op, std::uint32_t width, double value) {
  return any_result(op, 0, {NumberType::Kind::integer, width}, {NumberType::Kind::floating, 32},
                    std::array{*nearest_float(value, 32)});
}

}  // namespace

// allows
TEST_CASE("what is undefined has a value of its own", "[folding]") {
  for (const std::uint32_t width : {8u, 16u, 32u, 64u}) {
    const Bits all = low_bits(~Bits{0}, width), least = Bits{1} << (width - 1);
    CHECK_FALSE(defined(Op::OpSDiv, width, least, all));
    CHECK(any(Op::OpSDiv, width, least, all) == least);
    CHECK(any(Op::OpSRem, width, least, all) == 0u);
    CHECK(any(Op::OpUDiv, width, 5, 0) == all);
    CHECK(any(Op::OpShiftLeftLogical, width, 1, width) == 1u);
    CHECK(any(Op::OpSRem, width, low_bits(0 - Bits{7}, width), 4) == low_bits(0 - Bits{3}, width));
    CHECK(any(Op::OpSMod, width, low_bits(0 - Bits{7}, width), 4) == 1u);
    CHECK_FALSE(any(Op::OpSDiv, width, 6, 3));
    CHECK_FALSE(any(Op::OpIAdd, width, 6, 3));
  }
}

TEST_CASE("a number out of the range of integers becomes the nearest of them", "[folding]") {
  CHECK(any_conversion(Op::OpConvertFToS, 32, 1e10) == 0x7fffffffu);
  CHECK(any_conversion(Op::OpConvertFToS, 16, -1e10) == 0x8000u);
  CHECK(any_conversion(Op::OpConvertFToU, 32, -5.0) == 0u);
  CHECK(any_conversion(Op::OpConvertFToU, 64, 1e30) == ~Bits{0});
  CHECK_FALSE(any_conversion(Op::OpConvertFToS, 32, 5.0));
}

}  // namespace varylink::spirv
