#include "report/flow/value_flow_recorder.h"

#include <algorithm>
#include <optional>

#include "graph/resource.h"
#include "graph/value_text.h"
#include "link/values/consumer_values.h"
#include "link/values/producer_values.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/operations.h"
#include "spirv/tools/names.h"

namespace varylink::report {
namespace {

using graph::Value;
using graph::ValueId;
using graph::ValueKind;
using spirv::Id;
using spirv::InstRef;
using spirv::Module;

// Operands of an expression are written out so deep.
constexpr int kExpressionDepth = 3;

// One step into a composite type: ".direction", ".x", "[3]"; "[]" for an index that is not constant.
std::string step_name(const Module& module, Id type, std::optional<std::uint32_t> index) {
  if (!index) return "[]";
  const std::string number = std::to_string(*index);
  switch (spirv::type_kind(module, type)) {
    case spirv::TypeKind::structure: {
      const std::string member = module.member_name(type, *index);
      return "." + (member.empty() ? number : member);
    }
    case spirv::TypeKind::vector: return std::string(".") + "xyzw"[*index & 3];
    default: return "[" + number + "]";
  }
}

// Name of a pointer's target, as far as there are names: "light.direction", "gl_in[].gl_Position".
std::string pointer_name(const Module& module, Id pointer) {
  const InstRef def = module.def(pointer);
  if (!spirv::is_access_chain(module[def].op)) return module.name(pointer);
  const auto operands = module.operands(def);
  std::string name = pointer_name(module, operands[0].word);
  Id type = spirv::pointee_type(module, module.type_of(operands[0].word));
  for (std::size_t i = 1; i < operands.size() && type != 0; ++i) {
    const std::optional<std::uint32_t> number = spirv::constant_index(module, operands[i].word);
    name += step_name(module, type, number);
    type = spirv::element_type(module, type, number.value_or(0));
  }
  // The members of a block without a name of its own go by theirs.
  return name.starts_with('.') ? name.substr(1) : name;
}

// Where a value was loaded from, or the instruction that makes it.
std::string value_name(const Module& module, Id id) {
  const InstRef def = module.def(id);
  if (module[def].op == spv::Op::OpLoad) {
    const Id pointer = module.operand(def, 0).word;
    const std::string name = pointer_name(module, pointer);
    return name.empty() ? "%" + std::to_string(pointer) : name;
  }
  if (module[def].op == spv::Op::OpCopyLogical) return value_name(module, module.operand(def, 0).word);
  if (module[def].op != spv::Op::OpCompositeExtract) return spirv::name_of(module[def].op);
  const auto operands = module.operands(def);
  std::string name = value_name(module, operands[0].word);
  Id type = module.type_of(operands[0].word);
  for (std::size_t i = 1; i < operands.size() && type != 0; ++i) {
    const std::uint32_t index = operands[i].word;
    name += step_name(module, type, index);
    type = spirv::element_type(module, type, index);
  }
  return name;
}

std::string leaf_name(const Module& module, Id id, std::uint32_t component) {
  std::string name = value_name(module, id);
  const Id type = module.type_of(id);
  if (module.def_op(type) == spv::Op::OpTypeMatrix) {
    const std::uint32_t rows = spirv::component_count(module, spirv::element_type(module, type));
    return name + "[" + std::to_string(component / rows) + "]." + "xyzw"[component % rows];
  }
  if (spirv::component_count(module, type) > 1) name += std::string(".") + "xyzw"[component & 3];
  return name;
}

// "camera.view[2].x": empty if the buffer and its members have no names.
std::string resource_name(const Module& module, const graph::ResourcePlace& place) {
  std::string name = module.name(place.variable);
  Id type = spirv::pointee_type(module, module.type_of(place.variable));
  for (std::size_t i = 0; i < place.indices.size(); ++i) {
    const std::uint32_t index = place.indices[i];
    name += place.computed == i ? "[index]" : step_name(module, type, index);
    type = spirv::element_type(module, type, index);
  }
  if (module.def_op(type) == spv::Op::OpTypeVector) name += step_name(module, type, place.component);
  return name.starts_with('.') ? name.substr(1) : name;
}

// Names of the instructions that something is used by, behind all rearrangements.
void add_users(const Module& module, const spirv::Uses& uses, Id id, std::set<Id>& seen, std::set<std::string>& names) {
  if (!seen.insert(id).second) return;
  for (const InstRef user : uses.of(id)) {
    const spirv::Inst& inst = module[user];
    if (spirv::is_rearrangement(inst.op))
      add_users(module, uses, inst.result, seen, names);
    else if (inst.op == spv::Op::OpExtInst)
      names.insert(spirv::glsl_name(module.operand(user, 1).word));
    else if (inst.op == spv::Op::OpStore)
      names.insert("store to " + pointer_name(module, module.operand(user, 0).word));
    else
      names.insert(spirv::name_of(inst.op));
  }
}

ValueFlow::Kind kind_of(ValueKind kind) {
  switch (kind) {
    case ValueKind::constant: return ValueFlow::Kind::constant;
    case ValueKind::resource:
    case ValueKind::specialization: return ValueFlow::Kind::resource;
    case ValueKind::per_store_point: return ValueFlow::Kind::per_store_point;
    case ValueKind::operation: return ValueFlow::Kind::operation;
    case ValueKind::leaf: break;
  }
  return ValueFlow::Kind::leaf;
}

}  // namespace

void ValueFlowRecorder::name_leaves(const link::LinkedStage& producer) {
  for (ValueId id = 0; id < graph_.size(); ++id) {
    const Value& value = graph_[id];
    if (value.kind != ValueKind::leaf || names_.count(id) != 0) continue;
    names_.emplace(id, leaf_name(producer.module, value.words[0], value.words[1]));
  }
}

void ValueFlowRecorder::name_resources(const Module& module) {
  const graph::Resources resources(module);
  for (ValueId id = 0; id < graph_.size(); ++id) {
    const Value& value = graph_[id];
    if (value.kind != ValueKind::resource || names_.count(id) != 0) continue;
    const auto place = resources.find(graph::ResourceKey::from(value.words), value.type);
    if (!place) continue;
    const std::string name = resource_name(module, *place);
    if (!name.empty()) names_.emplace(id, name);
  }
}

std::string ValueFlowRecorder::label_of(ValueId value) const {
  const auto name = names_.find(value);
  return name != names_.end() ? name->second : graph::text(graph_[value]);
}

void ValueFlowRecorder::note_uses(const link::LinkedStage& consumer, const link::ConsumerValues& values) {
  const spirv::Uses uses(consumer.module);
  for (const link::Sink& sink : values.sinks()) {
    std::set<Id> seen;
    std::set<std::string> names;
    add_users(consumer.module, uses, sink.id, seen, names);
    for (std::size_t i = 0; i < sink.components.size(); ++i)
      if (sink.used[i]) uses_[sink.components[i].what.value].insert(names.begin(), names.end());
  }
}

// The values themselves and everything they are made of; what is in `stop`, and below, is left out.
ValueFlowRecorder::Values ValueFlowRecorder::all_below(Values open, const Values& stop) const {
  Values all;
  while (!open.empty()) {
    const ValueId value = *open.begin();
    open.erase(open.begin());
    if (stop.count(value) != 0 || !all.insert(value).second) continue;
    open.insert(graph_[value].operands.begin(), graph_[value].operands.end());
  }
  return all;
}

ValueFlowRecorder::Look ValueFlowRecorder::look_at(const link::Link& link) {
  const link::LinkedStage &producer = *link.producers.front(), &consumer = *link.consumers.front();
  link::ProducerValues sent(producer, graph_);
  const link::ConsumerValues received(link, graph_, sent, true, nullptr);
  name_leaves(producer);
  name_resources(producer.module);
  name_resources(consumer.module);
  note_uses(consumer, received);

  Look look;
  Values stored, component, wanted;
  for (const varyings::Varying& output : producer.outputs) {
    const auto value = sent.value(output.slot);
    if (!value) continue;
    look.component.emplace(output.slot, *value);
    stored.insert(*value);
    if (link::find_varying(consumer.inputs, output.slot)) component.insert(*value);
  }
  for (const link::Sink& sink : received.sinks())
    for (std::size_t i = 0; i < sink.components.size(); ++i)
      if (sink.used[i]) wanted.insert(sink.components[i].what.value);
  look.sides.resize(graph_.size());
  for (const ValueId value : all_below(stored, {})) look.sides[value].producer = true;
  for (const ValueId value : all_below(wanted, component)) look.sides[value].consumer = true;
  return look;
}

void ValueFlowRecorder::before(const link::Link& link) {
  flow_.producer = link.report.producer;
  flow_.consumer = link.report.consumer;
  before_ = look_at(link);
}

void ValueFlowRecorder::after(const link::Link& link) {
  after_ = look_at(link);
  before_.sides.resize(graph_.size());
  link::InterfaceReport report = link.report;
  report.follow_duplicates();
  records_ = std::move(report.components);
}

std::string ValueFlowRecorder::expression(ValueId value, int depth) const {
  const Value& node = graph_[value];
  const std::string name = label_of(value);
  if (node.operands.empty()) return name;
  if (depth == 0) return "...";
  const bool is_infix = name.size() == 1 && node.operands.size() == 2;
  std::string text;
  for (std::size_t i = 0; i < node.operands.size(); ++i) {
    const std::string operand = expression(node.operands[i], depth - 1);
    if (i > 0) text += is_infix ? " " + name + " " : ", ";
    text += is_infix && operand.find(' ') != std::string::npos ? "(" + operand + ")" : operand;
  }
  return is_infix ? text : name + "(" + text + ")";
}

std::uint32_t ValueFlowRecorder::node_of(ValueId value) {
  const auto [entry, is_new] = index_.try_emplace(value, static_cast<std::uint32_t>(flow_.nodes.size()));
  if (!is_new) return entry->second;
  const Value& content = graph_[value];
  ValueFlow::Node node;
  node.kind = kind_of(content.kind);
  node.label = label_of(value);
  for (const ValueId operand : content.operands) node.operands.push_back(index_.at(operand));
  node.before = before_.sides[value];
  node.after = after_.sides[value];
  if (const auto uses = uses_.find(value); uses != uses_.end())
    node.uses.assign(uses->second.begin(), uses->second.end());
  flow_.nodes.push_back(std::move(node));
  return entry->second;
}

ValueFlow ValueFlowRecorder::take() {
  Values shown;
  for (ValueId value = 0; value < graph_.size(); ++value)
    if (before_.sides[value].any() || after_.sides[value].any()) shown.insert(value);
  for (const ValueId value : all_below(shown, {})) node_of(value);
  const auto component = [&](const Look& look, const link::ComponentRecord& record, varyings::Slot slot) {
    ValueFlow::Component result{slot, record.producer_name, std::nullopt, record.outcome};
    if (const auto known = look.component.find(record.old_slot); known != look.component.end()) {
      result.node = index_.at(known->second);
      if (&look == &after_ && record.outcome == link::Outcome::moved)
        result.name = expression(known->second, kExpressionDepth);
    }
    return result;
  };
  for (const link::ComponentRecord& record : records_) {
    flow_.before.push_back(component(before_, record, record.old_slot));
    const bool is_left = record.outcome == link::Outcome::kept || record.outcome == link::Outcome::moved;
    if (is_left && record.new_slot) flow_.after.push_back(component(after_, record, *record.new_slot));
  }
  std::sort(flow_.after.begin(), flow_.after.end(), [](const auto& a, const auto& b) { return a.slot < b.slot; });
  return std::move(flow_);
}

}  // namespace varylink::report
