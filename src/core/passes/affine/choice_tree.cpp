#include "passes/affine/choice_tree.h"

#include <algorithm>
#include <bit>

#include "base/seeded_fault.h"
#include "spirv/ir/globals.h"

namespace varylink::passes {

using graph::Value;
using graph::ValueId;
using graph::ValueKind;
using spirv::Id;
using spirv::InstRef;

namespace {

// Deeper ones are not read (rule ): the code written for them would cost more than is saved, and loops have no
// end.
constexpr std::uint32_t kMostDepth = 8;

// Keys of leaves; those of phis and selects are numbers behind them.
enum LeafKey : std::uint32_t { kUndefined, kFirst, kSecond, kFirstNumber };

bool is_endless() { return seeded_fault("choices-are-read-again"); }

}  // namespace

struct ChoiceReader::Reading {
  Choice choice;
  std::map<ValueId, std::uint32_t> nodes;  // of what was read
  std::uint32_t ways = 0;
};

std::optional<Choice> ChoiceReader::read(ValueId value) {
  Reading reading;
  if (!read(value, 0, reading) || reading.choice.second == graph::kNoValue) return std::nullopt;
  reading.choice.key = key_of(reading.choice);
  return std::move(reading.choice);
}

std::optional<std::uint32_t> ChoiceReader::read(ValueId value, std::uint32_t depth, Reading& reading) const {
  std::vector<ChoiceNode>& nodes = reading.choice.nodes;
  if (const auto found = reading.nodes.find(value); found != reading.nodes.end() && !is_endless())
    return depth + nodes[found->second].height <= kMostDepth ? std::optional(found->second) : std::nullopt;
  std::optional<ChoiceNode> node = node_of(value, depth, reading);
  if (!node) return std::nullopt;
  nodes.push_back(std::move(*node));
  const auto position = static_cast<std::uint32_t>(nodes.size() - 1);
  reading.nodes.emplace(value, position);
  return position;
}

std::optional<ChoiceNode> ChoiceReader::node_of(ValueId value, std::uint32_t depth, Reading& reading) const {
  ChoiceNode node;
  Choice& choice = reading.choice;
  if (is_rematerializable_(value)) {
    if (choice.first == graph::kNoValue) choice.first = value;
    if (choice.first != value && choice.second == graph::kNoValue) choice.second = value;
    node.kind = value == choice.first ? ChoiceNode::Kind::first : ChoiceNode::Kind::second;
    return value == choice.first || value == choice.second ? std::optional(node) : std::nullopt;
  }
  if (depth == kMostDepth) return std::nullopt;
  const Value chosen = graph_[value];
  if (chosen.kind == ValueKind::leaf) return phi_node(chosen, depth, reading);
  if (chosen.kind != ValueKind::operation || chosen.op != spv::Op::OpSelect) return std::nullopt;
  node.kind = ChoiceNode::Kind::select;
  node.condition = chosen.operands[0];
  for (const std::size_t way : {1, 2})
    if (!add_child(node, chosen.operands[way], depth, reading)) return std::nullopt;
  return node;
}

std::optional<ChoiceNode> ChoiceReader::phi_node(const Value& value, std::uint32_t depth, Reading& reading) const {
  ChoiceNode node;
  const Id id = value.words[0];
  if (module_.def_op(id) == spv::Op::OpUndef) return node;
  if (module_.def_op(id) != spv::Op::OpPhi) return std::nullopt;
  node.kind = ChoiceNode::Kind::phi;
  node.phi = module_.def(id);
  node.component = value.words[1];
  std::vector<std::pair<Id, Id>> ways;  // block, value
  const auto operands = module_.operands(node.phi);
  for (std::size_t i = 0; i + 1 < operands.size(); i += 2) ways.emplace_back(operands[i + 1].word, operands[i].word);
  std::sort(ways.begin(), ways.end());
  for (const auto& [parent, way] : ways) {
    const std::optional<ValueId> part = values_.component(way, node.component);
    if (!part || !add_child(node, *part, depth, reading)) return std::nullopt;
    node.parents.push_back(parent);
  }
  return node;
}

bool ChoiceReader::add_child(ChoiceNode& node, ValueId value, std::uint32_t depth, Reading& reading) const {
  if (++reading.ways > kMostWays && !is_endless()) return false;
  const auto child = read(value, depth + 1, reading);
  if (!child) return false;
  node.children.push_back(*child);
  node.height = std::max(node.height, reading.choice.nodes[*child].height + 1);
  return true;
}

// An undefined child may be anything, and so be like the others.
std::uint32_t ChoiceReader::key_of(Choice& choice) {
  std::vector<std::uint32_t> keys;  // by node
  for (ChoiceNode& node : choice.nodes) {
    const bool is_phi = node.kind == ChoiceNode::Kind::phi;
    if (!is_phi && node.kind != ChoiceNode::Kind::select) {
      keys.push_back(node.kind == ChoiceNode::Kind::undefined ? kUndefined
                     : node.kind == ChoiceNode::Kind::first   ? kFirst
                                                              : kSecond);
      continue;
    }
    std::vector<std::uint32_t> content = {is_phi, is_phi ? places_[node.phi.index].block : node.condition};
    std::uint32_t only = kUndefined;  // the key that all defined children share
    std::uint32_t defined = 0;        // one of them
    bool are_alike = true, some_undefined = false;
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      const std::uint32_t key = keys[node.children[i]];
      if (is_phi) content.push_back(node.parents[i]);
      content.push_back(key);
      some_undefined = some_undefined || key == kUndefined;
      if (key == kUndefined) continue;
      defined = node.children[i];
      are_alike = are_alike && (only == kUndefined || only == key);
      only = key;
    }
    if (are_alike && some_undefined && only != kUndefined && !seeded_fault("choices-forget-undefined-ways"))
      node.alike = defined;
    if (!are_alike)
      only = numbers_.try_emplace(content, kFirstNumber + static_cast<std::uint32_t>(numbers_.size())).first->second;
    keys.push_back(only);
  }
  return keys.back();
}

ChoiceWriter::ChoiceWriter(spirv::Module& module, const spirv::Function& function, const link::ProducerValues& values,
                           spirv::Globals& globals, spirv::CodeEdit& edit)
    : module_(module),
      values_(values),
      globals_(globals),
      edit_(edit),
      emitter_(module, globals),
      float_type_(globals.float_type(32)) {
  for (const spirv::Block& block : function.blocks) {
    // The merge instruction, if there is one, has to stay in front of the branch.
    const std::vector<InstRef>& body = block.body;
    const bool has_merge = body.size() > 1 && (module_[body[body.size() - 2]].op == spv::Op::OpSelectionMerge ||
                                               module_[body[body.size() - 2]].op == spv::Op::OpLoopMerge);
    ends_.emplace(block.label, body[body.size() - (has_merge ? 2 : 1)]);
  }
}

Id ChoiceWriter::write(const Choice& choice, InstRef place) {
  Written written;
  return write(choice, static_cast<std::uint32_t>(choice.nodes.size() - 1), place, written);
}

Id ChoiceWriter::write(const Choice& choice, std::uint32_t number, InstRef place, Written& written) {
  const ChoiceNode& node = choice.nodes[number];
  if (node.alike) return write_alike(choice, *node.alike, place, written);
  const bool is_phi = node.kind == ChoiceNode::Kind::phi;
  if (!is_phi && node.kind != ChoiceNode::Kind::select) {
    const auto heavy = seeded_fault("choices-weigh-the-first") ? ChoiceNode::Kind::first : ChoiceNode::Kind::second;
    const float weight = node.kind == heavy ? 1.0f : 0.0f;
    return globals_.scalar_constant(float_type_, {std::bit_cast<std::uint32_t>(weight)});
  }
  // A phi stands where it stands, whoever needs it.
  const std::pair key(number, is_phi ? node.phi : place);
  if (const auto found = written.find(key); found != written.end()) return found->second;
  return written[key] = is_phi ? write_phi(choice, node, written) : write_select(choice, node, place, written);
}

// The weight of others of the same key has to be right where this choice is undefined. A phi is there in its own block
// and behind it only.
Id ChoiceWriter::write_alike(const Choice& choice, std::uint32_t number, InstRef place, Written& written) {
  std::vector<std::uint32_t> open = {number};
  while (!open.empty()) {
    const ChoiceNode& node = choice.nodes[open.back()];
    open.pop_back();
    if (node.kind == ChoiceNode::Kind::phi && !node.alike) return 0;
    open.insert(open.end(), node.children.begin(), node.children.end());
  }
  return write(choice, number, place, written);
}

Id ChoiceWriter::write_phi(const Choice& choice, const ChoiceNode& node, Written& written) {
  std::vector<spirv::Operand> operands;
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const Id weight = write(choice, node.children[i], ends_.at(node.parents[i]), written);
    if (weight == 0) return 0;
    operands.insert(operands.end(), {spirv::id(weight), spirv::id(node.parents[i])});
  }
  emitter_.write_to(edit_.before(node.phi));
  return emitter_.emit(spv::Op::OpPhi, float_type_, operands);
}

Id ChoiceWriter::write_select(const Choice& choice, const ChoiceNode& node, InstRef place, Written& written) {
  const auto condition = values_.origin(node.condition, place);
  const Id then = write(choice, node.children[0], place, written);
  const Id otherwise = write(choice, node.children[1], place, written);
  if (!condition || then == 0 || otherwise == 0) return 0;
  emitter_.write_to(edit_.before(place));
  Id decides = condition->first;
  if (module_.def_op(module_.type_of(decides)) == spv::Op::OpTypeVector)
    decides = emitter_.extract(globals_.bool_type(), decides, condition->second);
  return emitter_.select(float_type_, decides, then, otherwise);
}

}  // namespace varylink::passes
