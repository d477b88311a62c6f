#include "meter/compile.h"

#include <algorithm>
#include <utility>

#include "verify/given_targets.h"
#include "verify/layouts.h"
#include "verify/pipelines.h"
#include "verify/render_pass.h"
#include "verify/texels.h"

namespace varylink::measure {
namespace {

using verify::Gpu;
using verify::Shader;

constexpr VkExtent2D kExtent{64, 64};  // of the viewport; no driver compiles for it

constexpr std::pair<VkShaderStageFlagBits, Stage> kStages[] = {
    {VK_SHADER_STAGE_TASK_BIT_EXT, Stage::task},
    {VK_SHADER_STAGE_MESH_BIT_EXT, Stage::mesh},
    {VK_SHADER_STAGE_VERTEX_BIT, Stage::vertex},
    {VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, Stage::tess_control},
    {VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, Stage::tess_eval},
    {VK_SHADER_STAGE_GEOMETRY_BIT, Stage::geometry},
    {VK_SHADER_STAGE_FRAGMENT_BIT, Stage::fragment},
};

Result<std::vector<Shader>> reflect_all(const std::vector<link::StageInput>& stages) {
  std::vector<Shader> shaders;
  for (const link::StageInput& stage : stages) {
    Result<Shader> shader = verify::reflect_shader(stage);
    if (!shader) return shader.error();
    Result<std::optional<Shader>> open = verify::reflect_unspecialized(stage);
    if (!open) return open.error();
    if (*open) {
      shader->words = (*open)->words;
      shader->given = (*open)->given;
    }
    shaders.push_back(std::move(*shader));
  }
  std::sort(shaders.begin(), shaders.end(), [](const Shader& a, const Shader& b) { return a.stage < b.stage; });
  return shaders;
}

std::vector<verify::InputAttachment> input_attachments(const verify::Needs& needs) {
  std::vector<verify::InputAttachment> inputs;
  for (const verify::Resource& resource : needs.resources) {
    if (resource.kind != verify::ResourceKind::input_attachment) continue;
    const auto format = verify::storage_format(resource.texture);
    const auto samples = resource.texture.multisampled ? VK_SAMPLE_COUNT_4_BIT : VK_SAMPLE_COUNT_1_BIT;
    for (std::uint32_t i = 0; i < resource.count; ++i)
      inputs.push_back({resource.attachment_index + i, format ? format->format : VK_FORMAT_R8G8B8A8_UNORM, samples});
  }
  return inputs;
}

double number_of(const VkPipelineExecutableStatisticKHR& statistic) {
  switch (statistic.format) {
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_BOOL32_KHR: return statistic.value.b32 == VK_TRUE ? 1 : 0;
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_INT64_KHR: return static_cast<double>(statistic.value.i64);
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR: return static_cast<double>(statistic.value.u64);
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_FLOAT64_KHR: return statistic.value.f64;
    default: return 0;
  }
}

std::vector<Statistic> statistics_of(const Gpu& gpu, VkPipeline pipeline, std::uint32_t index) {
  VkPipelineExecutableInfoKHR info{VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR};
  info.pipeline = pipeline;
  info.executableIndex = index;
  std::uint32_t count = 0;
  gpu.get_statistics(gpu.device, &info, &count, nullptr);
  std::vector<VkPipelineExecutableStatisticKHR> all(count, {VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR});
  gpu.get_statistics(gpu.device, &info, &count, all.data());
  std::vector<Statistic> result;
  for (const VkPipelineExecutableStatisticKHR& each : all) result.push_back({each.name, number_of(each)});
  return result;
}

std::vector<Executable> executables_of(const Gpu& gpu, VkPipeline pipeline) {
  VkPipelineInfoKHR info{VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR};
  info.pipeline = pipeline;
  std::uint32_t count = 0;
  gpu.get_executables(gpu.device, &info, &count, nullptr);
  std::vector<VkPipelineExecutablePropertiesKHR> all(count, {VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR});
  gpu.get_executables(gpu.device, &info, &count, all.data());
  std::vector<Executable> result;
  for (std::uint32_t i = 0; i < count; ++i) {
    Executable executable;
    executable.name = all[i].name;
    for (const auto& [flag, stage] : kStages)
      if ((all[i].stages & flag) != 0) executable.stages.push_back(stage);
    executable.statistics = statistics_of(gpu, pipeline, i);
    result.push_back(std::move(executable));
  }
  return result;
}

// Everything that both sides are compiled with.
class Compiler {
 public:
  static Result<std::unique_ptr<Compiler>> create(const Gpu& gpu, const std::vector<Shader>& original,
                                                  const std::vector<Shader>& linked,
                                                  const state::PipelineState& state) {
    Result<verify::Needs> needs = verify::collect_needs(gpu, original, linked, state);
    if (!needs) return needs.error();
    if (std::optional<verify::Needs> given = verify::with_given_targets(gpu, state, *needs)) needs = std::move(*given);
    std::unique_ptr<Compiler> result(new Compiler(gpu, std::move(*needs)));
    Result<std::unique_ptr<verify::Layouts>> layouts = verify::Layouts::create(gpu, result->needs_);
    if (!layouts) return layouts.error();
    result->layouts_ = std::move(*layouts);
    auto pass = verify::RenderPass::create(gpu, result->needs_, input_attachments(result->needs_));
    if (!pass) return pass.error();
    result->pass_ = std::move(*pass);
    return result;
  }

  Result<std::vector<Executable>> compile(const std::vector<Shader>& shaders) const {
    verify::Strategy strategy;
    strategy.topology = needs_.topology.value_or(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
    verify::Pipelines pipelines(
        gpu_, needs_, shaders,
        {layouts_->pipeline(), pass_->handle(), kExtent, VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR});
    const Result<VkPipeline> pipeline = pipelines.get(strategy);
    if (!pipeline) return pipeline.error();
    return executables_of(gpu_, *pipeline);
  }

 private:
  Compiler(const Gpu& gpu, verify::Needs needs) : gpu_(gpu), needs_(std::move(needs)) {}

  const Gpu& gpu_;
  verify::Needs needs_;
  std::unique_ptr<verify::Layouts> layouts_;
  std::unique_ptr<verify::RenderPass> pass_;
};

Measurement failed(const std::string& why, bool only_linked = false) {
  Measurement result;
  result.failure = why;
  result.only_linked_fails = only_linked;
  return result;
}

}  // namespace

Result<std::unique_ptr<Gpu>> open_compiler() {
  Result<std::unique_ptr<Gpu>> gpu = verify::create_gpu(verify::Purpose::compiling);
  if (!gpu || (*gpu)->abilities.statistics) return gpu;
  return make_error(
      ErrorKind::usage, {},
      (*gpu)->description +
          " has no statistics (VK_KHR_pipeline_executable_properties): set VARYLINK_VK_DEVICE to a part of "
          "the name of another device, VK_DRIVER_FILES to the .json of another driver, or "
          "RADV_FORCE_FAMILY=navi31 for Mesa's driver of AMD without a GPU (docs/measure.md)");
}

Measurement compile_both(const Gpu& gpu, const std::vector<link::StageInput>& original,
                         const std::vector<link::StageInput>& linked, const state::PipelineState& state) {
  const Result<std::vector<Shader>> before = reflect_all(original);
  if (!before) return failed(before.error().message);
  const Result<std::vector<Shader>> after = reflect_all(linked);
  if (!after) return failed(after.error().message, true);
  const Result<std::unique_ptr<Compiler>> compiler = Compiler::create(gpu, *before, *after, state);
  if (!compiler) return failed(compiler.error().message);
  Result<std::vector<Executable>> first = (*compiler)->compile(*before);
  if (!first) return failed("the original: " + first.error().message);
  Result<std::vector<Executable>> second = (*compiler)->compile(*after);
  if (!second) return failed("the linked pipeline: " + second.error().message, true);
  return {{}, false, std::move(*first), std::move(*second)};
}

}  // namespace varylink::measure
