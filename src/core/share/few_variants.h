// Which pipelines of a group are linked together so that no module comes out in too many ways.
#pragma once

#include <bitset>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "share/clusters.h"

namespace varylink::share {

// Components that leave a module, as places: four times the location plus the component.
using Places = std::bitset<512>;

// Result of linking a pipeline alone.
struct AloneResult {
  std::map<std::size_t, Places> kept;         // by producer module: old places of components that still cross
  std::map<std::size_t, std::string> result;  // by module: something that is equal for equal results
};

// Clusters such that no module has more than `max_variants` variants: pipelines of different clusters have one variant
// of a module if it came out the same for both alone. Starts from pipelines that are alone, so that nothing is merged
// where the limit is kept, and merges the two variants whose union sends the fewest components more than before, summed
// over their pipelines, of the module that has most of them, until it fits. Ties go to the lowest positions, so that
// the result is always the same. Losses of a union for other reasons than components that others need (constants that
// differ) are not foreseen.
//
// Takes n log n for pipelines of which most need the same components as some other one, as thousands of pipelines with
// one vertex shader do; the number of different needs counts by its square.
std::vector<Cluster> clusters_of_few_variants(const std::vector<link::GroupPipeline>& pipelines,
                                              const std::vector<AloneResult>& alone, std::size_t max_variants);

}  // namespace varylink::share
