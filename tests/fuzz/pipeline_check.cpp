#include "fuzz/pipeline_check.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <span>

#include "base/sha256.h"
#include "driver/link_pipeline.h"
#include "fuzz/liberties.h"
#include "link/model/link_flags.h"
#include "report/proof_of_link.h"
#include "spirv/tools/tools.h"
#include "spirv/tools/valid_words.h"
#include "support/declared_alike.h"
#include "support/positions.h"

namespace varylink::fuzz {
namespace {

std::string first_error(const Diagnostics& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.severity == Severity::error) return render(diagnostic);
  }
  return "no diagnostic";
}

std::string text_of(const link::InterfaceSize& size) {
  return std::to_string(size.components) + " components, " + std::to_string(size.locations) + " locations, highest " +
         std::to_string(size.highest_location);
}

// What an interface must not end up larger than, and what that is called.
std::string growth(const link::InterfaceReport& interface, const link::InterfaceSize& limit, const std::string& name) {
  const link::InterfaceSize& after = interface.after;
  const bool grew = after.components > limit.components || after.locations > limit.locations ||
                    after.highest_location > limit.highest_location;
  if (!grew) return {};
  return std::string(short_name(interface.producer)) + "->" + std::string(short_name(interface.consumer)) + ": " +
         text_of(after) + ", " + name + " has " + text_of(limit);
}

// Nothing may end up larger than it came, nor than what the level before made: `before` is null at -O1.
std::string first_growth(const link::LinkedPipeline& linked, const link::LinkedPipeline* before) {
  for (std::size_t i = 0; i < linked.interfaces.size(); ++i) {
    const link::InterfaceReport& interface = linked.interfaces[i];
    if (std::string text = growth(interface, interface.before, "the input"); !text.empty()) return text;
    if (!before) continue;
    if (std::string text = growth(interface, before->interfaces.at(i).after, "the level before"); !text.empty())
      return text;
  }
  return {};
}

bool same_words(const link::LinkedPipeline& left, const link::LinkedPipeline& right) {
  if (left.stages.size() != right.stages.size()) return false;
  for (std::size_t i = 0; i < left.stages.size(); ++i) {
    if (left.stages[i].words != right.stages[i].words) return false;
  }
  return true;
}

std::vector<link::StageInput> as_input(const link::PipelineInput& original, const link::LinkedPipeline& linked) {
  std::vector<link::StageInput> stages = original.stages;
  for (std::size_t i = 0; i < stages.size(); ++i) stages[i].words = linked.stages.at(i).words;
  return stages;
}

// What linking the result again does. Rarely more, where what is equal for all vertices became flat in packing; so that
// is counted, not held against the linker.
std::string second_link(const link::PipelineInput& input, const link::LinkOptions& options,
                        const link::LinkedPipeline& linked) {
  link::PipelineInput again = input;
  again.stages = as_input(input, linked);
  const link::LinkedPipeline second = driver::link_pipeline(again, options);
  if (second.failure != ErrorKind::none) return "refused: " + first_error(second.diagnostics);
  for (std::size_t i = 0; i < linked.stages.size(); ++i)
    if (linked.stages[i].words != second.stages.at(i).words) return "something else";
  return "the same";
}

std::string text_of_flags(const link::LinkOptions& options) {
  std::string text;
  for (const link::LinkFlag& flag : link::link_flags())
    if (options.*flag.member) text += std::string(" ") + flag.option;
  const std::string& profile = options.profile.name;
  return profile == analysis::default_profile().name ? text : text + " --profile " + profile;
}

// What a pipeline is linked with. Each of them may change more than the one before.
struct NamedLevel {
  const char* name;
  link::Level value;
};
constexpr NamedLevel kLevels[] = {
    {"-O1", link::Level::exact}, {"-O2", link::Level::motion}, {"-O3", link::Level::discontinuous}};

// What the linker does once must come out again, and what it has validated must be valid.
CheckResult check_again(const link::PipelineInput& input, const link::LinkOptions& options, Coverage& coverage,
                        const link::LinkedPipeline& linked) {
  for (const link::StageOutput& stage : linked.stages) {
    const auto valid = spirv::validate(stage.words, options.validator, std::string(short_name(stage.stage)));
    if (!valid) return {Failure::invalid_output, render(valid.error()), {}};
  }
  link::LinkOptions asking = options;
  asking.tells_positions = true;
  const link::LinkedPipeline again = driver::link_pipeline(input, asking);
  if (!same_words(linked, again)) return {Failure::not_deterministic, "the second link gave other words", {}};
  if (again.keeps_positions && test::has_moved_positions(input, again, options.validator))
    return {Failure::link_failed, "positions are said to be computed as before, and are not", {}};
  if (again.keeps_positions) coverage.count("positions", "kept, as values tell");
  coverage.count("linked again", second_link(input, options, linked));
  return {};
}

// Outputs that say how they are interpolated as the inputs do go on doing so.
std::string lost_agreement(const link::PipelineInput& input, const link::LinkedPipeline& linked) {
  if (!test::first_unlike_qualifier(input.stages).empty()) return {};
  return test::first_unlike_qualifier(as_input(input, linked));
}

// `before` is the result of the level before, null at the first one.
CheckResult check_links(const link::PipelineInput& input, const link::LinkOptions& base, const NamedLevel& level,
                        bool thorough, spirv::KeptValidWords& valid_words, Coverage& coverage,
                        const link::LinkedPipeline* before, link::LinkedPipeline& linked) {
  link::LinkOptions options = base;
  options.level = level.value;
  options.valid_words = &valid_words;
  options.validate_each_pass = thorough;  // and looks for guards that a pass lost
  if (thorough)                           // a dump writes every module behind every pass
    options.dump = [&](const std::string& pass, Stage, const std::vector<std::uint32_t>&) {
      coverage.count("pass", pass);
    };
  linked = driver::link_pipeline(input, options);
  coverage.count_report(linked);
  if (linked.failure != ErrorKind::none) return {Failure::link_failed, first_error(linked.diagnostics), {}};
  const std::string growth = options.portable ? "" : first_growth(linked, before);
  if (!growth.empty()) return {Failure::grew, growth, {}};
  if (const std::string unlike = lost_agreement(input, linked); !unlike.empty())
    return {Failure::qualifiers_differ, unlike, {}};
  options.dump = nullptr;
  options.validate_each_pass = false;
  options.valid_words = nullptr;  // so that linking again says whether what was known was right
  return thorough ? check_again(input, options, coverage, linked) : CheckResult{};
}

// Code moves where the components saved are worth its work (rule ). What is said about the pipeline changes both,
// so that a motion may no longer pay; no other optimization may lose a component to that.
bool only_motion_left_more(const link::InterfaceReport& with_state, const link::InterfaceReport& without) {
  if (with_state.components.size() != without.components.size()) return false;
  bool left_more = false;
  for (std::size_t i = 0; i < without.components.size(); ++i) {
    const link::Outcome before = without.components[i].outcome;
    if (with_state.components[i].outcome != link::Outcome::kept || before == link::Outcome::kept) continue;
    if (before != link::Outcome::moved) return false;
    left_more = true;
  }
  return left_more;
}

// What is said about the pipeline must not make anything larger.
CheckResult check_facts(const link::PipelineInput& input, const link::LinkOptions& base, const NamedLevel& level,
                        spirv::KeptValidWords& valid_words, Coverage& coverage, const link::LinkedPipeline& linked) {
  link::PipelineInput silent = input;
  silent.state = {};
  silent.state.no_fragment = input.state.no_fragment;
  if (silent.state == input.state) return {};
  link::LinkOptions options = base;
  options.level = level.value;
  options.valid_words = &valid_words;
  const link::LinkedPipeline without = driver::link_pipeline(silent, options);
  if (without.failure != ErrorKind::none || without.interfaces.size() != linked.interfaces.size()) return {};
  for (std::size_t i = 0; i < linked.interfaces.size(); ++i) {
    const std::string text =
        growth(linked.interfaces[i], without.interfaces[i].after, "the pipeline without its state");
    if (text.empty()) continue;
    if (!only_motion_left_more(linked.interfaces[i], without.interfaces[i])) return {Failure::grew, text, {}};
    coverage.count("state", "with it a motion does not pay any more");
  }
  return {};
}

std::string stages_of(const link::PipelineInput& input) {
  std::string text;
  for (const link::StageInput& stage : input.stages)
    text += (text.empty() ? "" : "+") + std::string(short_name(stage.stage));
  return text;
}

prove::Proof prove_result(const link::PipelineInput& input, const link::LinkedPipeline& linked, const NamedLevel& level,
                          std::uint64_t budget, Coverage& coverage) {
  prove::Proof proof = report::proof_of_link(input, linked, level.value, budget);
  const std::string name = std::string(level.name) + " ";
  coverage.count("proof", name + std::string(prove::name_of(proof.verdict)));
  coverage.count("proof by stages", name + stages_of(input) + ": " + std::string(prove::name_of(proof.verdict)));
  if (proof.verdict == prove::Verdict::not_proved) coverage.count("not proved", name + proof.reason);
  return proof;
}

// A small budget saves the time of proofs where pictures decide. They do not decide where the driver crashed.
bool is_proved_with_default_budget(const link::PipelineInput& input, const link::LinkedPipeline& linked,
                                   const NamedLevel& level) {
  const prove::Proof proof = report::proof_of_link(input, linked, level.value, CheckOptions{}.proof_budget);
  return proof.verdict == prove::Verdict::proved;
}

// A driver that crashes with a valid result that is proved has a fault of its own: the seed is listed, to be tried with
// another driver.
CheckResult check_pictures(const Candidate& candidate, const link::PipelineInput& input,
                           const link::LinkedPipeline& linked, const NamedLevel& level, bool proved,
                           const CheckOptions& options, Oracle& oracle, Coverage& coverage) {
  const Oracle::Answer answer = oracle.compare(input, linked, level.value, options);
  const std::string name = std::string(level.name) + " ";
  coverage.count("verdict", name + answer.verdict);
  if (candidate.exact) coverage.count("verdict", name + "exact pipelines: " + answer.verdict);
  if (!answer.uncovered.empty()) coverage.count("not covered", answer.uncovered);
  if (answer.crashed && (proved || is_proved_with_default_budget(input, linked, level))) {
    coverage.count("driver crashed on what is proved", name + candidate.name);
    return {};
  }
  if (answer.different) return {Failure::different, answer.text, {}};
  const bool must_be_identical = candidate.exact && level.value == link::Level::exact;
  if (must_be_identical && answer.drawn && !answer.identical) return {Failure::not_identical, answer.text, {}};
  return {};
}

link::LinkedPipeline as_result(const std::vector<link::StageInput>& stages) {
  link::LinkedPipeline pipeline;
  for (const link::StageInput& stage : stages) pipeline.stages.push_back({stage.stage, stage.words});
  return pipeline;
}

// Compilers may compute some operations otherwise. Where that does not show in the original, it does not show in what
// is linked either. Rounding in front of a discontinuity the user lets change at -O3.
CheckResult check_liberties(const link::PipelineInput& input, const link::LinkedPipeline& linked,
                            const NamedLevel& level, const CheckOptions& options, Oracle& oracle, Coverage& coverage) {
  if (level.value == link::Level::discontinuous) return {};
  std::vector<link::StageInput> before = input.stages;
  link::LinkedPipeline after = linked;
  for (link::StageInput& stage : before) stage.words = with_liberties(stage.words);
  for (link::StageOutput& stage : after.stages) stage.words = with_liberties(stage.words);
  const std::string name = std::string(level.name) + " liberties ";
  const Oracle::Answer shows = oracle.compare(input, as_result(before), level.value, options);
  coverage.count("verdict", name + (shows.identical ? "do not show" : "show, " + shows.verdict));
  if (!shows.drawn || !shows.identical) return {};
  const Oracle::Answer answer = oracle.compare(input, after, level.value, options);
  if (answer.different) return {Failure::different, "what compilers may do shows: " + answer.text, {}};
  return {};
}

std::string words_of(const link::PipelineInput& input, std::span<const link::LinkedPipeline> results) {
  Sha256 hash;
  for (const link::StageInput& stage : input.stages) hash.add(stage.words);
  for (const link::LinkedPipeline& linked : results)
    for (const link::StageOutput& stage : linked.stages) hash.add(stage.words);
  return hash.hex();
}

// Operations on literals that SPIR-V leaves undefined.
std::size_t undefined_operations(const link::LinkedPipeline& pipeline) {
  std::size_t count = 0;
  for (const link::StageOutput& stage : pipeline.stages) count += count_undefined_operations(stage.words);
  return count;
}

}  // namespace

std::string_view name_of(Failure failure) {
  switch (failure) {
    case Failure::none: return "none";
    case Failure::not_compiled: return "not compiled";
    case Failure::link_failed: return "link failed";
    case Failure::invalid_output: return "invalid output";
    case Failure::grew: return "grew";
    case Failure::not_deterministic: return "not deterministic";
    case Failure::qualifiers_differ: return "qualifiers differ";
    case Failure::different: return "different";
    case Failure::not_identical: return "not identical";
    case Failure::proved_wrongly: return "proved wrongly";
    case Failure::refuted_wrongly: return "refuted wrongly";
    case Failure::crash: return "crash";
    case Failure::hang: return "hang";
  }
  return "none";
}

CheckResult check(const Candidate& candidate, const CheckOptions& options, Oracle* oracle, Coverage& coverage) {
  for (const std::string& feature : candidate.features) coverage.count("feature", feature);
  Result<std::vector<link::StageInput>> stages = compile(candidate);
  if (!stages) return {Failure::not_compiled, render(stages.error()), {}};
  link::PipelineInput input;
  input.name = candidate.name;
  input.state = candidate.state;
  input.stages = std::move(*stages);
  if (!candidate.layout.empty()) {
    Result<link::PipelineLayout> layout = link::parse_layout(candidate.layout, candidate.name);
    if (!layout) return {Failure::not_compiled, render(layout.error()), {}};
    input.layout = std::move(*layout);
  }
  link::LinkedPipeline results[std::size(kLevels)];
  spirv::KeptValidWords valid_words;  // of one level at the next ones
  for (std::size_t i = 0; i < std::size(kLevels); ++i) {
    link::LinkedPipeline& linked = results[i];
    CheckResult result = check_links(input, options.link, kLevels[i], options.thorough, valid_words, coverage,
                                     i == 0 ? nullptr : &results[i - 1], linked);
    if (result.failure == Failure::none && options.thorough)
      result = check_facts(input, options.link, kLevels[i], valid_words, coverage, linked);
    if (result.failure == Failure::none && undefined_operations(linked) > undefined_operations(as_result(input.stages)))
      result = {Failure::link_failed, "an operation on literals that SPIR-V leaves undefined", {}};
    // The same words give the same picture and proof, and an earlier level has stricter rules for both.
    const bool seen_before = std::any_of(results, results + i, [&](const auto& r) { return same_words(r, linked); });
    if (seen_before) coverage.count("verdict", std::string(kLevels[i].name) + " same words as before");
    std::optional<prove::Proof> proof;
    if (result.failure == Failure::none && options.prove && !seen_before)
      proof = prove_result(input, linked, kLevels[i], options.proof_budget, coverage);
    const bool proved = proof && proof->verdict == prove::Verdict::proved;
    const bool enough = proved && !options.draw_proved;
    if (enough && !seen_before) coverage.count("verdict", std::string(kLevels[i].name) + " proved, not drawn");
    if (result.failure == Failure::none && oracle && options.draw && !seen_before && !enough) {
      result = check_pictures(candidate, input, linked, kLevels[i], proved, options, *oracle, coverage);
    }
    if (result.failure == Failure::none && oracle && options.draw && candidate.has_liberties && !seen_before)
      result = check_liberties(input, linked, kLevels[i], options, *oracle, coverage);
    else if (proved && result.failure == Failure::different)
      result.failure = Failure::proved_wrongly;
    if (proof && result.failure == Failure::none && proof->verdict == prove::Verdict::refuted)
      result = {Failure::refuted_wrongly, proof->reason, {}};
    if (result.failure == Failure::none) continue;
    result.level = kLevels[i].name + text_of_flags(options.link);
    return result;
  }
  CheckResult clean;
  clean.words = words_of(input, results);
  return clean;
}

}  // namespace varylink::fuzz
