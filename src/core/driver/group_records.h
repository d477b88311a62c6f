// The state of linking a group: one record per module, per pipeline and per interface. link_group.cpp has the steps
// that fill them in, from admission to the report.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/built_in_code.h"
#include "driver/group_shape.h"
#include "driver/interface_records.h"
#include "link/model/group.h"
#include "link/model/link.h"

namespace varylink::driver {

struct ModuleRecord {
  const link::StageInput* input = nullptr;  // not owned
  link::LinkedStage stage;                  // links point to it; as read, unless `error` is set on admission
  std::optional<Diagnostic> error;          // why the module cannot be read, or its result not be written
  std::string newer;                        // the feature that this build does not know, if that is the `error`
  bool is_used = false;                     // some pipeline that fits together has the module
  bool is_open_ended = false;               // some pipeline does not say which stage follows this one
  bool is_open_started = false;             // some pipeline does not say which stage is in front of this one
  std::string frozen;                       // why the module must not change; empty if it may
  std::string unwritable;                   // why it has to stay as it came after all, found when it was written
  bool is_changed = false;                  // its result differs from the input
  std::vector<std::uint32_t> result;        // empty: not handed out
  // With LinkOptions::tells_positions, of a vertex stage: its code of built-in outputs once it was prepared.
  std::optional<std::vector<std::uint32_t>> built_ins_before;
  analysis::CodeNumbers code_numbers;
  bool keeps_built_ins = false;         // it stores the same when it is written
  link::InterfaceSize written_outputs;  // as the words of `result` declare them

  bool may_change() const { return frozen.empty(); }
  std::optional<std::vector<std::uint32_t>> built_in_code() {
    return analysis::built_in_code(stage.module, stage.entry.function, code_numbers);
  }
};

struct PipelineRecord {
  const link::GroupPipeline* input = nullptr;  // not owned
  std::vector<std::size_t> modules;            // positions, in pipeline order; empty: it takes no part (any more)
  // Set instead of `modules` if one of them is newer than this build: all are passed through unchecked.
  std::vector<std::size_t> unread;
  std::set<std::pair<FileRef, std::string>> unwritten;  // module and location that are read and never written
  std::vector<StagePair> stage_pairs;
  std::vector<link::InterfaceReport> before;  // by stage pair: the interface that its producer declared
  link::LinkedPipeline result;

  // The pipeline takes no part any more.
  void reject(Diagnostic error);
  // Adds the findings of a check. An error rejects the pipeline.
  void add_findings(Diagnostics findings);
  void remark(Stage stage, const std::string& message);
};

struct InterfaceRecord {
  SharedInterface modules;  // in the order of the lists of `link`
  link::Link link;
  DeclaredSlots declared_before;  // when it was scalarized

  bool is_changed() const;
};

struct GroupRecords {
  const link::LinkOptions* options = nullptr;  // not owned
  std::vector<ModuleRecord> modules;           // by position in the group, as are pipelines
  std::vector<PipelineRecord> pipelines;
  std::vector<InterfaceRecord> interfaces;  // in pipeline order
};

}  // namespace varylink::driver
