#include "spirv/ir/module.h"

#include "spirv/ir/globals.h"
#include "spirv/ir/uses.h"
#include "spirv/tools/binary.h"
#include "spirv/tools/tools.h"
#include "support/catch.h"

namespace varylink::spirv {
namespace {

constexpr std::string_view kVertex = R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main" %in %out
OpName %in "input"
OpName %Block "Block"
OpMemberName %Block 1 "second"
OpDecorate %in Location 0
OpDecorate %out Location 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%v4 = OpTypeVector %float 4
%Block = OpTypeStruct %v4 %float
%in_v4 = OpTypePointer Input %v4
%out_v4 = OpTypePointer Output %v4
%in = OpVariable %in_v4 Input
%out = OpVariable %out_v4 Output
%main = OpFunction %void None %fn
%l = OpLabel
%a = OpLoad %v4 %in
%b = OpFAdd %v4 %a %a
OpStore %out %b
OpReturn
OpFunctionEnd
)";

Module vertex() {
  const auto words = assemble(kVertex, TargetEnv::vulkan1_0, "test");
  REQUIRE(words);
  Result<Module> module = read_module(*words, "test");
  REQUIRE(module);
  return std::move(*module);
}

// The first instruction with that opcode in the only block.
InstRef find(const Module& module, spv::Op op) {
  for (const InstRef inst : module.functions.front().blocks.front().body)
    if (module[inst].op == op) return inst;
  FAIL("no such instruction");
  return {};
}

void check_valid(const Module& module) {
  const auto valid = validate(write_module(module), {}, "test");
  INFO((valid ? std::string() : render(valid.error())));
  CHECK(valid);
}

TEST_CASE("a module answers for its entry points and names", "[spirv]") {
  const Module module = vertex();
  const std::vector<EntryPoint> entries = module.entries();
  REQUIRE(entries.size() == 1);
  CHECK(entries.front().name == "main");
  CHECK(entries.front().model == spv::ExecutionModel::Vertex);
  REQUIRE(entries.front().interface.size() == 2);
  CHECK(module.name(entries.front().interface[0]) == "input");
  CHECK(module.name(entries.front().interface[1]).empty());
  CHECK(module.has_capability(spv::Capability::Shader));
  CHECK_FALSE(module.has_capability(spv::Capability::Geometry));
  CHECK(module.def_op(module.bound + 7) == spv::Op::OpNop);
  CHECK(module.function(entries.front().function) != nullptr);
  CHECK(module.function(module.bound) == nullptr);
  for (const InstRef inst : module.types)
    if (module[inst].op == spv::Op::OpTypeStruct) CHECK(module.member_name(module[inst].result, 1) == "second");
}

TEST_CASE("rewriting keeps result and type, killing takes the definition away", "[spirv]") {
  Module module = vertex();
  const InstRef add = find(module, spv::Op::OpFAdd);
  const Id sum = module[add].result, type = module[add].type;
  const Id loaded = module.operand(add, 0).word;
  module.rewrite(add, spv::Op::OpFNegate, {id(loaded)});
  CHECK(module[add].result == sum);
  CHECK(module[add].type == type);
  CHECK(module.operands(add).size() == 1);
  check_valid(module);

  const InstRef store = find(module, spv::Op::OpStore);
  module.set_operand(store, 1, id(loaded));
  module.kill(add);
  CHECK(module.is_dead(add));
  CHECK_FALSE(module.def(sum));
  const std::size_t before = module.functions.front().blocks.front().body.size();
  check_valid(module);
  module.sweep();
  CHECK(module.functions.front().blocks.front().body.size() == before - 1);
  check_valid(module);
}

TEST_CASE("a copy of a module does not change with the original", "[spirv]") {
  Module module = vertex();
  const Module copy = module;
  const std::vector<std::uint32_t> words = write_module(copy);
  module.kill(find(module, spv::Op::OpStore));
  CHECK(write_module(copy) == words);
  CHECK(write_module(module) != words);
}

TEST_CASE("types and constants are found before they are added", "[spirv]") {
  Module module = vertex();
  const std::size_t before = module.types.size();
  Globals globals(module);
  const Id scalar = globals.float_type(32);
  const Id vector = globals.vector_type(scalar, 4);
  CHECK(module.types.size() == before);
  CHECK(component_count(module, vector) == 4);
  CHECK(element_type(module, vector) == scalar);
  CHECK(globals.vector_type(scalar, 1) == scalar);

  const Id half = globals.scalar_constant(scalar, {0x3f000000u});
  CHECK(globals.scalar_constant(scalar, {0x3f000000u}) == half);
  CHECK(globals.scalar_constant(scalar, {0xbf000000u}) != half);
  CHECK(globals.scalar_constant(scalar, {0x00000000u}) != globals.scalar_constant(scalar, {0x80000000u}));
  const Id array = globals.array_type(vector, 3);
  CHECK(element_count(module, array) == 3);
  // An array type may carry an ArrayStride, so none is shared.
  CHECK(globals.array_type(vector, 3) != array);
  CHECK(pointee_type(module, globals.pointer_type(spv::StorageClass::Private, array)) == array);
  check_valid(module);
}

TEST_CASE("a removed global leaves no name, decoration or interface entry behind", "[spirv]") {
  Module module = vertex();
  const Id input = module.entries().front().interface[0];
  const InstRef load = find(module, spv::Op::OpLoad);
  module.rewrite(load, spv::Op::OpUndef, {});
  remove_global(module, input);
  module.sweep();
  CHECK(module.entries().front().interface.size() == 1);
  CHECK(module.name(input).empty());
  CHECK_FALSE(module.def(input));
  check_valid(module);
}

TEST_CASE("uses are counted per operand, without names and decorations", "[spirv]") {
  const Module module = vertex();
  const Uses uses(module);
  const InstRef load = find(module, spv::Op::OpLoad), add = find(module, spv::Op::OpFAdd);
  REQUIRE(uses.of(module[load].result).size() == 2);
  CHECK(uses.of(module[load].result)[0] == add);
  CHECK(uses.of(module.operand(load, 0).word).size() == 1);
  CHECK(uses.of(module.bound + 3).empty());
  const std::vector<Place> places = places_of(module);
  CHECK(places[add.index].in_function());
  CHECK(places[add.index].index == places[load.index].index + 1);
  CHECK_FALSE(places[module.entry_points.front().index].in_function());
}

TEST_CASE("strings survive encoding, at every length", "[spirv]") {
  for (const std::string& text : {std::string(), std::string("a"), std::string("abc"), std::string("abcd"),
                                  std::string("h\xc3\xa9llo"), std::string(37, 'x')}) {
    std::vector<Operand> operands = encode_string(text);
    CHECK(operands.size() == text.size() / 4 + 1);
    operands.push_back(lit(7));
    std::uint32_t next = 0;
    CHECK(decode_string(operands, 0, &next) == text);
    CHECK(next == operands.size() - 1);
  }
  // A string without its end must not be read past the operands.
  const std::vector<Operand> open = {lit(0x41414141u)};
  CHECK(decode_string(open, 0) == "AAAA");
}

}  // namespace
}  // namespace varylink::spirv
