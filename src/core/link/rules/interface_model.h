// One side of an interface, indexed by slot: the common ground of the pair check and of `varylink check`.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "spirv/ir/module.h"
#include "varyings/reflect/access_analysis.h"
#include "varyings/reflect/built_ins.h"
#include "varyings/reflect/decoration_index.h"
#include "varyings/reflect/interface_variable.h"

namespace varylink::link {

// A module, its linked entry point, and its name in messages. Does not own the module, which stays as it is as long as
// there is a view of it.
struct StageView {
  const spirv::Module* module = nullptr;
  varyings::Entry entry;
  FileRef file;
  mutable std::shared_ptr<const varyings::DecorationIndex> index;  // once somebody asked

  // Of the module. Not to be called by two threads at once.
  const varyings::DecorationIndex& decorations() const;
  // varyings::interface_variables and varyings::built_ins, with these decorations.
  std::vector<varyings::InterfaceVariable> variables(varyings::Direction direction) const;
  std::vector<varyings::BuiltIn> built_ins(varyings::Direction direction) const;
};

// The view of `stage` in `module`; the module must outlive it. Errors: those of varyings::find_entry.
Result<StageView> view_of(const spirv::Module& module, Stage stage, const std::string& entry_name, const FileRef& file);

// A declaration at one slot.
struct SlotUse {
  std::size_t variable = 0;
  std::size_t leaf = 0;
  std::uint32_t component = 0;  // of the leaf
};

// The unit of interface matching (Vulkan, "Interface Matching"): a single variable, or a top-level member of a block.
struct Unit {
  std::size_t variable = 0;
  std::size_t first_leaf = 0;
  std::size_t leaf_count = 0;
  spirv::Id type = 0;  // without the per-vertex level
};

class InterfaceModel {
 public:
  InterfaceModel(const StageView& stage, varyings::Direction direction);

  const StageView& stage() const { return stage_; }
  const std::vector<varyings::InterfaceVariable>& variables() const { return variables_; }
  const std::vector<Unit>& units() const { return units_; }
  const std::map<varyings::Slot, std::vector<SlotUse>>& slots() const { return slots_; }
  const varyings::Leaf& leaf(const SlotUse& use) const { return variables_[use.variable].leaves[use.leaf]; }
  spirv::Id id(const SlotUse& use) const { return variables_[use.variable].id; }

  // The declaration at `slot`, nullptr if there is none. Of several, the one of the same kind as `like` (patch, per
  // primitive) and of stream 0 wins.
  const SlotUse* find(varyings::Slot slot, const varyings::Leaf& like) const;
  const Unit* unit_of(const SlotUse& use) const;

  // Components of a leaf that the entry point reads or writes.
  varyings::LeafAccess access(const SlotUse& use) const { return accesses_[use.variable].leaves[use.leaf]; }

 private:
  void add_units(std::size_t variable, bool block);
  void add_slots(std::size_t variable);

  StageView stage_;
  std::vector<varyings::InterfaceVariable> variables_;
  std::vector<varyings::VariableAccess> accesses_;
  std::vector<Unit> units_;
  std::map<varyings::Slot, std::vector<SlotUse>> slots_;
};

// How two types compare apart from ids, names and decorations (rule ), the worst of their parts.
enum class TypeMatch : std::uint8_t {
  same,         // the same declaration; array lengths may be specialization constants with the same SpecId and default
  signedness,   // int on one side, uint on the other
  specialized,  // array lengths depend on specialization constants that need not be equal in the two stages
  different,
};
TypeMatch match_types(const spirv::Module& a, spirv::Id type_a, const spirv::Module& b, spirv::Id type_b);

// match_types(...) == TypeMatch::same.
bool same_type(const spirv::Module& a, spirv::Id type_a, const spirv::Module& b, spirv::Id type_b);

// "vec3", "uint", "dvec2": the type of a leaf in GLSL's words.
std::string type_text(const varyings::Leaf& leaf);

// "'v.color' (vec4)", or "(vec4)" if the leaf has no name.
std::string describe(const varyings::Leaf& leaf);

}  // namespace varylink::link
