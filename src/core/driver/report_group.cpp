#include <algorithm>

#include "driver/group_steps.h"

namespace varylink::driver {
namespace {

using link::Link;
using link::LinkedStage;

// The task payload is memory, not a varying, and has no components to report (rule ).
bool has_varyings(const link::InterfaceReport& report) { return report.producer != Stage::task; }

// Remarks about the interface as a whole, which has `stages` in this pipeline and may have others elsewhere.
void add_remarks(PipelineRecord& pipeline, const Link& link, const LinkedStage* consumer, const std::string& stages) {
  link::LinkedPipeline& result = pipeline.result;
  for (link::Remark remark : link.remarks) {
    if (remark.stage == link.report.stage_pair()) remark.stage = stages;
    result.remarks.push_back(std::move(remark));
  }
  for (const auto& [change, components] : link.layout_gains)
    result.remarks.push_back({"propagate-uniforms", std::string(short_name(link.report.consumer)),
                              std::to_string(components) + (components == 1 ? " component" : " components") +
                                  " more could be evaluated by this stage, given " + change});
  for (const Diagnostic& warning : link.warnings) {
    const FileRef file = FileRef::of_module(*warning.module);  // passes know stages of the group only
    if ((!link.is_shared() || (consumer && file == consumer->file)) &&
        pipeline.unwritten.count({file, warning.location}) == 0)
      result.diagnostics.push_back(warning);
  }
}

// `readers` are by interface.
void report_interfaces(const GroupRecords& group, const std::vector<FirstReaders>& readers, PipelineRecord& pipeline) {
  std::set<std::size_t> told;  // interfaces
  for (std::size_t i = 0; i < pipeline.stage_pairs.size(); ++i) {
    const StagePair& stage_pair = pipeline.stage_pairs[i];
    const InterfaceRecord& interface = group.interfaces[stage_pair.interface];
    const Link& link = interface.link;
    const LinkedStage* consumer = stage_pair.consumer ? &group.modules[*stage_pair.consumer].stage : nullptr;
    link::InterfaceReport report = std::move(pipeline.before[i]);
    if (link.is_shared()) {
      const std::vector<std::size_t>& producers = interface.modules.producers;
      const auto place = std::lower_bound(producers.begin(), producers.end(), stage_pair.producer) - producers.begin();
      fill_pair_records(report.components, link, readers[stage_pair.interface], static_cast<std::size_t>(place),
                        consumer);
    } else {
      report.components = link.report.components;
    }
    report.after = group.modules[stage_pair.producer].written_outputs;
    const std::string stages = report.stage_pair();
    if (has_varyings(report)) pipeline.result.interfaces.push_back(std::move(report));
    if (told.insert(stage_pair.interface).second) add_remarks(pipeline, link, consumer, stages);
  }
}

void report_words(const GroupRecords& group, PipelineRecord& pipeline, const std::vector<std::size_t>& modules) {
  for (const std::size_t module : modules)
    pipeline.result.stages.push_back({group.modules[module].input->stage, group.modules[module].result});
}

// Positions that a later stage computes anew are not told.
bool keeps_positions(const GroupRecords& group, const PipelineRecord& pipeline) {
  const auto keeps = [&](std::size_t module) {
    const Stage stage = group.modules[module].input->stage;
    return stage == Stage::fragment || (stage == Stage::vertex && group.modules[module].keeps_built_ins);
  };
  return group.options->tells_positions && std::all_of(pipeline.modules.begin(), pipeline.modules.end(), keeps);
}

const ModuleRecord* first_frozen(const GroupRecords& group, const PipelineRecord& pipeline) {
  for (const std::size_t module : pipeline.modules)
    if (!group.modules[module].may_change()) return &group.modules[module];
  return nullptr;
}

}  // namespace

void report_linked(GroupRecords& group) {
  std::vector<FirstReaders> readers;
  for (const InterfaceRecord& interface : group.interfaces) readers.push_back(first_readers(interface.link));
  for (PipelineRecord& pipeline : group.pipelines) {
    if (pipeline.modules.empty()) continue;
    for (const std::size_t position : pipeline.modules)
      if (const ModuleRecord& module = group.modules[position]; !module.may_change())
        pipeline.remark(module.stage.stage, "the module stays as it came: " + module.frozen);
    report_interfaces(group, readers, pipeline);
  }
}

void report_passed_through(GroupRecords& group) {
  const bool is_checked_only = group.options->level == link::Level::check;
  for (PipelineRecord& pipeline : group.pipelines) {
    const ModuleRecord* frozen = is_checked_only ? nullptr : first_frozen(group, pipeline);
    if (frozen) pipeline.remark(frozen->stage.stage, "the pipeline is passed through as it came: " + frozen->frozen);
    for (link::InterfaceReport& report : pipeline.before) {
      for (link::ComponentRecord& record : report.components)
        record.reason = is_checked_only ? "it was only checked" : "the pipeline is passed through as it came";
      if (has_varyings(report)) pipeline.result.interfaces.push_back(std::move(report));
    }
  }
}

link::LinkedGroup take_results(GroupRecords& group) {
  link::LinkedGroup results;
  for (PipelineRecord& pipeline : group.pipelines) {
    pipeline.result.keeps_positions = keeps_positions(group, pipeline);
    report_words(group, pipeline, pipeline.modules);
    report_words(group, pipeline, pipeline.unread);
    results.pipelines.push_back(std::move(pipeline.result));
  }
  for (ModuleRecord& module : group.modules) results.modules.push_back(std::move(module.result));
  return results;
}

}  // namespace varylink::driver
