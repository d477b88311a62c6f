// The code that takes the place of one interface variable: declarations of its scalars, loads at the start, stores at
// the exits, and the code for each access.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "spirv/ir/emitter.h"
#include "varyings/reflect/interpolate_at.h"
#include "varyings/reflect/semantics.h"
#include "varyings/scalarize/scalarize_plan.h"
#include "varyings/scalarize/varying.h"

namespace varylink::varyings {

// Copies place, type and qualifiers of a leaf.
void describe_leaf(Varying& varying, const Leaf& leaf);
// Adds the slots of `count` components of a leaf from `first` on.
void append_slots(Varying& varying, const Leaf& leaf, std::uint32_t first, std::uint32_t count);

// Gives `variable` the qualifiers of a leaf, all but its place.
void decorate_like(spirv::Module& module, spirv::Id variable, const Leaf& leaf);
// Removes an interface variable that no code uses any more, with the access chains that led into it, as
// spirv::remove_globals does.
void remove_interface_variable(spirv::Module& module, spirv::Id variable, const VariableAccesses& accesses);
// Several in one walk over the module.
using UsedVariables = std::map<spirv::Id, const VariableAccesses*>;
void remove_interface_variables(spirv::Module& module, const UsedVariables& variables);
// An output becomes memory of its own invocation, which it is read back from (rule ). Without an obstacle only.
void make_private(spirv::Module& module, spirv::Id variable, const VariableAccesses& accesses);

class VariableCode {
 public:
  using DescribeUnsplit = std::function<Varying(const VariablePlan&, const UnsplitPart&, spirv::Id)>;

  VariableCode(spirv::Module& module, spirv::Globals& globals, spirv::Emitter& emitter, const Entry& entry,
               const VariablePlan& plan, const Semantics& semantics);

  // Whether emit_exit() has something to write.
  bool stores_at_exit() const { return mode_ == AccessMode::store_at_exit || !plan_.locals.empty(); }

  // Creates the scalar variables (and the variables of parts that stay unsplit) and lists them.
  void declare(std::vector<Varying>& varyings, const DescribeUnsplit& describe_unsplit);

  // Writes the code at the start of the entry point; local variables go to `locals`.
  void emit_start(std::vector<spirv::InstRef>& locals);

  // Writes the code for an access, in front of the old instruction. Returns the id of the value that replaces the
  // result of a load; 0 if there is none to replace (stores, accesses that were redirected in place).
  spirv::Id rewrite(const PointerAccess& access);

  // Writes the stores of all scalars that belong to `stream`.
  void emit_exit(std::uint32_t stream);

 private:
  using Path = std::vector<std::uint32_t>;

  struct ScalarCode {
    spirv::Id type = 0;
    spirv::Id variable = 0;  // interface variable
    spirv::Id local = 0;     // local variable of an output that is stored at exit
    spirv::Id loaded = 0;    // value of an input that is loaded at entry
    std::uint32_t stream = 0;
    bool flat = false;
  };

  void declare_leaf(const Leaf& leaf, std::vector<Varying>& varyings);
  void declare_unsplit(const UnsplitPart& part, std::vector<Varying>& varyings,
                       const DescribeUnsplit& describe_unsplit);
  spirv::Id make_variable(spirv::Id type, const std::string& name);

  spirv::Id load_scalar(ScalarCode& code, spirv::Id vertex);
  void store_scalar(ScalarCode& code, spirv::Id vertex, spirv::Id value);
  spirv::Id build_value(spirv::Id type, Path& path, spirv::Id vertex);
  void split_value(spirv::Id type, Path& path, spirv::Id vertex, spirv::Id value);
  spirv::Id unsplit_pointer(const Path& path, spirv::Id type, spirv::Id vertex);
  spirv::Id make_local(spirv::Id type, std::vector<spirv::InstRef>& locals);
  void start_scalars(std::vector<ScalarCode>& codes, std::vector<spirv::InstRef>& locals);
  spirv::Id local_pointer(const Path& path, spirv::Id type);
  void exit_from_local(const Path& path, std::vector<ScalarCode>& codes, spirv::Id vertex);
  void redirect(const PointerAccess& access, const UnsplitPart& part, spirv::Id variable);
  spirv::Id interpolate_scalar(const ScalarCode& code, const InterpolateAt& at);
  spirv::Id interpolate(const PointerAccess& access, const ConstantPath& found);
  spirv::Id rewrite_dynamic_component(const PointerAccess& access, Path& path, spirv::Id vertex);

  spirv::Module& module_;
  spirv::Globals& globals_;
  spirv::Emitter& emitter_;
  const Entry& entry_;
  const VariablePlan& plan_;
  const Semantics& semantics_;
  AccessMode mode_;
  spv::StorageClass storage_;
  std::map<Path, std::vector<ScalarCode>> scalars_;  // by leaf path
  std::map<Path, spirv::Id> unsplit_;                // variables of the parts that stay unsplit
  std::map<Path, spirv::Id> locals_;                 // local variables of the plan's local parts
};

}  // namespace varylink::varyings
