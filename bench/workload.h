// The pipelines to measure, read and compiled before any clock starts.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "link/model/pipeline.h"

namespace varylink::bench {

struct Workload {
  std::string set;  // the manifest's file name without its suffix; its folder for "pipelines.jsonl"
  link::PipelineInput pipeline;
};

// Every `every`-th pipeline of a manifest as `varylink link --manifest` takes it. Pipelines that cannot be read or
// compiled are reported on standard error and left out. Error: the manifest itself cannot be read.
Result<std::vector<Workload>> read_workloads(const std::string& manifest, std::size_t every);

}  // namespace varylink::bench
