// Built-ins that the rasterizer or the tessellator takes and the next stage reads: their stores stay (rule ),
// their loads need not. While the passes run the consumer reads a proxy, which holds the same value at locations of its
// own and is a varying like others. Loads of the proxy that are left in the end become loads of the built-in.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "varyings/scalarize/built_in_proxies.h"

namespace varylink::varyings {

// The loads or stores of each of `kinds` that one side touches, if it can have a proxy: all uses are understood and of
// one element at a constant index each, the outputs are stored and never loaded, and nothing but interpolation is
// decorated.
std::map<spv::BuiltIn, BuiltInUses> uses_for_read_proxies(const spirv::Module& module, const Entry& entry,
                                                          Direction direction, const std::set<spv::BuiltIn>& kinds);

// Declares the proxy. An output is stored wherever the built-in is, and an input is loaded instead of it.
void add_read_proxy(spirv::Module& module, Entry& entry, Direction direction, const BuiltInUses& uses,
                    const Proxy& proxy);

// Loads that are left of the proxies become loads of the built-ins, and these inputs leave the list.
void read_built_ins(spirv::Module& module, Entry& entry, const std::vector<Proxy>& proxies,
                    std::vector<Varying>& inputs);

}  // namespace varylink::varyings
