// The pipelines of a manifest that are those of one part of it (--shard).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "cli/settings/inputs.h"
#include "cli/settings/link_settings.h"

namespace varylink::cli {

// Positions of the pipelines of one shard, in rising order. The sizes of their files stand for their cost; pipelines
// with the same files are in one shard, which links them once if they are equal.
std::vector<std::size_t> pipelines_of_shard(std::span<const PipelineSource> sources, const Shard& shard);

}  // namespace varylink::cli
