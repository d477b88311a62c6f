#include "passes/guarded_reads.h"
#include "passes/pass.h"
#include "spirv/cleanup/simplify.h"
#include "spirv/tools/binary.h"
#include "spirv/tools/foreign_reader.h"

namespace varylink::passes {
namespace {

using link::LinkedStage;
using Words = std::vector<std::uint32_t>;

bool validates_each_pass(const PassContext& context) {
#ifdef VARYLINK_VALIDATE_EACH_PASS
  (void)context;
  return true;
#else
  return context.options().validate_each_pass;
#endif
}

std::vector<Words> snapshot(const std::vector<LinkedStage*>& stages) {
  std::vector<Words> words;
  for (const LinkedStage* stage : stages) words.push_back(spirv::write_module(stage->module));
  return words;
}

// A pass leaves dead code behind: operands of a removed output, code that a constant made superfluous. Single
// instructions go at once; control flow and memory wait until all passes have run.
void clean_up(const std::vector<LinkedStage*>& stages, link::Properties broken) {
  for (LinkedStage* stage : stages) {
    spirv::simplify(stage->module);
    stage->note_change();
    stage->properties.remove({link::Property::no_leftovers});
    stage->properties.remove(broken);
  }
}

Result<void> check_needs(const PassInfo& pass, const std::vector<LinkedStage*>& stages) {
  for (const LinkedStage* stage : stages)
    if (!stage->stays_as_it_came() && !stage->properties.has_all(kPassNeeds))
      return make_error(ErrorKind::verification_failed, stage->file,
                        std::string(pass.name) + ": the stage lacks a property that passes need");
  return {};
}

Result<void> validate_all(const PassInfo& pass, const std::vector<LinkedStage*>& stages, const PassContext& context) {
  for (const LinkedStage* stage : stages) {
    const auto valid = spirv::validate_known(stage->module, spirv::write_module(stage->module),
                                             context.options().validator, stage->file);
    if (!valid)
      return make_error(ErrorKind::verification_failed, stage->file,
                        "after " + std::string(pass.name) + ": " + valid.error().message, valid.error().vuid);
  }
  return {};
}

void dump(const PassInfo& pass, const std::vector<LinkedStage*>& stages, const PassContext& context) {
  if (!context.options().dump) return;
  for (const LinkedStage* stage : stages)
    context.options().dump(std::string(pass.name), stage->stage, spirv::write_module(stage->module));
}

}  // namespace

PassContext PassContext::with_level_of(const link::LinkOptions& options) const {
  PassContext context = with_options(options);
  for (const auto& [where, state] : nothing_found_)
    if (where.first->level == link::Level::exact) context.nothing_found_.emplace(where, state);
  return context;
}

link::ReadProducers& PassContext::producers_of(const link::Link& link) {
  std::unique_ptr<link::ReadProducers>& known = readings_.by_link[&link];
  if (known && known->is_current())
    known->forget_additions();
  else
    known = std::make_unique<link::ReadProducers>(link);
  return *known;
}

PassContext::State PassContext::state_of(const link::Link& link) const {
  State state;
  for (const auto* side : {&link.producers, &link.consumers})
    for (const LinkedStage* stage : *side) state.revisions.push_back(stage->revision);
  state.fuel = fuel_;
  return state;
}

void PassContext::note_nothing_found(const PassInfo& pass, const link::Link& link) {
  nothing_found_[{&pass, &link}] = state_of(link);
}

bool PassContext::found_nothing_before(const PassInfo& pass, const link::Link& link) const {
  const auto known = nothing_found_.find({&pass, &link});
  return known != nothing_found_.end() && known->second == state_of(link);
}

Result<Progress> run_pass(const PassInfo& pass, link::Link& link, PassContext& context) {
  if (context.options().interrupted && context.options().interrupted())
    return make_error(ErrorKind::interrupted, {}, "the program that links asked for an end");
  const bool checks = validates_each_pass(context);
  const std::vector<Words> producers = checks ? snapshot(link.producers) : std::vector<Words>{};
  const std::vector<Words> consumers = checks ? snapshot(link.consumers) : std::vector<Words>{};

  if (checks)
    for (const auto* stages : {&link.producers, &link.consumers})
      if (const auto needed = check_needs(pass, *stages); !needed) return needed.error();
  const std::optional<GuardedReads> reads = checks ? std::optional<GuardedReads>(link) : std::nullopt;

  const Result<Progress> progress = pass.run(link, context);
  if (!progress) return progress;

  if (checks) {
    if (auto problem = reads->check(link)) {
      problem->message = "after " + std::string(pass.name) + ": " + problem->message;
      return *problem;
    }
    Progress seen = Progress::none;
    if (snapshot(link.producers) != producers) seen = seen | Progress::producer;
    if (snapshot(link.consumers) != consumers) seen = seen | Progress::consumer;
    if (seen != *progress)
      return make_error(ErrorKind::verification_failed, link.producers.front()->file,
                        std::string(pass.name) + " reported progress that is not what it did");
  }
  const auto sides = {std::pair(Progress::producer, &link.producers), std::pair(Progress::consumer, &link.consumers)};
  for (const auto& [side, stages] : sides) {
    if (!touches(*progress, side)) continue;
    clean_up(*stages, side == Progress::consumer ? pass.breaks : link::Properties{});
    if (checks)
      if (const auto valid = validate_all(pass, *stages, context); !valid) return valid.error();
    dump(pass, *stages, context);
  }
  return progress;
}

}  // namespace varylink::passes
