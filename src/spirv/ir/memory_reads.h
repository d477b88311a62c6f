// The one answer to two questions about a load: may it be merged with another one or move, and may it run where the
// code did not run it?
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

// What loads of one module read. A snapshot.
class MemoryReads {
 public:
  explicit MemoryReads(const Module& module);

  // Whenever the load runs it gives the same value, so that two of them may become one, and one may move to any place
  // where it is sure to run: nobody can write to what it reads. Inputs, push constants, uniform blocks, descriptors of
  // anything but storage images, and whatever is NonWritable; not if it is Volatile or Coherent, by its own operands or
  // by the decorations of the variable or a member on the way, and not if it is Aliased or another variable has the
  // same binding and may be written (SPIR-V, "Aliasing": without Aliased declarations do not alias).
  bool is_constant(InstRef load) const;

  // A declaration on the way says Volatile: every access is to be made as it is written.
  bool is_declared_volatile(Id pointer) const;

  // The global or local variable that a pointer leads to through access chains and copies; none for other pointers.
  InstRef variable_of(Id pointer) const;

  const BlockLayout& layout() const { return layout_; }

 private:
  // What the declarations say of memory on the way to what a pointer points to.
  struct Qualifiers {
    bool not_writable = false, is_volatile = false, coherent = false;
  };
  Qualifiers qualifiers_of(Id pointer, InstRef variable) const;
  void add_members(Id structure, std::optional<std::uint32_t> member, Qualifiers& qualifiers) const;
  bool is_decorated(Id target, spv::Decoration decoration) const;
  bool is_aliased(InstRef variable) const;
  Id block_of(InstRef variable) const;

  const Module& module_;
  BlockLayout layout_;
  bool has_qualifiers_ = false;  // of any of the kinds in question
};

// Loads of one function that run whenever the entry point does. A snapshot.
class CertainReads {
 public:
  // When a read is certain.
  enum class Until : std::uint8_t {
    end,   // it runs before the function returns
    emit,  // it runs before a vertex is emitted: whoever reads what the function writes knows that it ran
  };
  CertainReads(const Module& module, const Function& function, Until until = Until::end);

  // The load is constant, and may run unconditionally, too, since it either does or cannot do harm: it reads an element
  // that its variable has, of memory that is surely there. Inputs and push constants always are. Of a buffer that is
  // sure only up to the end of what is read for certain: an application may leave a descriptor unbound that no
  // invocation reads (VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT), and may bind a range that ends before the block does
  // as long as nothing behind it is read (VUID-vkCmdDraw-uniformBuffers-06935, VUID-vkCmdDraw-storageBuffers-06936).
  bool may_speculate(InstRef load);

  // First byte behind what is read for certain, by variable and element of an array of descriptors.
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
  bool exists(Id type, const std::vector<std::uint32_t>& path) const;
  void find_certain_blocks(Until until);

  const Module& module_;
  const Function& function_;
  MemoryReads reads_;
  std::set<InstRef> certain_;  // instructions
  std::optional<std::map<Buffer, std::uint64_t>> certain_ends_;
};

}  // namespace varylink::spirv
