#include "driver/pass_through.h"

#include <algorithm>
#include <set>
#include <string>

#include "driver/open_stage.h"
#include "spirv/tools/tools.h"
#include "varyings/reflect/interface_variable.h"

namespace varylink::driver {
namespace {

using varyings::Leaf;
using varyings::ScalarKind;

// What is no side of the interface takes up to two locations: 64-bit vectors of three and four components.
constexpr std::uint32_t kOutsideStride = 2;
// Vertices of the largest patch that every device has (Vulkan, maxTessellationPatchSize); of a mesh as well.
constexpr std::uint32_t kPatchSize = 32;
// Words of the buffer from which a mesh stage has its values, for each invocation.
constexpr std::uint32_t kWordsOfInvocation = 4096;

// Writes the neighbour as SPIR-V assembly, section by section.
class NeighbourText {
 public:
  explicit NeighbourText(Stage stage) : stage_(stage) {
    if (stage == Stage::mesh) capabilities_.insert("MeshShadingEXT");
  }

  void add(const Leaf& leaf);
  std::string text() const;

 private:
  std::string scalar(varyings::ScalarType type);
  std::string vector(const std::string& scalar, std::uint32_t count);
  std::string array(const std::string& element);
  std::string variable(const std::string& type, const char* storage);
  std::string element_of(const std::string& array, const char* storage, const std::string& type, bool is_first);
  std::string index();
  void decorate(const std::string& name, const std::string& what) {
    decorations_ += "OpDecorate " + name + " " + what + "\n";
  }
  void place(const std::string& name, varyings::Slot slot);
  void interpolate(const std::string& name, const Leaf& leaf);
  std::string word_of_buffer();
  std::string component_of_buffer(varyings::ScalarType type);
  void add_to_mesh(const Leaf& leaf);
  void pass_on(const std::string& value, const std::string& type);
  void pass_on_wide(const Leaf& leaf, const std::string& value, const std::string& scalar_name);
  std::string next(const char* prefix) { return "%" + std::string(prefix) + std::to_string(count_++); }
  void declare(const std::string& name, const std::string& definition) {
    if (declared_.insert(name).second) types_ += name + " = " + definition + "\n";
  }

  bool is_consumer() const { return stage_ == Stage::fragment || stage_ == Stage::tess_eval; }
  std::string head() const;

  Stage stage_;
  int count_ = 0;
  std::uint32_t word_count_ = 0;  // of the buffer so far
  std::uint32_t outside_ = 0;     // attributes, render targets, or varyings of further stages so far
  std::string index_;             // of the vertex, once one is asked for
  std::string buffer_;            // of a mesh stage, likewise
  std::set<std::string> declared_, capabilities_;
  std::string interface_, decorations_, types_, variables_, code_;
};

std::string NeighbourText::scalar(varyings::ScalarType type) {
  const bool is_float = type.kind == ScalarKind::floating;
  const std::string width = std::to_string(type.width);
  const std::string name = (is_float ? "%float" : type.kind == ScalarKind::sint ? "%sint" : "%uint") + width;
  declare(name,
          is_float ? "OpTypeFloat " + width : "OpTypeInt " + width + (type.kind == ScalarKind::sint ? " 1" : " 0"));
  if (type.width == 64) capabilities_.insert(is_float ? "Float64" : "Int64");
  if (type.width == 16) capabilities_.insert({is_float ? "Float16" : "Int16", "StorageInputOutput16"});
  return name;
}

std::string NeighbourText::vector(const std::string& scalar, std::uint32_t count) {
  if (count == 1) return scalar;
  const std::string name = scalar + "x" + std::to_string(count);
  declare(name, "OpTypeVector " + scalar + " " + std::to_string(count));
  return name;
}

std::string NeighbourText::array(const std::string& element) {
  const std::string size = "%size", name = element + "_vertices";
  declare(size, "OpConstant " + scalar({ScalarKind::uint, 32}) + " " + std::to_string(kPatchSize));
  declare(name, "OpTypeArray " + element + " " + size);
  return name;
}

// The vertex of this invocation of a control or mesh stage; in an evaluation stage any vertex, of which nothing is
// known.
std::string NeighbourText::index() {
  if (!index_.empty()) return index_;
  const std::string type = scalar({ScalarKind::uint, 32}), number = variable(type, "Input");
  decorate(number, stage_ == Stage::tess_control ? "BuiltIn InvocationId"
                   : stage_ == Stage::mesh       ? "BuiltIn LocalInvocationIndex"
                                                 : "BuiltIn PrimitiveId");
  index_ = next("index");
  code_ += index_ + " = OpLoad " + type + " " + number + "\n";
  return index_;
}

// A pointer to the element of a per-vertex array at index(), or to the first.
std::string NeighbourText::element_of(const std::string& array, const char* storage, const std::string& type,
                                      bool is_first) {
  const std::string pointer = "%" + std::string(storage) + "_" + type.substr(1), word = scalar({ScalarKind::uint, 32});
  declare(pointer, "OpTypePointer " + std::string(storage) + " " + type);
  declare("%first", "OpConstant " + word + " 0");
  const std::string at = is_first ? "%first" : index(), name = next("element");
  code_ += name + " = OpAccessChain " + pointer + " " + array + " " + at + "\n";
  return name;
}

std::string NeighbourText::variable(const std::string& type, const char* storage) {
  const std::string pointer = "%" + std::string(storage) + "_" + type.substr(1);
  declare(pointer, "OpTypePointer " + std::string(storage) + " " + type);
  const std::string name = next("var");
  variables_ += name + " = OpVariable " + pointer + " " + storage + "\n";
  interface_ += " " + name;
  return name;
}

void NeighbourText::place(const std::string& name, varyings::Slot slot) {
  decorate(name, "Location " + std::to_string(slot.location));
  if (slot.component != 0) decorate(name, "Component " + std::to_string(slot.component));
}

void NeighbourText::interpolate(const std::string& name, const Leaf& leaf) {
  if (leaf.per_primitive) {
    capabilities_.insert("MeshShadingEXT");
    decorate(name, "PerPrimitiveEXT");
  }
  const varyings::Interpolation& as = leaf.interpolation;
  if (as.flat || leaf.scalar.kind != ScalarKind::floating || leaf.scalar.width == 64) return decorate(name, "Flat");
  if (as.no_perspective) decorate(name, "NoPerspective");
  if (as.centroid) decorate(name, "Centroid");
}

// Render targets have no 64-bit formats: such values leave in two halves, component by component.
void NeighbourText::pass_on_wide(const Leaf& leaf, const std::string& value, const std::string& scalar_name) {
  const std::string halves = vector(scalar({ScalarKind::uint, 32}), 2);
  for (std::uint32_t c = 0; c < leaf.count; ++c) {
    std::string component = value;
    if (leaf.count > 1) {
      component = next("part");
      code_ += component + " = OpCompositeExtract " + scalar_name + " " + value + " " + std::to_string(c) + "\n";
    }
    const std::string cut = next("cut");
    code_ += cut + " = OpBitcast " + halves + " " + component + "\n";
    pass_on(cut, halves);
  }
}

void NeighbourText::pass_on(const std::string& value, const std::string& type) {
  const std::string target = variable(type, "Output");
  place(target, {outside_++, 0});
  code_ += "OpStore " + target + " " + value + "\n";
}

// The next word of this invocation, from a buffer that others may write to.
std::string NeighbourText::word_of_buffer() {
  const std::string word = scalar({ScalarKind::uint, 32}), number = std::to_string(word_count_++);
  if (word_count_ == 1) {
    declare("%words", "OpTypeRuntimeArray " + word);
    declare("%buffer", "OpTypeStruct %words");
    decorate("%words", "ArrayStride 4");
    decorate("%buffer", "Block");
    decorations_ += "OpMemberDecorate %buffer 0 Offset 0\n";
    buffer_ = variable("%buffer", "StorageBuffer");
    decorate(buffer_, "DescriptorSet 0");
    decorate(buffer_, "Binding 0");
    declare("%StorageBuffer_word", "OpTypePointer StorageBuffer " + word);
    declare("%stride", "OpConstant " + word + " " + std::to_string(kWordsOfInvocation));
    declare("%first", "OpConstant " + word + " 0");
    code_ += "%start = OpIMul " + word + " " + index() + " %stride\n";
  }
  declare("%number" + number, "OpConstant " + word + " " + number);
  const std::string at = next("at"), element = next("element"), value = next("word");
  code_ += at + " = OpIAdd " + word + " %start %number" + number + "\n";
  code_ += element + " = OpAccessChain %StorageBuffer_word " + buffer_ + " %first " + at + "\n";
  code_ += value + " = OpLoad " + word + " " + element + "\n";
  return value;
}

std::string NeighbourText::component_of_buffer(varyings::ScalarType type) {
  std::string bits = word_of_buffer();
  if (type.width == 64) {
    const std::string pair = vector(scalar({ScalarKind::uint, 32}), 2), whole = next("pair"), second = word_of_buffer();
    code_ += whole + " = OpCompositeConstruct " + pair + " " + bits + " " + second + "\n";
    bits = whole;
  } else if (type.width == 16) {
    const std::string half = next("half");
    code_ += half + " = OpUConvert " + scalar({ScalarKind::uint, 16}) + " " + bits + "\n";
    bits = half;
  }
  if (type.kind == ScalarKind::uint && type.width != 64) return bits;
  const std::string value = next("value");
  code_ += value + " = OpBitcast " + scalar(type) + " " + bits + "\n";
  return value;
}

void NeighbourText::add_to_mesh(const Leaf& leaf) {
  const std::string type = vector(scalar(leaf.scalar), leaf.count);
  std::string value, parts;
  for (std::uint32_t c = 0; c < leaf.count; ++c) parts += " " + (value = component_of_buffer(leaf.scalar));
  if (leaf.count > 1) {
    value = next("whole");
    code_ += value + " = OpCompositeConstruct " + type + parts + "\n";
  }
  const std::string output = variable(array(type), "Output");
  place(output, leaf.slot);
  if (leaf.per_primitive) decorate(output, "PerPrimitiveEXT");
  code_ += "OpStore " + element_of(output, "Output", type, false) + " " + value + "\n";
}

void NeighbourText::add(const Leaf& leaf) {
  if (stage_ == Stage::mesh) return add_to_mesh(leaf);
  const std::string scalar_name = scalar(leaf.scalar);
  const std::string type = vector(scalar_name, leaf.count);
  const varyings::Slot outside{kOutsideStride * outside_, 0};
  const bool reads_vertices = stage_ == Stage::tess_control || (stage_ == Stage::tess_eval && !leaf.patch);
  const std::string input = variable(reads_vertices ? array(type) : type, "Input");
  const std::string from = reads_vertices ? element_of(input, "Input", type, leaf.patch) : input;
  const std::string value = next("value");
  code_ += value + " = OpLoad " + type + " " + from + "\n";
  place(input, is_consumer() ? leaf.slot : outside);
  if (stage_ == Stage::fragment) {
    interpolate(input, leaf);
    return leaf.scalar.width == 64 ? pass_on_wide(leaf, value, scalar_name) : pass_on(value, type);
  }
  ++outside_;
  const bool writes_vertices = stage_ == Stage::tess_control && !leaf.patch;
  const std::string output = variable(writes_vertices ? array(type) : type, "Output");
  if (leaf.patch) decorate(is_consumer() ? input : output, "Patch");
  place(output, is_consumer() ? outside : leaf.slot);
  const std::string to = writes_vertices ? element_of(output, "Output", type, false) : output;
  code_ += "OpStore " + to + " " + value + "\n";
}

std::string NeighbourText::head() const {
  const auto entry = [&](const char* model) {
    return "OpEntryPoint " + std::string(model) + " %main \"main\"" + interface_ + "\nOpExecutionMode %main ";
  };
  switch (stage_) {
    case Stage::fragment: return entry("Fragment") + "OriginUpperLeft\n";
    case Stage::tess_control:
      return entry("TessellationControl") + "OutputVertices " + std::to_string(kPatchSize) + "\n";
    case Stage::tess_eval:
      return entry("TessellationEvaluation") +
             "Triangles\nOpExecutionMode %main SpacingEqual\nOpExecutionMode %main VertexOrderCcw\n";
    case Stage::mesh: {
      const std::string size = std::to_string(kPatchSize);
      return entry("MeshEXT") + "LocalSize " + size + " 1 1\nOpExecutionMode %main OutputVertices " + size +
             "\nOpExecutionMode %main OutputPrimitivesEXT " + size + "\nOpExecutionMode %main OutputTrianglesEXT\n";
    }
    default: return "OpEntryPoint Vertex %main \"main\"" + interface_ + "\n";
  }
}

std::string NeighbourText::text() const {
  const bool tessellates = stage_ == Stage::tess_control || stage_ == Stage::tess_eval;
  std::string text = tessellates ? "OpCapability Tessellation\n" : "OpCapability Shader\n";
  for (const std::string& capability : capabilities_) text += "OpCapability " + capability + "\n";
  if (capabilities_.count("StorageInputOutput16") != 0) text += "OpExtension \"SPV_KHR_16bit_storage\"\n";
  if (capabilities_.count("MeshShadingEXT") != 0) text += "OpExtension \"SPV_EXT_mesh_shader\"\n";
  text += "OpMemoryModel Logical GLSL450\n" + head();
  text += decorations_ + "%void = OpTypeVoid\n%function = OpTypeFunction %void\n" + types_ + variables_;
  const std::string start = stage_ == Stage::mesh ? "OpSetMeshOutputsEXT %size %size\n" : "";
  return text + "%main = OpFunction %void None %function\n%entry = OpLabel\n" + start + code_ +
         "OpReturn\nOpFunctionEnd\n";
}

// Why the leaf can have no neighbour of ours; empty if it can.
std::string refusal(const Leaf& leaf) {
  if (leaf.stream != 0) return "is on vertex stream " + std::to_string(leaf.stream) + ", which is not rasterized";
  return {};
}

}  // namespace

std::vector<varyings::Direction> sides_of(Stage stage) {
  using varyings::Direction;
  switch (stage) {
    case Stage::fragment: return {Direction::input};
    case Stage::tess_control:
    case Stage::tess_eval:
    case Stage::geometry: return {Direction::input, Direction::output};
    case Stage::vertex:
    case Stage::mesh: return {Direction::output};
    case Stage::task: break;
  }
  return {};
}

// Only mesh stages write per primitive.
Stage neighbour_of(Stage stage, varyings::Direction side, const std::vector<varyings::InterfaceVariable>& variables) {
  const bool per_primitive = std::any_of(variables.begin(), variables.end(), [](const auto& variable) {
    return std::any_of(variable.leaves.begin(), variable.leaves.end(),
                       [](const Leaf& leaf) { return leaf.per_primitive; });
  });
  if (side == varyings::Direction::input && per_primitive) return Stage::mesh;
  if (side == varyings::Direction::input) return stage == Stage::tess_eval ? Stage::tess_control : Stage::vertex;
  return stage == Stage::tess_control ? Stage::tess_eval : Stage::fragment;
}

Result<link::StageInput> pass_through_neighbour(const link::StageInput& stage, varyings::Direction side,
                                                spirv::TargetEnv env, bool reads_all) {
  const Result<link::LinkedStage> read = driver::read_stage(stage.file, stage);
  if (!read) return read.error();
  link::StageInput neighbour;
  const std::vector<varyings::InterfaceVariable> variables =
      varyings::interface_variables(read->module, read->entry, side);
  neighbour.stage = neighbour_of(stage.stage, side, variables);
  neighbour.file = "(any " + std::string(side == varyings::Direction::input ? "producer" : "consumer") + ")";
  NeighbourText text(neighbour.stage);
  for (const varyings::InterfaceVariable& variable : variables) {
    const std::string name = "'" + variable.name + "' at location " + std::to_string(variable.location);
    if (variable.unsupported) return make_error(ErrorKind::usage, stage.file, name + " " + *variable.unsupported);
    for (const Leaf& leaf : variable.leaves) {
      if (const std::string reason = refusal(leaf); !reason.empty())
        return make_error(ErrorKind::usage, stage.file, name + " " + reason);
      if (reads_all) text.add(leaf);
    }
  }
  Result<std::vector<std::uint32_t>> words = spirv::assemble(text.text(), env, neighbour.file);
  if (!words) return words.error();
  neighbour.words = std::move(*words);
  return neighbour;
}

}  // namespace varylink::driver
