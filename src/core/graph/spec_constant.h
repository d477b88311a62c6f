// Scalar specialization constants, named so that two stages mean the same constant by the same name if they share their
// specialization data (rule ).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "spirv/ir/module.h"
#include "varyings/reflect/slot.h"

namespace varylink::graph {

// The default counts: where the application gives no value, constants of other defaults differ.
struct SpecConstantKey {
  std::uint32_t spec_id = 0;
  varyings::ScalarType type;
  std::vector<std::uint32_t> value;  // the default, low word first; of a boolean 0 or 1

  // Without the type, which a Value has anyway.
  std::vector<std::uint32_t> words() const;
  static SpecConstantKey from(varyings::ScalarType type, const std::vector<std::uint32_t>& words);
  friend auto operator<=>(const SpecConstantKey&, const SpecConstantKey&) = default;
};

// The specialization constants of one module. A snapshot.
class SpecConstants {
 public:
  explicit SpecConstants(const spirv::Module& module);

  // None for ids that are no scalar with a SpecId, and for one whose SpecId the module gives to another constant, too.
  std::optional<SpecConstantKey> key_of(spirv::Id constant) const;
  // 0 if the module does not have exactly this constant.
  spirv::Id find(const SpecConstantKey& key) const;
  // The module has a constant with this SpecId, whatever it is.
  bool has(std::uint32_t spec_id) const { return spec_ids_.count(spec_id) != 0; }

 private:
  std::map<spirv::Id, SpecConstantKey> keys_;
  std::map<SpecConstantKey, spirv::Id> ids_;
  std::set<std::uint32_t> spec_ids_;
};

// Adds the constant. `type` is the id of the key's type.
spirv::Id declare(spirv::Module& module, spirv::Id type, const SpecConstantKey& key);

}  // namespace varylink::graph
