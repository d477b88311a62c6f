#include "driver/run_passes.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "driver/captured_twins.h"
#include "driver/lift_again.h"
#include "driver/loose_built_ins.h"
#include "driver/modelled_work.h"
#include "driver/sweeps.h"
#include "passes/pack_slots.h"

namespace varylink::driver {
namespace {

using link::InterfaceSize;
using link::Link;
using link::LinkedStage;
using passes::PassInfo;

using Chosen = std::vector<const PassInfo*>;
using Links = std::vector<Link*>;

Result<void> run_and_lift(const Links& links, const Chosen& chosen, passes::PassContext& context,
                          const std::vector<bool>& first_phase_only = {}) {
  // Ends: each time there is one unsplit variable less.
  for (bool again = true; again;) {
    if (const Result<void> done = run_to_fixed_point(links, chosen, context, first_phase_only); !done) return done;
    again = false;
    for (Link* link : links) again = lift_again(*link) || again;
  }
  return {};
}

std::vector<InterfaceSize> packed_sizes(const Links& links, const passes::PassContext& context) {
  std::vector<InterfaceSize> sizes;
  for (const Link* link : links) sizes.push_back(passes::packed_size(*link, context.options()));
  return sizes;
}

bool is_larger(const InterfaceSize& a, const InterfaceSize& b) {
  return a.components > b.components || a.locations > b.locations || a.highest_location > b.highest_location;
}

// Which links have become larger, as marks added to `held`. Returns whether any has.
bool hold_larger(const std::vector<InterfaceSize>& before, const std::vector<InterfaceSize>& after,
                 std::vector<bool>& held) {
  bool any = false;
  for (std::size_t i = 0; i < after.size(); ++i)
    if (is_larger(after[i], before[i])) any = held[i] = true;
  return any;
}

void remark_held(const Links& links, const std::vector<bool>& held) {
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (!held[i]) continue;
    const link::InterfaceReport& report = links[i]->report;
    links[i]->remarks.push_back(
        {"link", std::string(short_name(report.producer)) + "->" + std::string(short_name(report.consumer)),
         "code is not moved: what then crosses would need more locations"});
  }
}

// Links and their stages as they were.
class Snapshot {
 public:
  explicit Snapshot(const Links& links) {
    for (Link* link : links) {
      links_.emplace_back(link, *link);
      for (const auto* side : {&link->producers, &link->consumers})
        for (LinkedStage* stage : *side) stages_.try_emplace(stage, *stage);
    }
  }
  // A stage of the links as it was.
  const LinkedStage& of(LinkedStage* stage) const { return stages_.at(stage); }
  // In place: links point to the stages.
  void restore() const {
    for (const auto& [link, before] : links_) *link = before;
    for (const auto& [stage, before] : stages_) *stage = before;
  }

 private:
  std::vector<std::pair<Link*, Link>> links_;
  std::map<LinkedStage*, LinkedStage> stages_;
};

// Runs the passes of all phases. Interpolation classes do not share locations, so that fewer components may need more
// of them: motion is then taken back and tried again without the interfaces that it hurt, with all the fuel there was.
// Returns the context to go on with.
Result<passes::PassContext> try_motion(const Links& links, const Chosen& chosen, const passes::PassContext& context) {
  const Snapshot snapshot(links);
  const std::vector<InterfaceSize> before = packed_sizes(links, context);
  std::vector<bool> held(links.size(), false);
  for (;;) {
    passes::PassContext trial = context;
    if (const Result<void> done = run_and_lift(links, chosen, trial, held); !done) return done.error();
    const std::vector<bool> held_before = held;
    if (!hold_larger(before, packed_sizes(links, trial), held)) return trial;
    snapshot.restore();
    // Ends: each round holds one more link. Where motion elsewhere hurts a link that is held, nothing moves at all.
    const bool is_hopeless = held == held_before || std::find(held.begin(), held.end(), false) == held.end();
    remark_held(links, held);
    if (is_hopeless) return context;
  }
}

// All phases, with one set of options. Returns the context to go on with.
Result<passes::PassContext> run_phases_once(const Links& links, const Chosen& chosen, passes::PassContext context) {
  Chosen first;
  std::copy_if(chosen.begin(), chosen.end(), std::back_inserter(first),
               [](const PassInfo* pass) { return pass->phase == 0; });
  if (const Result<void> done = run_and_lift(links, first, context); !done) return done.error();
  return first.size() == chosen.size() ? Result<passes::PassContext>(context) : try_motion(links, chosen, context);
}

link::LinkOptions without_discontinuities(link::LinkOptions options) {
  options.level = std::min(options.level, link::Level::motion);
  options.allow_discontinuous = false;
  return options;
}

// All phases, first without what crosses discontinuities: with it more values hang together, and to move them as a
// whole may win less, or be taken back for the locations that it needs. What moves without has moved then, so that -O3
// leaves no more than -O2. Returns the context to go on with.
Result<passes::PassContext> run_phases(const Links& links, const Chosen& chosen, const passes::PassContext& context) {
  if (!context.options().moves_discontinuous()) return run_phases_once(links, chosen, context);
  const link::LinkOptions careful = without_discontinuities(context.options());
  const Result<passes::PassContext> first = run_phases_once(links, chosen, context.with_options(careful));
  return first ? run_phases_once(links, chosen, first->with_options(context.options())) : first;
}

bool any_larger(const std::vector<InterfaceSize>& sizes, const std::vector<InterfaceSize>& limits) {
  std::vector<bool> larger(sizes.size(), false);
  return hold_larger(limits, sizes, larger);
}

// The level below: what it leaves is the most that this one may leave.
std::optional<link::LinkOptions> level_below(const link::LinkOptions& options) {
  if (!options.passes.empty()) return std::nullopt;
  if (options.moves_discontinuous()) return without_discontinuities(options);
  if (options.level < link::Level::motion) return std::nullopt;
  link::LinkOptions below = options;
  below.level = link::Level::exact;
  return below;
}

// What is tried if linking makes the stages dearer: each with less that trades code for components than the one before.
struct ThriftyWay {
  double of_uniform_limit = 1;
  bool moves = true;
};
constexpr std::array kThriftyWays = {ThriftyWay{0.25, true}, ThriftyWay{0, true}, ThriftyWay{0, false}};

// Runs the passes so that the stages together cost no more than they did, by the profile (rule ).
class RunByCost {
 public:
  explicit RunByCost(const Links& links) : links_(links), original_(links) {}

  // Returns the context to go on with.
  Result<passes::PassContext> run(const passes::PassContext& context) {
    const Result<passes::PassContext> whole = run_level(context);
    if (!whole || is_affordable(context)) return whole;
    const std::vector<link::Remark> remarks = remarks_on_price(context);
    const Result<passes::PassContext> left = run_with_less(context);
    if (left) links_.front()->remarks.insert(links_.front()->remarks.end(), remarks.begin(), remarks.end());
    return left;
  }

 private:
  Result<passes::PassContext> run_level(const passes::PassContext& context) {
    return run_phases(links_, chosen_passes(context.options(), false), context);
  }

  // Everything is taken back first.
  Result<passes::PassContext> run_way(const ThriftyWay& way, const passes::PassContext& context) {
    original_.restore();
    link::LinkOptions thrifty = context.options();
    thrifty.profile.uniform_limit *= way.of_uniform_limit;
    Chosen chosen;
    for (const PassInfo* pass : chosen_passes(thrifty, false))
      if (way.moves || pass->phase == 0) chosen.push_back(pass);
    const Result<passes::PassContext> left = run_phases(links_, chosen, context.with_options(thrifty));
    return left ? Result<passes::PassContext>(left->with_options(context.options())) : left.error();
  }

  Result<passes::PassContext> run_floor(const passes::PassContext& context) {
    original_.restore();
    const Result<passes::PassContext> whole = run_level(context);
    return !whole || is_affordable(context) ? whole : run_with_less(context);
  }

  // Less at the lowest level: the last way counts whatever it costs.
  Result<passes::PassContext> run_lowest(const passes::PassContext& context) {
    for (const ThriftyWay& way : std::span(kThriftyWays).first<kThriftyWays.size() - 1>()) {
      Result<passes::PassContext> left = run_way(way, context);
      if (!left || is_affordable(context)) return left;
    }
    return run_way(kThriftyWays.back(), context);
  }

  // What the level below leaves; better, less of this level that leaves no more than that anywhere.
  Result<passes::PassContext> run_with_less(const passes::PassContext& context) {
    const std::optional<link::LinkOptions> lower = level_below(context.options());
    if (!lower) return run_lowest(context);
    const Result<passes::PassContext> floor = run_floor(context.with_options(*lower));
    if (!floor) return floor;
    const Snapshot floor_links(links_);
    const std::vector<InterfaceSize> floor_sizes = packed_sizes(links_, context);
    for (const ThriftyWay& way : kThriftyWays) {
      if (!way.moves) continue;
      Result<passes::PassContext> left = run_way(way, context);
      if (!left || (is_affordable(context) && !any_larger(packed_sizes(links_, context), floor_sizes))) return left;
    }
    floor_links.restore();
    return floor->with_options(context.options());
  }

  bool is_affordable(const passes::PassContext& context) const { return !trades_code(links_) || !costs_more(context); }

  bool costs_more(const passes::PassContext& context) const {
    const analysis::CostProfile& profile = context.options().profile;
    double before = 0, after = 0;
    for (LinkedStage* stage : stages_of(links_)) {
      before += modelled_work(original_.of(stage), profile);
      after += modelled_work(*stage, profile);
    }
    return after > before;
  }

  // One for each interface for which other code computes what crossed.
  std::vector<link::Remark> remarks_on_price(const passes::PassContext& context) const {
    std::vector<link::Remark> remarks;
    for (Link* link : links_)
      if (trades_code({link}))
        remarks.push_back(
            {"link",
             std::string(short_name(link->report.producer)) + "->" + std::string(short_name(link->report.consumer)),
             "less code is traded for components: the stages would cost more by the profile '" +
                 context.options().profile.name + "'"});
    return remarks;
  }

  const Links& links_;
  const Snapshot original_;
};

}  // namespace

Result<void> run_passes(const Links& links, passes::PassContext& context) {
  const Chosen moving = chosen_passes(context.options(), false), placing = chosen_passes(context.options(), true);
  for (const Chosen* chosen : {&moving, &placing}) remark_passes_not_run(links, *chosen);
  for (Link* link : links) find_idle_built_ins(*link);
  const Result<passes::PassContext> left = RunByCost(links).run(context);
  if (!left) return left.error();
  for (Link* link : links) settle_built_ins(*link);
  for (Link* link : links) settle_captured_twins(*link);
  passes::PassContext rest = *left;
  return run_once(links, placing, rest);
}

}  // namespace varylink::driver
