// How long linking takes, in relation to `spirv-opt -O` on the same modules. Both run in this process on SPIR-V;
// reading files and compiling GLSL is not measured, validation of inputs and results is.
//
//   link_bench [manifest.jsonl...] [--every=N] [--benchmark_...]
//
// Without arguments the manifests named in VARYLINK_BENCH_MANIFESTS (separated by colons), or else the samples.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "driver/link_pipeline.h"
#include "spirv/tools/valid_words.h"
#include "spirv_opt.h"
#include "summary.h"
#include "workload.h"

namespace varylink::bench {
namespace {

// Enough for a handful of runs of even the longest shaders; large sets would take hours with the default of 0.5.
constexpr double kSecondsPerPipeline = 0.05;

struct Arguments {
  std::vector<std::string> manifests;
  std::size_t every = 1;  // measure each N-th pipeline only
};

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  const std::string every = "--every=";
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument.starts_with(every))
      arguments.every = std::max<std::size_t>(1, std::strtoul(argument.c_str() + every.size(), nullptr, 10));
    else
      arguments.manifests.push_back(argument);
  }
  const char* from_environment = std::getenv("VARYLINK_BENCH_MANIFESTS");
  std::istringstream names(arguments.manifests.empty() && from_environment ? from_environment : "");
  for (std::string name; std::getline(names, name, ':');) arguments.manifests.push_back(name);
  if (arguments.manifests.empty()) arguments.manifests.push_back(VARYLINK_SOURCE_DIR "/samples/pipelines.jsonl");
  return arguments;
}

void link_once(benchmark::State& state, const link::PipelineInput& pipeline) {
  for (auto _ : state) {
    const link::LinkedPipeline linked = driver::link_pipeline(pipeline, {});
    if (linked.failure == ErrorKind::none) continue;
    state.SkipWithError(linked.diagnostics.empty() ? "failed" : render(linked.diagnostics.back()).c_str());
    break;
  }
}

// With what the first time found out about each module, as varylink_module keeps it.
void link_again(benchmark::State& state, const link::PipelineInput& pipeline) {
  spirv::KeptValidWords valid_words;
  link::LinkOptions options;
  options.valid_words = &valid_words;
  (void)driver::link_pipeline(pipeline, options);
  for (auto _ : state) benchmark::DoNotOptimize(driver::link_pipeline(pipeline, options));
}

void optimize_once(benchmark::State& state, const link::PipelineInput& pipeline) {
  for (auto _ : state)
    for (const link::StageInput& stage : pipeline.stages)
      if (spirv_opt(stage.words).empty()) state.SkipWithError("refused");
}

void register_pair(const Workload& workload) {
  const auto pipeline = std::make_shared<link::PipelineInput>(workload.pipeline);
  const std::string name = "/" + workload.set + "/" + pipeline->name;
  const auto add = [&](const std::string& what, void (*run)(benchmark::State&, const link::PipelineInput&)) {
    benchmark::RegisterBenchmark((what + name).c_str(), [=](benchmark::State& state) { run(state, *pipeline); })
        ->Unit(benchmark::kMillisecond)
        ->MinTime(kSecondsPerPipeline);
  };
  add("link", link_once);
  add("again", link_again);
  add("spirv_opt", optimize_once);
}

int run(const Arguments& arguments) {
  for (const std::string& manifest : arguments.manifests) {
    const auto workloads = read_workloads(manifest, arguments.every);
    if (!workloads) {
      std::cerr << "link_bench: " << render(workloads.error()) << "\n";
      return 1;
    }
    for (const Workload& workload : *workloads) register_pair(workload);
  }
  SummaryReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  reporter.print_summary(std::cout);
  return 0;
}

}  // namespace
}  // namespace varylink::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  return varylink::bench::run(varylink::bench::parse(argc, argv));
}
