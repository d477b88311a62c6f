#include "driver/run_passes.h"

#include <algorithm>

#include "driver/lift_again.h"
#include "driver/sweeps.h"
#include "passes/pack_slots.h"

namespace varylink::driver {
namespace {

using link::InterfaceSize;
using link::Link;
using passes::PassInfo;

using Chosen = std::vector<const PassInfo*>;

Result<void> run_and_lift(std::vector<Link>& links, const Chosen& chosen, passes::PassContext& context) {
  // Ends: each time there is one unsplit variable less.
  for (bool again = true; again;) {
    if (const Result<void> done = run_to_fixed_point(links, chosen, context); !done) return done;
    again = false;
    for (Link& link : links) again = lift_again(link) || again;
  }
  return {};
}

std::vector<InterfaceSize> packed_sizes(const std::vector<Link>& links, const passes::PassContext& context) {
  std::vector<InterfaceSize> sizes;
  for (const Link& link : links) sizes.push_back(passes::packed_size(link, context.options()));
  return sizes;
}

bool is_larger(const InterfaceSize& a, const InterfaceSize& b) {
  return a.components > b.components || a.locations > b.locations || a.highest_location > b.highest_location;
}

// Classes of interpolation do not share locations, so that fewer components may need more of them.
Result<void> try_motion(std::vector<link::LinkedStage>& stages, std::vector<Link>& links, const Chosen& chosen,
                        passes::PassContext& context) {
  const std::vector<link::LinkedStage> stages_before = stages;
  const std::vector<Link> links_before = links;
  const std::vector<InterfaceSize> before = packed_sizes(links, context);
  if (const Result<void> done = run_and_lift(links, chosen, context); !done) return done;
  const std::vector<InterfaceSize> after = packed_sizes(links, context);
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (!is_larger(after[i], before[i])) continue;
    // In place: links point to the stages.
    std::copy(stages_before.begin(), stages_before.end(), stages.begin());
    links = links_before;
    links[i].remarks.push_back(
        {"link",
         std::string(short_name(links[i].report.producer)) + "->" + std::string(short_name(links[i].report.consumer)),
         "code is not moved: what then crosses would need more locations"});
    break;
  }
  return {};
}

}  // namespace

Result<void> run_passes(std::vector<link::LinkedStage>& stages, std::vector<Link>& links,
                        passes::PassContext& context) {
  const Chosen moving = chosen_passes(context.options(), false), placing = chosen_passes(context.options(), true);
  for (const Chosen* chosen : {&moving, &placing}) remark_passes_not_run(links, *chosen);
  Chosen first;
  std::copy_if(moving.begin(), moving.end(), std::back_inserter(first),
               [](const PassInfo* pass) { return pass->phase == 0; });
  if (const Result<void> done = run_and_lift(links, first, context); !done) return done;
  if (first.size() < moving.size())
    if (const Result<void> done = try_motion(stages, links, moving, context); !done) return done;
  return run_to_fixed_point(links, placing, context);
}

}  // namespace varylink::driver
