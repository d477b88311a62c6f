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

// Attributes take up to two locations each: 64-bit vectors of three and four components.
constexpr std::uint32_t kAttributeStride = 2;

// Writes the neighbour as SPIR-V assembly, section by section.
class NeighbourText {
 public:
  explicit NeighbourText(bool is_fragment) : is_fragment_(is_fragment) {}

  void add(const Leaf& leaf);
  std::string text() const;

 private:
  std::string scalar(varyings::ScalarType type);
  std::string vector(const std::string& scalar, std::uint32_t count);
  std::string variable(const std::string& type, const char* storage);
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

  bool is_fragment_;
  int count_ = 0;
  std::uint32_t outside_ = 0;  // attributes or render targets so far
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
  const std::string input = variable(type, "Input");
  const std::string value = next("value");
  code_ += value + " = OpLoad " + type + " " + input + "\n";
  if (is_fragment_) {
    place(input, leaf.slot);
    interpolate(input, leaf);
    return leaf.scalar.width == 64 ? pass_on_wide(leaf, value, scalar_name) : pass_on(value, type);
  }
  place(input, {kAttributeStride * outside_++, 0});
  const std::string output = variable(type, "Output");
  place(output, leaf.slot);
  code_ += "OpStore " + output + " " + value + "\n";
}

std::string NeighbourText::text() const {
  std::string text = "OpCapability Shader\n";
  for (const std::string& capability : capabilities_) text += "OpCapability " + capability + "\n";
  if (capabilities_.count("StorageInputOutput16") != 0) text += "OpExtension \"SPV_KHR_16bit_storage\"\n";
  text += "OpMemoryModel Logical GLSL450\n";
  text += "OpEntryPoint " + std::string(is_fragment_ ? "Fragment" : "Vertex") + " %main \"main\"" + interface_ + "\n";
  if (is_fragment_) text += "OpExecutionMode %main OriginUpperLeft\n";
  text += decorations_ + "%void = OpTypeVoid\n%function = OpTypeFunction %void\n" + types_ + variables_;
  return text + "%main = OpFunction %void None %function\n%entry = OpLabel\n" + code_ + "OpReturn\nOpFunctionEnd\n";
}

// Why the leaf can have no neighbour of ours; empty if it can.
std::string refusal(const Leaf& leaf) {
  if (leaf.per_primitive) return "is per primitive, which only mesh shaders write";
  if (leaf.stream != 0) return "is on vertex stream " + std::to_string(leaf.stream) + ", which is not rasterized";
  return {};
}

}  // namespace

Result<link::StageInput> pass_through_neighbour(const link::StageInput& stage, spirv::TargetEnv env) {
  const bool is_consumer = stage.stage == Stage::fragment;
  if (!is_consumer && stage.stage != Stage::vertex && stage.stage != Stage::tess_eval && stage.stage != Stage::geometry)
    return make_error(ErrorKind::usage, stage.file,
                      "is a " + std::string(short_name(stage.stage)) +
                          " stage; only fragment shaders and what feeds them (vert, tese, geom) can be analyzed alone");
  const Result<link::LinkedStage> read = driver::read_stage(stage.file, stage.stage, stage.words, stage.entry_point);
  if (!read) return read.error();
  NeighbourText text(!is_consumer);
  const varyings::Direction direction = is_consumer ? varyings::Direction::input : varyings::Direction::output;
  for (const varyings::InterfaceVariable& variable :
       varyings::interface_variables(read->module, read->entry, direction)) {
    const std::string name = "'" + variable.name + "' at location " + std::to_string(variable.location);
    if (variable.unsupported) return make_error(ErrorKind::usage, stage.file, name + " " + *variable.unsupported);
    for (const Leaf& leaf : variable.leaves) {
      if (const std::string reason = refusal(leaf); !reason.empty())
        return make_error(ErrorKind::usage, stage.file, name + " " + reason);
      text.add(leaf);
    }
  }
  link::StageInput neighbour;
  neighbour.stage = is_consumer ? Stage::vertex : Stage::fragment;
  neighbour.file = "(any " + std::string(is_consumer ? "producer" : "consumer") + ")";
  Result<std::vector<std::uint32_t>> words = spirv::assemble(text.text(), env, neighbour.file);
  if (!words) return words.error();
  neighbour.words = std::move(*words);
  return neighbour;
}

}  // namespace varylink::inspect
