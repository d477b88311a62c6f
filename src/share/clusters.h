// Which of the pipelines of a manifest are linked together, by what they share.
#pragma once

#include <bitset>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "link/model/group.h"

namespace varylink::share {

// Positions of pipelines, ascending; a list of clusters is ordered by the first pipeline of each.
using Cluster = std::vector<std::size_t>;

// Pipelines of the same modules are one cluster, all others are alone.
std::vector<Cluster> equal_pipelines(const std::vector<link::GroupPipeline>& pipelines);

// Pipelines that are connected by modules that they share.
std::vector<Cluster> connected_pipelines(const std::vector<link::GroupPipeline>& pipelines);

// Components that leave a module, as places: four times the location plus the component.
using Places = std::bitset<512>;

// What linking a pipeline alone gave.
struct AloneResult {
  std::map<std::size_t, Places> kept;         // by producer module: old places of what still crosses
  std::map<std::size_t, std::string> result;  // by module: something that is equal for equal results
};

// Clusters such that no module is in more than `max_variants` of them. Starts from pipelines that are alone, or
// together because a shared module came out the same, and merges the two whose union sends the fewest components more
// than before, summed over their pipelines, for the module that is in most clusters, until it fits. Ties go to the
// lowest positions, so that the result is always the same. What a union cannot do for other reasons than components
// that others need (constants that differ) is not foreseen.
std::vector<Cluster> clusters_of_few_variants(const std::vector<link::GroupPipeline>& pipelines,
                                              const std::vector<AloneResult>& alone, std::size_t max_variants);

}  // namespace varylink::share
