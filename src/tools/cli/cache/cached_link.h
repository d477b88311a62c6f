// Links groups by way of the cache, and equal groups of a run once.
#pragma once

#include <optional>
#include <string>

#include "analysis/cost_profile.h"
#include "analysis/schedule.h"
#include "cli/cache/run_memo.h"
#include "link/model/group.h"
#include "store/link_cache.h"

namespace varylink::cli {

// 64 hexadecimal digits that stand for everything that decides the result: the words and entry point of every stage,
// which pipeline uses which, the options, and the versions of Varylink and SPIRV-Tools. Names of files and pipelines do
// not matter.
std::string cache_key(const link::GroupInput& group, const link::LinkOptions& options);

// Where results are looked up before they are made; nullptr: not there. Both belong to the run.
struct ResultStores {
  const store::LinkCache* cache = nullptr;
  RunMemo* memo = nullptr;
};

// driver::link_group; from the stores if one has the result, and into them if not. The same result in every case.
// `key` is cache_key(group, options): it takes a look at every word, so that it is made once.
link::LinkedGroup link_by_cache(const link::GroupInput& group, const std::string& key, const link::LinkOptions& options,
                                const ResultStores& stores);

// driver::stage_cost, likewise.
std::optional<analysis::StageCost> cost_by_cache(const link::StageInput& stage, const analysis::CostProfile& profile,
                                                 const ResultStores& stores);

}  // namespace varylink::cli
