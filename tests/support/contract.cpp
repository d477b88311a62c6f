#include "support/contract.h"

#include <algorithm>
#include <map>
#include <optional>
#include <spirv/unified1/spirv.hpp11>
#include <vector>

namespace varylink::test {
namespace {

using Words = std::span<const std::uint32_t>;

struct Instruction {
  spv::Op op = spv::Op::OpNop;
  Words operands;  // all words behind the first
};

// Decorations of one id, or of one member: decoration and first literal.
using Marks = std::map<std::uint32_t, std::uint32_t>;

std::string text_of(Words words) {
  std::string text;
  for (const std::uint32_t word : words)
    for (int shift = 0; shift < 32; shift += 8) {
      const char c = static_cast<char>((word >> shift) & 0xff);
      if (c == 0) return text;
      text += c;
    }
  return text;
}

std::string number(std::uint32_t value) { return std::to_string(value); }

// A module as far as its contract needs it.
class Outline {
 public:
  explicit Outline(Words words);

  std::set<std::string> contract(Stage stage, const std::string& entry_point) const;
  std::set<std::string> capabilities;

 private:
  void read(const Instruction& instruction);
  void decorate(const Instruction& instruction);
  void group(const Instruction& instruction);
  std::string type_text(std::uint32_t type, int depth = 0) const;
  std::uint32_t below_arrays(std::uint32_t type) const;
  void add_interface(std::set<std::string>& lines, std::uint32_t variable, Stage stage) const;
  void add_resources(std::set<std::string>& lines) const;
  std::string default_text(std::uint32_t constant) const;
  const Marks& marks_of(std::uint32_t id) const;

  std::uint32_t version_ = 0;
  std::vector<Instruction> entries_, modes_;
  std::map<std::uint32_t, Instruction> types_;                       // by result id, constants too
  std::map<std::uint32_t, Instruction> spec_constants_;              // scalar ones by result id
  std::map<std::uint32_t, Instruction> variables_;                   // global ones by result id
  std::map<std::uint32_t, Marks> marks_;                             // by id
  std::map<std::uint32_t, std::map<std::uint32_t, Marks>> members_;  // by struct type, by member
};

Outline::Outline(Words words) {
  if (words.size() < 5) return;
  version_ = words[1];
  for (std::size_t i = 5; i < words.size();) {
    const std::size_t count = words[i] >> 16;
    if (count == 0 || i + count > words.size()) return;
    read({static_cast<spv::Op>(words[i] & 0xffff), words.subspan(i + 1, count - 1)});
    i += count;
  }
}

void Outline::decorate(const Instruction& instruction) {
  const Words operands = instruction.operands;
  if (instruction.op == spv::Op::OpDecorate)
    marks_[operands[0]][operands[1]] = operands.size() > 2 ? operands[2] : 0;
  else
    members_[operands[0]][operands[1]][operands[2]] = operands.size() > 3 ? operands[3] : 0;
}

void Outline::group(const Instruction& instruction) {
  const Words operands = instruction.operands;
  const Marks marks = marks_of(operands[0]);
  if (instruction.op == spv::Op::OpGroupDecorate)
    for (const std::uint32_t target : operands.subspan(1)) marks_[target].insert(marks.begin(), marks.end());
  else
    for (std::size_t i = 1; i + 1 < operands.size(); i += 2)
      members_[operands[i]][operands[i + 1]].insert(marks.begin(), marks.end());
}

void Outline::read(const Instruction& instruction) {
  const Words operands = instruction.operands;
  const auto op = static_cast<std::uint32_t>(instruction.op);
  const bool is_type = op >= static_cast<std::uint32_t>(spv::Op::OpTypeVoid) &&
                       op <= static_cast<std::uint32_t>(spv::Op::OpTypeForwardPointer);
  switch (instruction.op) {
    case spv::Op::OpCapability: capabilities.insert("capability " + number(operands[0])); break;
    case spv::Op::OpEntryPoint: entries_.push_back(instruction); break;
    case spv::Op::OpExecutionMode:
    case spv::Op::OpExecutionModeId: modes_.push_back(instruction); break;
    case spv::Op::OpDecorate:
    case spv::Op::OpMemberDecorate: decorate(instruction); break;
    case spv::Op::OpGroupDecorate:
    case spv::Op::OpGroupMemberDecorate: group(instruction); break;
    case spv::Op::OpConstant: types_[operands[1]] = instruction; break;
    case spv::Op::OpSpecConstant:
    case spv::Op::OpSpecConstantTrue:
    case spv::Op::OpSpecConstantFalse: spec_constants_[operands[1]] = instruction; break;
    case spv::Op::OpVariable:
      if (operands[2] != static_cast<std::uint32_t>(spv::StorageClass::Function)) variables_[operands[1]] = instruction;
      break;
    default:
      if (is_type) types_[operands[0]] = instruction;
  }
}

const Marks& Outline::marks_of(std::uint32_t id) const {
  static const Marks kNone;
  const auto found = marks_.find(id);
  return found == marks_.end() ? kNone : found->second;
}

std::uint32_t Outline::below_arrays(std::uint32_t type) const {
  for (auto found = types_.find(type); found != types_.end(); found = types_.find(type)) {
    if (found->second.op != spv::Op::OpTypeArray && found->second.op != spv::Op::OpTypeRuntimeArray) break;
    type = found->second.operands[1];
  }
  return type;
}

// "vector(float(32) 4)": opcode numbers stand for names, ids are followed.
std::string Outline::type_text(std::uint32_t type, int depth) const {
  const auto found = types_.find(type);
  if (found == types_.end() || depth > 8) return "?";
  const auto& [op, operands] = found->second;
  std::string text = "t" + number(static_cast<std::uint32_t>(op)) + "(";
  const bool follows = op == spv::Op::OpTypeVector || op == spv::Op::OpTypeMatrix || op == spv::Op::OpTypeArray ||
                       op == spv::Op::OpTypeStruct;
  if (op == spv::Op::OpConstant) return number(operands[2]);
  for (std::size_t i = 1; i < operands.size(); ++i) {
    const bool is_count = (op == spv::Op::OpTypeVector || op == spv::Op::OpTypeMatrix) && i == 2;
    text += (i > 1 ? " " : "") + (follows && !is_count ? type_text(operands[i], depth + 1) : number(operands[i]));
  }
  return text + ")";
}

// Opcode, type and default value of a specialization constant.
std::string Outline::default_text(std::uint32_t constant) const {
  const auto found = spec_constants_.find(constant);
  if (found == spec_constants_.end()) return {};
  const auto& [op, operands] = found->second;
  std::string text = " opcode " + number(static_cast<std::uint32_t>(op)) + " " + type_text(operands[0]);
  for (const std::uint32_t word : operands.subspan(2)) text += " " + number(word);
  return text;
}

void Outline::add_interface(std::set<std::string>& lines, std::uint32_t variable, Stage stage) const {
  const auto found = variables_.find(variable);
  if (found == variables_.end()) return;
  const auto storage = static_cast<spv::StorageClass>(found->second.operands[2]);
  const bool input = storage == spv::StorageClass::Input, output = storage == spv::StorageClass::Output;
  if (!input && !output) return;
  const std::uint32_t type = types_.at(found->second.operands[0]).operands[2];
  const Marks& marks = marks_of(variable);
  const std::string side = input ? "input" : "output";
  const auto builtin = static_cast<std::uint32_t>(spv::Decoration::BuiltIn);

  // The primitive id of a geometry stage is of interest to the fragment stage only, which may stop reading it.
  const auto may_go = [&](std::uint32_t kind) {
    return kind == static_cast<std::uint32_t>(spv::BuiltIn::PrimitiveId) &&
           stage == (input ? Stage::fragment : Stage::geometry);
  };
  if (output || stage == Stage::fragment) {
    if (const auto own = marks.find(builtin); own != marks.end() && !may_go(own->second))
      lines.insert(side + " built-in " + number(own->second));
    if (const auto members = members_.find(below_arrays(type)); members != members_.end())
      for (const auto& [member, member_marks] : members->second)
        if (const auto own = member_marks.find(builtin); own != member_marks.end())
          lines.insert(side + " built-in " + number(own->second));
  }
  const bool outside = (stage == Stage::vertex && input) || (stage == Stage::fragment && output);
  if (!outside || marks.count(builtin) != 0) return;
  std::string line = side + " " + type_text(type);
  for (const spv::Decoration decoration :
       {spv::Decoration::Location, spv::Decoration::Component, spv::Decoration::Index})
    if (const auto mark = marks.find(static_cast<std::uint32_t>(decoration)); mark != marks.end())
      line += " " + number(mark->first) + "=" + number(mark->second);
  lines.insert(line);
}

void Outline::add_resources(std::set<std::string>& lines) const {
  const auto binding = static_cast<std::uint32_t>(spv::Decoration::Binding);
  const auto set = static_cast<std::uint32_t>(spv::Decoration::DescriptorSet);
  for (const auto& [id, instruction] : variables_) {
    const auto storage = static_cast<spv::StorageClass>(instruction.operands[2]);
    const Marks& marks = marks_of(id);
    if (storage == spv::StorageClass::PushConstant) lines.insert("push constants");
    if (marks.count(binding) != 0 && marks.count(set) != 0)
      lines.insert("binding " + number(marks.at(set)) + "." + number(marks.at(binding)) + " storage class " +
                   number(instruction.operands[2]));
  }
}

std::set<std::string> Outline::contract(Stage stage, const std::string& entry_point) const {
  std::set<std::string> lines = {"version " + number(version_)};
  for (const Instruction& entry : entries_) {
    const Words operands = entry.operands;
    const std::string name = text_of(operands.subspan(2));
    if (operands[0] != execution_model(stage) || (!entry_point.empty() && name != entry_point)) continue;
    lines.insert("entry point " + name);
    for (const std::uint32_t id : operands.subspan(2 + name.size() / 4 + 1)) add_interface(lines, id, stage);
    for (const Instruction& mode : modes_)
      if (mode.operands[0] == operands[1]) lines.insert("execution mode " + number(mode.operands[1]));
  }
  if (entries_.size() > 1) return lines;
  add_resources(lines);
  for (const auto& [id, marks] : marks_)
    if (const auto spec = marks.find(static_cast<std::uint32_t>(spv::Decoration::SpecId)); spec != marks.end())
      lines.insert("specialization id " + number(spec->second) + default_text(id));
  return lines;
}

}  // namespace

std::set<std::string> contract_of(std::span<const std::uint32_t> words, Stage stage, const std::string& entry_point) {
  return Outline(words).contract(stage, entry_point);
}

std::set<std::string> capabilities_of(std::span<const std::uint32_t> words) { return Outline(words).capabilities; }

}  // namespace varylink::test
