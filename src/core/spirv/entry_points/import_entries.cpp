#include "spirv/entry_points/import_entries.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "spirv/entry_points/extract_entry.h"
#include "spirv/ir/header_words.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/uses.h"

namespace varylink::spirv {
namespace {

bool is_aggregate(spv::Op op) {
  return op == spv::Op::OpTypeStruct || op == spv::Op::OpTypeArray || op == spv::Op::OpTypeRuntimeArray;
}
bool is_plain_constant(spv::Op op) { return op >= spv::Op::OpConstantTrue && op <= spv::Op::OpConstantNull; }

// Ids with decorations, also of their members.
std::set<Id> decorated_ids(const Module& module) {
  std::set<Id> ids;
  for (const InstRef inst : module.annotations)
    if (!module.is_dead(inst)) ids.insert(module.operand(inst, 0).word);
  return ids;
}

class Importer {
 public:
  Importer(Module& target, const Module& source)
      : target_(target),
        source_(source),
        decorated_in_target_(decorated_ids(target)),
        decorated_in_source_(decorated_ids(source)) {}

  void run() {
    index_target();
    merge(target_.capabilities, source_.capabilities);
    merge(target_.extensions, source_.extensions);
    for (const InstRef inst : source_.imports) share_or_copy(target_.imports, inst, true);
    for (const InstRef inst : source_.debug_strings)
      if (source_[inst].op == spv::Op::OpString) share_or_copy(target_.debug_strings, inst, same_id(inst));
    for (const InstRef inst : source_.types) share_or_copy(target_.types, inst, may_share(inst));
    number_functions();
    for (const auto* section : {&source_.entry_points, &source_.execution_modes}) {
      auto& into = section == &source_.entry_points ? target_.entry_points : target_.execution_modes;
      for (const InstRef inst : *section) into.push_back(copy(inst));
    }
    for (const InstRef inst : source_.debug_names) annotate(target_.debug_names, inst);
    for (const InstRef inst : source_.annotations) annotate(target_.annotations, inst);
    for (const Function& function : source_.functions) target_.functions.push_back(copy(function));
  }

 private:
  using Key = std::vector<std::uint32_t>;  // opcode, type, operand words

  static Key key_of(spv::Op op, Id type, std::span<const Operand> operands) {
    Key key = {static_cast<std::uint32_t>(op), type};
    for (const Operand& operand : operands) key.push_back(operand.word);
    return key;
  }

  void index_target() {
    for (const auto* section : {&target_.types, &target_.imports})
      for (const InstRef inst : *section)
        if (!target_.is_dead(inst) && target_[inst].result != 0 && !decorated_in_target_.contains(target_[inst].result))
          known_.try_emplace(key_of(target_[inst].op, target_[inst].type, target_.operands(inst)),
                             target_[inst].result);
  }

  void merge(std::vector<InstRef>& into, const std::vector<InstRef>& from) {
    std::vector<Key> present;
    for (const InstRef inst : into) present.push_back(key_of(target_[inst].op, 0, target_.operands(inst)));
    for (const InstRef inst : from) {
      const Key key = key_of(source_[inst].op, 0, source_.operands(inst));
      if (std::find(present.begin(), present.end(), key) == present.end()) into.push_back(copy(inst));
    }
  }

  Id mapped(Id value) {
    const auto [entry, is_new] = ids_.try_emplace(value, 0);
    if (is_new) entry->second = target_.new_id();
    return entry->second;
  }

  std::vector<Operand> mapped_operands(InstRef inst) {
    std::vector<Operand> operands;
    for (const Operand& operand : source_.operands(inst))
      operands.push_back(operand.is_id ? id(mapped(operand.word)) : operand);
    return operands;
  }

  InstRef copy(InstRef inst) {
    const Inst record = source_[inst];
    const Id type = record.type == 0 ? 0 : mapped(record.type);
    const Id result = record.result == 0 ? 0 : mapped(record.result);
    return target_.create(record.op, type, result, mapped_operands(inst));
  }

  // The target defines this very id by the same kind of instruction.
  bool same_id(InstRef inst) const {
    const InstRef def = target_.def(source_[inst].result);
    return def && target_[def].op == source_[inst].op;
  }

  // Types and constants are shared by what they are, things that exist once in a module by their id if that is still
  // what it was. So are aggregates and what is decorated, which may be the size of workgroups. Input, output and
  // private variables and debug instructions belong to one entry point each.
  bool may_share(InstRef inst) const {
    const spv::Op op = source_[inst].op;
    if (is_by_id(inst) && op != spv::Op::OpVariable) return same_id(inst);
    if (op == spv::Op::OpVariable) return same_id(inst) && is_resource(inst);
    const bool is_type = source_[inst].result != 0 && source_[inst].type == 0;
    return is_type || is_plain_constant(op) || op == spv::Op::OpUndef;
  }

  bool is_by_id(InstRef inst) const {
    const spv::Op op = source_[inst].op;
    return is_aggregate(op) || is_spec_constant(op) || op == spv::Op::OpVariable || op == spv::Op::OpString ||
           decorated_in_source_.contains(source_[inst].result);
  }

  // Linking may have given the members of a block other places.
  static std::vector<Key> decorations(const Module& module, Id subject) {
    std::vector<Key> found;
    for (const InstRef inst : module.annotations)
      if (!module.is_dead(inst) && module.operand(inst, 0).word == subject)
        found.push_back(key_of(module[inst].op, 0, module.operands(inst)));
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

  bool is_resource(InstRef inst) const {
    switch (static_cast<spv::StorageClass>(source_.operand(inst, 0).word)) {
      case spv::StorageClass::Input:
      case spv::StorageClass::Output:
      case spv::StorageClass::Private:
      case spv::StorageClass::Workgroup:
      case spv::StorageClass::TaskPayloadWorkgroupEXT: return false;
      default: return true;
    }
  }

  void share_or_copy(std::vector<InstRef>& into, InstRef inst, bool share) {
    const Inst record = source_[inst];
    if (share && record.result != 0) {
      const std::vector<Operand> operands = mapped_operands(inst);
      const Id type = record.type == 0 ? 0 : mapped(record.type);
      const auto found = known_.find(key_of(record.op, type, operands));
      const bool by_id = is_by_id(inst);
      if (by_id ? is_the_same(record.result, type, operands) : found != known_.end()) {
        ids_[record.result] = by_id ? record.result : found->second;
        shared_.push_back(record.result);
        return;
      }
    }
    const InstRef copied = copy(inst);
    into.push_back(copied);
    if (!decorated_in_source_.contains(record.result))
      known_.try_emplace(key_of(record.op, target_[copied].type, target_.operands(copied)), target_[copied].result);
  }

  // Ids of what linking removed are given out again: the target may use this one for something else of the same kind.
  bool is_the_same(Id result, Id type, const std::vector<Operand>& operands) const {
    const InstRef def = target_.def(result);
    const auto present = target_.operands(def);
    const auto is_equal = [&](const Operand& ours, const Operand& other) {
      return ours == other || (ours.is_id && other.is_id && first_like(ours.word) == other.word);
    };
    return target_[def].type == type &&
           std::equal(present.begin(), present.end(), operands.begin(), operands.end(), is_equal) &&
           decorations(source_, result) == decorations(target_, result);
  }

  // What is shared by what it is stands for all that are alike.
  Id first_like(Id value) const {
    const InstRef def = target_.def(value);
    if (!def || decorated_in_target_.contains(value)) return value;
    const auto found = known_.find(key_of(target_[def].op, target_[def].type, target_.operands(def)));
    return found == known_.end() ? value : found->second;
  }

  void number_functions() {
    for (const Function& function : source_.functions) mapped(function.result);
  }

  // What is shared has its names and decorations already.
  void annotate(std::vector<InstRef>& into, InstRef inst) {
    const Id subject = source_.operand(inst, 0).word;
    if (std::find(shared_.begin(), shared_.end(), subject) == shared_.end()) into.push_back(copy(inst));
  }

  Function copy(const Function& function) {
    Function result;
    result.result = mapped(function.result);
    for (const InstRef inst : function.head) result.head.push_back(copy(inst));
    for (const Block& block : function.blocks) {
      Block copied;
      copied.label = mapped(block.label);
      for (const InstRef inst : block.head) copied.head.push_back(copy(inst));
      for (const InstRef inst : block.body) copied.body.push_back(copy(inst));
      result.blocks.push_back(std::move(copied));
    }
    for (const InstRef inst : function.tail) result.tail.push_back(copy(inst));
    return result;
  }

  Module& target_;
  const Module& source_;
  std::set<Id> decorated_in_target_, decorated_in_source_;
  std::map<Id, Id> ids_;     // of the source -> of the target
  std::map<Key, Id> known_;  // what the target has
  std::vector<Id> shared_;   // ids of the source that the target had
};

}  // namespace

void import_other_entries(Module& target, const Module& source, spv::ExecutionModel model, const std::string& name) {
  const auto is_other = [&](const EntryPoint& entry) { return entry.model != model || entry.name != name; };
  const std::vector<EntryPoint> entries = source.entries();
  if (std::none_of(entries.begin(), entries.end(), is_other)) return;
  Module rest = source;
  keep_entries(rest, is_other);
  Importer(target, rest).run();
}

std::size_t entry_point_count(std::span<const std::uint32_t> words) {
  std::size_t count = 0;
  for (std::size_t i = kHeaderWords; i < words.size();) {
    const auto op = static_cast<spv::Op>(words[i] & 0xffffu);
    const std::size_t length = words[i] >> 16;
    if (length == 0 || op == spv::Op::OpFunction) break;
    count += op == spv::Op::OpEntryPoint;
    i += length;
  }
  return count;
}

}  // namespace varylink::spirv
