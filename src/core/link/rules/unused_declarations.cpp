#include "link/rules/unused_declarations.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <tuple>

#include "link/rules/interface_model.h"
#include "spirv/ir/call_tree.h"
#include "spirv/ir/operations.h"
#include "spirv/ir/uses.h"
#include "varyings/reflect/access_analysis.h"
#include "varyings/reflect/decoration_index.h"

namespace varylink::link {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;

// Which thing outside of the pipeline a declaration stands for.
using Key = std::tuple<UnusedDeclaration::Kind, std::uint32_t, std::uint32_t>;

// Everything that the code of an entry point names, directly or through types, constants and initializers. The list of
// its interface does not count: it holds what is declared.
class UsedIds {
 public:
  explicit UsedIds(const StageView& stage) : module_(*stage.module) {
    for (const Id function : spirv::call_tree(module_, {stage.entry.function})) add_function(function);
    for (const InstRef mode : module_.execution_modes)
      if (module_.operand(mode, 0).word == stage.entry.function) add_operands(mode);
    while (!pending_.empty()) {
      const Id id = pending_.back();
      pending_.pop_back();
      if (const InstRef inst = module_.def(id); inst.index != InstRef{}.index) add_instruction(inst);
    }
  }

  bool has(Id id) const { return used_.count(id) != 0; }

 private:
  void add_function(Id id) {
    const spirv::Function* function = module_.function(id);
    if (!function) return;
    for (const InstRef inst : function->head) add_instruction(inst);
    for (const spirv::Block& block : function->blocks)
      for (const InstRef inst : block.body)
        if (!spirv::is_debug_inst(module_, inst)) add_instruction(inst);
  }
  void add_instruction(InstRef inst) {
    if (module_[inst].type != 0) add(module_[inst].type);
    add_operands(inst);
  }
  void add_operands(InstRef inst) {
    for (const spirv::Operand& operand : module_.operands(inst))
      if (operand.is_id) add(operand.word);
  }
  void add(Id id) {
    if (used_.insert(id).second) pending_.push_back(id);
  }

  const Module& module_;
  std::set<Id> used_;
  std::vector<Id> pending_;
};

// Locations that an attribute of this type takes; a 64-bit vector of three or four components takes two.
std::uint32_t location_count(const Module& module, Id type) {
  const InstRef def = module.def(type);
  switch (spirv::type_kind(module, type)) {
    case spirv::TypeKind::array:
      return varyings::array_length(module, type).value_or(1) * location_count(module, module.operand(def, 0).word);
    case spirv::TypeKind::matrix:
      return module.operand(def, 1).word * location_count(module, module.operand(def, 0).word);
    case spirv::TypeKind::vector: {
      const auto scalar = varyings::scalar_type_of(module, type);
      return scalar && scalar->width == 64 && module.operand(def, 1).word > 2 ? 2 : 1;
    }
    default: return 1;
  }
}

struct Declaration {
  Id id = 0;
  std::uint32_t locations = 1;
};
using Declarations = std::multimap<Key, Declaration>;

// Attributes and bindings are variables.
void add_variable(const StageView& stage, InstRef inst, varyings::DecorationList decorations, Declarations& all) {
  const Module& module = *stage.module;
  const auto storage = static_cast<spv::StorageClass>(module.operand(inst, 0).word);
  const Id id = module[inst].result;
  const auto location = decorations.value(spv::Decoration::Location);
  if (storage == spv::StorageClass::Input && stage.entry.stage == Stage::vertex && location) {
    const Id type = module.operand(module.def(module[inst].type), 1).word;
    all.emplace(Key{UnusedDeclaration::Kind::attribute, 0, *location}, Declaration{id, location_count(module, type)});
  }
  if (const auto binding = decorations.value(spv::Decoration::Binding)) {
    const std::uint32_t set = decorations.value(spv::Decoration::DescriptorSet).value_or(0);
    all.emplace(Key{UnusedDeclaration::Kind::binding, set, *binding}, Declaration{id});
  }
}

Declarations declarations_of(const StageView& stage) {
  const Module& module = *stage.module;
  const varyings::DecorationIndex index(module);
  Declarations all;
  for (const InstRef inst : module.types) {
    const Id id = module[inst].result;
    if (id == 0) continue;
    const varyings::DecorationList decorations = index.of(id);
    if (module[inst].op == spv::Op::OpVariable) add_variable(stage, inst, decorations, all);
    if (const auto spec_id = decorations.value(spv::Decoration::SpecId))
      all.emplace(Key{UnusedDeclaration::Kind::spec_constant, 0, *spec_id}, Declaration{id});
  }
  return all;
}

// A key is used if any of its declarations is: several variables may have one binding.
std::set<Key> used_keys(const StageView& stage, const Declarations& declarations) {
  const UsedIds used(stage);
  std::set<Key> keys;
  for (const auto& [key, declaration] : declarations)
    if (used.has(declaration.id)) keys.insert(key);
  return keys;
}

std::string name_of(const Module& module, Id id) {
  if (std::string name = module.name(id); !name.empty()) return name;
  if (module.def_op(id) != spv::Op::OpVariable) return {};
  return module.name(module.operand(module.def(module.type_of(id)), 1).word);  // that of the block
}

// One stage before and after linking.
struct StageChange {
  StageView before, after;
};

std::vector<UnusedDeclaration> unused_in(const std::vector<StageChange>& stages) {
  std::map<Key, UnusedDeclaration> unused;
  std::set<Key> used_by_any;
  for (const StageChange& stage : stages) {
    const Declarations declared = declarations_of(stage.before);
    const std::set<Key> used_before = used_keys(stage.before, declared);
    const std::set<Key> used = used_keys(stage.after, declarations_of(stage.after));
    used_by_any.insert(used.begin(), used.end());
    for (const auto& [key, declaration] : declared) {
      if (used.count(key) != 0) continue;
      UnusedDeclaration& entry = unused[key];
      std::tie(entry.kind, entry.set, entry.number) = key;
      entry.locations = declaration.locations;
      if (entry.name.empty()) entry.name = name_of(*stage.before.module, declaration.id);
      const Stage own = stage.before.entry.stage;
      if (std::find(entry.stages.begin(), entry.stages.end(), own) == entry.stages.end()) entry.stages.push_back(own);
      entry.was_used = entry.was_used || used_before.count(key) != 0;
    }
  }
  std::vector<UnusedDeclaration> list;
  for (auto& [key, entry] : unused) {
    entry.unused_by_all = used_by_any.count(key) == 0;
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace

std::optional<std::vector<UnusedDeclaration>> unused_declarations(const std::vector<StageInput>& before,
                                                                  const std::vector<StageInput>& after) {
  if (after.empty()) return std::nullopt;
  std::deque<spirv::Module> modules;  // the views look into them
  const auto view = [&](const StageInput& stage) -> Result<StageView> {
    Result<spirv::Module> module = module_of(stage, stage.file);
    if (!module) return module.error();
    modules.push_back(std::move(*module));
    return view_of(modules.back(), stage.stage, stage.entry_point, stage.file);
  };
  std::vector<StageChange> changes;
  for (const StageInput& stage : before)
    for (const StageInput& output : after) {
      if (stage.stage != output.stage) continue;
      const Result<StageView> original = view(stage), result = view(output);
      if (!original || !result) return std::nullopt;
      changes.push_back({*original, *result});
    }
  return unused_in(changes);
}

}  // namespace varylink::link
