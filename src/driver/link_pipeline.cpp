#include "driver/link_pipeline.h"

#include <algorithm>
#include <set>

#include "driver/prepare.h"
#include "driver/sweeps.h"
#include "io/lift.h"
#include "io/lower.h"
#include "link/contract_check.h"
#include "link/pair_check.h"
#include "passes/pass.h"
#include "spirv/binary.h"
#include "spirv/fold_identities.h"

namespace varylink::driver {
namespace {

using link::Link;
using link::LinkedPipeline;
using link::LinkedStage;

class Linker {
 public:
  Linker(const link::PipelineInput& pipeline, const link::LinkOptions& options)
      : pipeline_(pipeline), options_(options), context_(options) {}

  LinkedPipeline run() {
    if (!open_stages()) return fail();
    make_links();
    if (!check_inputs()) return fail();
    if (options_.level == link::Level::check || leave_alone()) return hand_back();
    for (LinkedStage& stage : stages_) prepare(stage);
    lift_links();
    for (LinkedStage& stage : stages_) settle_after_lift(stage);
    if (!run_passes(false) || !run_passes(true)) return fail();
    lower_links();
    for (Link& link : links_) link.report.follow_duplicates();
    if (!write_results()) return fail();
    return std::move(result_);
  }

 private:
  bool open_stages();
  void make_links();
  Link new_link(Stage producer, Stage consumer) const;
  bool check_inputs();
  bool leave_alone();
  LinkedPipeline hand_back();
  LinkedPipeline fail();
  void lift_links();
  bool run_passes(bool placing);
  void lower_links();
  bool write_results();
  bool check_results();
  bool is_changed(const Link& link) const;
  bool reject(Diagnostic error);
  void remark(const std::string& stage, const std::string& message) {
    result_.remarks.push_back({"link", stage, message});
  }

  const link::PipelineInput& pipeline_;
  const link::LinkOptions& options_;
  passes::PassContext context_;
  std::vector<LinkedStage> stages_;  // in pipeline order; links point into it
  std::vector<Link> links_;          // links_[i] lies behind its producer
  LinkedPipeline result_;
};

bool Linker::reject(Diagnostic error) {
  result_.failure = error.kind;
  result_.diagnostics.push_back(std::move(error));
  return false;
}

LinkedPipeline Linker::fail() {
  result_.stages.clear();
  return std::move(result_);
}

bool Linker::open_stages() {
  std::vector<const link::StageInput*> inputs;
  for (const link::StageInput& input : pipeline_.stages) inputs.push_back(&input);
  std::stable_sort(inputs.begin(), inputs.end(), [](const auto* a, const auto* b) { return a->stage < b->stage; });
  if (inputs.empty()) return reject(make_error(ErrorKind::usage, pipeline_.name, "the pipeline has no stages"));
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (i > 0 && inputs[i - 1]->stage == inputs[i]->stage)
      return reject(make_error(ErrorKind::usage, inputs[i]->file,
                               "the pipeline already has a " + std::string(short_name(inputs[i]->stage)) +
                                   " stage: " + inputs[i - 1]->file));
    Result<LinkedStage> stage =
        open_stage(inputs[i]->file, inputs[i]->stage, inputs[i]->words, inputs[i]->entry_point, options_.validator);
    if (!stage) return reject(stage.error());
    stage->may_fold_identities = options_.level >= link::Level::motion && stage->stage == Stage::fragment &&
                                 spirv::allows_identities(stage->module);
    stages_.push_back(std::move(*stage));
  }
  return true;
}

link::StageView view_of(const LinkedStage& stage) { return {&stage.module, stage.entry, stage.file}; }

link::InterfaceSize size_of(const spirv::Module& module, const io::Entry& entry) {
  link::InterfaceSize size;
  std::set<std::uint32_t> locations;
  for (const io::InterfaceVariable& variable : io::interface_variables(module, entry, io::Direction::output)) {
    if (variable.unsupported) locations.insert(variable.location);
    for (const io::Leaf& leaf : variable.leaves) {
      size.components += leaf.count * leaf.slots_per_component();
      for (std::uint32_t c = 0; c < leaf.count; ++c) locations.insert(leaf.slot_of(c).location);
    }
  }
  size.locations = static_cast<std::uint32_t>(locations.size());
  size.highest_location = locations.empty() ? 0 : *locations.rbegin() + 1;
  return size;
}

std::string component_name(const io::Leaf& leaf, std::uint32_t component) {
  if (leaf.count == 1 || leaf.name.empty()) return leaf.name;
  return leaf.name + "." + "xyzw"[component & 3];
}

// One record per 32-bit component that the producer declares, named on both sides.
std::vector<link::ComponentRecord> records_of(const LinkedStage& producer, const LinkedStage* consumer) {
  std::map<io::Slot, link::ComponentRecord> records;
  const auto each_slot = [](const LinkedStage& stage, io::Direction direction, auto visit) {
    for (const io::InterfaceVariable& variable : io::interface_variables(stage.module, stage.entry, direction))
      for (const io::Leaf& leaf : variable.leaves)
        for (std::uint32_t c = 0; c < leaf.count; ++c)
          for (std::uint32_t half = 0; half < leaf.slots_per_component(); ++half) {
            io::Slot slot = leaf.slot_of(c);
            slot.component += half;
            visit(slot, leaf, c);
          }
  };
  each_slot(producer, io::Direction::output, [&](io::Slot slot, const io::Leaf& leaf, std::uint32_t c) {
    link::ComponentRecord record;
    record.old_slot = record.new_slot.emplace(slot);
    record.producer_name = component_name(leaf, c);
    record.type = text(leaf.scalar);
    record.patch = leaf.patch;
    records.emplace(slot, std::move(record));
  });
  if (consumer)
    each_slot(*consumer, io::Direction::input, [&](io::Slot slot, const io::Leaf& leaf, std::uint32_t c) {
      const auto found = records.find(slot);
      if (found == records.end()) return;
      found->second.consumer_name = component_name(leaf, c);
      if (consumer->stage == Stage::fragment) found->second.interpolation = text(leaf.interpolation);
    });
  std::vector<link::ComponentRecord> list;
  for (auto& [slot, record] : records) list.push_back(std::move(record));
  return list;
}

Link Linker::new_link(Stage producer, Stage consumer) const {
  Link link;
  link.report.producer = producer;
  link.report.consumer = consumer;
  return link;
}

void Linker::make_links() {
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    LinkedStage& producer = stages_[i];
    LinkedStage* consumer = i + 1 < stages_.size() ? &stages_[i + 1] : nullptr;
    // A pipeline whose last stage is missing is not a pipeline without a fragment shader unless the caller says so.
    if (!consumer && (producer.stage == Stage::fragment || !pipeline_.no_fragment)) continue;
    if (producer.stage == Stage::task) continue;  // the task payload is memory, not a varying (rule)
    Link link = new_link(producer.stage, consumer ? consumer->stage : Stage::fragment);
    link.producers.push_back(&producer);
    if (consumer) link.consumers.push_back(consumer);
    link.report.before = link.report.after = size_of(producer.module, producer.entry);
    link.report.components = records_of(producer, consumer);
    links_.push_back(std::move(link));
  }
}

bool Linker::check_inputs() {
  for (const Link& link : links_)
    for (const LinkedStage* consumer : link.consumers)
      for (Diagnostic& found : link::check_input_pair(view_of(*link.producers.front()), view_of(*consumer))) {
        if (found.severity == Severity::error) result_.failure = found.kind;
        result_.diagnostics.push_back(std::move(found));
      }
  return result_.failure == ErrorKind::none;
}

bool Linker::leave_alone() {
  for (const LinkedStage& stage : stages_) {
    const std::string reason = reason_to_leave_alone(stage);
    if (reason.empty()) continue;
    remark(std::string(short_name(stage.stage)), "the pipeline is handed back as it came: " + reason);
    return true;
  }
  return false;
}

LinkedPipeline Linker::hand_back() {
  for (const LinkedStage& stage : stages_) result_.stages.push_back({stage.stage, stage.original});
  for (Link& link : links_) {
    for (link::ComponentRecord& record : link.report.components)
      record.reason =
          options_.level == link::Level::check ? "it was only checked" : "the pipeline is handed back as it came";
    result_.interfaces.push_back(link.report);
  }
  return std::move(result_);
}

void Linker::lift_links() {
  for (Link& link : links_) {
    LinkedStage& producer = *link.producers.front();
    io::SidePlan out = io::plan_side(producer.module, producer.entry, io::Direction::output);
    io::SidePlan in;
    LinkedStage* consumer = link.consumers.empty() ? nullptr : link.consumers.front();
    if (consumer) in = io::plan_side(consumer->module, consumer->entry, io::Direction::input);
    std::vector<std::string> mismatches;
    io::reconcile(out, in, mismatches);
    for (const std::string& mismatch : mismatches)
      result_.diagnostics.push_back(
          make_warning(consumer->file, mismatch + " (" + producer.file + "); it is left alone"));
    // What cannot be described component by component has no record of its own in the report.
    for (const io::VariablePlan& plan : out.variables)
      if (plan.variable.unsupported)
        remark(std::string(short_name(producer.stage)), "output '" + plan.variable.name + "' at location " +
                                                            std::to_string(plan.variable.location) +
                                                            " is left alone: it " + *plan.variable.unsupported);
    producer.outputs = io::lift(producer.module, producer.entry, out);
    if (consumer) consumer->inputs = io::lift(consumer->module, consumer->entry, in);
  }
}

bool Linker::run_passes(bool placing) {
  const Result<void> result = run_to_fixed_point(links_, chosen_passes(options_, placing), context_);
  return result ? true : reject(result.error());
}

void Linker::lower_links() {
  for (Link& link : links_) {
    if (link.placement.empty()) continue;
    io::LowerRequest request;
    request.packed = &link.packed;
    request.placement = &link.placement;
    request.interpolates = link.consumer_interpolates();
    for (LinkedStage* producer : link.producers) {
      request.direction = io::Direction::output;
      request.varyings = &producer->outputs;
      request.readers = &link.consumers.front()->inputs;
      io::lower(producer->module, producer->entry, request);
    }
    for (LinkedStage* consumer : link.consumers) {
      request.direction = io::Direction::input;
      request.varyings = &consumer->inputs;
      io::lower(consumer->module, consumer->entry, request);
    }
  }
}

bool Linker::is_changed(const Link& link) const {
  if (link.undeclared_input_removed) return true;
  return std::any_of(link.report.components.begin(), link.report.components.end(),
                     [](const link::ComponentRecord& record) {
                       return record.fate != link::Fate::kept || record.new_slot != record.old_slot;
                     });
}

bool Linker::write_results() {
  std::set<const LinkedStage*> changed;
  for (const Link& link : links_) {
    if (!is_changed(link)) continue;
    changed.insert(link.producers.begin(), link.producers.end());
    changed.insert(link.consumers.begin(), link.consumers.end());
  }
  // A stage that is written anew has other variables on all its interfaces, even if nothing moved on some of them.
  for (std::size_t before = 0; before != changed.size();) {
    before = changed.size();
    for (const Link& link : links_) {
      const auto is_written = [&](const LinkedStage* stage) { return changed.count(stage) != 0; };
      if (std::none_of(link.producers.begin(), link.producers.end(), is_written) &&
          std::none_of(link.consumers.begin(), link.consumers.end(), is_written))
        continue;
      changed.insert(link.producers.begin(), link.producers.end());
      changed.insert(link.consumers.begin(), link.consumers.end());
    }
  }
  for (LinkedStage& stage : stages_) {
    // A stage whose interfaces stay as they are is handed back word for word.
    if (changed.count(&stage) == 0) {
      result_.stages.push_back({stage.stage, stage.original});
      continue;
    }
    finish(stage, options_.strip_unused_resources, options_.strip_unused_attributes);
    result_.stages.push_back({stage.stage, spirv::write_module(stage.module)});
    const auto valid = spirv::validate(result_.stages.back().words, options_.validator, stage.file);
    if (!valid)
      return reject(make_error(ErrorKind::verification_failed, stage.file,
                               "the linked module is not valid: " + valid.error().message, valid.error().vuid));
  }
  if (!check_results()) return false;
  for (Link& link : links_) {
    const LinkedStage& producer = *link.producers.front();
    if (is_changed(link)) link.report.after = size_of(producer.module, producer.entry);
    result_.interfaces.push_back(link.report);
    result_.remarks.insert(result_.remarks.end(), link.remarks.begin(), link.remarks.end());
    result_.diagnostics.insert(result_.diagnostics.end(), link.warnings.begin(), link.warnings.end());
  }
  return true;
}

// The link verifier, on what is about to be written against what came in.
bool Linker::check_results() {
  std::vector<LinkedStage> originals, results;
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    for (auto* list : {&originals, &results}) {
      const auto& words = list == &originals ? stages_[i].original : result_.stages[i].words;
      Result<LinkedStage> stage = read_stage(stages_[i].file, stages_[i].stage, words, stages_[i].entry.name);
      if (!stage) return reject(stage.error());
      list->push_back(std::move(*stage));
    }
  }
  Diagnostics found;
  const auto add = [&](Diagnostics&& more) { found.insert(found.end(), more.begin(), more.end()); };
  for (std::size_t i = 0; i < results.size(); ++i) {
    link::ContractOptions contract;
    contract.strip_unused_resources = options_.strip_unused_resources;
    contract.strip_unused_attributes = options_.strip_unused_attributes;
    const bool last = i + 1 == results.size() || results[i + 1].stage == Stage::fragment;
    contract.last_pre_rasterization = last && results[i].stage != Stage::fragment;
    add(link::check_contract(view_of(originals[i]), view_of(results[i]), contract));
    if (i + 1 == results.size() || results[i].stage == Stage::task) continue;
    const link::PairOriginals pair{view_of(originals[i]), view_of(originals[i + 1])};
    add(link::check_pair(view_of(results[i]), view_of(results[i + 1]), &pair));
  }
  for (Diagnostic& diagnostic : found) {
    if (diagnostic.severity == Severity::error) result_.failure = diagnostic.kind;
    result_.diagnostics.push_back(std::move(diagnostic));
  }
  return result_.failure == ErrorKind::none;
}

}  // namespace

LinkedPipeline link_pipeline(const link::PipelineInput& pipeline, const link::LinkOptions& options) {
  return Linker(pipeline, options).run();
}

}  // namespace varylink::driver
