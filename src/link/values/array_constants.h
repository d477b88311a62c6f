// What an array that stays one variable is filled with, where that is nothing but constants.
//
//   for (int i = 0; i < 3; ++i) a[i] = vec2(i, 0.5);     ->     {0, 0.5, 1, 0.5, 2, 0.5}
//
// The counterpart of slot_values.h for what is not scalar: each scalar of the array by its place in it, the level of
// the vertices left out, since a constant is one at all of them (rules ).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "link/model/linked_stage.h"
#include "spirv/ir/globals.h"

namespace varylink::link {

// An array that is made of scalars of 32 and 64 bits, also in vectors, matrices and arrays. Narrower ones may need
// capabilities that the other stage lacks (rule ).
struct ScalarArray {
  spirv::Id type = 0;          // of one vertex
  bool is_per_vertex = false;  // the first index of an access is that of the vertex
  std::uint32_t scalars = 0;   // at most kMaxScalars
  static constexpr std::uint32_t kMaxScalars = 1024;
};

// None if the varying is something else.
std::optional<ScalarArray> scalar_array(const LinkedStage& stage, varyings::Direction direction,
                                        const varyings::Varying& varying);

// What some indices may mean: the number of the first scalar of each place, and the type there. None if an index is
// constant and outside of what it selects from. An index that is not constant may mean any element (rule ).
struct Reach {
  std::vector<std::uint32_t> firsts;
  spirv::Id type = 0;
  std::uint32_t scalars = 0;  // of that type
};
std::optional<Reach> reach_of(const spirv::Module& module, const ScalarArray& shape,
                              std::span<const spirv::Id> indices);

// Bits of a scalar, low word first; none if nothing defined is ever stored to it.
using ScalarConstants = std::vector<std::optional<std::vector<std::uint32_t>>>;

// The one constant that all stores of the stage give to each scalar; none if something else is stored to one, or if the
// variable is reached in a way that is not understood. Loads are no obstacle.
std::optional<ScalarConstants> constants_of_array(const LinkedStage& producer, const varyings::Varying& output);

// The constant of `type` that is made of the scalars from `first` on; zeros for what nobody stores (rule ).
spirv::Id constant_at(spirv::Module& module, spirv::Globals& globals, spirv::Id type, const ScalarConstants& constants,
                      std::uint32_t first);

}  // namespace varylink::link
