// Expressions in which values have another width, or another number of components, than what they are made of.
#include <utility>

#include "fuzz/expressions.h"

namespace varylink::fuzz {
namespace {

const Type kUint = simple_type(Base::uint32, 1);
const Type kInt = simple_type(Base::sint32, 1);
const Type kFloat = simple_type(Base::float32, 1);

// "i16vec3", "uint64_t", ...
std::string other_width_name(Base base, int width, int rows) {
  const bool is_double = base == Base::float32 && width == 64;
  if (is_double) return glsl_name(simple_type(Base::float64, rows));
  const std::string prefix = base == Base::float32 ? "f" : base == Base::sint32 ? "i" : "u";
  const std::string scalar = base == Base::float32 ? "float" : base == Base::sint32 ? "int" : "uint";
  const std::string bits = std::to_string(width);
  return rows == 1 ? scalar + bits + "_t" : prefix + bits + "vec" + std::to_string(rows);
}

// Replaces every "T" of the pattern by the type's name.
std::string with_type(const std::string& pattern, const std::string& name) {
  std::string text;
  for (const char c : pattern) text += c == 'T' ? name : std::string(1, c);
  return text;
}

struct Cast {
  const char* pattern;
  Type first;   // of $0
  Type second;  // of $1, if the pattern has one
};

// Every one gives any bits; pairs of halves, and halves of a double word, change places so that a lost one shows. Not
// the sign of a float, which is the driver's to choose where the float is zero (docs/verification.md), behind abs()
// too: FAbs of -0 may be -0.
const std::vector<Cast>& uint_casts() {
  static const std::vector<Cast> casts = {
      {"packUint2x16(unpackUint2x16($0).yx)", kUint, kUint},
      {"packFloat2x16(unpackFloat2x16($0))", kUint, kUint},
      {"(packFloat2x16(f16vec2($0)) & 0x7fff7fffu)", simple_type(Base::float32, 2), kUint},
      {"packUint2x16(u16vec2($0))", simple_type(Base::uint32, 2), kUint},
      {"unpackUint2x32(packUint2x32(uvec2($0, $1)) + 5ul).y", kUint, kUint},
      {"uint(packUint2x32(uvec2($0, $1)) >> 16)", kUint, kUint},
      {"(unpackUint2x32(doubleBitsToUint64(double($0))).y & 0x7fffffffu)", kFloat, kUint},
      {"pack32(unpack8($0).wzyx)", kUint, kUint},
      {"pack32(u8vec4($0))", simple_type(Base::uint32, 4), kUint},
      {"(floatBitsToUint($0) & 0x7fffffffu)", kFloat, kUint},
      {"uint(unpackInt2x16($0).x)", kInt, kUint},
  };
  return casts;
}

const std::vector<Cast>& uint_pair_casts() {
  static const std::vector<Cast> casts = {
      {"uvec2(unpackUint2x16($0))", kUint, kUint},
      {"unpackUint2x32(packUint2x32($0) * 3ul)", simple_type(Base::uint32, 2), kUint},
      {"(unpackUint2x32(doubleBitsToUint64(double($0))) & uvec2(0xffffffffu, 0x7fffffffu))", kFloat, kUint},
      {"uvec2(unpack8($0).xw)", kUint, kUint},
  };
  return casts;
}

// Numbers in [-1, 1] that are normal: the exponent bits are not those of small or large numbers.
const std::vector<Cast>& float_casts() {
  static const std::vector<Cast> casts = {
      {"uintBitsToFloat(($0 & 0x807fffffu) | 0x3f000000u)", kUint, kUint},
      {"float(unpackFloat2x16(($0 & 0xbbffbbffu) | 0x04000400u).x)", kUint, kUint},
      {"float(unpackFloat2x16(($0 & 0xbbffbbffu) | 0x04000400u).y)", kUint, kUint},
      {"float(uint64BitsToDouble(packUint2x32(uvec2($0, ($1 & 0x800fffffu) | 0x3fe00000u))))", kUint, kUint},
  };
  return casts;
}

}  // namespace

// A vector is made of scalars and, where casts give two components, of pairs.
Expr Expressions::make_bit_cast(const Type& type, int depth) {
  const bool is_float = type.base == Base::float32;
  if (type.rows > 2) {
    Expr parts = node(type, glsl_name(type) + "($0, $1)", {}, 1.0);
    parts.args.push_back(make_bit_cast(simple_type(type.base, 2), depth - 1));
    parts.args.push_back(make_bit_cast(simple_type(type.base, type.rows - 2), depth - 1));
    return parts;
  }
  if (type.rows == 2 && is_float) {
    Expr number = make(kUint, depth - 1);
    return node(type, "vec2(unpackFloat2x16(($0 & 0xbbffbbffu) | 0x04000400u))", {std::move(number)}, 1.0);
  }
  const Cast& cast = random_.pick(is_float ? float_casts() : type.rows == 2 ? uint_pair_casts() : uint_casts());
  const std::string pattern = cast.pattern;
  // The last bit of what was interpolated is the driver's, unless everything is exact.
  const bool reads_bits_of_float = cast.first.base == Base::float32 && !exact_;
  std::vector<Expr> args = {reads_bits_of_float ? make_uniform(cast.first, depth - 1) : make(cast.first, depth - 1)};
  if (pattern.find("$1") != std::string::npos) args.push_back(make(cast.second, depth - 1));
  Expr value = node(is_float ? type : simple_type(Base::uint32, type.rows), pattern, std::move(args), 1.0);
  return value.type == type ? value : node(type, glsl_name(type) + "($0)", {std::move(value)}, 1.0);
}

Expr Expressions::make_narrow(const Type& type, int depth) {
  static const std::vector<std::string> integers = {"(T($0) * T($1))", "(T($0) + T($1))", "(T($0) - T(3))",
                                                    "(T($0) >> T(2))", "(T($0) ^ T($1))", "(max(T($0), T($1)))"};
  static const std::vector<std::string> floats = {"(T($0) * T(0.5))", "(T($0) + T($1))", "(T(0.25) - T($0))"};
  const std::string pattern = random_.pick(type.is_integer() ? integers : floats);
  std::vector<Expr> args = {make(type, depth - 1)};
  double bound = args[0].bound + 1;
  if (pattern.find("$1") != std::string::npos) {
    args.push_back(make(type, depth - 1));
    bound += args[1].bound;
  }
  const std::string text = glsl_name(type) + with_type(pattern, other_width_name(type.base, 16, type.rows));
  return node(type, text, std::move(args), bound);
}

Expr Expressions::make_wide(const Type& type, int depth) {
  static const std::vector<std::string> integers = {"((T($0) * T($1)) >> 7)", "(T($0) + T($1))",
                                                    "((T($0) * T(40503)) >> 16)", "(T($0) << 3)",
                                                    "((T($0) ^ T($1)) >> 4)"};
  static const std::vector<std::string> floats = {"(T($0) * 0.5lf + T($1))", "(T($0) - T($1))", "(T($0) * 0.75lf)"};
  const std::string pattern = random_.pick(type.is_integer() ? integers : floats);
  std::vector<Expr> args = {make(type, depth - 1)};
  double bound = args[0].bound;
  if (pattern.find("$1") != std::string::npos) {
    args.push_back(make(type, depth - 1));
    bound += args[1].bound;
  }
  const std::string text = glsl_name(type) + with_type(pattern, other_width_name(type.base, 64, type.rows));
  return node(type, text, std::move(args), bound);
}

}  // namespace varylink::fuzz
