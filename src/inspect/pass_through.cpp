#include "inspect/pass_through.h"

#include <set>
#include <string>

#include "driver/prepare.h"
#include "spirv/tools/tools.h"
#include "varyings/reflect/interface_variable.h"

namespace varylink::inspect {
namespace {

using varyings::Leaf;
using varyings::ScalarKind;

// What is no side of the interface takes up to two locations: 64-bit vectors of three and four components.
constexpr std::uint32_t kOutsideStride = 2;
// Vertices of the largest patch that every device has (Vulkan, maxTessellationPatchSize).
constexpr std::uint32_t kPatchSize = 32;

// Writes the neighbour as SPIR-V assembly, section by section.
class NeighbourText {
 public:
  explicit NeighbourText(Stage stage) : stage_(stage) {}

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
  std::uint32_t outside_ = 0;  // attributes, render targets, or varyings of further stages so far
  std::string index_;          // of the vertex, once one is asked for
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

// The vertex of this invocation of a control stage; in an evaluation stage any vertex, of which nothing is known.
std::string NeighbourText::index() {
  if (!index_.empty()) return index_;
  const std::string type = scalar({ScalarKind::uint, 32}), number = variable(type, "Input");
  decorate(number, stage_ == Stage::tess_control ? "BuiltIn InvocationId" : "BuiltIn PrimitiveId");
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

void NeighbourText::add(const Leaf& leaf) {
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
  return text + "%main = OpFunction %void None %function\n%entry = OpLabel\n" + code_ + "OpReturn\nOpFunctionEnd\n";
}

// Why the leaf can have no neighbour of ours; empty if it can.
std::string refusal(const Leaf& leaf, varyings::Direction side) {
  if (leaf.per_primitive && side == varyings::Direction::input)
    return "is per primitive, which only mesh shaders write";
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

Stage neighbour_of(Stage stage, varyings::Direction side) {
  if (side == varyings::Direction::input) return stage == Stage::tess_eval ? Stage::tess_control : Stage::vertex;
  return stage == Stage::tess_control ? Stage::tess_eval : Stage::fragment;
}

Result<link::StageInput> pass_through_neighbour(const link::StageInput& stage, varyings::Direction side,
                                                spirv::TargetEnv env, bool reads_all) {
  const Result<link::LinkedStage> read = driver::read_stage(stage.file, stage.stage, stage.words, stage.entry_point);
  if (!read) return read.error();
  link::StageInput neighbour;
  neighbour.stage = neighbour_of(stage.stage, side);
  neighbour.file = "(any " + std::string(side == varyings::Direction::input ? "producer" : "consumer") + ")";
  NeighbourText text(neighbour.stage);
  for (const varyings::InterfaceVariable& variable : varyings::interface_variables(read->module, read->entry, side)) {
    const std::string name = "'" + variable.name + "' at location " + std::to_string(variable.location);
    if (variable.unsupported) return make_error(ErrorKind::usage, stage.file, name + " " + *variable.unsupported);
    for (const Leaf& leaf : variable.leaves) {
      if (const std::string reason = refusal(leaf, side); !reason.empty())
        return make_error(ErrorKind::usage, stage.file, name + " " + reason);
      if (reads_all) text.add(leaf);
    }
  }
  Result<std::vector<std::uint32_t>> words = spirv::assemble(text.text(), env, neighbour.file);
  if (!words) return words.error();
  neighbour.words = std::move(*words);
  return neighbour;
}

}  // namespace varylink::inspect
