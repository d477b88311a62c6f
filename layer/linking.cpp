#include "linking.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "api/convert.h"
#include "api/described_pipeline.h"
#include "formats/create_info.h"
#include "share/invariance_groups.h"
#include "share/position_code.h"
#include "spirv/tools/binary.h"
#include "spirv/tools/specialize.h"
#include "varylink/varylink.h"

namespace varylink::layer {
namespace {

constexpr std::size_t kWordsOfStep = 1000;
constexpr const char* kMovedPositions = "its positions would be computed by other instructions";
constexpr std::size_t kMostBytes = std::size_t{64} << 20;  // of kept results

template <typename Object, void (*destroy)(Object*)>
struct Destroy {
  void operator()(Object* object) const { destroy(object); }
};
template <typename Object, void (*destroy)(Object*)>
using Owned = std::unique_ptr<Object, Destroy<Object, destroy>>;
using Context = Owned<varylink_context, varylink_context_destroy>;
using Outcomes = Owned<varylink_result, varylink_result_destroy>;

varylink_stage to_c(Stage stage) { return static_cast<varylink_stage>(static_cast<int>(stage) + 1); }
Stage from_c(varylink_stage stage) { return static_cast<Stage>(static_cast<int>(stage) - 1); }

bool has_report(const Settings& settings) { return settings.details || !settings.cache.empty(); }

varylink_link_options options_of(const Target& target, const Settings& settings) {
  varylink_link_options options = {};
  options.struct_size = sizeof options;
  options.level = static_cast<varylink_level>(settings.level + 1);
  options.target_env = target.env;
  options.layout_flags = target.layout_flags;
  options.flags = has_report(settings) ? 0u : VARYLINK_LINK_NO_REPORT;
  return options;
}

// ": message"
std::string first_error(const varylink_result& result) {
  for (std::size_t i = 0; i < varylink_result_diagnostic_count(&result); ++i) {
    varylink_diagnostic diagnostic = {};
    diagnostic.struct_size = sizeof diagnostic;
    if (varylink_result_get_diagnostic(&result, i, &diagnostic) != VARYLINK_SUCCESS) continue;
    if (diagnostic.severity == VARYLINK_SEVERITY_ERROR) return std::string(": ") + diagnostic.message;
  }
  return {};
}

// Why a pipeline that does not link does not, in words that are equal for equal reasons.
std::string reason_of(varylink_status status, const varylink_result* result) {
  switch (status) {
    case VARYLINK_ERROR_INVALID_SPIRV: return "a module is not valid" + (result ? first_error(*result) : "");
    case VARYLINK_ERROR_INTERFACE_MISMATCH:
      return "its stages do not fit together" + (result ? first_error(*result) : "");
    case VARYLINK_ERROR_VERIFICATION_FAILED:
      return "the result failed its checks" + (result ? first_error(*result) : "");
    case VARYLINK_ERROR_INTERRUPTED: return "linking it takes more steps than the budget has";
    case VARYLINK_ERROR_OUT_OF_MEMORY: return "there was no memory for linking it";
    default: return "it cannot be linked" + (result ? first_error(*result) : "");
  }
}

// Counts the steps of one link; the library asks in front of each.
struct Steps {
  const Bounds& bounds;
  std::uint64_t each = 1, taken = 0;

  bool is_over() const {
    return (bounds.most_steps && taken > *bounds.most_steps) ||
           (bounds.is_abandoned != nullptr && bounds.is_abandoned->load());
  }
};

int take_step(void* user) {
  Steps& steps = *static_cast<Steps*>(user);
  steps.taken += steps.each;
  return steps.is_over() ? 1 : 0;
}

// The same input gives the same again.
bool is_lasting(varylink_status status) {
  return status == VARYLINK_ERROR_INVALID_SPIRV || status == VARYLINK_ERROR_INTERFACE_MISMATCH ||
         status == VARYLINK_ERROR_VERIFICATION_FAILED || status == VARYLINK_ERROR_INVALID_PIPELINE;
}

// Whether what crosses the interfaces is other than before.
bool is_worth_it(const varylink_result& result) {
  for (std::size_t i = 0; i < varylink_result_interface_count(&result); ++i) {
    varylink_interface interface = {};
    interface.struct_size = sizeof interface;
    varylink_result_get_interface(&result, i, &interface);
    if (interface.before.locations != interface.after.locations) return true;
    for (std::size_t k = 0; k < interface.component_count; ++k) {
      varylink_component component = {};
      component.struct_size = sizeof component;
      varylink_result_get_component(&result, i, k, &component);
      if (component.fate != VARYLINK_FATE_KEPT) return true;
    }
  }
  return false;
}

void take_sizes(const varylink_result& result, LinkedModules& linked) {
  for (std::size_t i = 0; i < varylink_result_interface_count(&result); ++i) {
    varylink_interface interface = {};
    interface.struct_size = sizeof interface;
    varylink_result_get_interface(&result, i, &interface);
    linked.before.components += interface.before.components;
    linked.before.locations += interface.before.locations;
    linked.after.components += interface.after.components;
    linked.after.locations += interface.after.locations;
  }
}

void take_modules(const varylink_result& result, LinkedModules& linked) {
  for (std::size_t i = 0; i < varylink_result_stage_count(&result); ++i) {
    varylink_stage_output stage = {};
    stage.struct_size = sizeof stage;
    varylink_result_get_stage(&result, i, &stage);
    linked.modules[from_c(stage.stage)] = Words(stage.words, stage.words + stage.word_count);
  }
}

link::StageInput input_of(const Subject::StageCode& stage) {
  link::StageInput input = {stage.stage, std::string(short_name(stage.stage)), *stage.words, stage.entry_point};
  input.read = stage.read;
  input.read_is_valid = stage.read != nullptr;
  return input;
}

LinkedModules passed_through(std::string reason) {
  LinkedModules result;
  result.reason = std::move(reason);
  return result;
}

// The part of a report that is about the one pipeline.
std::string report_of(const varylink_result& result) {
  const auto report = nlohmann::ordered_json::parse(varylink_result_report(&result), nullptr, false);
  if (!report.is_object() || !report.contains("pipelines") || report["pipelines"].size() != 1) return {};
  return report["pipelines"][0].dump();
}

// The modules, if positions stay as they are.
void take_result(const varylink_result& result, const Subject& subject, const Target& target, const Settings& settings,
                 spirv::ValidWords* valid_words, LinkedModules& linked) {
  take_modules(result, linked);
  const auto is_there = [&](const Subject::StageCode& stage) { return linked.modules.count(stage.stage) != 0; };
  if (!std::all_of(subject.stages.begin(), subject.stages.end(), is_there))
    linked.reason = "the result has other stages";
  else if (!settings.assume_single_pass && !result.keeps_positions)
    linked.reason = moved_positions(subject, linked, target, valid_words);
  linked.disposition = linked.reason.empty() ? Disposition::linked : Disposition::passed_through;
  if (linked.disposition == Disposition::linked) return;
  linked.modules.clear();
  linked.before = linked.after = {};
}

LinkedModules link_once(const Subject& subject, const Target& target, const Settings& settings, const Bounds& bounds,
                        const ValidWords& valid_words) {
  varylink_context* context_made = nullptr;
  if (const varylink_status status = varylink_context_create(nullptr, &context_made); status != VARYLINK_SUCCESS)
    return passed_through(reason_of(status, nullptr));
  const Context context(context_made);
  varylink_pipeline pipeline;
  pipeline.context = context.get();
  pipeline.tells_positions = !settings.assume_single_pass;
  if (const Result<void> taken = api::take_description(subject.description, pipeline); !taken)
    return passed_through("its state cannot be used: " + taken.error().message);
  for (const Subject::StageCode& stage : subject.stages) {
    const std::string name(short_name(stage.stage));
    varylink_spirv_stage given = {};
    given.struct_size = sizeof given;
    given.stage = to_c(stage.stage);
    given.words = stage.words->data();
    given.word_count = stage.words->size();
    given.entry_point = stage.entry_point.c_str();
    given.name = name.c_str();
    if (varylink_pipeline_add_spirv(&pipeline, &given) != VARYLINK_SUCCESS)
      return passed_through(std::string("a stage cannot be read: ") + varylink_context_error(context.get()));
    pipeline.sources.back().read = stage.read;
    pipeline.kept.emplace_back(stage.stage, valid_words);
  }
  varylink_link_options options = options_of(target, settings);
  Steps steps{bounds};
  for (const Subject::StageCode& stage : subject.stages) steps.each += stage.words->size() / kWordsOfStep;
  options.interrupted = take_step;
  options.interrupt_user = &steps;
  varylink_result* result_made = nullptr;
  const varylink_status status =
      bounds.most_steps == 0u ? VARYLINK_ERROR_INTERRUPTED : varylink_link(&pipeline, &options, &result_made);
  const Outcomes result(result_made);
  LinkedModules linked;
  linked.steps = steps.taken;
  if (result && has_report(settings)) linked.report = report_of(*result);
  linked.is_final = status == VARYLINK_SUCCESS || is_lasting(status);
  linked.over_budget = status == VARYLINK_ERROR_INTERRUPTED;
  if (status != VARYLINK_SUCCESS) {
    linked.reason = reason_of(status, result.get());
    return linked;
  }
  take_sizes(*result, linked);
  linked.disposition = Disposition::unchanged;
  if (is_worth_it(*result)) take_result(*result, subject, target, settings, valid_words.get(), linked);
  return linked;
}

// Modules are validated first and read once, for all that is asked about them. What is not valid is for linking to say.
void read_modules(Subject& subject, const spirv::ValidatorOptions& validator, spirv::ValidWords* valid_words) {
  for (Subject::StageCode& stage : subject.stages) {
    const std::string name(short_name(stage.stage));
    if (stage.read || !spirv::validate(*stage.words, validator, name, {valid_words, stage.stage})) continue;
    if (Result<spirv::Module> module = spirv::read_valid_module(*stage.words, name); module)
      stage.read = std::make_shared<const spirv::Module>(std::move(*module));
  }
}

// Formats of vertex attributes make components constants, in the code of positions as well. Linking can do without.
void forget_formats_of_positions(Subject& subject, const spirv::ValidatorOptions& validator,
                                 spirv::ValidWords* valid_words) {
  for (const Subject::StageCode& stage : subject.stages) {
    if (stage.stage != Stage::vertex) continue;
    auto state = share::state_beside_positions(input_of(stage), subject.description.state, validator, valid_words);
    if (state) subject.description.state = std::move(*state);
  }
}

}  // namespace

spirv::ValidatorOptions validator_of(const Target& target) {
  const varylink_link_options options = options_of(target, {});
  const Result<api::LinkRequest> request = api::options_from_c(&options);
  return request ? request->options.validator : spirv::ValidatorOptions();
}

std::string key_of(const Subject& subject, const Target& target) {
  return formats::key_of(subject, validator_of(target));
}

LinkedModules link(const Subject& subject, const Target& target, const Settings& settings, const Bounds& bounds,
                   const ValidWords& valid_words) {
  // A budget of nothing is spent on no question either.
  if (bounds.most_steps == 0u) return link_once(subject, target, settings, bounds, valid_words);
  Subject beside_positions = subject;
  read_modules(beside_positions, validator_of(target), valid_words.get());
  if (settings.assume_single_pass) return link_once(beside_positions, target, settings, bounds, valid_words);
  forget_formats_of_positions(beside_positions, validator_of(target), valid_words.get());
  LinkedModules linked = link_once(beside_positions, target, settings, bounds, valid_words);
  if (linked.reason != kMovedPositions || beside_positions.description.state.attribute_formats.empty()) return linked;
  Subject without_formats = std::move(beside_positions);
  without_formats.description.state.attribute_formats.clear();
  Bounds rest = bounds;
  if (rest.most_steps) rest.most_steps = *rest.most_steps - linked.steps;
  const std::uint64_t steps = linked.steps;
  linked = link_once(without_formats, target, settings, rest, valid_words);
  linked.steps += steps;
  return linked;
}

std::string moved_positions(const Subject& subject, const LinkedModules& linked, const Target& target,
                            spirv::ValidWords* valid_words) {
  link::PipelineInput input;
  link::LinkedPipeline output;
  for (const Subject::StageCode& stage : subject.stages) {
    link::StageInput original = input_of(stage);
    Result<spirv::SpecializedWords> frozen =
        spirv::specialize(original.words, subject.description.stages.at(stage.stage).specialization, original.file);
    if (!frozen) return frozen.error().message;
    if (!frozen->words.empty()) {
      original.words = std::move(frozen->words);
      original.read = nullptr;
    }
    input.stages.push_back(std::move(original));
    output.stages.push_back({stage.stage, linked.modules.at(stage.stage)});
  }
  const auto verdict = share::compare_with_original(input, output, validator_of(target), valid_words);
  switch (verdict.kind) {
    case share::InvarianceVerdict::Kind::kept: return {};
    case share::InvarianceVerdict::Kind::changed: return kMovedPositions;
    case share::InvarianceVerdict::Kind::unknown: break;
  }
  return "whether its positions stay the same cannot be told";
}

std::shared_ptr<const LinkedModules> KnownResults::find(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  const auto found = results_.find(key);
  return found == results_.end() ? nullptr : found->second;
}

void KnownResults::add(const std::string& key, std::shared_ptr<const LinkedModules> result) {
  const auto size = [](const LinkedModules& each) {
    std::size_t bytes = 0;
    for (const auto& [stage, words] : each.modules) bytes += words.size() * sizeof(std::uint32_t);
    return bytes;
  };
  const std::lock_guard lock(mutex_);
  const auto [entry, is_new] = results_.emplace(key, std::move(result));
  if (!is_new) return;  // two threads create one pipeline
  bytes_ += size(*entry->second);
  order_.push_back(key);
  while (bytes_ > kMostBytes && order_.size() > 1) {
    const auto oldest = results_.find(order_.front());
    bytes_ -= size(*oldest->second);
    results_.erase(oldest);
    order_.pop_front();
  }
}

}  // namespace varylink::layer
