// Stored values of each slot, for comparing: constants, duplicates and dead stores. Looks at the last instruction
// behind each store, for scalars of any width and any number of producers, without a graph. producer_values.h reads one
// producer's expressions into a value graph, 32 bits wide.
#pragma once

#include <compare>
#include <map>
#include <optional>
#include <vector>

#include "link/model/link.h"
#include "spirv/ir/uses.h"

namespace varylink::link {

// One scalar of a module: a constant, nothing in particular (undef), or component `component` of value `id`.
struct ScalarValue {
  enum class Kind : std::uint8_t { undefined, constant, computed };
  Kind kind = Kind::undefined;
  std::vector<std::uint32_t> bits;  // constant: low word first
  spirv::Id id = 0;                 // computed
  std::uint32_t component = 0;
  friend auto operator<=>(const ScalarValue&, const ScalarValue&) = default;
};

// Sees through extraction from vectors, bit casts between scalars (values are compared by their bits), constants, and
// phis that lead to one constant and nothing else defined. Specialization constants are computed values: each stage may
// be specialized on its own (rule ).
ScalarValue scalar_value(const spirv::Module& module, spirv::Id value);

struct SlotStore {
  spirv::InstRef inst;
  ScalarValue value;
  std::vector<spirv::Id> indices;  // of the vertex, if the output is arrayed; any may be read
};

// All stores of one producer to one scalar output, in module order. For outputs that are stored at the exits, store i
// of two slots belongs to the same exit.
struct SlotStores {
  const varyings::Varying* output = nullptr;
  std::vector<SlotStore> stores;
  bool read_back = false;  // the producer loads it
};

// No store stores anything defined, or there is none: loads read anything (rule ).
bool stores_nothing_defined(const SlotStores& stores);

// The bits of the one constant that all stores store that store anything defined. None if there is no such store.
std::optional<std::vector<std::uint32_t>> common_constant(const SlotStores& stores);

// The scalar outputs of one stage. A snapshot: rebuild after an edit.
class StoreTable {
 public:
  explicit StoreTable(const LinkedStage& producer);
  // nullptr if the stage has no scalar output there.
  const SlotStores* find(varyings::Slot slot) const;

 private:
  std::map<varyings::Slot, SlotStores> slots_;
};

// Number of emits or barriers in front of each instruction in its block, by InstRef::index. Stores between two of them
// happen together: nothing leaves in between, and no other invocation can tell their order.
std::vector<std::uint32_t> segments_of(const spirv::Module& module);

}  // namespace varylink::link
