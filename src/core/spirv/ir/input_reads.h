// Loads of input variables as the scalars that they read: a load of a whole vector and loads of its components through
// access chains, anywhere in the code, give the same scalars, since inputs do not change while an invocation runs.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "spirv/ir/memory_reads.h"
#include "spirv/ir/module.h"
#include "spirv/ir/value_decorations.h"

namespace varylink::spirv {

// Of one module, which must outlive this object and not change meanwhile.
class InputReads {
 public:
  explicit InputReads(const Module& module) : module_(module), reads_(module), manners_(module) {}

  // The first (value, component) that was asked for and is the same scalar of an input, read with the same permissions
  // (rule ); the pair itself where it is the first, or no such scalar. Components of matrices count through all
  // columns.
  std::pair<Id, std::uint32_t> first_alike(Id value, std::uint32_t component);

 private:
  // The way from the variable to a scalar: members, elements and components by their numbers, other indices by their
  // ids.
  struct Step {
    Id id = 0;
    std::uint32_t number = 0;
    friend auto operator<=>(const Step&, const Step&) = default;
  };
  using Scalar = std::tuple<Id, std::vector<Step>, Permissions>;

  bool is_read(Id value) const;
  Scalar scalar_of(Id load, std::uint32_t component) const;

  const Module& module_;
  MemoryReads reads_;
  Manners manners_;
  std::map<Scalar, std::pair<Id, std::uint32_t>> first_;
};

}  // namespace varylink::spirv
