// Types, constants and variables of a module: found if the module has them, else appended to its global section.
// Non-aggregate types must be unique in a module (SPIR-V 2.8), so this class is the only way to create them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "spirv/ir/module.h"

namespace varylink::spirv {

class Globals {
 public:
  // `module` must outlive this object. Its types and constants are indexed when one is first asked for; types that are
  // added by other means after that are not seen, and removing types by other means is an error.
  explicit Globals(Module& module);

  Id void_type();
  Id bool_type();
  Id int_type(std::uint32_t width, bool is_signed);
  Id float_type(std::uint32_t width);
  Id vector_type(Id scalar, std::uint32_t count);  // `scalar` itself if count is 1
  Id matrix_type(Id column, std::uint32_t count);
  Id array_type(Id element, std::uint32_t length);
  Id pointer_type(spv::StorageClass storage, Id pointee);

  Id uint_constant(std::uint32_t value);
  Id bool_constant(bool value);
  // Scalar constant of numeric type `type` with these bits (low word first; narrow types use the low bits).
  Id scalar_constant(Id type, const std::vector<std::uint32_t>& bits);
  // OpConstantComposite of constants, one for each element of `type`.
  Id composite_constant(Id type, const std::vector<Id>& parts);
  Id null_constant(Id type);
  Id undef(Id type);

  // A new global variable. It is not in any interface list yet.
  Id variable(spv::StorageClass storage, Id pointee, const std::string& name = {});

  // Imports GLSL.std.450 if the module does not yet.
  Id glsl_std_450();

 private:
  struct Entry {
    std::size_t hash = 0;
    Id id = 0;  // 0: free
  };

  void index_module();
  void grow();
  // The entry of what is written like this; a free one if there is none.
  Entry& entry_of(std::size_t hash, spv::Op op, Id type, std::span<const Operand> operands);
  Id find_or_add(spv::Op op, Id type, const std::vector<Operand>& operands);

  Module& module_;
  std::vector<Entry> index_;  // a table by hash: each stands at the first place from its own that was free
  std::size_t indexed_ = 0;
};

// ---- small questions about types, answered from the module

// Number of components of a vector type, 1 for scalars, 0 for anything else.
std::uint32_t component_count(const Module& module, Id type);
// Element type of a vector, matrix (its column) or array; `index` selects a struct member. 0 if there is none.
Id element_type(const Module& module, Id type, std::uint32_t index = 0);
// Element type below all array dimensions; the type itself if it is no array. Runtime arrays are not looked through.
Id type_without_arrays(const Module& module, Id type);
// Made of numbers and booleans only: a type that local variables, phis, composite instructions and null constants may
// have.
bool is_plain_type(const Module& module, Id type);

// Value of an OpConstant or OpConstantNull of integer type, sign-extended; none for anything else, specialization
// constants included.
std::optional<std::int64_t> constant_int(const Module& module, Id value);
// All scalars of the constant are one word, and this one. Specialization constants have no bits.
bool has_bits(const Module& module, Id constant, std::uint32_t bits);
// Value of a constant index; none unless constant_int() has one that 32 bits hold. A negative index is past every end.
std::optional<std::uint32_t> constant_index(const Module& module, Id id);

// Elements a composite type has: vector components, matrix columns, array length (0 if not a plain constant), members.
std::uint32_t element_count(const Module& module, Id type);
// Pointee of a pointer type, 0 if it is none.
Id pointee_type(const Module& module, Id pointer_type);
bool is_scalar_or_vector(const Module& module, Id type);
// Whether an id is an OpVariable of this storage class.
bool is_variable_in(const Module& module, Id id, spv::StorageClass storage);
// Whether an OpVariable has a value before its first store.
bool has_initializer(const Module& module, Id variable);

// ---- names and decorations

void add_name(Module& module, Id target, const std::string& name);
void decorate(Module& module, Id target, spv::Decoration decoration);
// The name and the decorations of `from` become those of `to`; members of structures keep theirs.
void move_annotations(Module& module, Id from, Id to);
void decorate(Module& module, Id target, spv::Decoration decoration, std::uint32_t literal);
// Removes `target` with its names, its decorations, the debug instructions outside of functions that describe it (as
// DebugGlobalVariable) and its places in interface lists. The caller guarantees that no code uses it any more.
void remove_global(Module& module, Id target);
// The same for many at once, in one walk over the module.
void remove_globals(Module& module, std::vector<Id> targets);
// Makes an interface variable an ordinary one after its storage class has changed: takes away the decorations that only
// interfaces have (all but RelaxedPrecision), and its place in the interface lists of modules before SPIR-V 1.4.
void make_internal(Module& module, Id variable);
// Leaves each variable once in each entry point's interface list. Before SPIR-V 1.4 a list may name one twice
// (OpEntryPoint); loops over a list rely on meeting a variable once.
void list_interfaces_once(Module& module);
// Appends `variable` to the entry point's interface list.
void add_to_interface(Module& module, InstRef entry_point, Id variable);

}  // namespace varylink::spirv
