// The report of an interface: components that the producers declare, under which names, and with which outcomes.
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "link/model/link.h"

namespace varylink::driver {

// Size of the outputs that the entry point declares, built-ins not counted.
link::InterfaceSize size_of_outputs(const spirv::Module& module, const varyings::Entry& entry);

// One record per 32-bit component that the producer declares, by slot, named on both sides. `consumer` may be nullptr.
std::vector<link::ComponentRecord> records_of(const link::LinkedStage& producer, const link::LinkedStage* consumer);

// The records of all producers together; where several declare a slot the first one names it.
std::vector<link::ComponentRecord> records_of(const link::Link& link);

// By producer, as a position in its list, and slot: the first consumer of that producer that has an input there.
using FirstReaders = std::map<std::pair<std::size_t, varyings::Slot>, const link::LinkedStage*>;
// Empty for an interface that is not shared.
FirstReaders first_readers(const link::Link& link);

// Fills in the outcomes of the components of one producer with one consumer (nullptr: the pipeline ends there) of an
// interface that more stages share. `records` are those of the pair from before linking; `link` has been packed.
void fill_pair_records(std::vector<link::ComponentRecord>& records, const link::Link& link, const FirstReaders& readers,
                       std::size_t producer, const link::LinkedStage* consumer);

// The slots that each stage of an interface declares: producers first, then consumers.
using DeclaredSlots = std::vector<std::set<varyings::Slot>>;
DeclaredSlots declared_slots(const link::Link& link);

}  // namespace varylink::driver
