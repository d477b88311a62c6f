#include "link/rules/match.h"

#include <algorithm>

#include "spirv/ir/globals.h"
#include "varyings/reflect/built_ins.h"
#include "varyings/reflect/decoration_index.h"
#include "varyings/reflect/interpolation_qualifiers.h"

namespace varylink::link {
namespace {

using varyings::Leaf;
using varyings::Slot;

std::string quoted(const Leaf& leaf) { return leaf.name.empty() ? "without a name" : "'" + leaf.name + "'"; }

std::string at(Slot slot) { return "location " + varyings::text(slot); }

// "location 0.zw", "locations 0.xyzw, 1.x". The slots are in order.
std::string at(const std::vector<Slot>& slots) {
  std::string text;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const bool same_location = i > 0 && slots[i].location == slots[i - 1].location;
    text += same_location ? varyings::text(slots[i]).substr(varyings::text(slots[i]).size() - 1)
                          : (i > 0 ? ", " : " ") + varyings::text(slots[i]);
  }
  return (slots.front().location == slots.back().location ? "location" : "locations") + text;
}

class Matcher {
 public:
  Matcher(const InterfaceModel& outputs, const InterfaceModel& inputs) : outputs_(outputs), inputs_(inputs) {}

  Findings run();

 private:
  void match_leaf(const SlotUse& input);
  bool match_coverage(const SlotUse& input, const SlotUse* first);
  bool match_components(const SlotUse& input, const SlotUse& output);
  void match_width(const SlotUse& input, const SlotUse& output);
  void match_qualifiers(const SlotUse& input, const SlotUse& output);
  void match_writes(const SlotUse& input);
  void match_unit(const Unit& unit);
  void report(Rule rule, const SlotUse& input, const SlotUse* output, Slot slot, Message message, bool read = true);
  FileRef producer() const { return outputs_.stage().file; }

  const InterfaceModel& outputs_;
  const InterfaceModel& inputs_;
  std::size_t unit_ = 0;  // the one that is being matched
  Findings findings_;
};

void Matcher::report(Rule rule, const SlotUse& input, const SlotUse* output, Slot slot, Message message, bool read) {
  Finding finding;
  finding.rule = rule;
  finding.slot = slot;
  finding.message = std::move(message);
  finding.id = inputs_.id(input);
  finding.other = output ? outputs_.id(*output) : 0;
  finding.read = read;
  finding.unit = unit_;
  findings_.push_back(std::move(finding));
}

Findings Matcher::run() {
  for (unit_ = 0; unit_ < inputs_.units().size(); ++unit_) match_unit(inputs_.units()[unit_]);
  return std::move(findings_);
}

void Matcher::match_unit(const Unit& unit) {
  const std::size_t before = findings_.size();
  for (std::size_t leaf = unit.first_leaf; leaf < unit.first_leaf + unit.leaf_count; ++leaf)
    match_leaf({unit.variable, leaf, 0});
  // The shape says nothing new where a component already does not fit.
  const auto structural = [](const Finding& finding) {
    return finding.rule != Rule::signedness && finding.rule != Rule::interpolation_differs &&
           finding.rule != Rule::read_not_written;
  };
  if (unit.leaf_count == 0 ||
      std::any_of(findings_.begin() + static_cast<std::ptrdiff_t>(before), findings_.end(), structural))
    return;
  const SlotUse input{unit.variable, unit.first_leaf, 0};
  const Leaf& leaf = inputs_.leaf(input);
  const SlotUse* output = outputs_.find(leaf.slot, leaf);
  const Unit* other = output ? outputs_.unit_of(*output) : nullptr;
  if (!other) return;
  // Signedness is told component by component.
  const TypeMatch match = match_types(*inputs_.stage().module, unit.type, *outputs_.stage().module, other->type);
  if (other->first_leaf == output->leaf && match <= TypeMatch::signedness) return;
  report(Rule::shape, input, output, leaf.slot,
         "input " + describe(leaf) + " at " + at(leaf.slot) +
             " is not declared as the same array, matrix or structure as output " + describe(outputs_.leaf(*output)) +
             " of " + producer());
}

void Matcher::match_leaf(const SlotUse& input) {
  const Leaf& leaf = inputs_.leaf(input);
  const SlotUse* output = outputs_.find(leaf.slot, leaf);
  if (!match_coverage(input, output) || !output) return;
  if (!match_components(input, *output)) return;
  match_qualifiers(input, *output);
  match_width(input, *output);
  match_writes(input);
}

// A variable of unknown extent, such as an array sized by a specialization constant, may cover the slot. What is said
// of it is that it is not described (check_described).
bool may_reach(const InterfaceModel& model, Slot slot) {
  return std::any_of(model.variables().begin(), model.variables().end(),
                     [&](const auto& variable) { return variable.unsupported && variable.location <= slot.location; });
}

// Rule: every component of the input is declared by the producer, read or not.
bool Matcher::match_coverage(const SlotUse& input, const SlotUse* first) {
  const Leaf& leaf = inputs_.leaf(input);
  const std::uint8_t read = inputs_.access(input).read;
  const SlotUse* any = first;
  std::optional<std::uint32_t> missing;
  std::uint8_t missing_mask = 0;
  for (std::uint32_t i = 0; i < leaf.count; ++i) {
    const SlotUse* output = outputs_.find(leaf.slot_of(i), leaf);
    if (output) {
      any = output;
      continue;
    }
    if (!missing) missing = i;
    missing_mask |= static_cast<std::uint8_t>(1u << i);
  }
  if (!missing) return true;
  const Slot slot = leaf.slot_of(*missing);
  if (may_reach(outputs_, slot)) return false;
  const bool is_read = (read & missing_mask) != 0;
  const std::string how = is_read ? " is read, but " : " is declared and not read, but ";
  if (any)
    report(Rule::missing_component, input, any, slot,
           at(slot) + " of input " + describe(leaf) + how + producer() + " declares only " +
               describe(outputs_.leaf(*any)) + " there",
           is_read);
  else
    report(Rule::missing_output, input, nullptr, slot,
           "input " + describe(leaf) + " at " + at(slot) + how + producer() + " declares no output there", is_read);
  return false;
}

// Rule: kind and width of each component agree. A component that differs in signedness only is told and does not
// end the comparison: drivers and the validation layer take it, and what else is wrong must not hide behind it.
bool Matcher::match_components(const SlotUse& input, const SlotUse& first) {
  const Leaf& leaf = inputs_.leaf(input);
  bool told_sign = false;
  for (std::uint32_t i = 0; i < leaf.count; ++i) {
    const SlotUse* output = outputs_.find(leaf.slot_of(i), leaf);
    const Leaf& other = outputs_.leaf(output ? *output : first);
    if (leaf.scalar == other.scalar) continue;
    const bool integers =
        leaf.scalar.kind != varyings::ScalarKind::floating && other.scalar.kind != varyings::ScalarKind::floating;
    const bool sign_only = integers && leaf.scalar.width == other.scalar.width;
    if (sign_only && told_sign) continue;
    report(sign_only ? Rule::signedness : Rule::component_type, input, output, leaf.slot_of(i),
           at(leaf.slot_of(i)) + " is " + type_text(leaf) + " in input " + quoted(leaf) + " but " + type_text(other) +
               " in output " + quoted(other) + " of " + producer());
    if (!sign_only) return false;
    told_sign = true;
  }
  return true;
}

// Rules: one input variable, one output variable of the same vector size. Of the outputs that the input
// takes components from, each has to be no longer than the input.
void Matcher::match_width(const SlotUse& input, const SlotUse& output) {
  const Leaf& leaf = inputs_.leaf(input);
  const Leaf& other = outputs_.leaf(output);
  const bool same_start = other.slot == leaf.slot;
  if (same_start && other.count == leaf.count) return;
  const SlotUse* longer = nullptr;
  for (std::uint32_t i = 0; i < leaf.count && leaf.count > 1 && !longer; ++i) {
    const SlotUse* part = outputs_.find(leaf.slot_of(i), leaf);
    if (part && outputs_.leaf(*part).count > leaf.count) longer = part;
  }
  if (longer)
    report(Rule::vector_width, input, longer, leaf.slot,
           "input " + describe(leaf) + " at " + at(leaf.slot) + " is a shorter vector than output " +
               describe(outputs_.leaf(*longer)) + " of " + producer() + ", which needs the feature maintenance4");
  if (longer && same_start) return;
  report(Rule::scalar_against_vector, input, &output, leaf.slot,
         "input " + describe(leaf) + " at " + at(leaf.slot) + " is not declared with the same components as output " +
             describe(other) + " at " + at(other.slot) + " of " + producer());
}

void Matcher::match_qualifiers(const SlotUse& input, const SlotUse& output) {
  const Leaf& leaf = inputs_.leaf(input);
  const Leaf& other = outputs_.leaf(output);
  const Message names =
      " at " + at(leaf.slot) + ": input " + describe(leaf) + ", output " + describe(other) + " of " + producer();
  if (leaf.patch != other.patch)
    report(Rule::patch_mismatch, input, &output, leaf.slot,
           std::string("Patch is on the ") + (leaf.patch ? "input" : "output") + " only" + names);
  if (leaf.per_primitive != other.per_primitive)  // rule
    report(Rule::per_primitive_mismatch, input, &output, leaf.slot,
           std::string("PerPrimitiveEXT is on the ") + (leaf.per_primitive ? "input" : "output") + " only" + names);
  if (inputs_.stage().entry.stage != Stage::fragment || leaf.per_primitive) return;
  const varyings::Interpolation wanted = varyings::declarable_on_outputs(*outputs_.stage().module, leaf.interpolation);
  if (wanted == other.interpolation) return;
  report(Rule::interpolation_differs, input, &output, leaf.slot,
         "the input is " + varyings::text(leaf.interpolation) + " and the output " +
             varyings::text(other.interpolation) + names);
}

// Rule: an output that is never stored reads as an undefined value.
void Matcher::match_writes(const SlotUse& input) {
  const Leaf& leaf = inputs_.leaf(input);
  const std::uint8_t read = inputs_.access(input).read;
  std::vector<Slot> unwritten;
  const SlotUse* never = nullptr;
  for (std::uint32_t i = 0; i < leaf.count; ++i) {
    const SlotUse* output = outputs_.find(leaf.slot_of(i), leaf);
    if (!(read >> i & 1) || !output || (outputs_.access(*output).written >> output->component & 1)) continue;
    unwritten.push_back(leaf.slot_of(i));
    if (!never) never = output;
  }
  if (!never) return;
  report(
      Rule::read_not_written, input, never, unwritten.front(),
      at(unwritten) + " of input " + describe(leaf) + " is read but " + producer() + " declares and never writes it");
  findings_.back().unwritten = std::move(unwritten);
}

// ---- one side alone

Finding about(const InterfaceModel& model, Rule rule, const SlotUse& use, std::optional<Slot> slot,
              std::string message) {
  Finding finding;
  finding.rule = rule;
  finding.slot = slot;
  finding.message = std::move(message);
  finding.id = model.id(use);
  finding.direction = model.variables()[use.variable].direction;
  finding.on_producer = finding.direction == varyings::Direction::output;
  return finding;
}

void check_overlaps(const InterfaceModel& model, Findings& findings) {
  const SlotUse* last_first = nullptr;
  const SlotUse* last_second = nullptr;
  for (const auto& [slot, uses] : model.slots()) {
    if (uses.size() < 2) continue;
    // One finding per pair of variables, not one per component.
    if (last_first && last_first->variable == uses[0].variable && last_second->variable == uses[1].variable) continue;
    last_first = &uses[0];
    last_second = &uses[1];
    const Leaf& a = model.leaf(uses[0]);
    const Leaf& b = model.leaf(uses[1]);
    const bool kinds = a.patch != b.patch || a.per_primitive != b.per_primitive || a.stream != b.stream;
    findings.push_back(about(model, kinds ? Rule::overlap_of_kinds : Rule::overlap, uses[1], slot,
                             at(slot) + " is taken by both " + describe(a) + " and " + describe(b)));
    findings.back().other = model.id(uses[0]);
  }
}

// Rule: hardware sets up interpolation per location.
void check_mixed_interpolation(const InterfaceModel& model, Findings& findings) {
  const SlotUse* first = nullptr;
  std::uint32_t first_location = 0;
  bool reported = false;
  for (const auto& [slot, uses] : model.slots()) {
    if (!first || first_location != slot.location) {
      first = &uses[0];
      first_location = slot.location;
      reported = false;
      continue;
    }
    const Leaf& a = model.leaf(*first);
    const Leaf& b = model.leaf(uses[0]);
    if (reported || a.interpolation == b.interpolation) continue;
    reported = true;
    findings.push_back(about(model, Rule::mixed_interpolation, uses[0], slot,
                             "location " + std::to_string(slot.location) + " holds " + describe(a) + ", " +
                                 varyings::text(a.interpolation) + ", and " + describe(b) + ", " +
                                 varyings::text(b.interpolation)));
  }
}

void check_flat(const InterfaceModel& model, Findings& findings) {
  for (std::size_t variable = 0; variable < model.variables().size(); ++variable) {
    const auto& leaves = model.variables()[variable].leaves;
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      const Leaf& leaf = leaves[i];
      const bool must_be_flat = leaf.scalar.kind != varyings::ScalarKind::floating || leaf.scalar.width == 64;
      if (!must_be_flat || leaf.interpolation.flat || leaf.interpolation.per_vertex) continue;
      findings.push_back(about(model, Rule::missing_flat, {variable, i, 0}, leaf.slot,
                               "fragment input " + describe(leaf) + " at " + at(leaf.slot) + " is not Flat"));
      break;
    }
  }
}

void check_described(const InterfaceModel& model, Findings& findings) {
  for (std::size_t i = 0; i < model.variables().size(); ++i) {
    const varyings::InterfaceVariable& variable = model.variables()[i];
    if (!variable.unsupported) continue;
    const std::string what = variable.direction == varyings::Direction::input ? "input" : "output";
    findings.push_back(about(model, Rule::not_described, {i, 0, 0}, Slot{variable.location, 0},
                             what + (variable.name.empty() ? "" : " '" + variable.name + "'") + " at location " +
                                 std::to_string(variable.location) + " " + *variable.unsupported));
  }
}

// ---- built-in blocks

struct BuiltInBlock {
  spirv::Id id = 0;
  std::vector<spv::BuiltIn> members;  // in declaration order
};

// The first built-in block of that direction.
std::optional<BuiltInBlock> built_in_block(const StageView& stage, varyings::Direction direction) {
  std::optional<BuiltInBlock> block;
  for (const varyings::BuiltIn& built_in : stage.built_ins(direction)) {
    if (!built_in.member) continue;
    if (!block) block = BuiltInBlock{built_in.variable, {}};
    if (block->id == built_in.variable) block->members.push_back(built_in.kind);
  }
  return block;
}

}  // namespace

bool passes_through(const StageView& stage) {
  if (stage.entry.stage != Stage::geometry ||
      !stage.module->has_capability(spv::Capability::GeometryShaderPassthroughNV))
    return false;
  const auto has = [](varyings::DecorationList decorations) { return decorations.has(spv::Decoration::PassthroughNV); };
  const varyings::DecorationIndex& decorations = stage.decorations();
  return std::any_of(stage.entry.interface.begin(), stage.entry.interface.end(), [&](spirv::Id id) {
    if (has(decorations.of(id))) return true;
    const spirv::Id type =
        spirv::type_without_arrays(*stage.module, spirv::pointee_type(*stage.module, stage.module->type_of(id)));
    if (stage.module->def_op(type) != spv::Op::OpTypeStruct) return false;
    if (has(decorations.of(type))) return true;
    for (std::uint32_t member = 0; member < spirv::element_count(*stage.module, type); ++member)
      if (has(decorations.of_member(type, member))) return true;
    return false;
  });
}

Findings match_interfaces(const InterfaceModel& outputs, const InterfaceModel& inputs) {
  return Matcher(outputs, inputs).run();
}

Findings check_declarations(const InterfaceModel& model) {
  Findings findings;
  check_described(model, findings);
  check_overlaps(model, findings);
  const bool interpolated = model.stage().entry.stage == Stage::fragment && !model.variables().empty() &&
                            model.variables().front().direction == varyings::Direction::input;
  if (interpolated) {
    check_mixed_interpolation(model, findings);
    check_flat(model, findings);
  }
  return findings;
}

Findings match_built_in_blocks(const StageView& producer, const StageView& consumer) {
  if (consumer.entry.stage == Stage::fragment || producer.entry.stage == Stage::task) return {};
  const auto out = built_in_block(producer, varyings::Direction::output);
  const auto in = built_in_block(consumer, varyings::Direction::input);
  if (!out || !in || out->members == in->members) return {};
  Finding finding;
  finding.rule = Rule::built_in_block;
  finding.message =
      "the built-in input block has not the same members in the same order as the built-in output block of " +
      producer.file;
  finding.id = in->id;
  finding.other = out->id;
  return {finding};
}

}  // namespace varylink::link
