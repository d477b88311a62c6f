// Global value numbering: which values of a module are computed alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "spirv/ir/memory_reads.h"
#include "spirv/ir/module.h"

namespace varylink::spirv {

// Numbers for values: equal numbers, equal values, with the same decorations, wherever both are computed. Loads count
// as the same only if nothing can write the memory; operands are compared in the order in which they stand. A snapshot.
class ValueNumbers {
 public:
  explicit ValueNumbers(const Module& module);

  std::uint32_t of(Id value) const { return numbers_[value]; }
  std::uint32_t count() const { return next_; }
  // Whenever the load runs it gives the same value.
  bool is_shared(InstRef load) const { return reads_.is_constant(load); }

 private:
  using Key = std::vector<std::uint32_t>;
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };

  void find_looks();
  void assign(InstRef inst);
  Key key_of(InstRef inst) const;
  std::uint32_t number_of_copied(InstRef inst) const;
  bool is_unique(InstRef inst) const;
  bool samples_constant_image(InstRef inst) const;

  const Module& module_;
  MemoryReads reads_;
  std::map<Id, std::vector<Key>> decorations_;  // by target: opcode and what follows the target, sorted
  std::vector<std::uint32_t> numbers_, looks_;  // by id, 0: none
  std::unordered_map<Key, std::uint32_t, KeyHash> index_;
  std::uint32_t next_ = 0;
};

}  // namespace varylink::spirv
