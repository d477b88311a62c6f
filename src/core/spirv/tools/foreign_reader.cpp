#include "spirv/tools/foreign_reader.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "spirv/ir/foreign.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/header_words.h"
#include "spirv/ir/scalar_view.h"
#include "spirv/ir/uses.h"
#include "spirv/tools/binary.h"
#include "spirv/tools/module_walk.h"
#include "spirv/tools/newer_module.h"
#include "spirv/tools/tool_words.h"

namespace varylink::spirv {
namespace {

// Of SPV_EXT_shader_64bit_indexing: only how large an index may be.
constexpr std::uint32_t kShader64BitIndexing = 5427;

const std::string kDependent = "calls or control flow depend on what is not known";

spv::Op opcode_of(const UnknownWords& unknown) { return static_cast<spv::Op>(unknown.words.front() & spv::OpCodeMask); }

std::size_t first_function(std::span<const std::uint32_t> words) {
  std::size_t at = kHeaderWords;
  while (at < words.size() && static_cast<spv::Op>(words[at] & spv::OpCodeMask) != spv::Op::OpFunction)
    at += words[at] >> spv::WordCountShift;
  return at;
}

// Where declarations may begin: behind the last known instruction that has to stand in front of them.
std::size_t first_declaration(std::span<const std::uint32_t> words) {
  const std::size_t end = first_function(words);
  std::size_t first = kHeaderWords;
  for (std::size_t at = kHeaderWords; at < end;) {
    const std::size_t next = at + (words[at] >> spv::WordCountShift);
    if (section_of(static_cast<spv::Op>(words[at] & spv::OpCodeMask)) != &Module::types) first = next;
    at = next;
  }
  return first;
}

// Which words of unknown instructions are a type, a result and maybe ids. Type and result come first in all of SPIR-V
// (2.2.1), a value has both, and a declaration of a type has no type.
class Describer {
 public:
  Describer(const Module& known, const KnownPart& part)
      : known_(known),
        part_(part),
        first_declaration_(first_declaration(part.words)),
        first_function_(first_function(part.words)),
        claimed_(known.bound, Claim::none) {}

  std::vector<ForeignInst> run() {
    std::vector<ForeignInst> all;
    for (const UnknownWords& unknown : part_.unknown) all.push_back(with_result(unknown));
    for (std::size_t i = 0; i < all.size(); ++i) add_operands(all[i], part_.unknown[i]);
    return all;
  }

 private:
  enum class Claim : std::uint8_t { none, type, value };

  bool is_defined(std::uint32_t word) const {
    return word < claimed_.size() && (known_.def(word) || claimed_[word] != Claim::none);
  }
  bool is_free(std::uint32_t word) const { return word != 0 && word < claimed_.size() && !is_defined(word); }
  bool is_type(std::uint32_t word) const {
    if (!is_defined(word)) return false;
    const InstRef def = known_.def(word);
    if (!def) return claimed_[word] == Claim::type;
    return known_[def].type == 0 && known_[def].op != spv::Op::OpLabel && section_of(known_[def].op) == &Module::types;
  }
  bool is_constant(std::uint32_t word) const {
    if (!is_defined(word)) return false;
    const InstRef def = known_.def(word);
    return def ? known_[def].type != 0 && known_[def].op >= spv::Op::OpConstantTrue &&
                     known_[def].op <= spv::Op::OpSpecConstantOp
               : claimed_[word] == Claim::value;
  }
  bool is_declaration(const UnknownWords& unknown) const {
    return unknown.at >= first_declaration_ && unknown.at <= first_function_ &&
           section_of(opcode_of(unknown)) == &Module::types;
  }

  ForeignInst with_result(const UnknownWords& unknown) {
    ForeignInst inst;
    inst.at = unknown.at;
    inst.opcode = static_cast<std::uint32_t>(opcode_of(unknown));
    const std::vector<std::uint32_t>& words = unknown.words;
    const bool in_code = unknown.at > first_function_;
    if (!in_code && !is_declaration(unknown)) return inst;
    if (words.size() > 2 && is_type(words[1]) && is_free(words[2])) {
      inst.type = words[1];
      inst.result = words[2];
    } else if (!in_code && words.size() > 1 && is_free(words[1])) {
      inst.result = words[1];
    }
    if (inst.result != 0) claimed_[inst.result] = inst.type != 0 ? Claim::value : Claim::type;
    return inst;
  }

  void add_operands(ForeignInst& inst, const UnknownWords& unknown) const {
    const std::size_t first = 1 + (inst.type != 0) + (inst.result != 0);
    const bool is_code = unknown.at > first_function_ || is_declaration(unknown);
    for (std::size_t i = first; i < unknown.words.size(); ++i) {
      const std::uint32_t word = unknown.words[i];
      const bool may_be_id = is_code ? is_defined(word) && known_.def_op(word) != spv::Op::OpLabel
                                     : i > first && is_constant(word);  // behind what it decorates
      inst.operands.push_back({word, may_be_id});
    }
  }

  const Module& known_;
  const KnownPart& part_;
  const std::size_t first_declaration_, first_function_;
  std::vector<Claim> claimed_;  // results of unknown instructions, by id
};

bool is_in_interface(const Module& module, InstRef variable) {
  if (module.operands(variable).empty()) return false;
  const auto storage = static_cast<spv::StorageClass>(module.operand(variable, 0).word);
  return storage == spv::StorageClass::Input || storage == spv::StorageClass::Output ||
         storage == spv::StorageClass::TaskPayloadWorkgroupEXT;
}

bool is_interface_variable(const Module& module, Id id) {
  return module.def_op(id) == spv::Op::OpVariable && is_in_interface(module, module.def(id));
}

// The variables that cross interfaces, and the types that they are made of.
std::set<Id> interface_ids(const Module& module) {
  std::set<Id> all;
  for (const InstRef inst : module.types) {
    if (!is_interface_variable(module, module[inst].result)) continue;
    all.insert(module[inst].result);
    all.merge(types_within(module, module[inst].type));
  }
  return all;
}

// A decoration that is not known may change how something crosses an interface. Without a result, what stands in front
// of the types may be one.
bool may_be_about_varyings(const Module& module, InstRef inst, Section section, const std::set<Id>& interface) {
  const auto operands = module.operands(inst);
  if (section == &Module::annotations) return operands.empty() || interface.count(operands[0].word) != 0;
  return module[inst].result == 0 && std::any_of(operands.begin(), operands.end(), [&](const Operand& operand) {
           return interface.count(operand.word) != 0;
         });
}

bool is_of_addresses(const Module& module, InstRef mode) {
  const auto operands = module.operands(mode);
  return operands.size() == 2 && operands[1].word == kShader64BitIndexing;
}

bool names_label(const Module& module, InstRef inst) {
  const auto operands = module.operands(inst);
  return std::any_of(operands.begin(), operands.end(), [&](const Operand& operand) {
    return operand.word < module.bound && module.def_op(operand.word) == spv::Op::OpLabel;
  });
}

bool names_function(const Module& module, InstRef inst) {
  const std::vector<EntryPoint> entries = module.entries();
  const auto operands = module.operands(inst);
  return std::any_of(operands.begin(), operands.end(), [&](const Operand& operand) {
    return operand.word < module.bound && module.def_op(operand.word) == spv::Op::OpFunction &&
           std::none_of(entries.begin(), entries.end(),
                        [&](const EntryPoint& entry) { return entry.function == operand.word; });
  });
}

// The last instruction is one that ends blocks, and what may be a merge instruction in front of it is known.
bool ends_as_known(const Module& module, const Block& block) {
  if (block.body.empty() || !is_terminator(module[block.body.back()].op)) return false;
  auto before = block.body.rbegin() + 1;
  while (before != block.body.rend() && is_debug_inst(module, *before)) ++before;
  return before == block.body.rend() || !is_foreign(module[*before].op) || !names_label(module, *before);
}

// Why what the rest of the module means may depend on what is not known (rule ); empty if it does not.
std::string obstacle_in(const Module& module) {
  if (module.entry_points.size() != 1) return "it has several entry points";
  if (module.memory_model.empty() || !module.function(module.entries().front().function))
    return "its memory model or its entry point is not known";
  const std::set<Id> interface = interface_ids(module);
  for (const Section section : sections())
    for (const InstRef inst : module.*section) {
      if (!is_foreign(module[inst].op) || section == &Module::capabilities) continue;
      if (section == &Module::execution_modes && is_of_addresses(module, inst)) continue;
      if (section == &Module::execution_modes) return "an execution mode is not known";
      if (section != &Module::annotations && section != &Module::types)
        return "what stands in front of its types is not known";
      if (may_be_about_varyings(module, inst, section, interface))
        return "a decoration of what crosses an interface is not known";
    }
  for (const Function& function : module.functions)
    for (const Block& block : function.blocks) {
      if (!ends_as_known(module, block)) return "control flow is not known";
      for (const InstRef inst : block.body)
        if (is_foreign(module[inst].op) && names_function(module, inst)) return "what is not known names a function";
    }
  return {};
}

// What crosses interfaces has declarations and types that are known.
bool keeps_interface(const Module& module, const Module& known) {
  const std::vector<Id> listed = module.entries().front().interface;
  return std::all_of(
             listed.begin(), listed.end(),
             [&](Id id) { return !is_foreign(module.def_op(id)) || !is_in_interface(module, module.def(id)); }) &&
         std::all_of(module.types.begin(), module.types.end(), [&](InstRef inst) {
           const Id result = module[inst].result;
           return !is_interface_variable(module, result) || known.def(result);
         });
}

// With the largest bound that the module may have for its size.
bool is_dense(std::span<const std::uint32_t> words) { return words[3] <= 0x10000u || words[3] <= words.size(); }

// Takes out what is foreign and what depends on it.
class ForeignRemover {
 public:
  explicit ForeignRemover(Module& module) : module_(module), gone_(module.bound) {}

  bool run() {
    module_.version = std::min(module_.version, kNewestVersion);
    for (const InstRef inst : module_.types)
      if (depends(inst)) remove(inst);
    for (const Function& function : module_.functions)
      for (const InstRef inst : function.head)
        if (depends(inst)) return false;
    for (bool changed = true; changed;) {  // a phi of a loop may depend on what stands behind it
      changed = false;
      for (const Function& function : module_.functions)
        for (const Block& block : function.blocks)
          for (const InstRef inst : block.body) {
            if (module_.is_dead(inst) || !depends(inst)) continue;
            if (!replace(inst)) return false;
            changed = true;
          }
    }
    remove_mentions();
    module_.sweep();
    return true;
  }

 private:
  bool is_gone(Id value) const { return value < gone_.size() && gone_[value]; }

  bool depends(InstRef inst) const {
    if (is_foreign(module_[inst].op) || is_gone(module_[inst].type)) return true;
    const auto operands = module_.operands(inst);
    return !is_debug_inst(module_, inst) && std::any_of(operands.begin(), operands.end(), [&](const Operand& operand) {
      return operand.is_id && is_gone(operand.word);
    });
  }

  void remove(InstRef inst) {
    if (const Id result = module_[inst].result; result != 0) gone_[result] = true;
    module_.kill(inst);
  }

  bool replace(InstRef inst) {
    const spv::Op op = module_[inst].op;
    if (op == spv::Op::OpFunctionCall || is_terminator(op)) return false;
    if (may_be_undefined(module_[inst].type))
      module_.rewrite(inst, spv::Op::OpUndef, {});
    else
      remove(inst);
    return true;
  }

  // Pointers, images and the like have to be what they are made of.
  bool may_be_undefined(Id type) const {
    const spv::Op op = module_.def_op(type);
    if (op == spv::Op::OpTypeArray) return may_be_undefined(module_.operand(module_.def(type), 0).word);
    if (op != spv::Op::OpTypeStruct) return scalars_of_number(module_, type) != 0;
    const auto members = module_.operands(module_.def(type));
    return std::all_of(members.begin(), members.end(),
                       [&](const Operand& member) { return may_be_undefined(member.word); });
  }

  void remove_mentions() {
    for (const Section section :
         {&Module::capabilities, &Module::execution_modes, &Module::debug_names, &Module::annotations})
      for (const InstRef inst : module_.*section) {
        const auto operands = module_.operands(inst);
        const bool names = section != &Module::capabilities && !operands.empty();
        if (is_foreign(module_[inst].op) || (names && !module_.def(operands[0].word))) module_.kill(inst);
      }
    for (const InstRef entry : module_.entry_points) {
      std::vector<Operand> kept;
      for (const Operand& operand : module_.operands(entry))
        if (!operand.is_id || !is_gone(operand.word)) kept.push_back(operand);
      if (kept.size() != module_.operands(entry).size()) module_.rewrite(entry, spv::Op::OpEntryPoint, kept);
    }
    for (const Function& function : module_.functions)
      for (const Block& block : function.blocks)
        for (const InstRef inst : block.body) {
          const auto operands = module_.operands(inst);
          if (!module_.is_dead(inst) && is_debug_inst(module_, inst) &&
              std::any_of(operands.begin(), operands.end(),
                          [&](const Operand& operand) { return operand.is_id && is_gone(operand.word); }))
            module_.kill(inst);
        }
  }

  Module& module_;
  std::vector<bool> gone_;  // ids that nothing defines any more
};

}  // namespace

std::optional<Module> without_foreign(Module module) {
  if (!ForeignRemover(module).run()) return std::nullopt;
  return module;
}

Result<Module> read_with_foreign(std::span<const std::uint32_t> words, const FileRef& file) {
  Result<Module> module = read_module(words, file);
  if (module || newer_features(words).empty()) return module;
  const auto refusal = [&](const std::string& reason) {
    Diagnostic why = module.error();
    why.message += "; it is not linked, since " + reason;
    return why;
  };
  const std::optional<KnownPart> part = known_part(words);
  if (!part) return refusal("too much is not known");
  if (part->words[1] != words[1]) return refusal("a newer version of SPIR-V may change any rule");
  if (!is_dense(words)) return refusal("its bound is much larger than it needs");
  const ModuleWalk known = walk_module(part->words);
  const std::string misplaced = "an instruction that is not known stands between sections";
  if (!known.error.empty()) return refusal(misplaced);
  const std::vector<ForeignInst> foreign = Describer(known.module, *part).run();
  ModuleWalk walk = walk_module(part->words, Ids::as_written, foreign);
  if (!walk.error.empty() || walk.is_misplaced || walk.is_out_of_order) return refusal(misplaced);
  if (const std::string obstacle = obstacle_in(walk.module); !obstacle.empty()) return refusal(obstacle);
  const std::optional<Module> rest = without_foreign(walk.module);
  if (!rest) return refusal(kDependent);
  if (!keeps_interface(walk.module, *rest)) return refusal("a variable that crosses an interface has an unknown type");
  restore_languages(walk.module, source_languages(words));
  if (write_module(walk.module) != std::vector<std::uint32_t>(words.begin(), words.end())) return refusal(misplaced);
  return std::move(walk.module);
}

Result<Diagnostics> validate_known(const Module& module, std::span<const std::uint32_t> words,
                                   const ValidatorOptions& options, const FileRef& file, const WordsOfStage& own) {
  if (!has_foreign(module)) return validate(words, options, file, own);
  const std::optional<Module> known = without_foreign(module);
  if (known) return validate(write_module(*known), options, file);
  return make_error(ErrorKind::invalid_spirv, file, kDependent);
}

}  // namespace varylink::spirv
