// Linking a pipeline in one way after the other until the result has the wanted properties: --limits,
// --max-fragment-cost, --prove fallback.
#pragma once

#include <string>
#include <vector>

#include "link/model/pipeline.h"

namespace varylink::driver {

// Properties that a result may have to have; sums are sets.
using Goals = unsigned;
inline constexpr Goals kFits = 1;    // into the limits of a device: linked harder until it does
inline constexpr Goals kCheap = 2;   // no costlier fragment shader: linked less
inline constexpr Goals kProved = 4;  // equal to the original: linked at lower levels

struct Attempt {
  std::string name;  // names the change of options: "-O3", "--pack-beside-arrays"; empty for the first
  link::LinkOptions options;
  Goals serves = 0;  // tried only where the last result misses one of these
};

// The options as they are, and attempts for the goals. First come ways that take less room, each on top of those before
// it, in the order of their cost to others (code, then drivers or applications). Then come ways that do less, at last
// nothing.
std::vector<Attempt> attempts(const link::LinkOptions& options, Goals goals);

// Calls `link` until it misses nothing: with an attempt and the goals that it is made for, it links and returns those
// that the result misses. The last result counts.
template <typename Link>
void try_until_reached(const std::vector<Attempt>& attempts, Link link) {
  Goals missed = 0;
  for (const Attempt& attempt : attempts) {
    const Goals wanted = attempt.serves & missed;
    if (attempt.serves != 0 && wanted == 0) continue;
    missed = link(attempt, wanted);
    if (missed == 0) return;
  }
}

}  // namespace varylink::driver
