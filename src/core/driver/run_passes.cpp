#include "driver/run_passes.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "driver/estimated_cost.h"
#include "driver/sweeps.h"
#include "link/model/snapshot.h"
#include "link/scalarize/proxies.h"
#include "link/scalarize/rescalarize.h"
#include "passes/assign_locations.h"
#include "prepare/recipes.h"

namespace varylink::driver {
namespace {

using link::InterfaceSize;
using link::Link;
using link::LinkedStage;
using passes::PassInfo;

using Chosen = std::vector<const PassInfo*>;
using Links = std::vector<Link*>;

void start_folding_identities(LinkedStage& stage) {
  if (stage.stays_as_it_came() || stage.folds_identities) return;
  stage.folds_identities = true;
  prepare::run_recipe(prepare::kFoldIdentities, stage);
}

Result<void> run_and_rescalarize(const Links& links, const Chosen& chosen, passes::PassContext& context,
                                 const std::vector<bool>& first_phase_only = {}) {
  // Ends: each time there is one unsplit variable less.
  for (bool again = true; again;) {
    if (const Result<void> done = run_to_fixed_point(links, chosen, context, first_phase_only); !done) return done;
    again = false;
    for (Link* link : links) again = rescalarize(*link, context.options()) || again;
  }
  return {};
}

// What placement will make of the interface, once what is read of captured outputs is read from them: they may be
// divided for that.
InterfaceSize packed_size(Link& link, const link::LinkOptions& options) {
  if (!link.has_proxies(varyings::Proxy::Stands::for_reads_of_captured))
    return passes::packed_size(link, options).written;
  const link::Snapshot before({&link});
  remove_captured_read_proxies(link, options);
  const InterfaceSize size = passes::packed_size(link, options).written;
  before.restore();
  return size;
}

// Makes the pairs of 16-bit components that placement will make, to try what comes of them. An error of the pass is
// left to when it runs for good.
void try_pairs(Link& link, const passes::PassContext& context) {
  link::LinkOptions quiet = context.options();
  quiet.dump = nullptr;
  passes::PassContext trial = context.with_options(quiet);
  static_cast<void>(run_once({&link}, {passes::find_pass("pack-16-bit-pairs")}, trial));
}

// Of all interfaces, first to last: a pair tells the stage behind it how wide its parts are, which may pass them on as
// a pair as well.
std::vector<InterfaceSize> packed_sizes(const Links& links, const passes::PassContext& context) {
  std::vector<InterfaceSize> sizes;
  std::optional<link::Snapshot> before;
  for (Link* link : links) {
    sizes.push_back(packed_size(*link, context.options()));
    if (link == links.back() || passes::pairs_that_pay(*link, context.options()).empty()) continue;
    if (!before) before.emplace(links);
    try_pairs(*link, context);
  }
  if (before) before->restore();
  return sizes;
}

// Which links have become larger, as marks added to `held`. Returns whether any has.
bool hold_larger(const std::vector<InterfaceSize>& before, const std::vector<InterfaceSize>& after,
                 std::vector<bool>& held) {
  bool any = false;
  for (std::size_t i = 0; i < after.size(); ++i)
    if (is_larger(after[i], before[i])) any = held[i] = true;
  return any;
}

bool any_larger(const std::vector<InterfaceSize>& before, const std::vector<InterfaceSize>& after) {
  std::vector<bool> larger(after.size(), false);
  return hold_larger(before, after, larger);
}

// Once for each link that is held.
void remark_held(const Links& links, const std::vector<bool>& held, const std::string& message) {
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (!held[i]) continue;
    std::vector<link::Remark>& remarks = links[i]->remarks;
    if (std::any_of(remarks.begin(), remarks.end(), [&](const auto& remark) { return remark.message == message; }))
      continue;
    const link::InterfaceReport& report = links[i]->report;
    remarks.push_back({"link", report.stage_pair(), message});
  }
}

// The stages that a step starts from, and the sizes of their interfaces.
struct Ground {
  link::Snapshot snapshot;
  std::vector<InterfaceSize> sizes;
  std::size_t moved;  // moved_components()
};

// Options and passes of one level, on top of the level below.
struct LevelStep {
  link::LinkOptions options;
  Chosen chosen;
};

// One for each level up to the one that is asked for. Of a list of passes, those that move code come on top of the
// others. Motion across discontinuities comes last: it connects more values, and moving them as a whole may win less.
std::vector<LevelStep> steps_of(const link::LinkOptions& options) {
  link::LinkOptions careful = options;
  careful.level = std::min(options.level, link::Level::motion);
  careful.allow_discontinuous = false;
  LevelStep first{careful, {}};
  if (options.passes.empty()) first.options.level = link::Level::exact;
  for (const PassInfo* pass : chosen_passes(first.options, false))
    if (pass->phase == 0) first.chosen.push_back(pass);
  const Chosen all = chosen_passes(options, false);
  std::vector<LevelStep> steps = {first};
  if (all.size() == first.chosen.size()) return steps;
  steps.push_back({careful, all});
  if (options.moves_discontinuous()) steps.push_back({options, all});
  return steps;
}

// Each trades less code for components than the one before.
constexpr std::array kPartsOfUniformLimit = {1.0, 0.25, 0.0};

LevelStep with_part_of_uniform_limit(LevelStep step, double part) {
  step.options.profile.uniform_limit *= part;
  return step;
}

// Runs the passes level by level, so that no interface ends larger than the level below leaves it and the stages
// together cost no more than they did, by the profile (rule ).
class Levels {
 public:
  Levels(const Links& links, const passes::PassContext& start)
      : links_(links), start_(start), steps_(steps_of(start.options())), original_(links) {}

  // Returns the context to go on with.
  Result<passes::PassContext> run() {
    if (start_.options().no_costlier_stage)
      if (Result<void> costed = cost_without_trades(); !costed) return costed.error();
    std::optional<passes::PassContext> here(start_);
    for (std::size_t level = 0; level < steps_.size(); ++level) {
      const Ground ground = level == 0 ? Ground{link::Snapshot({}), {}, 0} : ground_here();
      const Result<std::optional<passes::PassContext>> above = try_level(level, *here, ground);
      if (!above) return above.error();
      if (*above)
        here.emplace(**above);
      else
        ground.snapshot.restore();
    }
    if (!links_.empty())
      links_.front()->remarks.insert(links_.front()->remarks.end(), on_cost_.begin(), on_cost_.end());
    return *here;
  }

 private:
  // The first attempt that is affordable and leaves no interface larger than `ground`; none if there is none. What only
  // removes code is left of the lowest level in any case.
  Result<std::optional<passes::PassContext>> try_level(std::size_t level, const passes::PassContext& below,
                                                       const Ground& ground) {
    on_cost_.clear();
    for (const double part : kPartsOfUniformLimit) {
      const bool is_whole = part == kPartsOfUniformLimit.front(), is_last = part == kPartsOfUniformLimit.back();
      const Result<passes::PassContext> left = !is_whole    ? step_up_from_original(level, part)
                                               : level == 0 ? run_step(steps_[0], below)
                                                            : step_up(steps_[level], below, ground);
      if (!left) return left.error();
      const bool is_larger = !is_whole && level > 0 && any_larger(ground.sizes, sizes());
      if (!is_larger && is_affordable()) {
        if (level > 0 && !wins_something(ground)) break;
        return std::optional(is_whole ? *left : left->with_options(start_.options()));  // with less, passes found less
      }
      if (level == 0 && is_last) return removing_only();
      if (is_whole) on_cost_ = remarks_on_cost();
    }
    return std::optional<passes::PassContext>();
  }

  Result<std::optional<passes::PassContext>> removing_only() {
    original_.restore();
    LevelStep step = steps_.front();
    std::erase_if(step.chosen, [](const PassInfo* pass) { return !pass->only_removes; });
    const Result<passes::PassContext> left = run_step(step, start_);
    if (!left) return left.error();
    return std::optional(left->with_options(start_.options()));
  }

  Result<passes::PassContext> step_up_from_original(std::size_t level, double part) {
    const LevelStep step = with_part_of_uniform_limit(steps_[level], part);
    if (level == 0) {
      original_.restore();
      return run_step(step, start_);
    }
    const Result<passes::PassContext> below = step_up_from_original(level - 1, part);
    return below ? step_up(step, *below, ground_here()) : below;
  }

  // Interpolation classes do not share locations, so that fewer components may need more of them: the step is then
  // taken back and tried again, with all the fuel there was, without motion at the interfaces that it hurt. If that is
  // not enough nothing of the step remains.
  Result<passes::PassContext> step_up(const LevelStep& step, const passes::PassContext& below, const Ground& ground) {
    std::vector<bool> held(links_.size(), false);
    for (;;) {
      const Result<passes::PassContext> left = run_step(step, below, held);
      if (!left) return left;
      const std::vector<bool> held_before = held;
      if (!hold_larger(ground.sizes, sizes(), held)) return left;
      ground.snapshot.restore();
      if (held == held_before) {  // else the round holds one more link, so that this ends
        remark_held(links_, held, "no more is done than at the level below: it would need more locations");
        return below;
      }
      remark_held(links_, held, "code is not moved: what then crosses would need more locations");
    }
  }

  Result<passes::PassContext> run_step(const LevelStep& step, const passes::PassContext& from,
                                       const std::vector<bool>& first_phase_only = {}) {
    if (step.options.level >= link::Level::motion)
      for (LinkedStage* stage : stages_of(links_)) start_folding_identities(*stage);
    passes::PassContext context = from.with_level_of(step.options);
    const Result<void> done = run_and_rescalarize(links_, step.chosen, context, first_phase_only);
    return done ? Result<passes::PassContext>(context.with_level_of(start_.options())) : done.error();
  }

  Ground ground_here() const { return {link::Snapshot(links_), sizes(), moved_components(links_)}; }

  std::vector<InterfaceSize> sizes() const { return packed_sizes(links_, start_); }

  // Work that drivers leave out by themselves is no budget for a stage: the lowest level without uniform expressions
  // has taken that away. Nor is what it costs to be without it.
  Result<void> cost_without_trades() {
    work_before_ = placed(work());
    const Result<passes::PassContext> least = run_step(with_part_of_uniform_limit(steps_[0], 0), start_);
    if (!least) return least.error();
    const std::vector<double> left = placed(work());
    for (std::size_t i = 0; i < left.size(); ++i) work_before_[i] = std::min(work_before_[i], left[i]);
    original_.restore();
    return {};
  }

  bool is_affordable() {
    if (!trades_code(links_) && !(charges_for_copies() && copies_more(links_))) return true;
    if (start_.options().no_costlier_stage) {
      const std::vector<double> now = placed(work());
      return std::equal(now.begin(), now.end(), work_before_.begin(), std::less_equal());
    }
    const std::vector<LinkedStage*> stages = stages_of(links_);
    for (std::size_t i = work_before_.size(); i < stages.size(); ++i)
      work_before_.push_back(estimated_cost(original_.of(stages[i]), start_.options().profile));
    const double before = sum(work_before_);
    const std::vector<double> now = work();
    return sum(now) <= before || sum(placed(now)) <= before;
  }

  // Code that is moved makes an interface smaller, or the stages quicker: what others wait for anyway may stay.
  bool wins_something(const Ground& ground) const {
    if (moved_components(links_) == ground.moved || any_larger(sizes(), ground.sizes)) return true;
    double before = 0, now = 0;
    for (LinkedStage* stage : stages_of(links_)) {
      before += scheduled_slots(ground.snapshot.of(stage), start_.options().profile);
      now += scheduled_slots(*stage, start_.options().profile);
    }
    return now < before;
  }

  // An output or a coordinate that is no input of its own costs something.
  bool charges_for_copies() const {
    const analysis::CostProfile& profile = start_.options().profile;
    return profile[analysis::OpClass::copied_store].cost + profile[analysis::OpClass::repeated_store].cost +
               profile[analysis::OpClass::shared_coordinate].cost >
           0;
  }

  static double sum(const std::vector<double>& work) { return std::accumulate(work.begin(), work.end(), 0.0); }

  std::vector<double> work() const {
    std::vector<double> each;
    for (const LinkedStage* stage : stages_of(links_)) each.push_back(estimated_cost(*stage, start_.options().profile));
    return each;
  }

  // Of work() what is left with varyings in as few locations as placement will take.
  std::vector<double> placed(std::vector<double> each) const {
    const std::vector<LinkedStage*> stages = stages_of(links_);
    const std::vector<InterfaceSize> left = sizes();
    for (std::size_t i = 0; i < links_.size(); ++i) {
      const auto gone = work_of_placement(*links_[i], left[i].locations, start_.options().profile);
      for (std::size_t k = 0; k < stages.size(); ++k)
        if (const auto found = gone.find(stages[k]); found != gone.end()) each[k] -= found->second;
    }
    return each;
  }

  // For each interface for which other code computes what crossed, or copies it.
  std::vector<link::Remark> remarks_on_cost() const {
    const std::string who = start_.options().no_costlier_stage ? "a stage" : "the stages";
    const std::string why = ": " + who + " would cost more by the profile '" + start_.options().profile.name + "'";
    std::vector<link::Remark> remarks;
    for (Link* link : links_) {
      if (trades_code({link}))
        remarks.push_back({"link", link->report.stage_pair(), "less code is traded for components" + why});
      else if (copies_more({link}))
        remarks.push_back({"link", link->report.stage_pair(), "constants and duplicates cross" + why});
    }
    return remarks;
  }

  const Links& links_;
  const passes::PassContext& start_;
  const std::vector<LevelStep> steps_;
  const link::Snapshot original_;
  // By stage, in the order of stages_of(): as they came, or, with LinkOptions::no_costlier_stage, with nothing traded.
  // Empty until it is asked for.
  std::vector<double> work_before_;
  std::vector<link::Remark> on_cost_;  // where all that the last level can do would have cost too much
};

}  // namespace

Result<void> run_passes(const Links& links, passes::PassContext& context) {
  const Chosen moving = chosen_passes(context.options(), false), placing = chosen_passes(context.options(), true);
  for (const Chosen* chosen : {&moving, &placing}) remark_passes_not_run(links, *chosen);
  for (Link* link : links) find_idle_built_ins(*link);
  const Result<passes::PassContext> left = Levels(links, context).run();
  if (!left) return left.error();
  for (Link* link : links) restore_proxied_built_ins(*link);
  for (Link* link : links) remove_built_in_read_proxies(*link);
  for (Link* link : links) remove_captured_read_proxies(*link, context.options());
  passes::PassContext rest = *left;
  return run_once(links, placing, rest);
}

}  // namespace varylink::driver
