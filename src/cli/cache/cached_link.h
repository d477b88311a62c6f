// Links groups by way of the cache.
#pragma once

#include <optional>
#include <string>

#include "analysis/cost_profile.h"
#include "analysis/schedule.h"
#include "cli/cache/link_cache.h"
#include "link/model/group.h"

namespace varylink::cli {

// 64 hexadecimal digits that stand for everything that decides the result: the words and entry point of every stage,
// which pipeline uses which, the options, and the versions of Varylink and SPIRV-Tools. Names of files and pipelines do
// not matter.
std::string cache_key(const link::GroupInput& group, const link::LinkOptions& options);

// driver::link_group; from the cache if it has the result (nullptr: there is no cache), and into it if not. The same
// result in every case.
link::LinkedGroup link_by_cache(const link::GroupInput& group, const link::LinkOptions& options,
                                const LinkCache* cache);

// inspect::stage_cost, likewise.
std::optional<analysis::StageCost> cost_by_cache(const link::StageInput& stage, const analysis::CostProfile& profile,
                                                 const LinkCache* cache);

}  // namespace varylink::cli
