// Reads the code of an entry point as scalar operations. Components are followed through constructs, extracts, inserts
// and shuffles; products of matrices and vectors become multiplications and additions. Unlike fold_composites(), which
// only renames existing values, it splits products and results of operations, component by component, without editing
// the module.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "graph/local_tables.h"
#include "graph/resource.h"
#include "graph/spec_constant.h"
#include "graph/value.h"
#include "spirv/ir/cfg.h"
#include "spirv/ir/module.h"

namespace varylink::graph {

// A ValueReader's answer for one scalar.
using Ref = std::uint32_t;
inline constexpr Ref kNoRef = 0xffffffffu;

struct ScalarOperation {
  spv::Op op = spv::Op::OpNop;
  std::uint32_t glsl = 0;
  bool no_contraction = false;
  varyings::ScalarType type;
  std::vector<Ref> operands;
  spirv::Permissions permissions = 0;
  spirv::Id result = 0;                    // of the instruction that computes it, or of which it is a part
  std::optional<std::uint32_t> component;  // of the result, for undivided functions
};

// The node for a value that was read, for a graph whose values are the Refs of its reader.
Value value_of(const ScalarOperation& operation);
Value value_of(varyings::ScalarType type, const ResourceKey& key);
Value value_of(varyings::ScalarType type, const ResourceKey& key, ValueId index);
Value value_of(const SpecConstantKey& key);

// Base of the two readers: that of producers makes every scalar a value, that of consumers only scalars that it knows.
// A snapshot of the module; run() once, then ask.
class ValueReader {
 public:
  // `certain`: which loads of buffers may be made wherever the values are computed (spirv/memory_reads.h).
  ValueReader(const spirv::Module& module, const spirv::Function& function,
              spirv::DereferenceableRanges::Until certain = spirv::DereferenceableRanges::Until::end);
  virtual ~ValueReader() = default;

  void run();

  // Ref of a component of a value; components of matrices count through all columns. kNoRef if there is none.
  Ref ref(spirv::Id id, std::uint32_t component) const;
  // All components; empty for values that are not numbers or vectors or matrices of them.
  const std::vector<Ref>& refs(spirv::Id id) const;

 protected:
  // A component that stands for itself: a load, a phi, the result of an operation that is not scalar.
  virtual Ref leaf(spirv::Id id, std::uint32_t component, varyings::ScalarType type) = 0;
  virtual Ref constant(varyings::ScalarType type, std::vector<std::uint32_t> bits) = 0;
  virtual Ref resource(varyings::ScalarType type, const ResourceKey& key) = 0;
  virtual Ref operation(const ScalarOperation& operation) = 0;
  // A component of a phi that is `if_true` where the condition holds, else `if_false`; kNoRef for one that may be
  // anything. The returned value replaces the component; kNoRef keeps it as a leaf.
  virtual Ref choice(Ref, Ref, Ref, varyings::ScalarType) { return kNoRef; }
  // True if entry() may replace a value. Otherwise the reader does not search for tables.
  // entry(): the entry of a table that `index`, of this type, selects; kNoRef as above.
  virtual bool looks_up() const { return false; }
  virtual Ref entry(Ref, varyings::ScalarType, const std::vector<Ref>&, varyings::ScalarType) { return kNoRef; }
  // A selection of entries by comparisons with the index: the last one, if it is none of the others'.
  Ref selection(Ref index, varyings::ScalarType index_type, const std::vector<Ref>& entries, varyings::ScalarType type);
  // The scalar of a uniform buffer that `index` chooses: kNoRef as above.
  virtual Ref indexed_resource(varyings::ScalarType, const ResourceKey&, Ref) { return kNoRef; }
  // A stage that computes the value may read this scalar of a buffer unconditionally, though this code may not.
  virtual bool is_there_for_users(varyings::ScalarType, const ResourceKey&) const { return false; }
  // The specialization constant `id`, which is a leaf unless the reader knows it in other stages.
  virtual Ref specialization(spirv::Id id, const SpecConstantKey& key) { return leaf(id, 0, key.type); }
  // A sum of products that keeps the order in which the stage takes it: the sum stands for itself.
  virtual bool keeps_order(spirv::InstRef) const { return false; }
  // Decorations of a result: permissions of the instruction to compute something else instead.
  spirv::Permissions permissions_of(spirv::Id id) const { return manners_.of(id).permissions; }
  // The results of one instruction; the reader may still change its mind about them.
  virtual void finish(spirv::InstRef, std::vector<Ref>&) {}

  const spirv::Module& module_;

 private:
  using Refs = std::vector<Ref>;

  // A computation: an instruction of the function, or the operation of an OpSpecConstantOp.
  struct Code {
    spirv::InstRef inst;
    spv::Op op = spv::Op::OpNop;
    std::span<const spirv::Operand> operands;
  };

  void read_constants();
  void read_global(spirv::InstRef inst);
  std::optional<Refs> read_constant(spirv::InstRef inst, std::uint32_t count, varyings::ScalarType scalar);
  std::optional<Refs> read_spec_constant(spirv::InstRef inst);
  Refs leaves(spirv::Id id, std::uint32_t count, varyings::ScalarType scalar);
  Refs read(spirv::InstRef inst);
  Refs read_phi(spirv::InstRef phi, std::uint32_t block);
  std::optional<Refs> rearrange(const Code& code) const;
  std::optional<Refs> component_wise(const Code& code);
  std::optional<Refs> product(spirv::InstRef inst);
  std::optional<Refs> function_of_vectors(spirv::InstRef inst);
  std::optional<Refs> undivided_function(spirv::InstRef inst);
  std::optional<Refs> load(spirv::InstRef inst);
  std::optional<Refs> look_up(spirv::InstRef inst);
  std::optional<Refs> extract_at(spirv::InstRef inst);
  Ref multiply_add(const std::vector<std::pair<Ref, Ref>>& factors, varyings::ScalarType type, spirv::Id result);
  bool divides_safely(const Code& code) const;
  bool is_safe_to_speculate(spirv::InstRef load);

  const spirv::Function& function_;
  spirv::DereferenceableRanges::Until certain_until_;
  std::optional<spirv::Cfg> cfg_;                        // once there is a phi
  std::optional<spirv::DereferenceableRanges> certain_;  // once there is a load in one of several blocks
  std::optional<LocalTables> tables_;                    // once something is looked up
  Resources resources_;
  SpecConstants spec_constants_;
  std::vector<Refs> refs_;  // by id
  spirv::Manners manners_;
};

}  // namespace varylink::graph
