// Where the members of uniform and storage blocks are in memory (SPIR-V, "Shader Validation": explicit layout).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "spirv/ir/module.h"

namespace varylink::spirv {

// The layout decorations of one module. A snapshot.
class BlockLayout {
 public:
  explicit BlockLayout(const Module& module);

  // A part of a block.
  struct Cursor {
    Id type = 0;
    std::uint32_t offset = 0;         // bytes from the start of the block
    std::uint32_t matrix_stride = 0;  // of a matrix, or of a column of a row-major one
    bool row_major = false;
  };

  // An element of an array, matrix or vector, or a member of a structure. None if it has no known place: the index is
  // past the end, the length of the array is not constant, a decoration lacks, or a member is volatile.
  std::optional<Cursor> step(const Cursor& from, std::uint32_t index) const;

  // First byte behind a scalar, vector or matrix; none for other types.
  std::optional<std::uint64_t> end_of(const Cursor& part) const;

  // The first literal of a decoration of a whole type or variable, 0 for one without literals; none if it lacks.
  std::optional<std::uint32_t> decoration(Id target, spv::Decoration decoration) const;
  // A decoration of a member of a structure.
  bool is_member_decorated(Id structure, std::uint32_t member, spv::Decoration decoration) const;
  // Any member of the structure has the decoration.
  bool is_any_member_decorated(Id structure, spv::Decoration decoration) const;

 private:
  struct Decorated {
    Id target = 0;
    std::uint32_t member = 0;  // all ones: the whole target
    InstRef inst;
  };
  std::span<const Decorated> all_of(Id target) const;
  std::span<const Decorated> all_of(Id target, std::uint32_t member) const;
  std::vector<Decorated>::const_iterator first_not_before(Id target, std::uint32_t member) const;
  std::optional<Cursor> member(Id structure, std::uint32_t index) const;

  const Module& module_;
  std::vector<Decorated> decorations_;  // by target, then member, then as declared
};

}  // namespace varylink::spirv
