// A program as any other: draws into an image, in the way that its first argument names, and writes the image. It knows
// nothing of the layer; layer_test.py runs it with and without.
//
//   layer_scene WAY FOLDER FRAME    FOLDER has scene.vert.spv and scene.frag.spv (shared-modules: other.frag.spv, too),
//                                   FRAME gets the bytes of the image
//
// Exit status 77: the driver cannot do it.
#include <sys/wait.h>
#include <unistd.h>
#include <vulkan/vulkan.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <latch>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "drawing.h"
#include "shader_object_ways.h"

namespace {

VkPipeline create(const Scene& scene, const VkGraphicsPipelineCreateInfo& info, VkPipelineCache cache = VK_NULL_HANDLE,
                  const VkAllocationCallbacks* allocator = nullptr) {
  VkPipeline pipeline = VK_NULL_HANDLE;
  need(vkCreateGraphicsPipelines(scene.device(), cache, 1, &info, allocator, &pipeline), "vkCreateGraphicsPipelines");
  return pipeline;
}

void use_modules(const Scene& scene, Scene::Info& info) {
  info.stages[0].module = scene.module_of(scene.vertex_code());
  info.stages[1].module = scene.module_of(scene.fragment_code());
}

// The ways to come by pipelines, by name.

std::vector<VkPipeline> modules(const Scene& scene) {
  Scene::Info info;
  scene.fill(info);
  use_modules(scene, info);
  return {create(scene, info.info)};
}

std::vector<VkPipeline> inline_code(const Scene& scene) {
  if (!scene.has_libraries()) end(kSkip, "no modules in the chains of stages");
  Scene::Info info;
  scene.fill(info);
  const VkShaderModuleCreateInfo vertex = scene.vertex_code(), fragment = scene.fragment_code();
  info.stages[0].pNext = &vertex;
  info.stages[1].pNext = &fragment;
  return {create(scene, info.info)};
}

std::vector<VkPipeline> mixed_code(const Scene& scene) {
  if (!scene.has_libraries()) end(kSkip, "no modules in the chains of stages");
  Scene::Info info;
  scene.fill(info);
  use_modules(scene, info);
  const VkShaderModuleCreateInfo fragment = scene.fragment_code();
  info.stages[1].module = VK_NULL_HANDLE;
  info.stages[1].pNext = &fragment;
  return {create(scene, info.info)};
}

// A structure that would say something if its member were another one.
std::vector<VkPipeline> first_stream(const Scene& scene) {
  if (!scene.has_streams()) end(kSkip, "no streams");
  Scene::Info info;
  scene.fill(info);
  use_modules(scene, info);
  const VkPipelineRasterizationStateStreamCreateInfoEXT stream = {
      VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_STREAM_CREATE_INFO_EXT};
  info.raster.pNext = &stream;
  return {create(scene, info.info)};
}

// What Vulkan ignores may be anything: nobody reads there.
template <typename State>
const State* nowhere() {
  return reinterpret_cast<const State*>(std::uintptr_t{16});
}

// Beside the pipeline that draws one that is made and not used.
std::vector<VkPipeline> with_unused(const Scene& scene, const Scene::Info& unused) {
  vkDestroyPipeline(scene.device(), create(scene, unused.info), nullptr);
  return modules(scene);
}

// No color attachment is used: the state of blending is ignored.
std::vector<VkPipeline> unused_attachment(const Scene& scene) {
  Scene::Info info;
  scene.fill(info);
  use_modules(scene, info);
  info.format = VK_FORMAT_UNDEFINED;
  info.info.pColorBlendState = nowhere<VkPipelineColorBlendStateCreateInfo>();
  return with_unused(scene, info);
}

// All that the state of blending says of attachments is dynamic: its array is ignored.
std::vector<VkPipeline> dynamic_blending(const Scene& scene) {
  if (!scene.has_dynamic_blending()) end(kSkip, "no dynamic state of blending");
  Scene::Info info;
  scene.fill(info);
  use_modules(scene, info);
  info.blend.pAttachments = nowhere<VkPipelineColorBlendAttachmentState>();
  constexpr VkDynamicState kStates[] = {VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT,
                                        VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT,
                                        VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT};
  const VkPipelineDynamicStateCreateInfo dynamic = {VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO, nullptr, 0, 3,
                                                    kStates};
  info.info.pDynamicState = &dynamic;
  return with_unused(scene, info);
}

std::vector<VkPipeline> destroyed_modules(const Scene& scene) {
  Scene::Info info;
  scene.fill(info);
  use_modules(scene, info);
  const VkPipeline first = create(scene, info.info);
  for (VkPipelineShaderStageCreateInfo& stage : info.stages)
    vkDestroyShaderModule(scene.device(), stage.module, nullptr);
  use_modules(scene, info);
  return {first, create(scene, info.info)};
}

std::vector<VkPipeline> specialized(const Scene& scene) {
  std::vector<VkPipeline> pipelines;
  for (const std::int32_t bands : {2, 7}) {
    Scene::Info info;
    scene.fill(info);
    use_modules(scene, info);
    const VkSpecializationMapEntry entry = {0, 0, sizeof bands};
    const VkSpecializationInfo values = {1, &entry, sizeof bands, &bands};
    info.stages[1].pSpecializationInfo = &values;
    pipelines.push_back(create(scene, info.info));
  }
  return pipelines;
}

// And then a device of an older version, from which nothing is made.
std::vector<VkPipeline> second_device(const Scene& scene) {
  const std::vector<VkPipeline> pipelines = modules(scene);
  VkApplicationInfo application = {VK_STRUCTURE_TYPE_APPLICATION_INFO};
  application.apiVersion = VK_API_VERSION_1_0;
  VkInstanceCreateInfo instance_info = {VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  instance_info.pApplicationInfo = &application;
  VkInstance instance = VK_NULL_HANDLE;
  need(vkCreateInstance(&instance_info, nullptr, &instance), "vkCreateInstance");
  std::uint32_t count = 1;
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  vkEnumeratePhysicalDevices(instance, &count, &physical);
  const float priority = 1;
  VkDeviceQueueCreateInfo queue = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  VkDeviceCreateInfo device_info = {VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  device_info.queueCreateInfoCount = 1;
  device_info.pQueueCreateInfos = &queue;
  VkDevice device = VK_NULL_HANDLE;
  need(vkCreateDevice(physical, &device_info, nullptr, &device), "vkCreateDevice");
  vkDestroyDevice(device, nullptr);
  vkDestroyInstance(instance, nullptr);
  return pipelines;
}

// Several instances in one process, each with a thread that makes the same pipelines as all others at the same time.
std::vector<VkPipeline> instances(const Scene& scene) {
  std::array<std::unique_ptr<Scene>, 4> others;
  for (std::unique_ptr<Scene>& each : others) each = std::make_unique<Scene>(scene.folder());
  std::latch ready(others.size());
  std::vector<std::thread> running;
  for (const std::unique_ptr<Scene>& each : others)
    running.emplace_back([&ready, &each] {
      ready.arrive_and_wait();
      specialized(*each);
    });
  for (std::thread& each : running) each.join();
  return specialized(scene);
}

// A child begins anew, and ends as programs do. With threads of the driver's own it could not.
std::vector<VkPipeline> forked(const Scene& scene) {
  const std::vector<VkPipeline> pipelines = modules(scene);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));  // time for what is done in the background
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);  // seconds for a child that does not end
    const Scene own(scene.folder());
    specialized(own);
    std::exit(0);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child || status != 0) end(1, "the child ended with " + std::to_string(status));
  return pipelines;
}

// One vertex shader for two fragment shaders that read different varyings.
std::vector<VkPipeline> shared_modules(const Scene& scene) {
  Scene::Info info;
  scene.fill(info);
  use_modules(scene, info);
  const VkPipeline first = create(scene, info.info);
  const std::vector<std::uint32_t> other = read_words(scene.folder() + "/other.frag.spv");
  info.stages[1].module =
      scene.module_of({VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, nullptr, 0, other.size() * 4, other.data()});
  return {first, create(scene, info.info)};
}

// Several create infos in one call, the second a derivative of the first, the third of the pipeline of an earlier call;
// a cache; feedback.
std::vector<VkPipeline> several(const Scene& scene) {
  VkPipelineCacheCreateInfo cache_info = {VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
  VkPipelineCache cache = VK_NULL_HANDLE;
  need(vkCreatePipelineCache(scene.device(), &cache_info, nullptr, &cache), "vkCreatePipelineCache");
  std::array<Scene::Info, 4> infos;
  for (Scene::Info& info : infos) {
    scene.fill(info);
    use_modules(scene, info);
  }
  infos[0].info.flags = infos[3].info.flags = VK_PIPELINE_CREATE_ALLOW_DERIVATIVES_BIT;
  infos[1].info.flags = infos[2].info.flags = VK_PIPELINE_CREATE_DERIVATIVE_BIT;
  infos[1].info.basePipelineIndex = 0;
  const VkPipeline earlier = create(scene, infos[3].info, cache);
  infos[2].info.basePipelineHandle = earlier;
  VkPipelineCreationFeedback whole = {}, of_stages[2] = {};
  VkPipelineCreationFeedbackCreateInfo feedback = {VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO};
  feedback.pPipelineCreationFeedback = &whole;
  feedback.pipelineStageCreationFeedbackCount = 2;
  feedback.pPipelineStageCreationFeedbacks = of_stages;
  infos[2].rendering.pNext = &feedback;
  const VkGraphicsPipelineCreateInfo list[] = {infos[0].info, infos[1].info, infos[2].info};
  std::vector<VkPipeline> pipelines(3);
  need(vkCreateGraphicsPipelines(scene.device(), cache, 3, list, nullptr, pipelines.data()),
       "vkCreateGraphicsPipelines");
  if ((whole.flags & VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT) == 0) end(1, "the feedback does not come back");
  pipelines.push_back(earlier);
  return pipelines;
}

// The driver allocates by the program's functions, and frees by them.
std::vector<VkPipeline> allocation_callbacks(const Scene& scene) {
  static std::atomic<int> alive{0};
  VkAllocationCallbacks callbacks = {};
  callbacks.pfnAllocation = [](void*, std::size_t size, std::size_t alignment, VkSystemAllocationScope) -> void* {
    ++alive;
    return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  };
  callbacks.pfnReallocation = [](void*, void* from, std::size_t size, std::size_t, VkSystemAllocationScope) {
    if (from == nullptr) ++alive;
    return std::realloc(from, size);
  };
  callbacks.pfnFree = [](void*, void* memory) {
    if (memory != nullptr) --alive;
    std::free(memory);
  };
  Scene::Info info;
  scene.fill(info);
  use_modules(scene, info);
  const VkPipeline gone = create(scene, info.info, VK_NULL_HANDLE, &callbacks);
  vkDestroyPipeline(scene.device(), gone, &callbacks);
  if (alive != 0) end(1, "what was allocated by the program's functions is not freed by them");
  return {create(scene, info.info)};
}

std::vector<VkPipeline> threads(const Scene& scene) {
  std::vector<VkPipeline> pipelines(8);
  std::vector<std::thread> running;
  for (std::size_t i = 0; i < pipelines.size(); ++i)
    running.emplace_back([&, i] {
      Scene::Info info;
      scene.fill(info);
      use_modules(scene, info);
      const std::int32_t bands = static_cast<std::int32_t>(i / 2);
      const VkSpecializationMapEntry entry = {0, 0, sizeof bands};
      const VkSpecializationInfo values = {1, &entry, sizeof bands, &bands};
      info.stages[1].pSpecializationInfo = &values;
      pipelines[i] = create(scene, info.info);
      for (auto& stage : info.stages) vkDestroyShaderModule(scene.device(), stage.module, nullptr);
    });
  for (std::thread& each : running) each.join();
  return {pipelines.begin(), pipelines.begin() + 4};
}

// Asks first whether the pipeline is to be had without compiling.
std::vector<VkPipeline> probed(const Scene& scene) {
  Scene::Info info;
  scene.fill(info);
  use_modules(scene, info);
  info.info.flags = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
  VkPipeline pipeline = VK_NULL_HANDLE;
  const VkResult result = vkCreateGraphicsPipelines(scene.device(), VK_NULL_HANDLE, 1, &info.info, nullptr, &pipeline);
  if (result != VK_PIPELINE_COMPILE_REQUIRED) need(result, "vkCreateGraphicsPipelines");
  info.info.flags = 0;
  return {create(scene, info.info)};
}

constexpr VkGraphicsPipelineLibraryFlagsEXT kInput = VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT;
constexpr VkGraphicsPipelineLibraryFlagsEXT kVertex = VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT;
constexpr VkGraphicsPipelineLibraryFlagsEXT kFragment = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT;
constexpr VkGraphicsPipelineLibraryFlagsEXT kOutput = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT;

// A pipeline of libraries with these parts each.
VkPipeline of_libraries(const Scene& scene, const std::vector<VkGraphicsPipelineLibraryFlagsEXT>& parts,
                        bool optimized = false) {
  if (!scene.has_libraries()) end(kSkip, "no pipeline libraries");
  Scene::Info whole;
  scene.fill(whole);
  use_modules(scene, whole);
  std::vector<VkPipeline> libraries;
  for (const VkGraphicsPipelineLibraryFlagsEXT flags : parts) {
    VkGraphicsPipelineLibraryCreateInfoEXT part = {VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT};
    part.pNext = &whole.rendering;
    part.flags = flags;
    VkGraphicsPipelineCreateInfo info = whole.info;
    info.pNext = &part;
    info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
    if (optimized) info.flags |= VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT;
    info.stageCount = ((flags & kVertex) != 0 ? 1u : 0u) + ((flags & kFragment) != 0 ? 1u : 0u);
    info.pStages = (flags & kVertex) != 0 ? whole.stages.data() : &whole.stages[1];
    libraries.push_back(create(scene, info));
  }
  VkPipelineLibraryCreateInfoKHR linking = {VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR};
  linking.libraryCount = static_cast<std::uint32_t>(libraries.size());
  linking.pLibraries = libraries.data();
  VkGraphicsPipelineCreateInfo info = {VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
  info.pNext = &linking;
  if (optimized) info.flags = VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT;
  info.layout = whole.info.layout;
  info.basePipelineIndex = -1;
  return create(scene, info);
}

std::vector<VkPipeline> libraries(const Scene& scene) {
  return {of_libraries(scene, {kInput | kVertex, kFragment | kOutput})};
}

std::vector<VkPipeline> optimized_libraries(const Scene& scene) {
  return {of_libraries(scene, {kInput | kVertex, kFragment | kOutput}, true)};
}

std::vector<VkPipeline> library_of_all_shaders(const Scene& scene) {
  return {of_libraries(scene, {kInput, kVertex | kFragment, kOutput})};
}

// As programs do that have two ways: with libraries where the driver has them, else whole.
std::vector<VkPipeline> libraries_if_there(const Scene& scene) {
  return scene.has_libraries() ? libraries(scene) : modules(scene);
}

std::vector<Bind> binds_of(const std::vector<VkPipeline>& pipelines) {
  std::vector<Bind> binds;
  for (const VkPipeline pipeline : pipelines)
    binds.push_back([pipeline](VkCommandBuffer commands) {
      vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    });
  return binds;
}

struct Way {
  const char* name;
  std::vector<VkPipeline> (*make)(const Scene&);
};
constexpr Way kWays[] = {
    {"modules", modules},
    {"inline", inline_code},
    {"mixed", mixed_code},
    {"first-stream", first_stream},
    {"destroyed-modules", destroyed_modules},
    {"unused-attachment", unused_attachment},
    {"dynamic-blending", dynamic_blending},
    {"specialized", specialized},
    {"instances", instances},
    {"forked", forked},
    {"shared-modules", shared_modules},
    {"second-device", second_device},
    {"several", several},
    {"allocation-callbacks", allocation_callbacks},
    {"threads", threads},
    {"probed", probed},
    {"libraries", libraries},
    {"optimized-libraries", optimized_libraries},
    {"library-of-all-shaders", library_of_all_shaders},
    {"libraries-if-there", libraries_if_there},
};

}  // namespace

int main(int argc, char** argv) {
  const bool destroys = argc == 5 && std::strcmp(argv[4], "destroy") == 0;
  if (argc != 4 && !destroys) end(1, "usage: layer_scene WAY FOLDER FRAME [destroy]");
  for (const Way& way : kWays) {
    if (std::strcmp(way.name, argv[1]) != 0) continue;
    Scene scene(argv[2]);
    const std::vector<VkPipeline> pipelines = way.make(scene);
    scene.draw(binds_of(pipelines));
    scene.write(argv[3]);
    std::puts("drawn");
    if (destroys) scene.destroy(pipelines);
    return 0;
  }
  if (draw_shader_objects(argv[1], argv[2], argv[3], destroys)) return 0;
  end(1, std::string("there is no way '") + argv[1] + "'");
}
