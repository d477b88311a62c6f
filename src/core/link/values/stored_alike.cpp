#include "link/values/stored_alike.h"

#include "base/seeded_fault.h"
#include "varyings/reflect/output_owner.h"

namespace varylink::link {

StoredAlike::StoredAlike(const LinkedStage& producer)
    : stage_(producer.stage),
      table_(producer),
      places_(spirv::places_of(producer.module)),
      segments_(segments_of(producer.module)) {}

std::optional<std::vector<PlacedStore>> StoredAlike::stores_of(varyings::Slot slot) const {
  const SlotStores* stores = table_.find(slot);
  if (!stores || stores->output->stream != 0 || stores->output->captured) return std::nullopt;
  std::vector<PlacedStore> list;
  for (const SlotStore& store : stores->stores) {
    if (store.value.kind == ScalarValue::Kind::undefined) return std::nullopt;
    if (seeded_fault("dedup-looks-at-first-store") && !list.empty()) continue;
    PlacedStore placed{store.value, store.indices};
    if (!varyings::has_private_outputs(stage_)) {
      const spirv::Place& place = places_[store.inst.index];
      placed.function = place.function;
      placed.block = place.block;
      placed.segment = segments_[store.inst.index];
    }
    list.push_back(std::move(placed));
  }
  return list;
}

}  // namespace varylink::link
