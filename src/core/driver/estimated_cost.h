// Cost by the profile of the stages of some interfaces while they are linked, and whether linking traded code for
// components.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "analysis/cost_profile.h"
#include "link/model/link.h"

namespace varylink::driver {

// The stages of all links, each once.
std::vector<link::LinkedStage*> stages_of(const std::vector<link::Link*>& links);

// Work of a stage (analysis::work_of), `fragments_per_vertex` times for a fragment stage. The stage is read as it is:
// scalarized, so that components without a reader count with the code that computes them. Locations count as they were
// declared; placement comes later, and makes them fewer (work_of_placement).
double estimated_cost(const link::LinkedStage& stage, const analysis::CostProfile& profile);

// Length of the schedule of a stage (analysis::StageCost::slots), `fragments_per_vertex` times for a fragment stage.
double scheduled_slots(const link::LinkedStage& stage, const analysis::CostProfile& profile);

// For each stage of the link the part of its estimated_cost() that goes when the varyings of the link are placed in
// `locations` locations.
std::map<const link::LinkedStage*, double> work_of_placement(const link::Link& link, std::uint32_t locations,
                                                             const analysis::CostProfile& profile);

// Some component went because other code computes its value, so that the stages may cost more than before.
bool trades_code(const std::vector<link::Link*>& links);

// Components of which code was moved across their interface.
std::size_t moved_components(const std::vector<link::Link*>& links);

// Some component went because it is a constant or another component, of which the consumer now makes copies.
bool copies_more(const std::vector<link::Link*>& links);

}  // namespace varylink::driver
