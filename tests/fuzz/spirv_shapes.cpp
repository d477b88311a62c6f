#include "fuzz/spirv_shapes.h"

namespace varylink::fuzz {
namespace {

std::string at(int location) { return "Location " + std::to_string(location); }
std::string at(int location, int component) { return "Component " + std::to_string(component) + "\x1f" + at(location); }

void place(Assembly& module, const std::string& variable, const std::string& where) {
  const std::size_t split = where.find('\x1f');
  if (split == std::string::npos) {
    module.decorate(variable, where);
    return;
  }
  module.decorate(variable, where.substr(0, split));
  module.decorate(variable, where.substr(split + 1));
}

std::string declare_output(Assembly& m, const std::string& type, const std::string& where,
                           const std::string& init = {}) {
  const std::string id = m.variable("Output", type, init);
  place(m, id, where);
  return id;
}

std::string declare_input(Assembly& m, const std::string& type, const std::string& where, bool flat = false) {
  const std::string id = m.variable("Input", type);
  place(m, id, where);
  if (flat) m.decorate(id, "Flat");
  return id;
}

std::string constant_vec4(Assembly& m) {
  return m.composite(m.floats(4), m.float_constant("0.25") + " " + m.float_constant("-0.5") + " " +
                                      m.float_constant("1") + " " + m.float_constant("0.75"));
}

std::string widen(Assembly& m, const std::string& scalar) {
  return m.op(m.floats(4), "OpCompositeConstruct " + scalar + " " + scalar + " " + scalar + " " + scalar);
}

// ---- a vec4 with an initializer that one path overwrites, or none

void write_initialized(Assembly& m, Random& random, int location, const VertexValues& v) {
  const std::string output = declare_output(m, m.floats(4), at(location), constant_vec4(m));
  const int stores = random.range(0, 2);
  if (stores == 0) return;
  if (stores == 2) {
    m.store(output, v.a);
    return;
  }
  const std::string then_block = m.fresh("b"), merge_block = m.fresh("b");
  m.line("OpSelectionMerge " + merge_block + " None");
  m.line("OpBranchConditional " + v.flag + " " + then_block + " " + merge_block);
  m.open(then_block);
  m.store(output, v.b);
  m.line("OpBranch " + merge_block);
  m.open(merge_block);
}

std::string read_vec4(Assembly& m, Random&, int location) {
  return m.load(m.floats(4), declare_input(m, m.floats(4), at(location)));
}

// ---- a struct that is copied as memory

std::string pair_type(Assembly& m) { return m.type("OpTypeStruct " + m.floats(3) + " " + m.floats(2)); }

void write_copied_memory(Assembly& m, Random&, int location, const VertexValues& v) {
  const std::string pair = pair_type(m);
  const std::string output = declare_output(m, pair, at(location));
  const std::string shadow = m.variable("Private", pair);
  const std::string first = m.op(m.floats(3), "OpVectorShuffle " + v.a + " " + v.b + " 0 5 2");
  const std::string second = m.op(m.floats(2), "OpVectorShuffle " + v.a + " " + v.b + " 3 4");
  m.store(shadow, m.op(pair, "OpCompositeConstruct " + first + " " + second));
  m.line("OpCopyMemory " + output + " " + shadow);
}

std::string read_copied_memory(Assembly& m, Random& random, int location) {
  const std::string pair = pair_type(m);
  const std::string input = declare_input(m, pair, at(location));
  const std::string shadow = m.variable("Private", pair);
  m.line("OpCopyMemory " + shadow + " " + input);
  const std::string whole = m.load(pair, shadow);
  const std::string first = m.op(m.floats(3), "OpCompositeExtract " + whole + " 0");
  if (random.chance(0.3)) return m.op(m.floats(4), "OpVectorShuffle " + first + " " + first + " 0 1 2 0");
  const std::string second = m.op(m.floats(2), "OpCompositeExtract " + whole + " 1");
  return m.op(m.floats(4), "OpVectorShuffle " + first + " " + second + " 0 2 3 4");
}

// ---- a pointer that is copied

void write_copied_pointer(Assembly& m, Random&, int location, const VertexValues& v) {
  const std::string output = declare_output(m, m.floats(4), at(location));
  const std::string pointer = m.op(m.pointer("Output", m.floats(4)), "OpCopyObject " + output);
  m.store(pointer, v.a);
  const std::string scalar =
      m.op(m.pointer("Output", m.float_type()), "OpAccessChain " + pointer + " " + m.int_constant(2));
  m.store(scalar, m.op(m.float_type(), "OpCompositeExtract " + v.b + " 1"));
}

std::string read_copied_pointer(Assembly& m, Random&, int location) {
  const std::string input = declare_input(m, m.floats(4), at(location));
  const std::string pointer = m.op(m.pointer("Input", m.floats(4)), "OpCopyObject " + input);
  return m.load(m.floats(4), pointer);
}

// ---- decorations through a group

void write_grouped(Assembly& m, Random&, int location, const VertexValues& v) {
  const std::string output = m.variable("Output", m.floats(4));
  const std::string group = m.fresh("group");
  m.decorate(group, at(location));
  m.decorate(group, "RelaxedPrecision");
  m.annotation(group + " = OpDecorationGroup");
  m.annotation("OpGroupDecorate " + group + " " + output);
  m.store(output, v.b);
}

std::string read_grouped(Assembly& m, Random& random, int location) {
  const std::string input = m.variable("Input", m.floats(4));
  const std::string group = m.fresh("group");
  m.decorate(group, at(location));
  if (random.chance(0.5)) m.decorate(group, "NoPerspective");
  m.annotation(group + " = OpDecorationGroup");
  m.annotation("OpGroupDecorate " + group + " " + input);
  return m.load(m.floats(4), input);
}

// ---- several types in one location, all flat, as packing compilers make them

void write_mixed_types(Assembly& m, Random&, int location, const VertexValues& v) {
  const std::string number = declare_output(m, m.uint_type(), at(location, 0));
  const std::string real = declare_output(m, m.float_type(), at(location, 1));
  const std::string integer = declare_output(m, m.int_type(), at(location, 2));
  for (const std::string& id : {number, real, integer}) m.decorate(id, "Flat");
  m.store(number, v.n);
  m.store(real, m.op(m.float_type(), "OpCompositeExtract " + v.a + " 1"));
  m.store(integer, m.op(m.int_type(), "OpBitcast " + m.op(m.uint_type(), "OpIAdd " + v.n + " " + m.uint_constant(7))));
}

std::string read_mixed_types(Assembly& m, Random&, int location) {
  const std::string number = m.load(m.uint_type(), declare_input(m, m.uint_type(), at(location, 0), true));
  const std::string real = m.load(m.float_type(), declare_input(m, m.float_type(), at(location, 1), true));
  const std::string integer = m.load(m.int_type(), declare_input(m, m.int_type(), at(location, 2), true));
  const std::string masked = m.op(m.uint_type(), "OpBitwiseAnd " + number + " " + m.uint_constant(15));
  const std::string from_uint = m.op(m.float_type(), "OpConvertUToF " + masked);
  const std::string low = m.op(m.int_type(), "OpBitwiseAnd " + integer + " " + m.int_constant(31));
  const std::string from_int = m.op(m.float_type(), "OpConvertSToF " + low);
  return m.op(m.floats(4), "OpCompositeConstruct " + from_uint + " " + real + " " + from_int + " " + real);
}

// ---- shuffles with lanes that nobody defined

void write_undef_lanes(Assembly& m, Random& random, int location, const VertexValues& v) {
  const std::string output = declare_output(m, m.floats(4), at(location));
  const std::string lane = random.chance(0.5) ? "4294967295" : "1";
  m.store(output, m.op(m.floats(4), "OpVectorShuffle " + v.a + " " + v.b + " 0 5 2 4294967295"));
  if (lane == "1") return;
  const std::string known =
      m.op(m.floats(4), "OpCompositeInsert " + m.op(m.float_type(), "OpCompositeExtract " + v.b + " 2") + " " +
                            m.undef(m.floats(4)) + " 0");
  m.store(output, m.op(m.floats(4), "OpVectorShuffle " + known + " " + v.a + " 0 6 5 4294967295"));
}

std::string read_three_lanes(Assembly& m, Random& random, int location) {
  const std::string value = m.load(m.floats(4), declare_input(m, m.floats(4), at(location)));
  if (random.chance(0.5)) return m.op(m.floats(4), "OpVectorShuffle " + value + " " + value + " 0 1 2 0");
  const std::string pick = m.op(m.floats(3), "OpVectorShuffle " + value + " " + m.undef(m.floats(4)) + " 2 1 0");
  return m.op(m.floats(4), "OpVectorShuffle " + pick + " " + pick + " 0 1 2 2");
}

// ---- phis of structs and arrays

std::string array_type(Assembly& m) { return m.type("OpTypeArray " + m.floats(2) + " " + m.uint_constant(2)); }

void write_phi(Assembly& m, Random& random, int location, const VertexValues& v) {
  const std::string array = array_type(m);
  const std::string output = declare_output(m, array, at(location));
  const std::string low = m.op(m.floats(2), "OpVectorShuffle " + v.a + " " + v.a + " 0 1");
  const std::string high = m.op(m.floats(2), "OpVectorShuffle " + v.b + " " + v.b + " 2 3");
  const std::string then_block = m.fresh("b"), else_block = m.fresh("b"), merge_block = m.fresh("b");
  m.line("OpSelectionMerge " + merge_block + " None");
  m.line("OpBranchConditional " + v.flag + " " + then_block + " " + else_block);
  m.open(then_block);
  const std::string first = m.op(array, "OpCompositeConstruct " + low + " " + high);
  m.line("OpBranch " + merge_block);
  m.open(else_block);
  const std::string second = m.op(array, "OpCompositeConstruct " + (random.chance(0.5) ? low : high) + " " + high);
  m.line("OpBranch " + merge_block);
  m.open(merge_block);
  m.store(output, m.op(array, "OpPhi " + first + " " + then_block + " " + second + " " + else_block));
}

std::string read_array(Assembly& m, Random&, int location) {
  const std::string whole = m.load(array_type(m), declare_input(m, array_type(m), at(location)));
  const std::string low = m.op(m.floats(2), "OpCompositeExtract " + whole + " 0");
  const std::string high = m.op(m.floats(2), "OpCompositeExtract " + whole + " 1");
  return m.op(m.floats(4), "OpVectorShuffle " + low + " " + high + " 0 1 2 3");
}

// ---- components picked by a number

void write_dynamic(Assembly& m, Random&, int location, const VertexValues& v) {
  const std::string output = declare_output(m, m.floats(4), at(location));
  const std::string index = m.op(m.uint_type(), "OpBitwiseAnd " + v.n + " " + m.uint_constant(3));
  const std::string scalar = m.op(m.float_type(), "OpVectorExtractDynamic " + v.a + " " + index);
  m.store(output, m.op(m.floats(4), "OpVectorInsertDynamic " + v.b + " " + scalar + " " + index));
}

// ---- selects, constants that all stores agree on, and a value nobody reads

void write_select(Assembly& m, Random& random, int location, const VertexValues& v) {
  const std::string output = declare_output(m, m.floats(4), at(location));
  const std::string bools = m.vector(m.bool_type(), 4);
  const std::string flags = m.op(bools, "OpCompositeConstruct " + v.flag + " " + v.flag + " " + v.flag + " " + v.flag);
  const std::string other = random.chance(0.5) ? constant_vec4(m) : v.b;
  m.store(output, m.op(m.floats(4), "OpSelect " + flags + " " + other + " " + (random.chance(0.3) ? other : v.a)));
}

std::string read_scalar_chain(Assembly& m, Random& random, int location) {
  const std::string input = declare_input(m, m.floats(4), at(location));
  const std::string index = random.chance(0.5) ? m.uint_constant(1) : m.int_constant(3);
  const std::string pointer = m.op(m.pointer("Input", m.float_type()), "OpInBoundsAccessChain " + input + " " + index);
  return widen(m, m.load(m.float_type(), pointer));
}

// ---- a matrix, written column by column and read as a whole

std::string matrix_type(Assembly& m) { return m.type("OpTypeMatrix " + m.floats(3) + " 2"); }

void write_matrix(Assembly& m, Random&, int location, const VertexValues& v) {
  const std::string output = declare_output(m, matrix_type(m), at(location));
  const std::string pointer = m.pointer("Output", m.floats(3));
  const std::string first = m.op(m.floats(3), "OpVectorShuffle " + v.a + " " + v.a + " 0 1 2");
  const std::string second = m.op(m.floats(3), "OpVectorShuffle " + v.b + " " + v.b + " 3 0 1");
  m.store(m.op(pointer, "OpAccessChain " + output + " " + m.int_constant(0)), first);
  m.store(m.op(pointer, "OpAccessChain " + output + " " + m.int_constant(1)), second);
}

std::string read_matrix(Assembly& m, Random&, int location) {
  const std::string matrix = m.load(matrix_type(m), declare_input(m, matrix_type(m), at(location)));
  const std::string factors = m.composite(m.floats(2), m.float_constant("0.5") + " " + m.float_constant("0.25"));
  const std::string product = m.op(m.floats(3), "OpMatrixTimesVector " + matrix + " " + factors);
  return m.op(m.floats(4), "OpVectorShuffle " + product + " " + product + " 0 1 2 0");
}

// ---- members of 16 bits beside one of 32, of which one is not read

std::string halves(Assembly& m, int rows) {
  m.capability("StorageInputOutput16");
  m.extension("SPV_KHR_16bit_storage");
  const std::string half = m.type("OpTypeFloat 16");
  return rows == 1 ? half : m.vector(half, rows);
}

std::string struct_of_halves(Assembly& m) {
  return m.type("OpTypeStruct " + halves(m, 2) + " " + m.float_type() + " " + halves(m, 1));
}

// Without this halves are converted, loaded and stored only.
void maybe_compute_with_halves(Assembly& m, Random& random) {
  if (random.chance(0.5)) m.capability("Float16");
}

void write_halves(Assembly& m, Random& random, int location, const VertexValues& v) {
  maybe_compute_with_halves(m, random);
  const std::string output = declare_output(m, struct_of_halves(m), at(location));
  const std::string two = m.op(m.floats(2), "OpVectorShuffle " + v.a + " " + v.a + " 1 2");
  const std::string one = m.op(m.float_type(), "OpCompositeExtract " + v.b + " 0");
  const std::string values[] = {m.op(halves(m, 2), "OpFConvert " + two), one, m.op(halves(m, 1), "OpFConvert " + one)};
  const std::string types[] = {halves(m, 2), m.float_type(), halves(m, 1)};
  for (int member = 0; member < 3; ++member) {
    const std::string pointer = m.pointer("Output", types[member]);
    m.store(m.op(pointer, "OpAccessChain " + output + " " + m.int_constant(member)), values[member]);
  }
}

std::string read_halves(Assembly& m, Random& random, int location) {
  maybe_compute_with_halves(m, random);
  const std::string input = declare_input(m, struct_of_halves(m), at(location));
  const auto read = [&](const std::string& type, const std::string& indices) {
    return m.load(type, m.op(m.pointer("Input", type), "OpAccessChain " + input + indices));
  };
  const std::string half = random.chance(0.5)
                               ? read(halves(m, 1), " " + m.int_constant(2))
                               : read(halves(m, 1), " " + m.int_constant(0) + " " + m.int_constant(random.range(0, 1)));
  const std::string whole = read(m.float_type(), " " + m.int_constant(1));
  return widen(m, m.op(m.float_type(), "OpFAdd " + m.op(m.float_type(), "OpFConvert " + half) + " " + whole));
}

}  // namespace

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all = [] {
    std::vector<Shape> result = {
        {"initializer", 1, write_initialized, read_vec4},
        {"copy-memory", 2, write_copied_memory, read_copied_memory},
        {"copy-pointer", 1, write_copied_pointer, read_copied_pointer},
        {"decoration-group", 1, write_grouped, read_grouped},
        {"mixed-types", 1, write_mixed_types, read_mixed_types},
        {"undef-lanes", 1, write_undef_lanes, read_three_lanes},
        {"phi-of-composites", 2, write_phi, read_array},
        {"dynamic-component", 1, write_dynamic, read_vec4},
        {"select", 1, write_select, read_scalar_chain},
        {"matrix-columns", 2, write_matrix, read_matrix},
    };
    for (const Shape& shape : liberty_shapes()) result.push_back(shape);
    result.push_back({"halves", 3, write_halves, read_halves});
    return result;
  }();
  return all;
}

}  // namespace varylink::fuzz
