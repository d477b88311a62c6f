// Built-ins that the rasterizer or the tessellator takes and the next stage reads: their stores stay (rule ),
// their loads need not. While the passes run the consumer reads a twin, which holds the same value at locations of its
// own and is a varying like others. Loads of the twin that are left in the end become loads of the built-in.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "varyings/scalarize/loose_built_ins.h"

namespace varylink::varyings {

// The loads or stores of each of `kinds` that one side touches, if it can have a twin: all uses are understood and of
// one element at a constant index each, the outputs are stored and never loaded, and nothing but interpolation is
// decorated.
std::map<spv::BuiltIn, BuiltInUses> uses_for_twins(const spirv::Module& module, const Entry& entry, Direction direction,
                                                   const std::set<spv::BuiltIn>& kinds);

// Declares the twin. An output is stored wherever the built-in is, and an input is loaded instead of it.
void add_twin(spirv::Module& module, Entry& entry, Direction direction, const BuiltInUses& uses,
              const LooseBuiltIn& twin);

// Loads that are left of the twins become loads of the built-ins, and these inputs leave the list.
void read_built_ins(spirv::Module& module, Entry& entry, const std::vector<LooseBuiltIn>& twins,
                    std::vector<Varying>& inputs);

}  // namespace varylink::varyings
