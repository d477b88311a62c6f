#include "pipelines.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <list>
#include <utility>
#include <vector>

#include "chain.h"
#include "request.h"

namespace varylink::layer {
namespace {

// The create infos of one call, with linked modules where there are some. What the program handed in stays as it is,
// but for the structures that the driver fills: these are still in the chains.
class PipelineRequest : public Request {
 public:
  PipelineRequest(Device& device, VkPipelineCache cache, std::uint32_t count, const VkGraphicsPipelineCreateInfo* infos,
                  const VkAllocationCallbacks* allocator, VkPipeline* pipelines)
      : Request(device), cache_(cache), count_(count), given_(infos), allocator_(allocator), pipelines_(pipelines) {}
  ~PipelineRequest() override {
    for (const VkShaderModule module : modules_) device().next.destroy_module(device().handle, module, nullptr);
  }

 private:
  void prepare() override;
  bool is_for_compilers() const override { return true; }
  VkResult create_linked() override { return create(infos_.data()); }
  VkResult create_original() override { return create(given_); }
  bool is_created(std::size_t index) const override { return pipelines_[index] != VK_NULL_HANDLE; }
  void destroy_all() override;

  // A layer behind may fail without a word about the handles, which then are none of ours.
  VkResult create(const VkGraphicsPipelineCreateInfo* infos) {
    std::fill_n(pipelines_, count_, static_cast<VkPipeline>(VK_NULL_HANDLE));
    return device().next.create_graphics_pipelines(device().handle, cache_, count_, infos, allocator_, pipelines_);
  }
  bool replace(VkGraphicsPipelineCreateInfo& info, const Subject& subject, const LinkedModules& linked);
  const void* chain_without_code(const void* chain);

  VkPipelineCache cache_;
  std::uint32_t count_;
  const VkGraphicsPipelineCreateInfo* given_;
  const VkAllocationCallbacks* allocator_;
  VkPipeline* pipelines_;

  std::vector<VkGraphicsPipelineCreateInfo> infos_;
  std::list<std::vector<VkPipelineShaderStageCreateInfo>> stages_;
  std::list<std::vector<std::byte>> structures_;
  std::vector<VkShaderModule> modules_;
};

void PipelineRequest::prepare() {
  infos_.assign(given_, given_ + count_);
  for (VkGraphicsPipelineCreateInfo& info : infos_) {
    Decision& decision = decisions().emplace_back(decide(device(), read_subject(info, device().objects)));
    if (decision.linked && !replace(info, decision.subject, *decision.linked))
      decision.pass_through("the driver does not take a linked module");
  }
}

// False, and nothing changed, if the driver refuses a module.
bool PipelineRequest::replace(VkGraphicsPipelineCreateInfo& info, const Subject& subject, const LinkedModules& linked) {
  std::vector<VkPipelineShaderStageCreateInfo> stages(info.pStages, info.pStages + info.stageCount);
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const Words& words = linked.modules.at(subject.stages[i].stage);
    const VkShaderModuleCreateInfo code = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, nullptr, 0,
                                           words.size() * sizeof(std::uint32_t), words.data()};
    modules_.reserve(modules_.size() + 1);
    VkShaderModule module = VK_NULL_HANDLE;
    if (device().next.create_module(device().handle, &code, nullptr, &module) != VK_SUCCESS) return false;
    modules_.push_back(module);
    stages[i].module = module;
    stages[i].pNext = chain_without_code(stages[i].pNext);
  }
  info.pStages = stages_.emplace_back(std::move(stages)).data();
  return true;
}

// Copies the structures in front of and behind the program's code; read_subject let no others in.
const void* PipelineRequest::chain_without_code(const void* chain) {
  if (find_in_chain<VkBaseInStructure>(chain, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO) == nullptr) return chain;
  const void* first = nullptr;
  VkBaseInStructure* last = nullptr;
  for (const auto* each = static_cast<const VkBaseInStructure*>(chain); each != nullptr; each = each->pNext) {
    const std::uint32_t type = type_of(*each);
    if (type == VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO ||
        type == VK_STRUCTURE_TYPE_SHADER_MODULE_VALIDATION_CACHE_CREATE_INFO_EXT ||
        type == VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT)
      continue;  // about the code that was replaced
    std::vector<std::byte>& copy = structures_.emplace_back(size_in_stage_chain(type));
    std::memcpy(copy.data(), each, copy.size());
    auto* structure = reinterpret_cast<VkBaseInStructure*>(copy.data());
    structure->pNext = nullptr;
    if (last == nullptr)
      first = structure;
    else
      last->pNext = structure;
    last = structure;
  }
  return first;
}

void PipelineRequest::destroy_all() {
  for (std::uint32_t i = 0; i < count_; ++i) {
    if (pipelines_[i] != VK_NULL_HANDLE) device().next.destroy_pipeline(device().handle, pipelines_[i], allocator_);
    pipelines_[i] = VK_NULL_HANDLE;
  }
}

}  // namespace

VkResult create_graphics_pipelines(Device& device, VkPipelineCache cache, std::uint32_t count,
                                   const VkGraphicsPipelineCreateInfo* infos, const VkAllocationCallbacks* allocator,
                                   VkPipeline* pipelines) {
  return PipelineRequest(device, cache, count, infos, allocator, pipelines).run();
}

}  // namespace varylink::layer
