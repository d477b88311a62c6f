#include "decision.h"

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "milliseconds.h"

namespace varylink::layer {
namespace {

void keep(const Instance& instance, const std::string& key, const LinkedModules& linked) {
  if (const std::string problem = instance.kept->keep(key, linked); !problem.empty()) instance.journal->say(problem);
}

// For the next run: in this one the pipeline stays as it came, whenever it is made again.
void link_later(const Device& device, const Subject& subject, const std::string& name, const std::string& key) {
  device.background->add([subject, name, key, target = device.target, instance = device.instance,
                          valid_words = device.valid_words](const std::atomic<bool>& is_abandoned) {
    const LinkedModules linked = link(subject, target, instance->settings, {std::nullopt, &is_abandoned}, valid_words);
    if (!linked.is_final) return;
    keep(*instance, key, linked);
    instance->journal->linked_later(name);
  });
}

LinkedModules use(const Device& device, const Subject& subject, const std::string& key) {
  const Settings& settings = device.instance->settings;
  LinkedModules linked = load_linked(settings.folder, key, subject, device.target);
  if (linked.disposition != Disposition::linked || settings.assume_single_pass) return linked;
  linked.reason = moved_positions(subject, linked, device.target, device.valid_words.get());
  if (!linked.reason.empty()) linked.disposition = Disposition::passed_through;
  return linked;
}

std::optional<LinkedModules> link_or_load(const Device& device, const Subject& subject, Outcome& outcome) {
  const Settings& settings = device.instance->settings;
  const KeptResults* kept = device.instance->kept.get();
  const std::string key = kept != nullptr ? KeptResults::key_of(subject, device.target, settings) : std::string();
  if (kept != nullptr)
    if (std::optional<LinkedModules> earlier = kept->load(key, subject)) {
      outcome.from_cache = true;
      return earlier;
    }
  if (subject.only_if_known) {
    outcome.reason = "the program wants it only if nothing has to be compiled";
    return std::nullopt;
  }
  LinkedModules linked = link(subject, device.target, settings, {settings.budget}, device.valid_words);
  if (kept != nullptr && linked.over_budget) link_later(device, subject, outcome.key, key);
  if (kept != nullptr) keep(*device.instance, key, linked);
  return linked;
}

std::shared_ptr<const LinkedModules> result_of(Device& device, const Subject& subject, Outcome& outcome) {
  const Settings& settings = device.instance->settings;
  outcome.key = key_of(subject, device.target);
  if (settings.mode == Mode::off || settings.mode == Mode::record) {
    const std::string problem = settings.mode == Mode::record
                                    ? device.instance->recorder->record(outcome.key, subject, device.target)
                                    : std::string();
    outcome.disposition =
        settings.mode == Mode::record && problem.empty() ? Disposition::recorded : Disposition::passed_through;
    outcome.reason = settings.mode == Mode::off ? "linking is off" : problem;
    return nullptr;
  }
  std::shared_ptr<const LinkedModules> known = device.known.find(outcome.key);
  outcome.known = known != nullptr;
  if (known) return known;
  std::optional<LinkedModules> made =
      settings.mode == Mode::use ? use(device, subject, outcome.key) : link_or_load(device, subject, outcome);
  if (!made) return nullptr;
  outcome.steps = made->steps;
  if (settings.details) outcome.report = std::move(made->report);
  made->report.clear();  // said once
  const auto result = std::make_shared<const LinkedModules>(std::move(*made));
  device.known.add(outcome.key, result);
  return result;
}

}  // namespace

void Decision::pass_through(std::string reason) {
  linked.reset();
  outcome.before = outcome.after = {};
  outcome.disposition = Disposition::passed_through;
  outcome.reason = std::move(reason);
}

Decision decide(Device& device, Subject subject) {
  Decision decision{std::move(subject), {}, nullptr};
  Outcome& outcome = decision.outcome;
  for (const Subject::StageCode& stage : decision.subject.stages)
    outcome.stages += (outcome.stages.empty() ? "" : " ") + std::string(short_name(stage.stage));
  outcome.reason = decision.subject.why_not;
  if (!decision.subject.why_not.empty()) return decision;
  const auto start = Clock::now();
  const std::shared_ptr<const LinkedModules> result = result_of(device, decision.subject, outcome);
  outcome.link_ms = milliseconds_since(start);
  if (!result) return decision;
  outcome.disposition = result->disposition;
  outcome.reason = result->reason;
  outcome.before = result->before;
  outcome.after = result->after;
  if (result->disposition == Disposition::linked) decision.linked = result;
  return decision;
}

}  // namespace varylink::layer
