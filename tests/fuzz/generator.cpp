#include "fuzz/generator.h"

#include <algorithm>

#include "fuzz/interface_plan.h"
#include "fuzz/pipeline_facts.h"
#include "fuzz/stages.h"

namespace varylink::fuzz {
namespace {

std::vector<Stage> choose_stages(Random& random, Features& features) {
  if (features.roll(random, "mesh")) {
    if (features.roll(random, "task")) return {Stage::task, Stage::mesh, Stage::fragment};
    return {Stage::mesh, Stage::fragment};
  }
  std::vector<Stage> stages = {Stage::vertex};
  if (features.roll(random, "tessellation")) {
    stages.push_back(Stage::tess_control);
    stages.push_back(Stage::tess_eval);
  }
  if (features.roll(random, "geometry")) stages.push_back(Stage::geometry);
  stages.push_back(Stage::fragment);
  return stages;
}

StageModel build_stage(Build& build, Stage stage, const Interface* inputs, const Interface* outputs) {
  switch (stage) {
    case Stage::task: return build_task(build);
    case Stage::mesh: return build_mesh(build, *outputs, inputs != nullptr);
    case Stage::tess_control: return build_tess_control(build, *inputs, *outputs);
    case Stage::tess_eval: return build_tess_eval(build, *inputs, *outputs);
    case Stage::geometry: return build_geometry(build, *inputs, *outputs);
    case Stage::fragment: {
      const bool numbers_primitives = inputs->producer == Stage::geometry || inputs->producer == Stage::mesh;
      return build_fragment(build, *inputs, numbers_primitives);
    }
    default: return build_vertex(build, *outputs);
  }
}

bool has_block_array(const Interface& interface) {
  return std::any_of(interface.varyings.begin(), interface.varyings.end(),
                     [](const Varying& varying) { return varying.block_element > 0; });
}

// What becomes of the modules behind glslang.
void plan_module(Random& random, Features& features, PipelineModel& pipeline) {
  if (features.roll(random, "old-spirv")) pipeline.env = spirv::TargetEnv::vulkan1_0;
  pipeline.edits.seed = random.next();
  for (unsigned i = 0; i < kEditCount; ++i) {
    const Edit edit = static_cast<Edit>(i);
    if (features.roll(random, "edit " + std::string(name_of(edit)))) pipeline.edits.edits.push_back(edit);
  }
}

}  // namespace

PipelineModel generate(std::uint64_t seed, Features& features) {
  Random random(seed);
  features.clear_used();
  PipelineModel pipeline;
  pipeline.seed = seed;
  pipeline.exact = features.roll(random, "exact");
  Random promises(~seed);  // so that other features do not depend on it
  pipeline.shared_spec_constants = features.roll(promises, "shared-spec-constants");
  plan_module(promises, features, pipeline);
  Build build{random, features, pipeline.exact, pipeline.shared_spec_constants};
  build.has_tables = features.roll(promises, "table");
  build.has_resource_arrays = features.roll(promises, "resource-array");
  const bool wants_quads = features.would(promises, "quads");

  const std::vector<Stage> stages = choose_stages(random, features);
  build.has_quads = wants_quads && std::find(stages.begin(), stages.end(), Stage::tess_eval) != stages.end();
  if (build.has_quads) features.mark("quads");
  build.is_old = pipeline.env == spirv::TargetEnv::vulkan1_0;
  if (stages.front() != Stage::vertex) pipeline.env = spirv::TargetEnv::vulkan1_3;  // mesh stages need SPIR-V 1.4
  std::vector<Interface> interfaces;
  const bool witness = features.roll(random, "witness");
  for (std::size_t i = 0; i + 1 < stages.size(); ++i) {
    if (stages[i] == Stage::task)
      interfaces.push_back({Stage::task, Stage::mesh, {}, {}, 0, {}});  // a payload only
    else
      interfaces.push_back(plan_interface(random, features, stages[i], stages[i + 1], static_cast<int>(i), witness));
  }
  const bool may_capture = stages.front() == Stage::vertex;
  if (may_capture && (features.roll(random, "capture") ||
                      (has_block_array(interfaces.back()) && features.roll(random, "captured-block-array"))))
    plan_capture(random, interfaces.back());
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const Interface* inputs = i == 0 ? nullptr : &interfaces[i - 1];
    const Interface* outputs = i + 1 < stages.size() ? &interfaces[i] : nullptr;
    pipeline.stages.push_back(build_stage(build, stages[i], inputs, outputs));
  }
  Random facts(seed ^ 0x5851f42d4c957f2d);  // likewise
  pipeline.state = plan_state(facts, features, pipeline);
  pipeline.specialization = plan_specialization(facts, features, pipeline);
  pipeline.shares_buffers = features.roll(facts, "layout");
  pipeline.features = features.used();
  return pipeline;
}

}  // namespace varylink::fuzz
