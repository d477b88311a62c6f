#include "support/guarantees.h"

#include <algorithm>
#include <set>
#include <spirv/unified1/spirv.hpp11>

#include "driver/link_pipeline.h"
#include "support/case_file.h"
#include "support/contract.h"
#include "support/declared_alike.h"
#include "support/outcome.h"
#include "support/positions.h"

namespace varylink::test {
namespace {

class Guarantees {
 public:
  Guarantees(const link::PipelineInput& pipeline, const link::LinkOptions& options, const link::LinkedPipeline& linked)
      : pipeline_(pipeline), options_(options), linked_(linked) {}

  std::vector<std::string> broken();

 private:
  void check_failure();
  void check_repetition();
  void check_second_link();
  void check_sizes();
  void check_qualifiers();
  void check_stage(const link::StageInput& before);
  bool is_given(Stage stage, const std::string& line) const;
  void check_contract(const link::StageInput& before, const link::StageOutput& after);
  const link::StageOutput* output(Stage stage) const;
  void problem(std::string text) { broken_.push_back(std::move(text)); }

  const link::PipelineInput& pipeline_;
  const link::LinkOptions& options_;
  const link::LinkedPipeline& linked_;
  std::vector<std::string> broken_;
};

const link::StageOutput* Guarantees::output(Stage stage) const {
  const auto found = std::find_if(linked_.stages.begin(), linked_.stages.end(),
                                  [&](const link::StageOutput& output) { return output.stage == stage; });
  return found == linked_.stages.end() ? nullptr : &*found;
}

void Guarantees::check_failure() {
  if (!linked_.stages.empty()) problem("the pipeline failed but has stages");
  if (std::none_of(linked_.diagnostics.begin(), linked_.diagnostics.end(),
                   [](const Diagnostic& diagnostic) { return diagnostic.severity == Severity::error; }))
    problem("the pipeline failed but no error says why");
}

// An output that the tessellator does not look at: everything but the tessellation levels.
bool is_plain_built_in(const std::string& line) {
  const std::string prefix = "output built-in ";
  if (line.rfind(prefix, 0) != 0) return false;
  const auto kind = static_cast<spv::BuiltIn>(std::stoul(line.substr(prefix.size())));
  return kind != spv::BuiltIn::TessLevelOuter && kind != spv::BuiltIn::TessLevelInner;
}

bool same_words(const link::LinkedPipeline& a, const link::LinkedPipeline& b) {
  return std::equal(
      a.stages.begin(), a.stages.end(), b.stages.begin(), b.stages.end(),
      [](const link::StageOutput& x, const link::StageOutput& y) { return x.stage == y.stage && x.words == y.words; });
}

void Guarantees::check_repetition() {
  link::LinkOptions options = options_;
  options.tells_positions = true;
  const link::LinkedPipeline again = driver::link_pipeline(pipeline_, options);
  if (again.failure != linked_.failure || !same_words(linked_, again))
    problem("linking the same pipeline twice gives different words");
  if (again.keeps_positions && has_moved_positions(pipeline_, again, options.validator))
    problem("positions are said to be computed as before, and are not");
}

void Guarantees::check_second_link() {
  if (options_.fuel) return;  // with fuel left over, the second run goes on where the first one stopped
  link::PipelineInput input;
  input.name = pipeline_.name;
  input.state = pipeline_.state;
  for (const link::StageInput& stage : pipeline_.stages)
    if (const link::StageOutput* linked = output(stage.stage))
      input.stages.push_back({stage.stage, stage.file, linked->words, stage.entry_point});
  const link::LinkedPipeline second = driver::link_pipeline(input, options_);
  if (second.failure != ErrorKind::none) {
    problem("linking the result fails:\n" + outcome_of(second, {}).diagnostics);
    return;
  }
  for (const link::StageOutput& stage : second.stages)
    if (const link::StageOutput* first = output(stage.stage); first && first->words != stage.words)
      problem("linking the result again changes stage " + std::string(short_name(stage.stage)) + ":\n" +
              line_diff(spirv::disassemble(first->words), spirv::disassemble(stage.words)));
}

void Guarantees::check_qualifiers() {
  std::vector<link::StageInput> stages;
  for (const link::StageInput& stage : pipeline_.stages)
    if (const link::StageOutput* linked = output(stage.stage))
      stages.push_back({stage.stage, stage.file, linked->words, stage.entry_point});
  if (!first_unlike_qualifier(pipeline_.stages).empty()) return;
  if (const std::string unlike = first_unlike_qualifier(stages); !unlike.empty())
    problem("outputs and inputs are no longer declared alike: " + unlike);
}

void Guarantees::check_sizes() {
  for (const link::InterfaceReport& report : linked_.interfaces)
    if (report.after.components > report.before.components ||
        (!options_.portable && (report.after.locations > report.before.locations ||
                                report.after.highest_location > report.before.highest_location)))
      problem("the interface grew:\n" + interface_text(report));
}

// A line of a contract says what the pipeline layout gives to the stage, or, where all stages get the same
// specialization data, which constant another stage has.
bool Guarantees::is_given(Stage stage, const std::string& line) const {
  if (line.rfind("specialization id ", 0) == 0)
    return pipeline_.state.shared_spec_constants &&
           std::any_of(pipeline_.stages.begin(), pipeline_.stages.end(), [&](const link::StageInput& other) {
             return contract_of(other.words, other.stage, other.entry_point).count(line) != 0;
           });
  if (!options_.layout) return false;
  const auto reaches = [&](const auto& entry) {
    return std::find(entry.stages.begin(), entry.stages.end(), stage) != entry.stages.end();
  };
  const auto& ranges = options_.layout->push_constants;
  if (line == "push constants") return std::any_of(ranges.begin(), ranges.end(), reaches);
  const auto& bindings = options_.layout->bindings;
  return std::any_of(bindings.begin(), bindings.end(), [&](const link::PipelineLayout::Binding& entry) {
    const std::string prefix = "binding " + std::to_string(entry.set) + "." + std::to_string(entry.binding) + " ";
    return reaches(entry) && line.rfind(prefix, 0) == 0;
  });
}

void Guarantees::check_contract(const link::StageInput& before, const link::StageOutput& after) {
  std::set<std::string> promised = contract_of(before.words, before.stage, before.entry_point);
  std::set<std::string> kept = contract_of(after.words, after.stage, before.entry_point);
  const auto erase = [](std::set<std::string>& lines, const std::string& prefix) {
    std::erase_if(lines, [&](const std::string& line) { return line.rfind(prefix, 0) == 0; });
  };
  for (std::set<std::string>* lines : {&promised, &kept}) {
    if (options_.strip_unused_resources) {
      erase(*lines, "binding ");
      erase(*lines, "push constants");
    }
    if (options_.strip_unused_attributes && before.stage == Stage::vertex) erase(*lines, "input ");
  }
  // What the pipeline layout or another stage gives to the stage may have been declared.
  std::erase_if(kept,
                [&](const std::string& line) { return promised.count(line) == 0 && is_given(before.stage, line); });
  // In front of another stage than the rasterizer built-ins are data like any other (rule ).
  const bool feeds_stage =
      std::any_of(pipeline_.stages.begin(), pipeline_.stages.end(), [&](const link::StageInput& later) {
        return before.stage < later.stage && later.stage < Stage::fragment && later.stage != Stage::mesh;
      });
  if (feeds_stage)
    for (std::set<std::string>* lines : {&promised, &kept})
      std::erase_if(*lines, [](const std::string& line) { return is_plain_built_in(line); });
  const auto text = [](const std::set<std::string>& lines) {
    std::string all;
    for (const std::string& line : lines) all += line + "\n";
    return all;
  };
  if (promised != kept)
    problem("stage " + std::string(short_name(before.stage)) + " does not keep its contract:\n" +
            line_diff(text(promised), text(kept)));
  const std::set<std::string> had = capabilities_of(before.words), has = capabilities_of(after.words);
  if (!std::includes(had.begin(), had.end(), has.begin(), has.end()))
    problem("stage " + std::string(short_name(before.stage)) + " needs more capabilities:\n" +
            line_diff(text(had), text(has)));
}

void Guarantees::check_stage(const link::StageInput& before) {
  const link::StageOutput* after = output(before.stage);
  if (after == nullptr) return problem("stage " + std::string(short_name(before.stage)) + " is missing");
  if (const auto valid = spirv::validate(after->words, options_.validator, before.file); !valid)
    problem(render(valid.error()));
  check_contract(before, *after);
}

std::vector<std::string> Guarantees::broken() {
  check_repetition();
  if (linked_.failure != ErrorKind::none) {
    check_failure();
    return std::move(broken_);
  }
  for (const link::StageInput& stage : pipeline_.stages) check_stage(stage);
  check_second_link();
  check_sizes();
  check_qualifiers();
  return std::move(broken_);
}

}  // namespace

std::vector<std::string> broken_guarantees(const link::PipelineInput& pipeline, const link::LinkOptions& options,
                                           const link::LinkedPipeline& linked) {
  return Guarantees(pipeline, options, linked).broken();
}

}  // namespace varylink::test
