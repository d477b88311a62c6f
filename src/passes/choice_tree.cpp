#include "passes/choice_tree.h"

#include <algorithm>
#include <bit>

#include "base/seeded_fault.h"
#include "spirv/globals.h"

namespace varylink::passes {

using graph::Value;
using graph::ValueId;
using graph::ValueKind;
using spirv::Id;
using spirv::InstRef;

namespace {

// Deeper ones are not read: what is written for them would cost more than what goes, and loops have no end.
constexpr std::uint32_t kMostDepth = 8;

enum KeyWord : std::uint32_t { kUndefined, kFirst, kSecond, kPhi, kSelect };

}  // namespace

std::optional<Choice> ChoiceReader::read(ValueId value) {
  Choice choice;
  if (!read(value, 0, choice, choice.tree) || choice.second == graph::kNoValue) return std::nullopt;
  choice.key = key_of(choice.tree);
  return choice;
}

bool ChoiceReader::read(ValueId value, std::uint32_t depth, Choice& choice, ChoiceTree& tree) {
  if (is_free_(value)) return read_leaf(value, choice, tree);
  if (depth == kMostDepth) return false;
  const Value node = graph_[value];
  if (node.kind == ValueKind::leaf) return read_phi(node, depth, choice, tree);
  if (node.kind != ValueKind::operation || node.op != spv::Op::OpSelect) return false;
  tree.kind = ChoiceTree::Kind::select;
  tree.condition = node.operands[0];
  tree.children.resize(2);
  return read(node.operands[1], depth + 1, choice, tree.children[0]) &&
         read(node.operands[2], depth + 1, choice, tree.children[1]);
}

bool ChoiceReader::read_phi(const Value& node, std::uint32_t depth, Choice& choice, ChoiceTree& tree) {
  const Id id = node.words[0];
  if (module_.def_op(id) == spv::Op::OpUndef) return true;
  if (module_.def_op(id) != spv::Op::OpPhi) return false;
  tree.kind = ChoiceTree::Kind::phi;
  tree.phi = module_.def(id);
  tree.component = node.words[1];
  std::vector<std::pair<Id, Id>> ways;  // block, value
  const auto operands = module_.operands(tree.phi);
  for (std::size_t i = 0; i + 1 < operands.size(); i += 2) ways.emplace_back(operands[i + 1].word, operands[i].word);
  std::sort(ways.begin(), ways.end());
  for (const auto& [parent, value] : ways) {
    const std::optional<ValueId> part = values_.component(value, tree.component);
    if (!part || !read(*part, depth + 1, choice, tree.children.emplace_back())) return false;
    tree.parents.push_back(parent);
  }
  return true;
}

bool ChoiceReader::read_leaf(ValueId value, Choice& choice, ChoiceTree& tree) const {
  if (choice.first == graph::kNoValue) choice.first = value;
  if (choice.first != value && choice.second == graph::kNoValue) choice.second = value;
  tree.kind = value == choice.first ? ChoiceTree::Kind::first : ChoiceTree::Kind::second;
  return value == choice.first || value == choice.second;
}

// What is undefined may be anything, and so be like the others.
std::vector<std::uint32_t> ChoiceReader::key_of(const ChoiceTree& tree) const {
  switch (tree.kind) {
    case ChoiceTree::Kind::undefined: return {kUndefined};
    case ChoiceTree::Kind::first: return {kFirst};
    case ChoiceTree::Kind::second: return {kSecond};
    default: break;
  }
  const bool is_phi = tree.kind == ChoiceTree::Kind::phi;
  std::vector<std::uint32_t> key = {is_phi ? kPhi : kSelect, is_phi ? places_[tree.phi.index].block : tree.condition};
  std::vector<std::uint32_t> only;  // what all children that are defined have in common
  bool are_alike = true;
  for (std::size_t i = 0; i < tree.children.size(); ++i) {
    const std::vector<std::uint32_t> part = key_of(tree.children[i]);
    if (is_phi) key.push_back(tree.parents[i]);
    key.insert(key.end(), part.begin(), part.end());
    if (part == std::vector<std::uint32_t>{kUndefined}) continue;
    are_alike = are_alike && (only.empty() || only == part);
    only = part;
  }
  if (only.empty()) return {kUndefined};
  return are_alike ? only : key;
}

ChoiceWriter::ChoiceWriter(spirv::Module& module, const spirv::Function& function, const link::ProducerValues& values,
                           spirv::Globals& globals, io::CodeEdit& edit)
    : module_(module),
      function_(function),
      values_(values),
      globals_(globals),
      edit_(edit),
      emitter_(module, globals),
      float_type_(globals.float_type(32)) {}

Id ChoiceWriter::write(const ChoiceTree& tree, InstRef place) {
  if (tree.kind == ChoiceTree::Kind::phi) return write_phi(tree);
  if (tree.kind == ChoiceTree::Kind::select) return write_select(tree, place);
  const auto heavy = seeded_fault("choices-weigh-the-first") ? ChoiceTree::Kind::first : ChoiceTree::Kind::second;
  const float weight = tree.kind == heavy ? 1.0f : 0.0f;
  return globals_.scalar_constant(float_type_, {std::bit_cast<std::uint32_t>(weight)});
}

Id ChoiceWriter::write_phi(const ChoiceTree& tree) {
  std::vector<spirv::Operand> operands;
  for (std::size_t i = 0; i < tree.children.size(); ++i) {
    const Id weight = write(tree.children[i], end_of(tree.parents[i]));
    if (weight == 0) return 0;
    operands.insert(operands.end(), {spirv::id(weight), spirv::id(tree.parents[i])});
  }
  emitter_.write_to(edit_.before(tree.phi));
  return emitter_.emit(spv::Op::OpPhi, float_type_, operands);
}

Id ChoiceWriter::write_select(const ChoiceTree& tree, InstRef place) {
  const auto condition = values_.origin(tree.condition, place);
  const Id then = write(tree.children[0], place), otherwise = write(tree.children[1], place);
  if (!condition || then == 0 || otherwise == 0) return 0;
  emitter_.write_to(edit_.before(place));
  Id decides = condition->first;
  if (module_.def_op(module_.type_of(decides)) == spv::Op::OpTypeVector)
    decides = emitter_.extract(globals_.bool_type(), decides, condition->second);
  return emitter_.select(float_type_, decides, then, otherwise);
}

// The merge instruction, if there is one, has to stay in front of the branch.
InstRef ChoiceWriter::end_of(Id block) const {
  const auto found = std::find_if(function_.blocks.begin(), function_.blocks.end(),
                                  [&](const spirv::Block& candidate) { return candidate.label == block; });
  const std::vector<InstRef>& body = found->body;
  const bool has_merge = body.size() > 1 && (module_[body[body.size() - 2]].op == spv::Op::OpSelectionMerge ||
                                             module_[body[body.size() - 2]].op == spv::Op::OpLoopMerge);
  return body[body.size() - (has_merge ? 2 : 1)];
}

}  // namespace varylink::passes
