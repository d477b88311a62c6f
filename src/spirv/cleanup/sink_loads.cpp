#include "spirv/cleanup/sink_loads.h"

#include <algorithm>
#include <map>

#include "spirv/ir/cfg.h"
#include "spirv/ir/memory_reads.h"
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
    if (!uses_.debug_uses_of(value).empty()) return;
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
    while (at < body.size() && !uses_any(body[at], sunk) && !ends_block(body, at)) ++at;
    while (at < body.size() && (module_[body[at]].op == spv::Op::OpPhi || module_[body[at]].op == spv::Op::OpVariable))
      ++at;
    body.insert(body.begin() + static_cast<std::ptrdiff_t>(at), sunk.begin(), sunk.end());
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
  std::map<InstRef, std::uint32_t> moves_;
};

}  // namespace

void sink_loads(Module& module, Id function) {
  Function* body = module.function(function);
  if (body && !body->blocks.empty()) Sinker(module, *body).run();
}

}  // namespace varylink::spirv
