// Built-ins between stages that are not last before the rasterizer take part in linking as varyings
// (varyings/scalarize/built_in_proxies.h, rule ).
#pragma once

#include "link/model/link.h"
#include "link/model/pipeline.h"

namespace varylink::driver {

// Before the interface is scalarized: gives the built-ins that code of both sides touches locations behind those of the
// varyings, and records in the report. Interfaces of several producers or consumers keep them, and with --portable
// those that pass distances: outside of gl_in spirv-cross of Debian 12 does not name them.
void replace_built_ins(link::Link& link, const link::LinkOptions& options);

// Behind that: tells the passes which varyings these are.
void mark_built_ins(link::Link& link);

// Before the first pass, once locals are values: finds components that are idle.
void find_idle_built_ins(link::Link& link);

// Before placement: components of them that are left are built-ins again. Components that went become a remark, and the
// records go.
void restore_proxied_built_ins(link::Link& link);

}  // namespace varylink::driver
