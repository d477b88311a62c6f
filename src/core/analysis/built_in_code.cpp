#include "analysis/built_in_code.h"

#include <algorithm>

#include "spirv/ir/constructs.h"
#include "spirv/ir/memory_reads.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/operations.h"
#include "spirv/ir/phi_choice.h"
#include "spirv/ir/pointer_path.h"
#include "spirv/ir/scalar_view.h"
#include "spirv/ir/uses.h"

namespace varylink::analysis {
namespace {

using spirv::Block;
using spirv::Cfg;
using spirv::Id;
using spirv::InstRef;
using spirv::Module;
using spirv::Operand;
using spv::Op;
using Words = CodeNumbers::Words;

// First words of spellings that are no instruction's.
enum Spelling : std::uint32_t {
  kPart = 0x10000,
  kArranged,
  kDecoration,
  kOwnLoad,
  kAlways,
  kIf,
  kIfNot,
  kStore,
  kBlock,
  kItself
};

constexpr int kMostDepth = 100;  // of types and constants in each other

// Annotations by target.
class Annotations {
 public:
  explicit Annotations(const Module& module) : module_(module) {
    for (const InstRef inst : module.annotations)
      if (module[inst].operand_count > 1) by_target_.emplace_back(module.operand(inst, 0).word, inst);
    std::stable_sort(by_target_.begin(), by_target_.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
  }

  template <typename Visit>
  void each(Id target, Visit visit) const {
    auto at = std::lower_bound(by_target_.begin(), by_target_.end(), target,
                               [](const auto& each, Id id) { return each.first < id; });
    for (; at != by_target_.end() && at->first == target; ++at) visit(at->second);
  }

  // How many decorations the id has, or its member, and their numbers; sorted.
  void add(Id target, std::optional<std::uint32_t> member, CodeNumbers& numbers, Words& words) const {
    Words found;
    each(target, [&](InstRef inst) {
      const bool on_member = module_[inst].op == Op::OpMemberDecorate || module_[inst].op == Op::OpMemberDecorateString;
      if (on_member != member.has_value() || (member && module_.operand(inst, 1).word != *member)) return;
      Words decoration = {kDecoration};
      for (const Operand& operand : module_.operands(inst).subspan(on_member ? 2 : 1))
        decoration.push_back(operand.word);
      found.push_back(numbers.of(decoration));
    });
    std::sort(found.begin(), found.end());
    words.push_back(static_cast<std::uint32_t>(found.size()));
    words.insert(words.end(), found.begin(), found.end());
  }

  bool has(Id target) const {
    bool found = false;
    each(target, [&](InstRef) { found = true; });
    return found;
  }

  bool has(Id target, spv::Decoration decoration) const {
    bool found = false;
    each(target, [&](InstRef inst) {
      found = found || (module_[inst].op == Op::OpDecorate &&
                        static_cast<spv::Decoration>(module_.operand(inst, 1).word) == decoration);
    });
    return found;
  }

  // A decoration says more than that less precision will do, which for an arrangement is nothing.
  bool constrains(Id target) const {
    bool found = false;
    each(target, [&](InstRef inst) {
      const auto decoration = static_cast<spv::Decoration>(module_.operand(inst, 1).word);
      found = found || decoration != spv::Decoration::RelaxedPrecision;
    });
    return found;
  }

  bool is_built_in(Id target) const {
    bool found = false;
    each(target, [&](InstRef inst) {
      const std::uint32_t at = module_[inst].op == Op::OpMemberDecorate ? 2 : 1;
      found = found || static_cast<spv::Decoration>(module_.operand(inst, at).word) == spv::Decoration::BuiltIn;
    });
    return found;
  }

 private:
  const Module& module_;
  std::vector<std::pair<Id, InstRef>> by_target_;
};

class BuiltInCode {
 public:
  BuiltInCode(const Module& module, const spirv::Function& function, CodeNumbers& numbers)
      : module_(module),
        function_(function),
        numbers_(numbers),
        annotations_(module),
        reads_(module),
        cfg_(module, function),
        constructs_(module, function, cfg_),
        known_(module.bound, 0),
        is_local_(module.bound, false),
        is_needed_(module.bound, false) {}

  std::optional<Words> run() {
    if (!find_stores()) return std::nullopt;
    mark_needed();
    Words stores;
    for (const std::uint32_t block : cfg_.reverse_post_order())
      for (const InstRef inst : function_.blocks[block].body) {
        if (const Id result = module_[inst].result; result != 0) {
          if (is_needed_[result]) known_[result] = number_of(inst, block, stores.size());
        } else if (module_[inst].op == Op::OpStore) {
          const Id pointer = module_.operand(inst, 0).word;
          if (const auto varying = varyings_.find(pointer); varying != varyings_.end()) varying->second.block = block;
          if (memory_of(pointer) != Memory::built_in) continue;
          const std::uint32_t when = guard(block), what = spell(inst);
          if (when == 0 || what == 0) return std::nullopt;
          stores.push_back(numbers_.of({kStore, when, what}));
        }
      }
    return stores;
  }

 private:
  // The one store of a whole varying, from which its own loads are.
  struct VaryingStore {
    InstRef inst;                      // none: there are several
    std::uint32_t block = Cfg::kNone;  // once it was passed
  };

  // Where a pointer leads to.
  enum class Memory { local, built_in, varying, other };

  Memory memory_of(Id pointer) const {
    const InstRef root = module_.def(spirv::root_of(module_, pointer));
    if (!root || module_[root].op != Op::OpVariable) return Memory::other;
    switch (static_cast<spv::StorageClass>(module_.operand(root, 0).word)) {
      case spv::StorageClass::Function:
      case spv::StorageClass::Private: return Memory::local;
      case spv::StorageClass::Output: return is_built_in(root) ? Memory::built_in : Memory::varying;
      default: return Memory::other;
    }
  }

  bool is_built_in(InstRef variable) const {
    if (annotations_.is_built_in(module_[variable].result)) return true;
    Id type = module_.operand(module_.def(module_[variable].type), 1).word;
    while (module_.def_op(type) == Op::OpTypeArray) type = module_.operand(module_.def(type), 0).word;
    return module_.def_op(type) == Op::OpTypeStruct && annotations_.is_built_in(type);
  }

  // Notes them and everything that the function defines. False if it does something else that stays behind.
  bool find_stores() {
    for (const Block& block : function_.blocks)
      for (const InstRef inst : block.body) {
        const spirv::Inst& what = module_[inst];
        if (what.result != 0) is_local_[what.result] = true;
        if (what.op == Op::OpStore) {
          const Memory memory = memory_of(module_.operand(inst, 0).word);
          if (memory == Memory::other) return false;
          if (memory == Memory::built_in) stores_.push_back(inst);
          if (memory == Memory::varying) note_varying(inst);
        } else if (!spirv::row_of(what.op).is(spirv::kInert | spirv::kEndsBlock) &&
                   !spirv::is_removable(module_, inst) && !spirv::is_debug_inst(module_, inst)) {
          return false;
        }
      }
    for (const std::uint32_t block : cfg_.reverse_post_order()) {
      const Block& code = function_.blocks[block];
      ends_ += spirv::is_end(module_[code.body.back()].op) ? 1 : 0;
      const bool is_decision = cfg_.successors(block).size() > 1;
      leaves_constructs_ = leaves_constructs_ || (is_decision && !spirv::merge_instruction(module_, code));
    }
    return true;
  }

  void note_varying(InstRef store) {
    const Id pointer = module_.operand(store, 0).word, root = spirv::root_of(module_, pointer);
    const auto [found, is_first] = varyings_.emplace(root, VaryingStore{store, Cfg::kNone});
    if (!is_first || pointer != root) found->second.inst = {};
  }

  // The number of the conditions under which the block runs once; 0 if branches do not tell that.
  std::uint32_t guard(std::uint32_t block) {
    if (block == 0 && cfg_.loop_depth(block) == 0) return numbers_.of({kAlways});
    if (ends_ != 1 || cfg_.loop_depth(block) != 0) return 0;
    const std::uint32_t header = constructs_.around(block);
    if (header == Cfg::kNone) return numbers_.of({kAlways});
    if (leaves_constructs_) return 0;  // under a condition of which the construct says nothing
    const InstRef branch = function_.blocks[header].body.back();
    if (module_[branch].op != Op::OpBranchConditional) return 0;
    const auto is_on_side = [&](std::uint32_t operand) {
      const std::uint32_t side = cfg_.block_of(module_.operand(branch, operand).word);
      return cfg_.predecessors(side).size() == 1 && cfg_.dominates(side, block);
    };
    const bool if_true = is_on_side(1);
    if (if_true == is_on_side(2)) return 0;
    const std::uint32_t around = guard(header), condition = number(module_.operand(branch, 0).word);
    if (around == 0 || condition == 0) return 0;
    return numbers_.of({if_true ? kIf : kIfNot, around, condition});
  }

  void need(Id value) {
    if (!is_local_[value] || is_needed_[value]) return;
    is_needed_[value] = true;
    work_.push_back(module_.def(value));
  }

  void need_operands(InstRef inst) {
    for (const Operand& operand : module_.operands(inst))
      if (operand.is_id) need(operand.word);
  }

  void mark_needed() {
    for (const InstRef store : stores_) need_operands(store);
    for (const Block& block : function_.blocks)
      if (module_[block.body.back()].op == Op::OpBranchConditional) need(module_.operand(block.body.back(), 0).word);
    while (!work_.empty()) {
      const InstRef inst = work_.back();
      work_.pop_back();
      need_operands(inst);
      if (module_[inst].op != Op::OpLoad) continue;
      const auto varying = varyings_.find(spirv::root_of(module_, module_.operand(inst, 0).word));
      if (varying != varyings_.end() && varying->second.inst) need_operands(varying->second.inst);
    }
  }

  // 0: unknown. `stores_before`: those to built-in outputs so far.
  std::uint32_t number_of(InstRef inst, std::uint32_t block, std::size_t stores_before) {
    const Op op = module_[inst].op;
    if (op == Op::OpPhi) return number_of_phi(inst, block);
    if (op == Op::OpLoad && !reads_.is_constant(inst)) {
      const spirv::AccessPath path = spirv::access_path(module_, module_.operand(inst, 0).word);
      if (const auto varying = varyings_.find(path.root); varying != varyings_.end())
        return number_of_varying(inst, varying->second, path.indices, block);
      if (memory_of(module_.operand(inst, 0).word) != Memory::built_in) return 0;
      const std::uint32_t load = spell(inst);
      return load == 0 ? 0 : numbers_.of({kOwnLoad, load, static_cast<std::uint32_t>(stores_before)});
    }
    const spirv::OperationRow& row = spirv::row_of(module_, inst);
    if (row.is(spirv::kArranges) && !annotations_.constrains(module_[inst].result))
      if (const auto number = number_of_arranged(inst)) return *number;
    if (op == Op::OpLoad || spirv::is_pointer_path(op) || row.is(spirv::kOperandsOnly | spirv::kArranges) ||
        samples(inst))
      return spell(inst);
    return 0;
  }

  // A load of a varying, or of a component of it. Less precision that the varying or the load has would be lost.
  std::uint32_t number_of_varying(InstRef load, const VaryingStore& store, const std::vector<Id>& indices,
                                  std::uint32_t block) {
    const Id variable = store.inst ? module_.operand(store.inst, 0).word : 0;
    if (!spirv::is_plain_load(module_, load) || annotations_.has(module_[load].result) ||
        annotations_.has(variable, spv::Decoration::RelaxedPrecision))
      return 0;
    if (!store.inst || store.block == Cfg::kNone || !cfg_.dominates(store.block, block)) return 0;
    const Id stored = module_.operand(store.inst, 1).word;
    if (indices.empty()) return number(stored);
    const auto component = spirv::constant_indices(module_, indices);
    const bool is_vector = spirv::type_kind(module_, module_.type_of(stored)) == spirv::TypeKind::vector;
    return component && is_vector ? part({stored, component->front()}) : 0;
  }

  // It reads an image that is bound for nothing else, so that a second read gives the same.
  bool samples(InstRef inst) const {
    if (!spirv::row_of(module_, inst).is(spirv::kImageAccess) || !spirv::is_removable(module_, inst)) return false;
    return spirv::type_kind(module_, module_.type_of(module_.operand(inst, 0).word)) == spirv::TypeKind::sampled_image;
  }

  std::uint32_t number_of_phi(InstRef inst, std::uint32_t block) {
    const auto choice = spirv::choice_of(module_, function_, cfg_, block, inst);
    if (!choice) return 0;
    Words words = {static_cast<std::uint32_t>(Op::OpPhi), global(module_[inst].type)};
    for (const Id value : {choice->condition, choice->if_true, choice->if_false}) words.push_back(number(value));
    if (std::find(words.begin(), words.end(), 0) != words.end()) return 0;
    annotations_.add(module_[inst].result, {}, numbers_, words);
    return numbers_.of(words);
  }

  // Of numbers, vectors and matrices; none if other values are arranged.
  std::optional<std::uint32_t> number_of_arranged(InstRef inst) {
    if (!are_numbers(inst)) return std::nullopt;
    std::vector<spirv::Scalar> scalars;
    if (!spirv::arranges_scalars(module_, inst, scalars) || scalars.empty()) return std::nullopt;
    Words parts;
    for (const spirv::Scalar& scalar : scalars) {
      parts.push_back(scalar.value == 0 ? numbers_.of({kArranged}) : part(scalar));
      if (parts.back() == 0) return 0;
    }
    const std::uint32_t type = global(module_[inst].type);
    const CodeNumbers::Part* first = numbers_.part(parts.front());
    bool is_whole = first && first->count == parts.size() && first->type == type;
    for (std::uint32_t i = 0; is_whole && i < parts.size(); ++i) {
      const CodeNumbers::Part* each = numbers_.part(parts[i]);
      is_whole = each && each->whole == first->whole && each->index == i;
    }
    return is_whole ? first->whole : parts.size() == 1 ? parts.front() : numbers_.of_arranged(type, parts);
  }

  bool are_numbers(InstRef inst) const {
    const auto is_number = [&](Id type) { return spirv::scalars_of_number(module_, type) != 0; };
    const auto operands = module_.operands(inst);
    return is_number(module_[inst].type) && std::all_of(operands.begin(), operands.end(), [&](const Operand& operand) {
             return !operand.is_id || is_number(module_.type_of(operand.word));
           });
  }

  std::uint32_t part(const spirv::Scalar& scalar) {
    const std::uint32_t whole = number(scalar.value);
    if (const Words* parts = numbers_.arranged(whole)) return parts->at(scalar.index);
    const Id type = module_.type_of(scalar.value);
    const std::uint32_t count = spirv::scalars_of_number(module_, type);
    return whole == 0 || count == 1 ? whole : numbers_.of_part({whole, scalar.index, count, global(type)});
  }

  std::uint32_t number(Id value) { return is_local_[value] ? known_[value] : global(value); }

  // The instruction with its operands and decorations; 0 if one of them has no number.
  std::uint32_t spell(InstRef inst) {
    const spirv::Inst& what = module_[inst];
    Words words = {static_cast<std::uint32_t>(what.op), what.operand_count};
    if (what.type != 0) words.push_back(global(what.type));
    for (const Operand& operand : module_.operands(inst)) {
      words.push_back(operand.is_id ? number(operand.word) : operand.word);
      if (operand.is_id && words.back() == 0) return 0;
    }
    if (copies_block(inst)) return 0;
    if (spirv::is_access_chain(what.op)) add_path(inst, words);
    if (what.result != 0) annotations_.add(what.result, {}, numbers_, words);
    return numbers_.of(words);
  }

  // Blocks have numbers without their members, of which another stage may need more.
  bool is_block(Id type) const {
    return annotations_.has(type, spv::Decoration::Block) || annotations_.has(type, spv::Decoration::BufferBlock);
  }

  bool copies_block(InstRef inst) const {
    if (module_[inst].op == Op::OpLoad) return is_block(module_[inst].type);
    return module_[inst].op == Op::OpStore && is_block(module_.type_of(module_.operand(inst, 1).word));
  }

  // What an access chain goes through: members with their decorations, and arrays with theirs.
  void add_path(InstRef chain, Words& words) {
    const InstRef pointer = module_.def(module_.type_of(module_.operand(chain, 0).word));
    Id type = module_.operand(pointer, 1).word;
    for (const Operand& index : module_.operands(chain).subspan(1)) {
      const InstRef def = module_.def(type);
      std::uint32_t element = 0;
      if (module_[def].op == Op::OpTypeStruct) {
        element = module_.operand(module_.def(index.word), 0).word;
        annotations_.add(type, element, numbers_, words);
      } else {
        annotations_.add(type, {}, numbers_, words);
      }
      type = module_.operand(def, element).word;
    }
  }

  // Something that stands outside of functions.
  std::uint32_t global(Id value) {
    if (known_[value] != 0) return known_[value];
    const InstRef inst = module_.def(value);
    if (!inst || depth_ > kMostDepth) return 0;
    ++depth_;
    const std::uint32_t number = module_[inst].op == Op::OpTypeStruct ? number_of_struct(inst) : spell(inst);
    --depth_;
    return known_[value] = number;
  }

  std::uint32_t number_of_struct(InstRef inst) {
    const Id type = module_[inst].result;
    if (is_block(type)) return numbers_.of({kBlock});
    known_[type] = numbers_.of({kItself});  // it may contain itself, by way of a pointer
    Words words = {static_cast<std::uint32_t>(Op::OpTypeStruct)};
    for (std::uint32_t member = 0; member < module_[inst].operand_count; ++member) {
      words.push_back(global(module_.operand(inst, member).word));
      if (words.back() == 0) return 0;
      annotations_.add(type, member, numbers_, words);
    }
    return numbers_.of(words);
  }

  const Module& module_;
  const spirv::Function& function_;
  CodeNumbers& numbers_;
  Annotations annotations_;
  spirv::MemoryReads reads_;
  Cfg cfg_;
  spirv::Constructs constructs_;
  std::vector<std::uint32_t> known_;  // numbers by id; 0: unknown
  std::vector<bool> is_local_;        // by id: the function defines it
  std::vector<bool> is_needed_;       // by id: the stores depend on it
  std::vector<InstRef> stores_, work_;
  std::size_t ends_ = 0;                           // blocks in which the function returns
  bool leaves_constructs_ = false;                 // a branch decides without a merge instruction
  int depth_ = 0;                                  // of global()
  std::unordered_map<Id, VaryingStore> varyings_;  // by variable
};

}  // namespace

std::uint32_t CodeNumbers::of(const Words& words) {
  return numbers_.emplace(words, static_cast<std::uint32_t>(numbers_.size() + 1)).first->second;
}

std::uint32_t CodeNumbers::of_part(const Part& part) {
  const std::uint32_t number = of({kPart, part.whole, part.index});
  parts_.emplace(number, part);
  return number;
}

std::uint32_t CodeNumbers::of_arranged(std::uint32_t type, const Words& parts) {
  Words words = {kArranged, type};
  words.insert(words.end(), parts.begin(), parts.end());
  const std::uint32_t number = of(words);
  arranged_.emplace(number, parts);
  return number;
}

const CodeNumbers::Words* CodeNumbers::arranged(std::uint32_t number) const {
  const auto found = arranged_.find(number);
  return found == arranged_.end() ? nullptr : &found->second;
}

const CodeNumbers::Part* CodeNumbers::part(std::uint32_t number) const {
  const auto found = parts_.find(number);
  return found == parts_.end() ? nullptr : &found->second;
}

std::optional<std::vector<std::uint32_t>> built_in_code(const Module& module, Id function, CodeNumbers& numbers) {
  const spirv::Function* found = module.function(function);
  if (!found || found->blocks.empty()) return std::nullopt;
  return BuiltInCode(module, *found, numbers).run();
}

}  // namespace varylink::analysis
