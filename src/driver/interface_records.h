// The report of an interface: what the producers declare, under which names, and what became of it.
#pragma once

#include <set>
#include <vector>

#include "link/model/link.h"

namespace varylink::driver {

// What the entry point declares as outputs, built-ins not counted.
link::InterfaceSize size_of_outputs(const link::LinkedStage& producer);

// One record per 32-bit component that the producer declares, by slot, named on both sides. `consumer` may be nullptr.
std::vector<link::ComponentRecord> records_of(const link::LinkedStage& producer, const link::LinkedStage* consumer);

// The records of all producers together; where several declare a slot the first one names it.
std::vector<link::ComponentRecord> records_of(const link::Link& link);

// Fills in what became of the components of one producer with one consumer (nullptr: the pipeline ends there) of an
// interface that more stages share. `records` are those of the pair from before linking; `link` has been packed.
void fill_pair_records(std::vector<link::ComponentRecord>& records, const link::Link& link, std::size_t producer,
                       const link::LinkedStage* consumer);

// The slots that each stage of an interface declares: producers first, then consumers.
using DeclaredSlots = std::vector<std::set<varyings::Slot>>;
DeclaredSlots declared_slots(const link::Link& link);

}  // namespace varylink::driver
