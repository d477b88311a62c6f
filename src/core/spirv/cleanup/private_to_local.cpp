#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "spirv/cleanup/clean_ups.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/pointer_path.h"
#include "spirv/ir/uses.h"

namespace varylink::spirv {
namespace {

using spv::Op;

constexpr std::uint32_t kFunction = 0xffffffffu;

class Mover {
 public:
  explicit Mover(Module& module) : module_(module) {}

  void run() {
    for (const InstRef inst : module_.types)
      if (is_variable_in(module_, module_[inst].result, spv::StorageClass::Private)) users_[module_[inst].result] = {};
    if (users_.empty()) return;
    find_users();
    std::erase_if(users_, [&](const auto& each) { return !moves(each.second); });
    if (users_.empty()) return;
    Globals globals(module_);
    remove_descriptions();
    for (const auto& [variable, user] : users_) move(variable, user.function, globals);
    std::erase_if(module_.types, [&](InstRef inst) { return users_.count(module_[inst].result) != 0; });
    remove_from_interfaces();
    for (Function& function : module_.functions) retype_paths(function, globals);
  }

 private:
  struct User {
    std::uint32_t function = kFunction;  // place in Module::functions
    bool others = false;                 // more than that one, or a use of another kind
  };

  bool moves(const User& user) const {
    if (user.others || user.function == kFunction) return false;
    const Id function = module_.functions[user.function].result;
    const std::vector<EntryPoint> entries = module_.entries();
    return calls_.count(function) == 0 && std::any_of(entries.begin(), entries.end(), [&](const EntryPoint& entry) {
             return entry.function == function;
           });
  }

  void find_users() {
    std::map<Id, Id> roots;  // of paths
    for (const InstRef inst : module_.types) note_initializer(inst);
    for (std::uint32_t function = 0; function < module_.functions.size(); ++function)
      for (const Block& block : module_.functions[function].blocks)
        for (const InstRef inst : block.body) {
          if (module_[inst].op == Op::OpFunctionCall) calls_.insert(module_.operand(inst, 0).word);
          note_uses(inst, function, roots);
        }
  }

  // The initializer of another variable.
  void note_initializer(InstRef inst) {
    if (is_debug_inst(module_, inst)) return;
    for (const Operand& operand : module_.operands(inst))
      if (const auto found = operand.is_id ? users_.find(operand.word) : users_.end(); found != users_.end())
        found->second.others = true;
  }

  void note_uses(InstRef inst, std::uint32_t function, std::map<Id, Id>& roots) {
    if (is_debug_inst(module_, inst)) return;
    for (const Operand& operand : module_.operands(inst)) {
      if (!operand.is_id) continue;
      const auto path = roots.find(operand.word);
      const auto found = users_.find(path == roots.end() ? operand.word : path->second);
      if (found == users_.end()) continue;
      User& user = found->second;
      user.others = user.others || !accesses(inst) || (user.function != kFunction && user.function != function);
      user.function = function;
      if (is_pointer_path(module_[inst].op)) roots[module_[inst].result] = found->first;
    }
  }

  bool accesses(InstRef inst) const {
    const Op op = module_[inst].op;
    return op == Op::OpLoad || op == Op::OpStore || op == Op::OpCopyMemory || is_pointer_path(module_[inst].op) ||
           is_glsl_inst(module_, inst);
  }

  void move(Id variable, std::uint32_t function, Globals& globals) {
    const InstRef inst = module_.def(variable);
    const Id type = globals.pointer_type(spv::StorageClass::Function, pointee_type(module_, module_[inst].type));
    module_.set_type(inst, type);
    module_.set_operand(inst, 0, lit(static_cast<std::uint32_t>(spv::StorageClass::Function)));
    auto& start = module_.functions[function].blocks.front().body;
    start.insert(start.begin(), inst);
  }

  // DebugGlobalVariable stands outside of functions, where no id of a function is known.
  void remove_descriptions() {
    for (const InstRef inst : module_.types) {
      if (!is_debug_inst(module_, inst)) continue;
      const auto operands = module_.operands(inst);
      if (std::any_of(operands.begin(), operands.end(),
                      [&](const Operand& operand) { return operand.is_id && users_.count(operand.word) != 0; }))
        module_.kill(inst);
    }
  }

  // From SPIR-V 1.4 on interface lists name private variables, too.
  void remove_from_interfaces() {
    for (const InstRef entry : module_.entry_points) {
      const auto operands = module_.operands(entry);
      std::vector<Operand> kept;
      for (const Operand& operand : operands)
        if (!operand.is_id || users_.count(operand.word) == 0) kept.push_back(operand);
      if (kept.size() != operands.size()) module_.rewrite(entry, Op::OpEntryPoint, kept);
    }
  }

  // Definitions stand in front of uses.
  void retype_paths(const Function& function, Globals& globals) {
    std::set<Id> moved;
    for (const auto& [variable, user] : users_) moved.insert(variable);
    for (const Block& block : function.blocks)
      for (const InstRef inst : block.body) {
        if (!is_pointer_path(module_[inst].op) || moved.count(module_.operand(inst, 0).word) == 0) continue;
        moved.insert(module_[inst].result);
        module_.set_type(inst,
                         globals.pointer_type(spv::StorageClass::Function, pointee_type(module_, module_[inst].type)));
      }
  }

  Module& module_;
  std::map<Id, User> users_;  // by private variable
  std::set<Id> calls_;        // functions that are called
};

}  // namespace

void private_to_local(Module& module) { Mover(module).run(); }

}  // namespace varylink::spirv
