// Which of the pipelines of a manifest are linked together, by what they share.
#pragma once

#include <cstddef>
#include <vector>

#include "link/model/group.h"

namespace varylink::share {

// Positions of pipelines, ascending; a list of clusters is ordered by the first pipeline of each.
using Cluster = std::vector<std::size_t>;

// Pipelines of the same modules are one cluster, all others are alone.
std::vector<Cluster> equal_pipelines(const std::vector<link::GroupPipeline>& pipelines);

// Pipelines that are connected by modules that they share.
std::vector<Cluster> connected_pipelines(const std::vector<link::GroupPipeline>& pipelines);

// The numbers below `count`, where those of one of the `sets` are in one cluster.
std::vector<Cluster> connected_by(std::size_t count, const std::vector<std::vector<std::size_t>>& sets);

}  // namespace varylink::share
