// The picture oracle behind an interface that exists without Vulkan, too.
#include <algorithm>

#include "fuzz/pipeline_check.h"

#ifdef VARYLINK_HAVE_VULKAN
#include "verify/worker.h"
#endif

namespace varylink::fuzz {

#ifdef VARYLINK_HAVE_VULKAN

namespace {

class VulkanOracle : public Oracle {
 public:
  explicit VulkanOracle(verify::Worker worker) : worker_(std::move(worker)) {}

  Answer compare(const link::PipelineInput& original, const link::LinkedPipeline& linked, link::Level level,
                 const CheckOptions& check) override {
    std::vector<link::StageInput> stages;
    for (const link::StageOutput& output : linked.stages) {
      std::string entry_point;
      for (const link::StageInput& input : original.stages) {
        if (input.stage == output.stage) entry_point = input.entry_point;
      }
      stages.push_back({output.stage, "linked." + std::string(short_name(output.stage)), output.words, entry_point});
    }
    verify::VerifyOptions options;
    options.runs = check.runs;
    options.turn = check.turn;
    options.level = level;
    options.state = original.state;
    const verify::Comparison comparison = worker_.compare(original.stages, stages, options);
    Answer answer;
    answer.different = comparison.verdict == verify::Verdict::different;
    // But for the sign of zero, which drivers do not keep.
    answer.identical = !answer.different && std::all_of(comparison.runs.begin(), comparison.runs.end(),
                                                        [](const auto& run) { return run.largest_absolute == 0; });
    answer.drawn = comparison.verdict != verify::Verdict::not_run;
    answer.crashed = answer.different && comparison.reason.find("the driver crashed") != std::string::npos;
    answer.verdict = std::string(verify::name_of(comparison.verdict));
    if (!answer.drawn) answer.verdict += ": " + comparison.reason;
    if (comparison.verdict == verify::Verdict::not_covered) answer.uncovered = comparison.reason;
    answer.text = comparison.text();
    return answer;
  }

 private:
  verify::Worker worker_;
};

}  // namespace

bool Oracle::serve_parent(int count, char** values) { return verify::Worker::serve_parent(count, values); }

std::unique_ptr<Oracle> Oracle::start(std::string& reason) {
  Result<verify::Worker> worker = verify::Worker::start();
  if (worker) return std::make_unique<VulkanOracle>(std::move(*worker));
  reason = worker.error().message;
  return nullptr;
}

#else

bool Oracle::serve_parent(int, char**) { return false; }

std::unique_ptr<Oracle> Oracle::start(std::string& reason) {
  reason = "this build has no Vulkan";
  return nullptr;
}

#endif

}  // namespace varylink::fuzz
