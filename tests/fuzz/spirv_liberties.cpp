// Shapes of what compilers are free to do, and of what has no defined value. None of it shows in the picture.
#include "fuzz/spirv_shapes.h"

namespace varylink::fuzz {
namespace {

std::string declare(Assembly& m, const std::string& storage, const std::string& type, int location) {
  const std::string id = m.variable(storage, type);
  m.decorate(id, "Location " + std::to_string(location));
  if (storage == "Input") m.decorate(id, "Flat");
  return id;
}

std::string read_flat(Assembly& m, const std::string& type, int location) {
  return m.load(type, declare(m, "Input", type, location));
}

std::string component(Assembly& m, const std::string& vector, int index) {
  return m.op(m.float_type(), "OpCompositeExtract " + vector + " " + std::to_string(index));
}

std::string widen(Assembly& m, const std::string& scalar) {
  return m.op(m.floats(4), "OpCompositeConstruct " + scalar + " " + scalar + " " + scalar + " " + scalar);
}

// What holds gives 1, else 0.25.
std::string choose(Assembly& m, const std::string& condition) {
  return m.op(m.float_type(), "OpSelect " + condition + " " + m.float_constant("1") + " " + m.float_constant("0.25"));
}

// ---- a float operation twice, once with RelaxedPrecision, of which that one is only compared with what it never is

void write_relaxed_twins(Assembly& m, Random& random, int location, const VertexValues& v) {
  const std::string operation =
      std::string(random.chance(0.5) ? "OpFMul " : "OpFAdd ") + component(m, v.a, 0) + " " + component(m, v.b, 1);
  const bool relaxed_first = random.chance(0.7);
  for (int i = 0; i < 2; ++i) {
    const std::string result = m.free(m.op(m.float_type(), operation));
    const bool relaxed = (i == 0) == relaxed_first;
    if (relaxed) m.decorate(result, "RelaxedPrecision");
    const std::string output = declare(m, "Output", m.float_type(), relaxed ? location : location + 1);
    if (relaxed) m.decorate(output, "RelaxedPrecision");
    m.store(output, result);
  }
}

std::string read_relaxed_twins(Assembly& m, Random&, int location) {
  const std::string relaxed = read_flat(m, m.float_type(), location);
  const std::string full = read_flat(m, m.float_type(), location + 1);
  const std::string much = m.op(m.bool_type(), "OpFOrdGreaterThan " + relaxed + " " + m.float_constant("100000"));
  const std::string scaled = m.free(m.op(m.float_type(), "OpFMul " + full + " " + m.float_constant("0.375")));
  return widen(m, m.op(m.float_type(), "OpFAdd " + scaled + " " + choose(m, much)));
}

// ---- an integer operation twice, once without wrapping

void write_wrapping_twins(Assembly& m, Random& random, int location, const VertexValues& v) {
  static const char* const kOperations[] = {"OpIAdd ", "OpISub ", "OpIMul "};
  static const char* const kPermissions[] = {"NoSignedWrap", "NoUnsignedWrap"};
  m.extension("SPV_KHR_no_integer_wrap_decoration");
  const std::string more = m.op(m.uint_type(), "OpBitwiseOr " + v.n + " " + m.uint_constant(2));
  const std::string operation = kOperations[random.below(3)] + more + " " + m.uint_constant(2);
  const char* const permission = kPermissions[random.below(2)];
  const bool permitted_first = random.chance(0.7);
  for (int i = 0; i < 2; ++i) {
    const std::string result = m.op(m.uint_type(), operation);
    const bool permitted = (i == 0) == permitted_first;
    if (permitted) m.decorate(result, permission);
    m.store(declare(m, "Output", m.uint_type(), permitted ? location : location + 1), result);
  }
}

std::string read_wrapping_twins(Assembly& m, Random&, int location) {
  const std::string permitted = read_flat(m, m.uint_type(), location);
  const std::string wrapping = read_flat(m, m.uint_type(), location + 1);
  const std::string never = m.op(m.bool_type(), "OpIEqual " + permitted + " " + m.uint_constant(123456789));
  const std::string scaled = m.op(m.uint_type(), "OpIMul " + wrapping + " " + m.uint_constant(3));
  const std::string low = m.op(m.uint_type(), "OpBitwiseAnd " + scaled + " " + m.uint_constant(31));
  const std::string number = m.op(m.float_type(), "OpConvertUToF " + low);
  return widen(m, m.op(m.float_type(), "OpFAdd " + number + " " + choose(m, never)));
}

// ---- a product that is compared with the same product behind the interface

void store_twice(Assembly& m, const std::string& product, int location, const VertexValues& v) {
  m.store(declare(m, "Output", m.float_type(), location), product);
  const std::string other = m.op(m.float_type(), "OpSelect " + v.flag + " " + product + " " + component(m, v.a, 2));
  m.store(declare(m, "Output", m.float_type(), location + 1), other);
}

std::string compare_two(Assembly& m, int location) {
  const std::string left = read_flat(m, m.float_type(), location), right = read_flat(m, m.float_type(), location + 1);
  const std::string difference = m.free(m.op(m.float_type(), "OpFSub " + left + " " + right));
  return choose(m, m.op(m.bool_type(), "OpFOrdEqual " + difference + " " + m.float_constant("0")));
}

void write_compared_product(Assembly& m, Random&, int location, const VertexValues& v) {
  const std::string product = m.op(m.float_type(), "OpFMul " + component(m, v.a, 0) + " " + component(m, v.b, 1));
  store_twice(m, m.free(product), location, v);
}

std::string read_compared_product(Assembly& m, Random&, int location) { return widen(m, compare_two(m, location)); }

// The scalar `index` of a vec4 in a uniform buffer.
std::string uniform(Assembly& m, const std::string& block, int index) {
  const std::string pointer = m.op(m.pointer("Uniform", m.float_type()),
                                   "OpAccessChain " + block + " " + m.int_constant(0) + " " + m.int_constant(index));
  return m.load(m.float_type(), pointer);
}

std::string declare_uniforms(Assembly& m) {
  // Names nobody else's type has: decorations of a type are given once.
  const std::string block = m.fresh("block");
  m.declare(block + " = OpTypeStruct " + m.floats(4));
  m.decorate(block, "Block");
  m.annotation("OpMemberDecorate " + block + " 0 Offset 0");
  const std::string variable = m.variable("Uniform", block);
  m.decorate(variable, "DescriptorSet 0");
  m.decorate(variable, "Binding 7");
  return variable;
}

void write_compared_uniforms(Assembly& m, Random&, int location, const VertexValues& v) {
  const std::string block = declare_uniforms(m);
  store_twice(m, m.free(m.op(m.float_type(), "OpFMul " + uniform(m, block, 0) + " " + uniform(m, block, 1))), location,
              v);
}

std::string read_compared_uniforms(Assembly& m, Random&, int location) {
  const std::string shade = uniform(m, declare_uniforms(m), 2);
  return widen(m, m.op(m.float_type(), "OpFAdd " + compare_two(m, location) + " " + shade));
}

// ---- elements that are not there

std::string two_floats(Assembly& m) { return m.type("OpTypeArray " + m.float_type() + " " + m.uint_constant(2)); }

void write_outside(Assembly& m, Random& random, int location, const VertexValues& v) {
  const std::string array = declare(m, "Output", two_floats(m), location);
  const int elements = random.range(2, 3);
  for (int i = 0; i < elements; ++i)
    m.store(m.op(m.pointer("Output", m.float_type()), "OpAccessChain " + array + " " + m.int_constant(i)),
            component(m, v.a, i));
}

std::string read_outside(Assembly& m, Random& random, int location) {
  const std::string array = declare(m, "Input", two_floats(m), location);
  const auto element = [&](int index) {
    return m.load(m.float_type(),
                  m.op(m.pointer("Input", m.float_type()), "OpAccessChain " + array + " " + m.int_constant(index)));
  };
  const std::string outside = element(random.range(2, 5));
  const std::string never = m.op(m.bool_type(), "OpFOrdGreaterThan " + outside + " " + m.float_constant("1e+30"));
  return widen(m, m.op(m.float_type(), "OpFAdd " + element(random.range(0, 1)) + " " + choose(m, never)));
}

// ---- a whole array of which nothing is read but an element that is not there, beside what packing puts together

std::string one_vector(Assembly& m) { return m.type("OpTypeArray " + m.floats(4) + " " + m.uint_constant(1)); }

void write_outside_vector(Assembly& m, Random& random, int location, const VertexValues& v) {
  m.store(declare(m, "Output", m.floats(4), location), v.a);
  const std::string array = declare(m, "Output", one_vector(m), location + 1);
  const int components = random.range(1, 3);
  for (int i = 0; i < components; ++i)
    m.store(m.op(m.pointer("Output", m.float_type()),
                 "OpAccessChain " + array + " " + m.int_constant(0) + " " + m.int_constant(i)),
            component(m, v.b, i));
}

std::string read_outside_vector(Assembly& m, Random& random, int location) {
  const std::string beside = m.variable("Input", m.floats(4)), array = m.variable("Input", one_vector(m));
  m.decorate(beside, "Location " + std::to_string(location));
  m.decorate(array, "Location " + std::to_string(location + 1));
  const std::string pointer = m.op(m.pointer("Input", m.floats(4)), "OpAccessChain " + array + " " + m.int_constant(1));
  const std::string vector = m.load(m.floats(4), pointer), shown = m.load(m.floats(4), beside);
  std::string outside = component(m, vector, 0);
  if (random.chance(0.7)) outside = m.op(m.float_type(), "OpFMul " + outside + " " + component(m, vector, 1));
  const std::string never = m.op(m.bool_type(), "OpFOrdGreaterThan " + outside + " " + m.float_constant("1e+30"));
  std::string sum = choose(m, never);
  const int components = random.range(1, 3);
  for (int i = 0; i < components; ++i) sum = m.op(m.float_type(), "OpFAdd " + sum + " " + component(m, shown, i));
  return widen(m, sum);
}

// ---- constants of which an operation is undefined

void write_undefined(Assembly& m, Random& random, int location, const VertexValues&) {
  static const int kDivisors[] = {-1, 0, 40, -3};
  m.store(declare(m, "Output", m.int_type(), location), m.constant(m.int_type(), "-2147483648"));
  m.store(declare(m, "Output", m.int_type(), location + 1), m.int_constant(kDivisors[random.below(4)]));
}

std::string read_undefined(Assembly& m, Random& random, int location) {
  static const char* const kOperations[] = {"OpSDiv ", "OpSRem ", "OpSMod ", "OpShiftRightArithmetic "};
  const std::string left = read_flat(m, m.int_type(), location), right = read_flat(m, m.int_type(), location + 1);
  const std::string result = m.op(m.int_type(), kOperations[random.below(4)] + left + " " + right);
  return widen(m, choose(m, m.op(m.bool_type(), "OpIEqual " + result + " " + m.int_constant(12345))));
}

}  // namespace

std::vector<Shape> liberty_shapes() {
  return {
      {"relaxed-twins", 2, write_relaxed_twins, read_relaxed_twins, true},
      {"wrapping-twins", 2, write_wrapping_twins, read_wrapping_twins, true},
      {"compared-product", 2, write_compared_product, read_compared_product, true},
      {"compared-uniforms", 2, write_compared_uniforms, read_compared_uniforms, true},
      {"outside-index", 2, write_outside, read_outside, false},
      {"outside-vector", 2, write_outside_vector, read_outside_vector, false},
      {"undefined-operation", 2, write_undefined, read_undefined, false},
  };
}

}  // namespace varylink::fuzz
