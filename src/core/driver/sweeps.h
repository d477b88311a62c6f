// Runs passes over the interfaces of a pipeline until nothing changes any more.
//
// Working on one interface at a time finds as much as working on all of them together. The set S_i of values that are
// computed in front of interface i decides which values cross it, and the sets of a pipeline contain each other: S_0 in
// S_1 in S_2. The number of components f(S) that cross is a vertex cut, and f(S | T) + f(S & T) <= f(S) + f(T). Say
// that no cut improves one interface while its neighbours stay, and let A be the best set of all for interface 0. S_1 |
// A would do for interface 1 and contains S_0, so that f(S_1 | A) >= f(S_1); hence f(S_1 & A) <= f(A), and as S_1 & A
// lies within S_1, S_0 is as good as A. The same holds upwards and for every interface in between. The cost that a
// motion may have is weighed at each interface by itself.
#pragma once

#include <vector>

#include "passes/pass.h"

namespace varylink::driver {

// Forward over the interfaces, so that constants travel down the pipeline, then backward, so that dead code travels up
// (rule );
// then a clean-up of the stages that changed; and again, until a round changes nothing.
// `links` in pipeline order; on those that `first_phase_only` marks (none if it is empty), passes of higher phases are
// not run. Error: that of run_pass.
Result<void> run_to_fixed_point(const std::vector<link::Link*>& links,
                                const std::vector<const passes::PassInfo*>& chosen, passes::PassContext& context,
                                const std::vector<bool>& first_phase_only = {});

// Each pass once on each interface, then a clean-up of the stages that changed. Error: that of run_pass.
Result<void> run_once(const std::vector<link::Link*>& links, const std::vector<const passes::PassInfo*>& chosen,
                      passes::PassContext& context);

// Says on interfaces that several modules share which of the chosen passes are not run there.
void remark_passes_not_run(const std::vector<link::Link*>& links, const std::vector<const passes::PassInfo*>& chosen);

// The passes that the options ask for, in the order of the registry or of --passes: those that place varyings
// (`placing`) or all others. Unknown names are left out; the command line refuses them.
std::vector<const passes::PassInfo*> chosen_passes(const link::LinkOptions& options, bool placing);

}  // namespace varylink::driver
