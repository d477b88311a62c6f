#include "spirv/tools/decorated_copies.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/seeded_fault.h"
#include "spirv/ir/op_info.h"

namespace varylink::spirv {
namespace {

constexpr const char* kFile = "whose copy this is";

bool is_line(const Module& module, InstRef inst) {
  return module[inst].op == spv::Op::OpLine || module[inst].op == spv::Op::OpNoLine;
}

std::set<Id> decorated_ids(const Module& module) {
  std::set<Id> ids;
  for (const InstRef inst : module.annotations)
    if (decorates_id(module[inst].op)) ids.insert(module.operand(inst, 0).word);
  return ids;
}

bool code_has_lines(const Module& module) {
  for (const Function& function : module.functions)
    for (const Block& block : function.blocks)
      for (const InstRef inst : block.body)
        if (is_line(module, inst)) return true;
  return false;
}

// The OpString of our lines; ids may have been given out anew.
Id find_file(const Module& module) {
  for (const InstRef inst : module.debug_strings)
    if (module[inst].op == spv::Op::OpString && decode_string(module.operands(inst), 0) == kFile)
      return module[inst].result;
  return 0;
}

void copy_decorations(Module& module, const std::vector<std::pair<Id, Id>>& copies) {
  const std::size_t count = module.annotations.size();
  for (std::size_t i = 0; i < count; ++i) {
    const InstRef inst = module.annotations[i];
    if (!decorates_id(module[inst].op)) continue;
    const auto first = std::lower_bound(copies.begin(), copies.end(), std::pair(module.operand(inst, 0).word, Id{0}));
    for (auto copy = first; copy != copies.end() && copy->first == module.operand(inst, 0).word; ++copy) {
      std::vector<Operand> operands(module.operands(inst).begin(), module.operands(inst).end());
      operands[0] = id(copy->second);
      module.annotations.push_back(module.create(module[inst].op, 0, 0, operands));
    }
  }
}

}  // namespace

DecoratedCopies::DecoratedCopies(Module& module) {
  const std::set<Id> decorated = decorated_ids(module);
  for (const Function& function : module.functions)
    for (const Block& block : function.blocks)
      for (const InstRef inst : block.body)
        if (module[inst].result != 0 && decorated.count(module[inst].result) != 0)
          originals_.push_back({module[inst].op, module[inst].result});
  if (originals_.empty()) return;
  std::sort(originals_.begin(), originals_.end(),
            [](const Original& a, const Original& b) { return a.result < b.result; });
  has_lines_ = code_has_lines(module);
  file_ = module.new_id();
  module.debug_strings.push_back(module.create(spv::Op::OpString, 0, file_, encode_string(kFile)));
  for (Function& function : module.functions)
    for (Block& block : function.blocks) mark_block(module, block);
}

void DecoratedCopies::mark_block(Module& module, Block& block) {
  std::vector<InstRef> body;
  std::vector<Operand> source;  // of the line that holds, empty if none does
  for (const InstRef inst : block.body) {
    if (is_line(module, inst)) source.assign(module.operands(inst).begin(), module.operands(inst).end());
    const auto original =
        std::lower_bound(originals_.begin(), originals_.end(), module[inst].result,
                         [](const Original& candidate, Id result) { return candidate.result < result; });
    if (module[inst].result == 0 || original == originals_.end() || original->result != module[inst].result) {
      body.push_back(inst);
      continue;
    }
    const auto line = static_cast<std::uint32_t>(original - originals_.begin());
    body.push_back(module.create(spv::Op::OpLine, 0, 0, {id(file_), lit(line), lit(0)}));
    body.push_back(inst);
    body.push_back(module.create(source.empty() ? spv::Op::OpNoLine : spv::Op::OpLine, 0, 0, source));
  }
  block.body = std::move(body);
}

void DecoratedCopies::restore(Module& module) const {
  if (file_ == 0) return;
  const Id file = find_file(module);
  std::vector<std::pair<Id, Id>> copies;  // original, copy
  for (Function& function : module.functions)
    for (Block& block : function.blocks) restore_block(module, block, file, copies);
  for (const InstRef inst : module.debug_strings)
    if (file != 0 && module[inst].result == file) module.kill(inst);
  std::sort(copies.begin(), copies.end());
  if (!seeded_fault("copies-lose-decorations")) copy_decorations(module, copies);
  module.sweep();
}

void DecoratedCopies::restore_block(Module& module, Block& block, Id file,
                                    std::vector<std::pair<Id, Id>>& copies) const {
  const Original* original = nullptr;
  for (const InstRef inst : block.body) {
    const bool ours = module[inst].op == spv::Op::OpLine && module.operand(inst, 0).word == file;
    if (is_line(module, inst)) {
      original = ours && module.operand(inst, 1).word < originals_.size() ? &originals_[module.operand(inst, 1).word]
                                                                          : nullptr;
      if (ours || !has_lines_) module.kill(inst);
      continue;
    }
    const Inst& found = module[inst];
    if (original && found.op == original->op && found.result != original->result)
      copies.emplace_back(original->result, found.result);
    original = nullptr;
  }
}

}  // namespace varylink::spirv
