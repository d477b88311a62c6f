#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>

#include <algorithm>
#include <map>
#include <optional>

#include "spirv/cleanup/clean_ups.h"
#include "spirv/ir/cfg.h"
#include "spirv/ir/debug_records.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/memory_reads.h"
#include "spirv/ir/source_places.h"
#include "spirv/ir/uses.h"

namespace varylink::spirv {
namespace {

class Sinker {
 public:
  Sinker(Module& module, Function& function)
      : module_(module),
        function_(function),
        cfg_(module, function),
        uses_(module),
        reads_(module),
        places_(places_of(module)) {
    function_index_ = static_cast<std::uint32_t>(&function - module.functions.data());
  }

  void run() {
    // Backwards, so that an extraction has found its block before the load that it belongs to.
    const std::vector<InstRef> body = function_.blocks.front().body;
    for (auto inst = body.rbegin(); inst != body.rend(); ++inst)
      if (is_movable(*inst)) choose(*inst);
    if (moves_.empty()) return;
    std::erase_if(function_.blocks.front().body, [&](InstRef inst) { return moves_.count(inst) != 0; });
    for (const auto& [inst, block] : moves_) move_names(inst, block);
    for (const auto& [inst, names] : names_) {
      const auto moved = [&names = names](InstRef each) {
        return std::find(names.begin(), names.end(), each) != names.end();
      };
      for (Block& block : function_.blocks) std::erase_if(block.body, moved);
    }
    // In the old order, so that a load stands in front of what is extracted from it.
    std::vector<std::vector<InstRef>> sunk(function_.blocks.size());
    for (const InstRef inst : body)
      if (const auto found = moves_.find(inst); found != moves_.end()) sunk[found->second].push_back(inst);
    for (std::size_t b = 0; b < sunk.size(); ++b) insert(function_.blocks[b].body, sunk[b]);
  }

 private:
  bool is_movable(InstRef inst) const {
    const spv::Op op = module_[inst].op;
    if (op == spv::Op::OpLoad) {
      const InstRef variable = module_.def(module_.operand(inst, 0).word);
      return reads_.is_constant(inst) && variable && module_[variable].op == spv::Op::OpVariable &&
             module_.operand(variable, 0).word == static_cast<std::uint32_t>(spv::StorageClass::Input) &&
             is_only_loaded(module_[variable].result);
    }
    const bool unary = op == spv::Op::OpCompositeExtract || op == spv::Op::OpBitcast;
    const InstRef source = unary ? module_.def(module_.operand(inst, 0).word) : InstRef{};
    return source && module_[source].op != spv::Op::OpNop && is_movable(source);
  }

  bool is_only_loaded(Id variable) const {
    const auto users = uses_.of(variable);
    return std::all_of(users.begin(), users.end(), [&](InstRef user) {
      return module_[user].op == spv::Op::OpLoad || module_[user].op == spv::Op::OpEntryPoint ||
             !places_[user.index].in_function();
    });
  }

  // The block that a use needs the value in; Cfg::kNone if it cannot be told.
  std::uint32_t block_of_use(InstRef user, Id value) const {
    if (const auto moved = moves_.find(user); moved != moves_.end()) return moved->second;
    const Place& place = places_[user.index];
    if (place.function != function_index_ || !cfg_.reachable(place.block)) return Cfg::kNone;
    if (module_[user].op != spv::Op::OpPhi) return place.block;
    std::uint32_t common = Cfg::kNone;
    for (std::uint32_t i = 0; i + 1 < module_.operands(user).size(); i += 2) {
      if (module_.operand(user, i).word != value) continue;
      const std::uint32_t parent = cfg_.block_of(module_.operand(user, i + 1).word);
      if (parent == Cfg::kNone || !cfg_.reachable(parent)) return Cfg::kNone;
      common = common == Cfg::kNone ? parent : cfg_.common_dominator(common, parent);
    }
    return common;
  }

  void choose(InstRef inst) {
    const Id value = module_[inst].result;
    std::uint32_t target = Cfg::kNone;
    for (const InstRef user : uses_.of(value)) {
      const std::uint32_t block = block_of_use(user, value);
      if (block == Cfg::kNone) return;
      target = target == Cfg::kNone ? block : cfg_.common_dominator(target, block);
    }
    while (target != Cfg::kNone && cfg_.loop_depth(target) > cfg_.loop_depth(0))
      target = cfg_.immediate_dominator(target);
    if (target != Cfg::kNone) moves_[inst] = target;
  }

  // What debug instructions call by a name is not known before it is loaded: then a name that is given once is given
  // there, and others are undefined.
  void move_names(InstRef inst, std::uint32_t block) {
    const Id value = module_[inst].result;
    for (const InstRef record : uses_.debug_uses_of(value)) {
      const Place& place = places_[record.index];
      if (place.block != block && cfg_.dominates(block, place.block)) continue;
      if (place.function == function_index_ && is_only_name(record)) {
        names_[inst].push_back(record);
        continue;
      }
      if (!globals_) globals_.emplace(module_);
      const auto operands = module_.operands(record);
      for (std::uint32_t i = 0; i < operands.size(); ++i)
        if (operands[i] == id(value)) module_.set_operand(record, i, id(globals_->undef(module_.type_of(value))));
    }
  }

  // DebugValue, and the only one of its variable, or of this part of it.
  bool is_only_name(InstRef record) const {
    if (debug_number(module_, record) != NonSemanticShaderDebugInfo100DebugValue) return false;
    const auto names_same = [&](InstRef other) {
      const auto a = module_.operands(record), b = module_.operands(other);
      return debug_number(module_, other) == NonSemanticShaderDebugInfo100DebugValue &&
             a[kDebugVariable] == b[kDebugVariable] &&
             std::equal(a.begin() + kDebugValue + 1, a.end(), b.begin() + kDebugValue + 1, b.end());
    };
    std::ptrdiff_t count = 0;
    for (const Block& block : function_.blocks)
      count += std::count_if(block.body.begin(), block.body.end(), names_same);
    return count == 1;
  }

  bool uses_any(InstRef inst, const std::vector<InstRef>& values) const {
    const auto operands = module_.operands(inst);
    return std::any_of(operands.begin(), operands.end(), [&](const Operand& operand) {
      return operand.is_id && std::any_of(values.begin(), values.end(),
                                          [&](InstRef value) { return module_[value].result == operand.word; });
    });
  }

  // In front of the first use, but behind phis and variables, and never between a merge instruction and its branch.
  void insert(std::vector<InstRef>& body, const std::vector<InstRef>& sunk) const {
    if (sunk.empty()) return;
    std::size_t at = 0;
    while (at < body.size() && (is_debug_inst(module_, body[at]) || !uses_any(body[at], sunk)) && !ends_block(body, at))
      ++at;
    while (at < body.size() && (module_[body[at]].op == spv::Op::OpPhi || module_[body[at]].op == spv::Op::OpVariable))
      ++at;
    std::vector<InstRef> code;
    for (const InstRef inst : sunk) {
      code.push_back(inst);
      if (const auto names = names_.find(inst); names != names_.end())
        code.insert(code.end(), names->second.begin(), names->second.end());
    }
    body.insert(body.begin() + static_cast<std::ptrdiff_t>(at), code.begin(), code.end());
  }

  bool ends_block(const std::vector<InstRef>& body, std::size_t at) const {
    const spv::Op op = module_[body[at]].op;
    return at + 1 == body.size() || op == spv::Op::OpSelectionMerge || op == spv::Op::OpLoopMerge;
  }

  Module& module_;
  Function& function_;
  Cfg cfg_;
  Uses uses_;
  MemoryReads reads_;
  std::vector<Place> places_;
  std::uint32_t function_index_ = 0;
  std::optional<Globals> globals_;  // once a name is forgotten
  std::map<InstRef, std::uint32_t> moves_;
  std::map<InstRef, std::vector<InstRef>> names_;  // records that go with them
};

}  // namespace

void sink_loads(Module& module, Id function) {
  Function* body = module.function(function);
  if (!body || body->blocks.empty()) return;
  SourcePlaces places(module);
  Sinker(module, *body).run();
  places.put_back(module);
}

}  // namespace varylink::spirv
