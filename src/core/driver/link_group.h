// The whole job for pipelines that share modules, in memory.
#pragma once

#include "driver/group_steps.h"
#include "link/model/group.h"

namespace varylink::driver {

// Validates, scalarizes, optimizes, packs, vectorizes and checks the modules of all pipelines together. Stages that are
// a pair in some pipeline share an interface; an interface has one map of locations. A component goes only if none of
// the shaders that are used with its module needs it.
//
// Guarantees: those of link_pipeline for every pipeline of the group. A pipeline that does not fit together fails alone
// and has no say in the results of the modules it shares. A group of one pipeline is linked like that pipeline alone.
//
// Diagnostics and reasons name files by the position of their module; link::name_files puts names in.
//
// `observe` may be empty; else it sees each interface that has one producer and one consumer and is worked on, in
// scalarized form, before the first pass and, if all passes ended well, after the last one (`linked`).
link::LinkedGroup link_group(const link::GroupInput& input, const link::LinkOptions& options,
                             const InterfaceObserver& observe = {});

}  // namespace varylink::driver
