#include "prove/declarations.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "prove/machine/interface_leaves.h"
#include "prove/observables.h"

namespace varylink::prove {
namespace {

// By what it is called in messages: what it is like.
using Declared = std::map<std::string, std::string>;

struct Resource {
  std::pair<std::uint32_t, std::uint32_t> binding;  // set and binding
  std::optional<std::uint32_t> push_constant;       // byte of a push constant, which has no binding
};

struct Declarations {
  std::map<std::string, Resource> resources;  // by what they are called in messages, with push constants
  // By resource: those of each variable that stands for it.
  std::map<std::string, std::set<std::string>> memory_qualifiers;
  std::map<spv::StorageClass, std::uint64_t> shared_bytes;  // of payloads, and of what a workgroup shares besides
  Declared attributes, targets;
  Declared built_ins;               // of a fragment stage: what is declared decides how it runs
  std::set<std::string> invariant;  // outputs that the outside sees
};

class Reader {
 public:
  Reader(const DeclaringStage& stage, const PipelineFacts& pipeline)
      : stage_(stage.stage), module_(*stage.module), entry_(*stage.entry), pipeline_(pipeline), facts_(module_) {}

  // `reached`: only what the entry point reaches, not everything that the module declares.
  Declarations read(bool reached) {
    for (const Id variable : reached ? reached_variables() : declared_variables()) {
      const spirv::InstRef def = module_.def(variable);
      const auto storage = static_cast<spv::StorageClass>(module_.operand(def, 0).word);
      const Id type = module_.operand(module_.def(module_[def].type), 1).word;
      switch (storage) {
        case spv::StorageClass::UniformConstant:
        case spv::StorageClass::Uniform:
        case spv::StorageClass::StorageBuffer: resource(variable, type, storage); break;
        case spv::StorageClass::PushConstant: push_constants(type); break;
        case spv::StorageClass::Input:
          if (stage_ == Stage::vertex) attributes(variable, type);
          if (stage_ == Stage::fragment) built_ins(variable, type, "input");
          break;
        case spv::StorageClass::Output:
          if (stage_ == Stage::fragment) {
            target(variable, type);
            built_ins(variable, type, "output");
          }
          invariants(variable, type);
          break;
        case spv::StorageClass::Workgroup:
        case spv::StorageClass::TaskPayloadWorkgroupEXT: result_.shared_bytes[storage] += bytes_of(type); break;
        default: break;
      }
    }
    return std::move(result_);
  }

 private:
  std::set<Id> declared_variables() const {
    std::set<Id> variables(entry_.interface.begin(), entry_.interface.end());
    for (const spirv::InstRef ref : module_.types)
      if (module_[ref].op == spv::Op::OpVariable && !is_interface(module_[ref].result))
        variables.insert(module_[ref].result);
    return variables;
  }

  std::set<Id> reached_variables() const {
    std::set<Id> variables(entry_.interface.begin(), entry_.interface.end());
    std::erase_if(variables, [&](Id id) { return !is_interface(id); });
    std::vector<bool> is_open(module_.bound, false);  // global variables that are not reached so far
    for (const spirv::InstRef ref : module_.types)
      if (module_[ref].op == spv::Op::OpVariable) is_open[module_[ref].result] = true;
    std::set<Id> functions = {entry_.function};
    std::vector<Id> pending = {entry_.function};
    while (!pending.empty()) {
      const spirv::Function* function = module_.function(pending.back());
      pending.pop_back();
      if (function == nullptr) continue;
      for (const spirv::Block& block : function->blocks)
        for (const spirv::InstRef ref : block.body) {
          for (const spirv::Operand& operand : module_.operands(ref))
            if (operand.is_id && is_open[operand.word]) {
              is_open[operand.word] = false;
              variables.insert(operand.word);
            }
          if (module_[ref].op != spv::Op::OpFunctionCall) continue;
          const Id called = module_.operand(ref, 0).word;
          if (functions.insert(called).second) pending.push_back(called);
        }
    }
    return variables;
  }

  // Other variables may stand in the interface without being used (SPIR-V 2.17 from version 1.4 on).
  bool is_interface(Id variable) const {
    const auto storage = static_cast<spv::StorageClass>(module_.operand(module_.def(variable), 0).word);
    return storage == spv::StorageClass::Input || storage == spv::StorageClass::Output;
  }

  std::string literal(Id variable, spv::Decoration what) const {
    const auto* found = facts_.decoration(variable, what);
    return found != nullptr ? std::to_string(*found) : "none";
  }

  // Kind and number of descriptors; what is behind a buffer's bytes is compared where it is read.
  void resource(Id variable, Id type, spv::StorageClass storage) {
    std::string what;
    for (; facts_.op(type) == spv::Op::OpTypeArray || facts_.op(type) == spv::Op::OpTypeRuntimeArray;
         type = facts_.element(type))
      what += facts_.op(type) == spv::Op::OpTypeArray ? "[" + std::to_string(facts_.array_length(type)) + "]" : "[]";
    if (storage == spv::StorageClass::UniformConstant)
      what += "type " + shape(type);
    else if (storage == spv::StorageClass::StorageBuffer || facts_.has(type, spv::Decoration::BufferBlock))
      what += "storage buffer";
    else
      what += "uniform buffer";
    // Two variables may alias one binding as one kind of descriptor each.
    const std::string name = "set " + literal(variable, spv::Decoration::DescriptorSet) + ", binding " +
                             literal(variable, spv::Decoration::Binding) + ", " + what;
    const auto number = [&](spv::Decoration decoration) {
      const auto* found = facts_.decoration(variable, decoration);
      return found != nullptr ? *found : 0;
    };
    result_.resources[name].binding = {number(spv::Decoration::DescriptorSet), number(spv::Decoration::Binding)};
    result_.memory_qualifiers[name].insert(memory_qualifiers(variable, type));
  }

  // Of the variable, and of the members of a block by their offset.
  std::string memory_qualifiers(Id variable, Id type) const {
    std::string text;
    for (const auto& [number, name] : prove::memory_qualifiers())
      if (facts_.has(variable, static_cast<spv::Decoration>(number)))
        text += (text.empty() ? "" : " ") + std::string(name);
    add_member_qualifiers(type, 0, text);
    return text;
  }

  // `begin`: the byte at which the block or structure begins.
  void add_member_qualifiers(Id type, std::uint32_t begin, std::string& text) const {
    while (facts_.op(type) == spv::Op::OpTypeArray || facts_.op(type) == spv::Op::OpTypeRuntimeArray)
      type = facts_.element(type);
    if (facts_.op(type) != spv::Op::OpTypeStruct) return;
    for (std::uint32_t i = 0; i < module_.operands(module_.def(type)).size(); ++i) {
      const auto* offset = facts_.member_decoration(type, i, spv::Decoration::Offset);
      const std::uint32_t place = begin + (offset != nullptr ? *offset : 0);
      for (const auto& [number, name] : prove::memory_qualifiers())
        if (facts_.member_decoration(type, i, static_cast<spv::Decoration>(number)) != nullptr)
          text += (text.empty() ? "" : " ") + std::string(name) + " at byte " + std::to_string(place);
      add_member_qualifiers(facts_.element(type, i), place, text);
    }
  }

  std::string shape(Id type) const {
    std::string text = std::to_string(static_cast<std::uint32_t>(facts_.op(type)));
    for (const spirv::Operand& operand : module_.operands(module_.def(type)))
      text += " " + (operand.is_id ? "(" + shape(operand.word) + ")" : std::to_string(operand.word));
    return text;
  }

  // From the first byte to behind the last one, as offsets and strides say. `block` and `member`: where a matrix has
  // its stride from.
  std::uint32_t laid_out_bytes(Id type, Id block, std::uint32_t member) const {
    const auto stride_of = [](const std::uint32_t* stride) { return stride != nullptr ? *stride : 0; };
    const std::uint32_t parts = facts_.elements(type);
    switch (facts_.op(type)) {
      case spv::Op::OpTypeArray:
        return (parts - 1) * stride_of(facts_.decoration(type, spv::Decoration::ArrayStride)) +
               laid_out_bytes(facts_.element(type), block, member);
      case spv::Op::OpTypeStruct: {
        std::uint32_t end = 0;
        for (std::uint32_t i = 0; i < parts; ++i)
          end = std::max(end, stride_of(facts_.member_decoration(type, i, spv::Decoration::Offset)) +
                                  laid_out_bytes(facts_.element(type, i), type, i));
        return end;
      }
      case spv::Op::OpTypeMatrix: {
        const bool by_row = facts_.member_decoration(block, member, spv::Decoration::RowMajor) != nullptr;
        const Id column = facts_.element(type);
        const std::uint32_t vectors = by_row ? facts_.elements(column) : parts;
        return (vectors - 1) * stride_of(facts_.member_decoration(block, member, spv::Decoration::MatrixStride)) +
               facts_.leaf_count(type) / vectors * width_of(facts_.sorts(type)[0]) / 8;
      }
      default: return facts_.leaf_count(type) * width_of(facts_.sorts(type)[0]) / 8;
    }
  }

  void push_constants(Id type) {
    for (std::uint32_t i = 0; i < facts_.elements(type); ++i) {
      const auto* offset = facts_.member_decoration(type, i, spv::Decoration::Offset);
      if (offset == nullptr) continue;
      push_end_ = std::max(push_end_, *offset + laid_out_bytes(facts_.element(type, i), type, i));
      push_begin_ = std::min(push_begin_, *offset);
    }
    for (std::uint32_t byte = push_begin_ / 4 * 4; byte < push_end_; byte += 4)
      result_.resources["push constant byte " + std::to_string(byte)].push_constant = byte;
  }

  // Of all scalars, without the padding between them.
  std::uint64_t bytes_of(Id type) const {
    if (facts_.op(type) == spv::Op::OpTypeArray) return facts_.array_length(type) * bytes_of(facts_.element(type));
    if (facts_.op(type) != spv::Op::OpTypeStruct)
      return std::uint64_t{facts_.leaf_count(type)} * std::max(8u, width_of(facts_.sorts(type)[0])) / 8;
    std::uint64_t bytes = 0;
    for (std::uint32_t i = 0; i < facts_.elements(type); ++i) bytes += bytes_of(facts_.element(type, i));
    return bytes;
  }

  bool is_array(Id type) const { return facts_.op(type) == spv::Op::OpTypeArray; }

  // By component, since an attribute may be declared in parts.
  void attributes(Id variable, Id type) {
    if (!facts_.has(variable, spv::Decoration::Location)) return;
    Id scalar = type;
    while (facts_.elements(scalar) != 0 && facts_.op(scalar) != spv::Op::OpTypeStruct) scalar = facts_.element(scalar);
    for (const InterfaceLeaf& leaf : interface_leaves(facts_, variable, type))
      result_.attributes["location " + std::to_string(leaf.place.number) + "." + std::to_string(leaf.place.component)] =
          shape(scalar);
  }

  void target(Id variable, Id type) {
    const auto* location = facts_.decoration(variable, spv::Decoration::Location);
    if (location == nullptr) return;
    const auto* component = facts_.decoration(variable, spv::Decoration::Component);
    const auto* index = facts_.decoration(variable, spv::Decoration::Index);
    // An output that reaches no attachment need not be declared; of one that is an array the first location counts.
    if (pipeline_.targets && !pipeline_.reaches_attachment(*location, 3) && !is_array(type)) return;
    const std::string place = std::to_string(*location) + "." + std::to_string(component != nullptr ? *component : 0) +
                              (index != nullptr && *index != 0 ? " index 1" : "");
    result_.targets["location " + place] = shape(type);
  }

  // With the number of elements, and inputs that are interpolated per sample as one.
  void built_ins(Id variable, Id type, const std::string& direction) {
    std::map<std::uint32_t, unsigned> elements;
    for (const InterfaceLeaf& leaf : interface_leaves(facts_, variable, type)) {
      const bool is_view = leaf.place.number == static_cast<std::uint32_t>(spv::BuiltIn::ViewIndex);
      const bool is_id = leaf.place.number == static_cast<std::uint32_t>(spv::BuiltIn::PrimitiveId);
      if (leaf.place.built_in && !(is_view && pipeline_.view) && !is_id) ++elements[leaf.place.number];
      if (leaf.per_sample && !pipeline_.one_sample) result_.built_ins["input per sample"] = "";
    }
    for (const auto& [number, count] : elements)
      result_.built_ins[direction + " " + std::to_string(number)] = std::to_string(count);
  }

  void invariants(Id variable, Id type) {
    const auto* location = facts_.decoration(variable, spv::Decoration::Location);
    if (stage_ == Stage::fragment && location != nullptr && facts_.has(variable, spv::Decoration::Invariant))
      result_.invariant.insert("location " + std::to_string(*location));
    if (const auto* number = facts_.decoration(variable, spv::Decoration::BuiltIn))
      if (facts_.has(variable, spv::Decoration::Invariant)) result_.invariant.insert(std::to_string(*number));
    while (facts_.op(type) == spv::Op::OpTypeArray) type = facts_.element(type);
    if (facts_.op(type) != spv::Op::OpTypeStruct) return;
    const bool is_whole = facts_.has(variable, spv::Decoration::Invariant);
    for (std::uint32_t i = 0; i < facts_.elements(type); ++i)
      if (const auto* number = facts_.member_decoration(type, i, spv::Decoration::BuiltIn))
        if (is_whole || facts_.member_decoration(type, i, spv::Decoration::Invariant) != nullptr)
          result_.invariant.insert(std::to_string(*number));
  }

  Stage stage_;
  const spirv::Module& module_;
  const spirv::EntryPoint& entry_;
  const PipelineFacts& pipeline_;
  Facts facts_;
  Declarations result_;
  std::uint32_t push_begin_ = ~0u, push_end_ = 0;
};

// The first entry of `linked` that `original` does not have like that.
std::string first_other(const Declared& original, const Declared& linked) {
  for (const auto& [name, what] : linked) {
    const auto found = original.find(name);
    if (found == original.end() || found->second != what) return name;
  }
  return {};
}

std::string first_undeclared(const Declarations& original, const Declarations& linked) {
  for (const auto& [name, resource] : linked.resources)
    if (!original.resources.contains(name)) return name;
  return {};
}

// Nothing tells through which of several variables an access of the resource goes: they are not all coherent alike.
bool differ_in_coherence(const std::set<std::string>& qualifiers) {
  return qualifiers.size() > 1 &&
         std::ranges::any_of(qualifiers, [](const std::string& each) { return each.find("Coherent") != each.npos; });
}

// The first resource that a variable of `linked` declares with other memory qualifiers than each of `original`.
std::string first_other_qualifiers(const Declarations& original, const Declarations& linked) {
  for (const auto& [name, qualifiers] : linked.memory_qualifiers) {
    const std::set<std::string>& before = original.memory_qualifiers.at(name);
    if (differ_in_coherence(before)) return name + ", with other memory qualifiers from one variable to the other";
    for (const std::string& each : qualifiers)
      if (!before.contains(each)) return name + ", with other memory qualifiers: " + (each.empty() ? "none" : each);
  }
  return {};
}

// The layout gives both stages the same bytes: one descriptor, one range (rules ).
bool gives(const PipelineFacts& facts, const Resource& resource, Stage one, Stage other) {
  const auto has_both = [&](const std::set<Stage>& stages) { return stages.contains(one) && stages.contains(other); };
  if (!resource.push_constant) {
    const auto found = facts.bindings.find(resource.binding);
    return found != facts.bindings.end() && has_both(found->second);
  }
  return std::ranges::any_of(facts.push_constants, [&](const PipelineFacts::PushConstantRange& range) {
    const std::uint64_t end = std::uint64_t{range.offset} + range.size;
    return range.offset <= *resource.push_constant && *resource.push_constant + 4 <= end && has_both(range.stages);
  });
}

// What a stage declares and the layout gives to this one as well: it may use that, too.
void add_given(Stage stage, std::span<const DeclaringStage> pipeline, const PipelineFacts& facts, Declarations& known) {
  if (facts.bindings.empty() && facts.push_constants.empty()) return;
  for (const DeclaringStage& other : pipeline) {
    const Declarations there = Reader(other, facts).read(false);
    for (const auto& [name, resource] : there.resources) {
      if (!gives(facts, resource, stage, other.stage) || !known.resources.emplace(name, resource).second) continue;
      if (const auto qualifiers = there.memory_qualifiers.find(name); qualifiers != there.memory_qualifiers.end())
        known.memory_qualifiers[name] = qualifiers->second;
    }
  }
}

// What a device must have for the pipeline.
struct Requirements {
  std::set<std::uint32_t> capabilities;
  std::set<std::string> extensions;
  std::uint32_t version = 0;
};

Requirements requirements(std::span<const DeclaringStage> stages) {
  Requirements result;
  for (const DeclaringStage& stage : stages) {
    for (const spirv::InstRef ref : stage.module->capabilities)
      result.capabilities.insert(stage.module->operand(ref, 0).word);
    for (const spirv::InstRef ref : stage.module->extensions)
      result.extensions.insert(spirv::decode_string(stage.module->operands(ref), 0));
    result.version = std::max(result.version, stage.module->version);
  }
  // Every other capability of a graphics pipeline implies them.
  result.capabilities.insert(static_cast<std::uint32_t>(spv::Capability::Shader));
  result.capabilities.insert(static_cast<std::uint32_t>(spv::Capability::Matrix));
  return result;
}

}  // namespace

//
std::string asks_for_more(std::span<const DeclaringStage> original, std::span<const DeclaringStage> linked) {
  const Requirements before = requirements(original), after = requirements(linked);
  for (const std::uint32_t needed : after.capabilities)
    if (!before.capabilities.contains(needed))
      return "capability " + std::to_string(needed) + ", which no original stage has";
  for (const std::string& needed : after.extensions)
    if (!before.extensions.contains(needed)) return "extension " + needed + ", which no original stage has";
  if (after.version > before.version) return "a newer version of SPIR-V than the original's";
  for (std::size_t i = 0; i < linked.size(); ++i)
    if (linked[i].entry->name != original[i].entry->name) return "an entry point of another name";
  return {};
}

//
std::string declared_otherwise(std::span<const DeclaringStage> original, const DeclaringStage& linked,
                               const PipelineFacts& facts) {
  const auto own = std::ranges::find(original, linked.stage, &DeclaringStage::stage);
  if (own == original.end()) return "other stages";
  Declarations before = Reader(*own, facts).read(true);
  const Declarations after = Reader(linked, facts).read(true);
  const std::string stage_name(short_name(linked.stage));
  if (!first_undeclared(before, after).empty()) add_given(linked.stage, original, facts, before);
  if (const std::string name = first_undeclared(before, after); !name.empty())
    return stage_name + " uses " + name + ", which it did not declare";
  if (const std::string name = first_other_qualifiers(before, after); !name.empty())
    return stage_name + " declares " + name;
  if (const std::string name = first_other(before.attributes, after.attributes); !name.empty())
    return stage_name + " reads an attribute at " + name + " that it did not declare so";
  for (const auto& [storage, bytes] : after.shared_bytes)
    if (bytes > before.shared_bytes[storage]) return stage_name + " declares more memory that its workgroup shares";
  if (before.targets != after.targets) return stage_name + " declares other outputs";
  if (before.built_ins != after.built_ins) return stage_name + " declares other built-ins, or inputs per sample";
  if (!std::ranges::includes(after.invariant, before.invariant)) return stage_name + " lost Invariant of an output";
  return {};
}

std::set<std::string> permissions_of(const spirv::Module& module) {
  std::set<std::string> result;
  for (const spirv::InstRef ref : module.annotations) {
    const std::uint32_t at = module[ref].op == spv::Op::OpMemberDecorate ? 2 : 1;
    if (module.operands(ref).size() <= at) continue;
    for (const auto& [number, name] : permissions())
      if (module.operand(ref, at).word == number) result.emplace(name);
  }
  return result;
}

}  // namespace varylink::prove
