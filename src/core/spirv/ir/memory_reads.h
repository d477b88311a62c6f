// Answers two questions about a load, for the whole linker: may it be merged with another one or move, and may it be
// speculated?
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "spirv/ir/block_layout.h"
#include "spirv/ir/module.h"

namespace varylink::spirv {

// Properties of the memory that loads of one module read. A snapshot.
class MemoryReads {
 public:
  explicit MemoryReads(const Module& module);

  // The load gives the same value whenever it runs, so that two of them may become one, and one may move to any place
  // where it runs anyway: nothing can write the memory. True for inputs, push constants, uniform blocks, descriptors
  // other than storage images, and NonWritable memory. False if the load, the variable or a member on the way is
  // Volatile or Coherent, for HelperInvocation where the module demotes (SPIR-V, OpDemoteToHelperInvocation), if the
  // variable is Aliased, or if another variable has the same binding and may be written (SPIR-V, "Aliasing": without
  // Aliased declarations do not alias).
  bool is_constant(InstRef load) const;

  // A declaration on the way is Volatile: every access stays as written.
  bool is_declared_volatile(Id pointer) const;

  // The global or local variable that a pointer leads to through access chains and copies; none for other pointers.
  InstRef variable_of(Id pointer) const;

  const BlockLayout& layout() const { return layout_; }

 private:
  // Qualifiers of all declarations on the way to a pointer's target.
  struct Qualifiers {
    bool not_writable = false, is_volatile = false, coherent = false;
  };
  Qualifiers qualifiers_of(Id pointer, InstRef variable) const;
  void add_members(Id structure, std::optional<std::uint32_t> member, Qualifiers& qualifiers) const;
  bool is_decorated(Id target, spv::Decoration decoration) const;
  bool is_aliased(InstRef variable) const;
  Id block_of(InstRef variable) const;
  using Binding = std::pair<std::optional<std::uint32_t>, std::uint32_t>;  // set, if it is said, and binding
  std::optional<Binding> binding_of(Id variable) const;
  void find_writable_bindings();
  void find_helper_invocations();

  const Module& module_;
  BlockLayout layout_;
  bool has_qualifiers_ = false;  // any of these qualifiers
  // Variables with a binding that are not NonWritable as a whole, by set and binding; empty without qualifiers, since
  // only NonWritable memory asks for them.
  std::multimap<Binding, Id> writable_bindings_;
  // Variables that change when the invocation becomes a helper, in modules that demote; empty in others.
  std::set<Id> helper_invocations_;
};

// Unconditional loads of one function, and the buffer ranges that they prove to be bound. A snapshot.
class DereferenceableRanges {
 public:
  // When a read is certain.
  enum class Until : std::uint8_t {
    end,   // it runs before the function returns
    emit,  // it runs before a vertex is emitted: readers of its outputs know that it ran
  };
  DereferenceableRanges(const Module& module, const Function& function, Until until = Until::end);

  // Whether a constant load may be speculated: it runs anyway, or it reads an existing element of memory that is bound.
  // Inputs and push constants always are. A buffer is, up to the end of its unconditional reads: a descriptor may be
  // unbound if no invocation reads it (VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT), and the bound range may end before
  // the block does if nothing behind it is read (VUID-vkCmdDraw-uniformBuffers-06935,
  // VUID-vkCmdDraw-storageBuffers-06936).
  bool is_safe_to_speculate(InstRef load);

  // First byte behind the unconditional reads, by variable and element of an array of descriptors.
  using Buffer = std::pair<Id, std::uint32_t>;
  const std::map<Buffer, std::uint64_t>& ends();

  const BlockLayout& layout() const { return reads_.layout(); }

 private:
  // A scalar, vector or matrix at a place that does not depend on anything.
  struct Place {
    Id variable = 0;
    spv::StorageClass storage = spv::StorageClass::Function;
    std::uint32_t descriptor = 0;      // element of an array of descriptors
    std::optional<std::uint64_t> end;  // of buffers: first byte behind it
  };
  bool is_certain(InstRef inst);
  std::optional<Place> place_of(InstRef load, std::optional<std::uint32_t> least_index) const;
  std::optional<BlockLayout::Cursor> walk(BlockLayout::Cursor from, const std::vector<std::uint32_t>& path) const;
  void find_certain_blocks(Until until);

  const Module& module_;
  const Function& function_;
  MemoryReads reads_;
  std::set<InstRef> certain_;  // instructions
  std::optional<std::map<Buffer, std::uint64_t>> certain_ends_;
};

}  // namespace varylink::spirv
