#include "fuzz/interface_plan.h"

#include <algorithm>

namespace varylink::fuzz {
namespace {

// Kept below the 16 locations that every device has (maxVertexOutputComponents 64), built-ins counted too.
constexpr int kMaxLocations = 13;

class Planner {
 public:
  Planner(Random& random, Features& features, Interface& interface, int number)
      : random_(random), features_(features), interface_(interface), number_(number) {}

  void run(bool witness) {
    const int wanted = random_.range(1, 8);
    const int place = random_.range(0, wanted - 1);
    for (int i = 0; i < wanted && location_ < kMaxLocations; ++i) {
      if (features_.roll(random_, "location-hole")) ++location_;
      if (witness && i == place) {
        add_witness();
        witness = false;
      } else if (features_.roll(random_, "block")) {
        add_block();
      } else if (features_.roll(random_, "component-packing")) {
        add_packed_location();
      } else {
        add_loose();
      }
    }
    if (witness) add_witness();
  }

 private:
  Random& random_;
  Features& features_;
  Interface& interface_;
  int number_;
  int location_ = 0;
  int next_name_ = 0;

  bool to_fragment() const { return interface_.consumer == Stage::fragment; }

  Type random_scalar_type() {
    Base base = Base::float32;
    if (features_.roll(random_, "integer"))
      base = random_.chance(0.5) ? Base::sint32 : Base::uint32;
    else if (features_.roll(random_, "double"))
      base = Base::float64;
    else if (features_.roll(random_, "half"))
      base = Base::float16;
    return simple_type(base, 1);
  }

  Type random_type(bool may_nest) {
    Type type = random_scalar_type();
    type.rows = random_.range(1, 4);
    if (type.base == Base::float32 && features_.roll(random_, "matrix")) {
      type.rows = random_.range(2, 4);
      type.columns = random_.range(2, 4);
    }
    if (may_nest && features_.roll(random_, "struct")) {
      type = Type{};
      type.structure = random_struct();
    }
    if (may_nest && features_.roll(random_, "array")) {
      type.dims.push_back(random_.range(2, 4));
      if (random_.chance(0.15)) type.dims.push_back(2);
    }
    return type;
  }

  std::shared_ptr<const StructType> random_struct() {
    auto structure = std::make_shared<StructType>();
    const std::string suffix = std::to_string(number_) + "_" + std::to_string(interface_.structs.size());
    structure->name = "S" + suffix;
    const int members = random_.range(1, 3);
    for (int i = 0; i < members; ++i) {
      Type type = random_type(false);
      if (features_.roll(random_, "array")) type.dims.push_back(2);
      structure->members.push_back({"m" + std::to_string(i), type});
    }
    interface_.structs.push_back(structure);
    return structure;
  }

  bool rolls_patch() {
    if (interface_.producer == Stage::mesh) return features_.roll(random_, "per-primitive");
    return interface_.producer == Stage::tess_control && features_.roll(random_, "patch");
  }

  void qualify(Varying& varying) {
    if (rolls_patch()) varying.patch = true;
    if (!to_fragment()) return;
    if (varying.patch) {
      varying.flat = must_be_flat(varying.type);
      return;
    }
    varying.flat = must_be_flat(varying.type) || features_.roll(random_, "flat");
    if (varying.flat) return;
    varying.no_perspective = features_.roll(random_, "noperspective");
    varying.centroid = features_.roll(random_, "centroid");
    varying.sample = !varying.centroid && features_.roll(random_, "sample");
  }

  static void drop_interpolation(Varying& varying) {
    varying.flat = must_be_flat(varying.type);
    varying.no_perspective = varying.centroid = varying.sample = false;
  }

  Varying new_varying(const Type& type) {
    Varying varying;
    const std::string suffix = std::to_string(number_) + "_" + std::to_string(next_name_++);
    varying.out_name = "o" + suffix;
    varying.in_name = "i" + suffix;
    varying.type = type;
    varying.read = !features_.roll(random_, "unused");
    if (interface_.producer != Stage::mesh && type.is_simple() && type.rows > 1 &&
        features_.roll(random_, "unwritten")) {
      varying.written_rows = random_.range(1, type.rows - 1);
    }
    return varying;
  }

  // A type that fits into what is left of the locations; vec4 always does.
  Type fitting_type() {
    for (int attempt = 0; attempt < 8; ++attempt) {
      const std::size_t structs = interface_.structs.size();
      Type type = random_type(true);
      if (location_ + location_count(type) <= kMaxLocations + 1) return type;
      interface_.structs.resize(structs);
    }
    return simple_type(Base::float32, random_.range(1, 4));
  }

  void add_loose() {
    Varying varying = new_varying(fitting_type());
    qualify(varying);
    varying.location = location_;
    location_ += location_count(varying.type);
    interface_.varyings.push_back(varying);
  }

  void add_witness() {
    Varying varying = new_varying(simple_type(Base::float32, 2));
    varying.written_rows = 4;
    varying.read = true;
    varying.witness = true;
    varying.bound = 4.0;
    varying.location = location_++;
    interface_.varyings.push_back(varying);
  }

  // One location shared by scalars and vectors of one base type and one interpolation (rule ).
  void add_packed_location() {
    Varying first = new_varying(random_scalar_type());
    if (first.type.base == Base::float64) first.type.base = Base::float32;
    qualify(first);
    int component = 0;
    while (component < 4) {
      Varying varying = component == 0 ? first : new_varying(first.type);
      varying.type.rows = random_.range(1, 4 - component);
      if (varying.type.rows == 4) varying.type.rows = 2;
      varying.written_rows = 4;
      varying.flat = first.flat;
      varying.no_perspective = first.no_perspective;
      varying.centroid = first.centroid;
      varying.sample = first.sample;
      varying.patch = first.patch;
      varying.location = location_;
      varying.component = component;
      component += varying.type.rows;
      interface_.varyings.push_back(varying);
      if (random_.chance(0.3)) ++component;
    }
    ++location_;
  }

  void add_block() {
    const int index = static_cast<int>(interface_.blocks.size());
    const std::string suffix = std::to_string(number_) + "_" + std::to_string(index);
    BlockPlan block;
    block.name = "B" + suffix;
    block.out_instance = "ob" + suffix;
    block.in_instance = "ib" + suffix;
    block.patch = rolls_patch();
    const bool arrayed = has_arrayed_inputs(interface_.consumer) || has_arrayed_outputs(interface_.producer);
    block.has_instance = arrayed || features_.roll(random_, "instance-name");
    block.member_locations = features_.roll(random_, "member-location");
    block.location = location_;
    const std::size_t first = interface_.varyings.size();
    add_members(block, index);
    if (may_repeat(block, first) && features_.roll(random_, "block-array")) {
      if (to_fragment() && !features_.roll(random_, "mixed-block-array")) interpolate_alike(first);
      repeat_members(block, first);
    }
    interface_.blocks.push_back(block);
  }

  bool may_repeat(const BlockPlan& block, std::size_t first) {
    const bool is_plain = std::none_of(
        interface_.varyings.begin() + static_cast<std::ptrdiff_t>(first), interface_.varyings.end(),
        [&](const Varying& member) {
          return to_fragment() && (member.flat || member.no_perspective || member.centroid || member.sample);
        });
    return block.has_instance && !block.member_locations &&
           (is_plain || features_.roll(random_, "interpolated-block-array"));
  }

  // The members from `first` on are all interpolated like the first of them, or flat if one has to be.
  void interpolate_alike(std::size_t first) {
    const auto begin = interface_.varyings.begin() + static_cast<std::ptrdiff_t>(first);
    const bool flat = std::any_of(begin, interface_.varyings.end(), [](const Varying& member) { return member.flat; });
    const Varying model = *begin;
    for (auto member = begin; member != interface_.varyings.end(); ++member) {
      member->flat = flat;
      member->no_perspective = !flat && model.no_perspective;
      member->centroid = !flat && model.centroid;
      member->sample = !flat && model.sample;
    }
  }

  // The block becomes an array as far as locations allow.
  void repeat_members(BlockPlan& block, std::size_t first) {
    const int size = location_ - block.location;
    const int most = random_.range(2, 3);
    const std::vector<Varying> members(interface_.varyings.begin() + static_cast<std::ptrdiff_t>(first),
                                       interface_.varyings.end());
    for (; block.elements < most && location_ + size <= kMaxLocations; ++block.elements) {
      for (Varying member : members) {
        member.location += block.elements * size;
        member.block_element = block.elements;
        member.read = member.read && !features_.roll(random_, "unused");
        interface_.varyings.push_back(member);
      }
      location_ += size;
    }
  }

  void add_members(const BlockPlan& block, int index) {
    std::vector<Varying> members;
    const int count = random_.range(1, 4);
    for (int i = 0; i < count && (i == 0 || location_ < kMaxLocations); ++i) {
      Varying member = new_varying(fitting_type());
      qualify(member);
      // A per-primitive member of another block has no interpolation, and the other way round.
      if (member.patch != block.patch && to_fragment()) drop_interpolation(member);
      member.patch = block.patch;
      member.block = index;
      if (block.member_locations && features_.roll(random_, "location-hole")) ++location_;
      member.location = location_;
      location_ += location_count(member.type);
      members.push_back(member);
    }
    // Member locations need not grow in the order of declaration.
    if (block.member_locations && random_.chance(0.3)) std::reverse(members.begin(), members.end());
    interface_.varyings.insert(interface_.varyings.end(), members.begin(), members.end());
  }
};

std::string interpolation_text(const Varying& varying) {
  std::string text;
  if (varying.flat) text += "flat ";
  if (varying.no_perspective) text += "noperspective ";
  if (varying.centroid) text += "centroid ";
  if (varying.sample) text += "sample ";
  return text;
}

std::string layout_text(int location, int component) {
  std::string text = "layout(location = " + std::to_string(location);
  if (component >= 0) text += ", component = " + std::to_string(component);
  return text + ") ";
}

struct Side {
  bool input;
  bool arrayed;
  bool interpolation;
  bool mesh;  // a mesh stage is the producer

  std::string patch_text() const { return mesh ? "perprimitiveEXT " : "patch "; }
  // Outputs of a mesh stage are arrays whatever they are of.
  bool is_array_of(bool patch) const { return arrayed && (!patch || mesh); }
};

std::string member_type_text(const Type& type, const std::string& name, bool arrayed) {
  std::string text = glsl_name(type) + " " + name + (arrayed ? "[]" : "");
  for (const int dim : type.dims) text += "[" + std::to_string(dim) + "]";
  return text;
}

std::string capture_text(const Varying& varying, const Side& side) {
  if (side.input || varying.capture_offset < 0) return {};
  return "layout(xfb_buffer = 0, xfb_offset = " + std::to_string(varying.capture_offset) + ") ";
}

int captured_bytes(const Type& type) {
  int bytes = 4 * type.rows * type.columns;
  for (const int dim : type.dims) bytes *= dim;
  return bytes;
}

// The blocks of an array have a buffer each.
int captured_buffers(const Interface& interface) {
  int buffers = 1;
  for (const Varying& varying : interface.varyings)
    if (varying.capture_offset >= 0) buffers = std::max(buffers, varying.block_element + 1);
  return buffers;
}

Declaration declare_loose(const Varying& varying, const Side& side) {
  Declaration declaration;
  declaration.name = side.input ? varying.in_name : varying.out_name;
  declaration.text = layout_text(varying.location, varying.component);
  declaration.text += capture_text(varying, side);
  if (side.interpolation) declaration.text += interpolation_text(varying);
  if (varying.patch) declaration.text += side.patch_text();
  declaration.text += side.input ? "in " : "out ";
  declaration.type = varying.type;
  declaration.text += member_type_text(varying.type, declaration.name, side.is_array_of(varying.patch)) + ";";
  return declaration;
}

Declaration declare_block(const Interface& interface, int index, const Side& side) {
  const BlockPlan& block = interface.blocks[static_cast<std::size_t>(index)];
  Declaration declaration;
  if (!block.member_locations) declaration.text = layout_text(block.location, -1);
  if (block.patch) declaration.text += side.patch_text();
  declaration.text += (side.input ? "in " : "out ") + block.name;
  for (const Varying& varying : interface.varyings) {
    if (varying.block != index || varying.block_element != 0) continue;
    Declaration member;
    member.type = varying.type;
    member.name = side.input ? varying.in_name : varying.out_name;
    if (block.member_locations) member.text = layout_text(varying.location, -1);
    member.text += capture_text(varying, side);
    if (side.interpolation) member.text += interpolation_text(varying);
    member.text += declare(varying.type, member.name) + ";";
    declaration.members.push_back(member);
  }
  if (block.has_instance) declaration.tail = " " + (side.input ? block.in_instance : block.out_instance);
  if (side.is_array_of(block.patch)) declaration.tail += "[]";
  if (block.elements > 1) declaration.tail += "[" + std::to_string(block.elements) + "]";
  declaration.tail += ";";
  return declaration;
}

std::vector<Declaration> declare_side(const Interface& interface, const Side& side) {
  std::vector<Declaration> declarations;
  for (const auto& structure : interface.structs) {
    Declaration declaration;
    declaration.text = "struct " + structure->name + " {";
    for (const Member& member : structure->members) declaration.text += " " + declare(member.type, member.name) + ";";
    declaration.text += " };";
    declarations.push_back(declaration);
  }
  if (!side.input && interface.capture_stride > 0) {
    Declaration capture;
    // The last one is what members go to that name no other.
    for (int buffer = captured_buffers(interface) - 1; buffer >= 0; --buffer)
      capture.text += "layout(xfb_buffer = " + std::to_string(buffer) +
                      ", xfb_stride = " + std::to_string(interface.capture_stride) + ") out;";
    declarations.push_back(capture);
  }
  for (const Varying& varying : interface.varyings) {
    if (varying.block < 0) declarations.push_back(declare_loose(varying, side));
  }
  for (std::size_t i = 0; i < interface.blocks.size(); ++i) {
    declarations.push_back(declare_block(interface, static_cast<int>(i), side));
  }
  return declarations;
}

}  // namespace

Interface plan_interface(Random& random, Features& features, Stage producer, Stage consumer, int number, bool witness) {
  Interface interface;
  interface.producer = producer;
  interface.consumer = consumer;
  Planner(random, features, interface, number).run(witness);
  return interface;
}

void plan_capture(Random& random, Interface& interface) {
  constexpr int kMostBytes = 256;  // gl_MaxTransformFeedbackInterleavedComponents of glslang
  int offset = 0;
  for (Varying& varying : interface.varyings) {
    if (varying.block_element > 0) {
      const auto first = std::find_if(interface.varyings.begin(), interface.varyings.end(), [&](const Varying& each) {
        return each.block == varying.block && each.out_name == varying.out_name;
      });
      varying.capture_offset = first->capture_offset;
      continue;
    }
    // Captured components that nobody writes would differ for no reason.
    const bool can_be = !varying.type.structure && is_32_bit(varying.type) &&
                        (!varying.type.is_simple() || varying.written_rows >= varying.type.rows);
    if (!can_be || !random.chance(0.6) || offset + captured_bytes(varying.type) > kMostBytes) continue;
    varying.capture_offset = offset;
    offset += captured_bytes(varying.type);
    if (offset < kMostBytes && random.chance(0.2)) offset += 4;
  }
  interface.capture_stride = offset;
}

bool has_arrayed_inputs(Stage stage) {
  return stage == Stage::tess_control || stage == Stage::tess_eval || stage == Stage::geometry;
}

bool has_arrayed_outputs(Stage stage) { return stage == Stage::tess_control || stage == Stage::mesh; }

std::vector<Declaration> declare_outputs(const Interface& interface, bool with_interpolation) {
  return declare_side(interface, {false, has_arrayed_outputs(interface.producer), with_interpolation,
                                  interface.producer == Stage::mesh});
}

std::vector<Declaration> declare_inputs(const Interface& interface) {
  return declare_side(interface, {true, has_arrayed_inputs(interface.consumer), interface.consumer == Stage::fragment,
                                  interface.producer == Stage::mesh});
}

namespace {

std::string access_text(const Interface& interface, const Varying& varying, bool input, const std::string& index) {
  const bool whole = varying.patch && (input || interface.producer != Stage::mesh);
  const std::string subscript = index.empty() || whole ? "" : "[" + index + "]";
  const std::string& name = input ? varying.in_name : varying.out_name;
  if (varying.block < 0) return name + subscript;
  const BlockPlan& block = interface.blocks[static_cast<std::size_t>(varying.block)];
  if (!block.has_instance) return name;
  const std::string element = block.elements > 1 ? "[" + std::to_string(varying.block_element) + "]" : "";
  return (input ? block.in_instance : block.out_instance) + subscript + element + "." + name;
}

}  // namespace

std::string output_text(const Interface& interface, const Varying& varying, const std::string& index) {
  return access_text(interface, varying, false, index);
}

std::string input_text(const Interface& interface, const Varying& varying, const std::string& index) {
  return access_text(interface, varying, true, index);
}

}  // namespace varylink::fuzz
