// Built-ins and captured outputs of an interface with one producer and one consumer as varyings, until placement
// (varyings/scalarize/proxy.h). In the order in which linking meets these:
#pragma once

#include "link/model/link.h"
#include "link/model/pipeline.h"

namespace varylink::link {

// First of all: captured blocks, structures, arrays and matrices become variables that can have proxies.
void split_captured_outputs(link::Link& link);

// Before the interface is scalarized: gives built-ins and captured outputs proxies, with records in the report.
void add_proxies(link::Link& link, const link::LinkOptions& options);

// Behind that: tells the passes which varyings these are.
void mark_proxies(link::Link& link);

// Before the first pass, once locals are values: finds components of built-ins that are idle.
void find_idle_built_ins(link::Link& link);

// Before placement, in this order: proxies that are left become what they stand for again. Components that went become
// remarks, and the records go.
void restore_proxied_built_ins(link::Link& link);
void remove_built_in_read_proxies(link::Link& link);
// Outputs that the consumer does not read as a whole are divided where that saves locations in one of both stages.
void remove_captured_read_proxies(link::Link& link, const link::LinkOptions& options);

}  // namespace varylink::link
