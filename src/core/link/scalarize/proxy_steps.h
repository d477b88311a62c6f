// The beginning and the end of each kind of proxy (link/scalarize/proxies.h).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "link/model/link.h"
#include "link/model/pipeline.h"

namespace varylink::link {

// Built-ins that code of both sides touches. Those that pass distances stay with --portable: outside of gl_in
// spirv-cross of Debian 12 does not name them.
void replace_built_ins(link::Link& link, const link::LinkOptions& options);
// Reads of built-ins that one stage writes for the rasterizer or the tessellator.
void add_built_in_read_proxies(link::Link& link);
// Reads of captured outputs.
void add_captured_read_proxies(link::Link& link);

// Behind all varyings of both sides.
std::uint32_t first_free_location(const link::Link& link);

// Adds it to the link, with records of its components, which have this type.
void add_proxy(link::Link& link, varyings::Proxy proxy, varyings::ScalarType type);

// The pass that remarks about an outcome name.
std::string_view pass_behind(link::Outcome outcome);

// Takes the proxies of a kind out of the link, with their records.
std::vector<varyings::Proxy> take_proxies(link::Link& link, varyings::Proxy::Stands stands);

// The same for reads: `gone` follows the name of each component of which the passes found a value, in a remark, and the
// producer's side of the proxies goes.
std::vector<varyings::Proxy> take_read_proxies(link::Link& link, varyings::Proxy::Stands stands, std::string_view gone);

}  // namespace varylink::link
