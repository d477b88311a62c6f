// Runs passes over the interfaces of a pipeline until nothing changes any more.
#pragma once

#include <vector>

#include "passes/pass.h"

namespace varylink::driver {

// Forward over the interfaces, so that constants travel down the pipeline, then backward, so that dead code travels up
// (rule );
// then a clean-up of the stages that changed; and again, until a round changes nothing.
// `links` in pipeline order; on those that `first_phase_only` marks (none if it is empty), passes of higher phases are
// not run. Error: what run_pass reports.
Result<void> run_to_fixed_point(const std::vector<link::Link*>& links,
                                const std::vector<const passes::PassInfo*>& chosen, passes::PassContext& context,
                                const std::vector<bool>& first_phase_only = {});

// Each pass once on each interface, then a clean-up of the stages that changed. Error: what run_pass reports.
Result<void> run_once(const std::vector<link::Link*>& links, const std::vector<const passes::PassInfo*>& chosen,
                      passes::PassContext& context);

// Says on interfaces that several modules share which of the chosen passes are not run there.
void remark_passes_not_run(const std::vector<link::Link*>& links, const std::vector<const passes::PassInfo*>& chosen);

// The passes that the options ask for, in the order of the registry or of --passes: those that place varyings
// (`placing`) or all others. Unknown names are left out; the command line refuses them.
std::vector<const passes::PassInfo*> chosen_passes(const link::LinkOptions& options, bool placing);

}  // namespace varylink::driver
