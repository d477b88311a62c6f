// The whole job for pipelines that share modules, in memory.
#pragma once

#include "link/group.h"

namespace varylink::driver {

// Validates, lifts, optimizes, packs, lowers and checks the modules of all pipelines together. Stages that meet in some
// pipeline share an interface; an interface has one map of locations. A component goes only if none of the shaders that
// are used with its module needs it.
//
// Guarantees: those of link_pipeline for every pipeline of the group. A pipeline that does not fit together fails alone
// and has no say in what becomes of the modules it shares. A group of one pipeline is linked like that pipeline alone.
link::LinkedGroup link_group(const link::GroupInput& group, const link::LinkOptions& options);

}  // namespace varylink::driver
