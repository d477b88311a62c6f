#include "spirv/ir/foreign.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "spirv/ir/uses.h"

namespace varylink::spirv {
namespace {

const std::string kRemoved = "an instruction that is newer than this build names what linking would remove";

// Makes old ids copies of what has taken their place.
class Restorer {
 public:
  Restorer(Module& module, const Module& original) : module_(module), original_(original), places_(places_of(module)) {}

  std::string run() {
    if (has_copies()) return "an instruction that is newer than this build would be there twice";
    for (std::uint32_t i = 0; i < original_.inst_count(); ++i) {
      const InstRef inst{i};
      if (!is_foreign(original_[inst].op) || module_.is_dead(inst)) continue;
      if (std::string reason = restore(inst); !reason.empty()) return reason;
    }
    for (const auto& [old_id, now] : aliases_) define(old_id, now);
    return {};
  }

 private:
  // What is made anew stands behind the instructions that were read.
  bool has_copies() const {
    for (std::size_t i = original_.inst_count(); i < module_.inst_count(); ++i)
      if (is_foreign(module_[InstRef{static_cast<std::uint32_t>(i)}].op)) return true;
    return false;
  }

  std::string restore(InstRef inst) {
    if (module_[inst].op != original_[inst].op || module_[inst].type != original_[inst].type) return kRemoved;
    const auto before = original_.operands(inst);
    for (std::uint32_t i = 0; i < before.size(); ++i) {
      if (!before[i].is_id) continue;
      const Id now = module_.operand(inst, i).word;
      if (now == before[i].word) {
        if (!module_.def(now)) return kRemoved;
        continue;
      }
      const auto [alias, is_new] = aliases_.try_emplace(before[i].word, now);
      if (alias->second != now || module_.def(before[i].word) || !may_copy(inst, now)) return kRemoved;
      module_.set_operand(inst, i, before[i]);
    }
    return {};
  }

  // The copy stands behind the value, in the function of the instruction.
  bool may_copy(InstRef user, Id value) const {
    const InstRef def = module_.def(value);
    return def && module_.type_of(value) != 0 && places_[def.index].in_function() &&
           places_[user.index].in_function() && places_[def.index].function == places_[user.index].function;
  }

  void define(Id old_id, Id now) {
    const InstRef def = module_.def(now),
                  copy = module_.create(spv::Op::OpCopyObject, module_.type_of(now), old_id, {id(now)});
    const Place& place = places_[def.index];
    std::vector<InstRef>& body = module_.functions[place.function].blocks[place.block].body;
    auto next = std::find(body.begin(), body.end(), def) + 1;
    const auto stays_in_front = [&](InstRef inst) {
      const spv::Op op = module_[inst].op;
      return op == spv::Op::OpPhi || op == spv::Op::OpVariable || op == spv::Op::OpLine || op == spv::Op::OpNoLine;
    };
    while (next != body.end() && stays_in_front(*next)) ++next;
    body.insert(next, copy);
  }

  Module& module_;
  const Module& original_;
  const std::vector<Place> places_;
  std::map<Id, Id> aliases_;
};

}  // namespace

bool has_foreign(const Module& module) {
  for (std::uint32_t i = 0; i < module.inst_count(); ++i)
    if (is_foreign(module[InstRef{i}].op)) return true;
  return false;
}

bool has_foreign(const Module& module, const Function& function) {
  return std::any_of(function.blocks.begin(), function.blocks.end(),
                     [&](const Block& block) { return has_foreign(module, block); });
}

bool has_foreign(const Module& module, const Block& block) {
  return std::any_of(block.body.begin(), block.body.end(), [&](InstRef inst) { return is_foreign(module[inst].op); });
}

std::set<Id> foreign_decorated(const Module& module) {
  std::set<Id> decorated;
  for (const InstRef inst : module.annotations)
    if (!module.is_dead(inst) && is_foreign(module[inst].op) && !module.operands(inst).empty())
      decorated.insert(module.operand(inst, 0).word);
  return decorated;
}

std::set<Id> types_within(const Module& module, Id type) {
  std::set<Id> found;
  std::vector<Id> open = {type};
  while (!open.empty()) {
    const Id next = open.back();
    open.pop_back();
    const InstRef def = module.def(next);
    if (!def || module[def].type != 0 || !found.insert(next).second) continue;  // constants have a type
    for (const Operand& operand : module.operands(def))
      if (operand.is_id) open.push_back(operand.word);
  }
  return found;
}

std::string restore_foreign(Module& module, const Module& original) { return Restorer(module, original).run(); }

}  // namespace varylink::spirv
