// What linking a group knows: one record per module, per pipeline and per interface. link_group.cpp has the steps that
// fill them in, from admission to the report.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "driver/group_shape.h"
#include "driver/interface_records.h"
#include "link/model/group.h"
#include "link/model/link.h"

namespace varylink::driver {

struct ModuleRecord {
  const link::StageInput* input = nullptr;  // not owned
  link::LinkedStage stage;                  // links point to it; as read, unless `error` is set on admission
  std::optional<Diagnostic> error;          // why the module cannot be read, or its result not be written
  bool may_be_newer = false;                // `error` is one that a newer build might not find
  bool is_used = false;                     // some pipeline that fits together has the module
  bool is_open_ended = false;               // some pipeline does not say which stage comes behind this one
  std::string frozen;                       // why the module has to stay as it came; empty if it may change
  bool is_changed = false;                  // its result is not what came in
  std::vector<std::uint32_t> result;        // empty: not handed out

  bool may_change() const { return frozen.empty(); }
};

struct PipelineRecord {
  const link::GroupPipeline* input = nullptr;  // not owned
  std::vector<std::size_t> modules;            // positions, in pipeline order; empty: it takes no part (any more)
  // Set instead of `modules` if one of them may be newer than this build: all are passed through unchecked.
  std::vector<std::size_t> unread;
  std::set<std::pair<FileRef, std::string>> unwritten;  // module and location that are read and never written
  std::vector<StagePair> stage_pairs;
  std::vector<link::InterfaceReport> before;  // by stage pair: what its producer declared
  link::LinkedPipeline result;

  // The pipeline takes no part any more.
  void reject(Diagnostic error);
  // Takes in what a check has found. An error rejects the pipeline.
  void add_findings(Diagnostics findings);
  void remark(Stage stage, const std::string& message);
};

struct InterfaceRecord {
  SharedInterface modules;  // in the order of the lists of `link`
  link::Link link;
  DeclaredSlots declared_before;  // when it was lifted

  bool is_changed() const;
};

struct GroupRecords {
  const link::LinkOptions* options = nullptr;  // not owned
  std::vector<ModuleRecord> modules;           // by position in the group, as are pipelines
  std::vector<PipelineRecord> pipelines;
  std::vector<InterfaceRecord> interfaces;  // in pipeline order
};

}  // namespace varylink::driver
