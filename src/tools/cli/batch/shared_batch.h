// Pipelines of a manifest that share modules (--share).
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "cli/batch/link_one.h"

namespace varylink::cli {

// Like link_all, but modules that several pipelines use are linked for all of them as settings.sharing says. Everything
// is read before anything is linked. Hands out the pipelines of settings.shard only, with their positions in `sources`;
// pipelines that are linked together are never in different shards.
void link_shared(std::span<const PipelineSource> sources, const LinkSettings& settings, unsigned jobs,
                 const std::function<void(std::size_t position, LinkOutcome&&)>& take);

// The cache key of every pipeline of the shard, without linking: that of the group that it is linked in. Pipelines that
// cannot be read have none; their outcomes say why. Not for Sharing::cluster, where linking decides the groups.
void keys_of(std::span<const PipelineSource> sources, const LinkSettings& settings, unsigned jobs,
             const std::function<void(std::size_t position, LinkOutcome&&)>& take);

}  // namespace varylink::cli
