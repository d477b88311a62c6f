#include "shader_object_ways.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "drawing.h"
#include "shader_object_api.h"

namespace {

using varylink::layer::CreateShaders;
using varylink::layer::DestroyShader;
using varylink::layer::GetShaderBinaryData;
using varylink::layer::kBinaryCode;
using varylink::layer::kSpirvCode;
using varylink::layer::ShaderCreateInfo;
using varylink::layer::ShaderObject;
using varylink::layer::shader_flags::kLinkStage;

constexpr std::uint32_t kVertex = VK_SHADER_STAGE_VERTEX_BIT, kFragment = VK_SHADER_STAGE_FRAGMENT_BIT,
                        kGeometry = VK_SHADER_STAGE_GEOMETRY_BIT;
constexpr VkResult kIncompatibleBinary = static_cast<VkResult>(1000482000);

using Stages = std::vector<ShaderObject>;  // vertex, fragment, perhaps geometry
using Binary = std::vector<char>;
using BindShaders = void(VKAPI_PTR*)(VkCommandBuffer, std::uint32_t, const std::uint32_t*, const ShaderObject*);

// A program with shader objects. `frame` names its files.
class Objects {
 public:
  Objects(const Scene& scene, std::string frame) : scene_(scene), frame_(std::move(frame)) {
    fetch(create_, "vkCreateShadersEXT");
    fetch(destroy_, "vkDestroyShaderEXT");
    fetch(get_binary_, "vkGetShaderBinaryDataEXT");
    fetch(bind_, "vkCmdBindShadersEXT");
  }

  const Scene& scene() const { return scene_; }
  std::vector<ShaderCreateInfo> infos(std::uint32_t flags) const;
  ShaderCreateInfo geometry(std::uint32_t flags) const;
  VkResult create(const std::vector<ShaderCreateInfo>& infos, Stages& shaders) const {
    shaders.assign(infos.size(), 0);
    return create_(scene_.device(), static_cast<std::uint32_t>(infos.size()), infos.data(), nullptr, shaders.data());
  }
  Stages create(const std::vector<ShaderCreateInfo>& infos) const {
    Stages shaders;
    need(create(infos, shaders), "vkCreateShadersEXT");
    return shaders;
  }
  void destroy(ShaderObject shader) const { destroy_(scene_.device(), shader, nullptr); }
  VkResult get_binary(ShaderObject shader, Binary& binary) const;
  // Into a file beside the image.
  void write(const char* suffix, const Binary& binary) const {
    std::ofstream(frame_ + suffix, std::ios::binary).write(binary.data(), static_cast<std::streamsize>(binary.size()));
  }
  Bind binder(const Stages& stages) const {
    return [this, stages](VkCommandBuffer commands) { bind(commands, stages); };
  }

 private:
  template <typename Function>
  void fetch(Function& function, const char* name) const {
    function = reinterpret_cast<Function>(vkGetDeviceProcAddr(scene_.device(), name));
    if (function == nullptr) end(1, std::string("no ") + name);
  }
  void bind(VkCommandBuffer commands, const Stages& stages) const;
  void set_state(VkCommandBuffer commands) const;

  const Scene& scene_;
  std::string frame_;
  VkPushConstantRange push_constants_ = scene_.push_constants();
  CreateShaders create_ = nullptr;
  DestroyShader destroy_ = nullptr;
  GetShaderBinaryData get_binary_ = nullptr;
  BindShaders bind_ = nullptr;
};

std::vector<ShaderCreateInfo> Objects::infos(std::uint32_t flags) const {
  std::vector<ShaderCreateInfo> infos(2);
  const VkShaderModuleCreateInfo codes[] = {scene_.vertex_code(), scene_.fragment_code()};
  for (std::size_t i = 0; i < 2; ++i) {
    infos[i].sType = static_cast<VkStructureType>(1000482002);
    infos[i].flags = flags;
    infos[i].code_type = kSpirvCode;
    infos[i].code_size = codes[i].codeSize;
    infos[i].code = codes[i].pCode;
    infos[i].name = "main";
    infos[i].push_constant_range_count = 1;
    infos[i].push_constant_ranges = &push_constants_;
  }
  infos[0].stage = kVertex;
  infos[0].next_stages = infos[1].stage = kFragment;
  return infos;
}

ShaderCreateInfo Objects::geometry(std::uint32_t flags) const {
  if (!scene_.has_geometry()) end(kSkip, "no geometry shaders");
  ShaderCreateInfo info = infos(flags)[1];
  const VkShaderModuleCreateInfo code = scene_.geometry_code();
  info.code_size = code.codeSize;
  info.code = code.pCode;
  info.stage = kGeometry;
  info.next_stages = kFragment;
  return info;
}

VkResult Objects::get_binary(ShaderObject shader, Binary& binary) const {
  std::size_t size = 0;
  if (const VkResult result = get_binary_(scene_.device(), shader, &size, nullptr); result != VK_SUCCESS) return result;
  binary.resize(size);
  std::size_t less = size - 1;
  if (get_binary_(scene_.device(), shader, &less, binary.data()) != VK_INCOMPLETE || less != 0)
    end(1, "a binary was written to memory that has no room for it");
  const VkResult result = get_binary_(scene_.device(), shader, &size, binary.data());
  if (result == VK_SUCCESS && size != binary.size()) end(1, "a binary has another size than it was said to have");
  return result;
}

void Objects::bind(VkCommandBuffer commands, const Stages& stages) const {
  constexpr std::uint32_t kStages[] = {kVertex, kFragment, kGeometry};
  const std::array<ShaderObject, 3> bound = {stages[0], stages[1], stages.size() == 3 ? stages[2] : 0};
  bind_(commands, scene_.has_geometry() ? 3 : 2, kStages, bound.data());
  set_state(commands);
}

// All that a draw without a pipeline needs.
void Objects::set_state(VkCommandBuffer commands) const {
  const VkViewport viewport = {0, 0, kSize, kSize, 0, 1};
  const VkRect2D scissor = {{0, 0}, {kSize, kSize}};
  vkCmdSetViewportWithCount(commands, 1, &viewport);
  vkCmdSetScissorWithCount(commands, 1, &scissor);
  vkCmdSetCullMode(commands, VK_CULL_MODE_NONE);
  vkCmdSetFrontFace(commands, VK_FRONT_FACE_COUNTER_CLOCKWISE);
  vkCmdSetPrimitiveTopology(commands, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
  vkCmdSetPrimitiveRestartEnable(commands, VK_FALSE);
  vkCmdSetRasterizerDiscardEnable(commands, VK_FALSE);
  vkCmdSetDepthTestEnable(commands, VK_FALSE);
  vkCmdSetDepthWriteEnable(commands, VK_FALSE);
  vkCmdSetDepthBoundsTestEnable(commands, VK_FALSE);
  vkCmdSetDepthBiasEnable(commands, VK_FALSE);
  vkCmdSetStencilTestEnable(commands, VK_FALSE);
  const auto call = [&](auto function, const char* name, auto... arguments) {
    fetch(function, name);
    function(commands, arguments...);
  };
  const VkSampleMask all = ~0u;
  const VkBool32 off = VK_FALSE;
  const VkColorComponentFlags every = 0xf;
  call(PFN_vkCmdSetVertexInputEXT(), "vkCmdSetVertexInputEXT", 0u, nullptr, 0u, nullptr);
  call(PFN_vkCmdSetPolygonModeEXT(), "vkCmdSetPolygonModeEXT", VK_POLYGON_MODE_FILL);
  call(PFN_vkCmdSetRasterizationSamplesEXT(), "vkCmdSetRasterizationSamplesEXT", VK_SAMPLE_COUNT_1_BIT);
  call(PFN_vkCmdSetSampleMaskEXT(), "vkCmdSetSampleMaskEXT", VK_SAMPLE_COUNT_1_BIT, &all);
  call(PFN_vkCmdSetAlphaToCoverageEnableEXT(), "vkCmdSetAlphaToCoverageEnableEXT", off);
  call(PFN_vkCmdSetColorBlendEnableEXT(), "vkCmdSetColorBlendEnableEXT", 0u, 1u, &off);
  call(PFN_vkCmdSetColorWriteMaskEXT(), "vkCmdSetColorWriteMaskEXT", 0u, 1u, &every);
}

// The ways, by name.

std::vector<Stages> linked(const Objects& objects) { return {objects.create(objects.infos(kLinkStage))}; }

std::vector<Stages> geometry(const Objects& objects) {
  auto infos = objects.infos(kLinkStage);
  infos[0].next_stages = kGeometry;
  infos.push_back(objects.geometry(kLinkStage));
  return {objects.create(infos)};
}

// The fragment shader is created by itself: others may take its place.
std::vector<Stages> open_end(const Objects& objects) {
  auto infos = objects.infos(kLinkStage);
  infos[0].next_stages = kGeometry;
  const Stages set = objects.create({infos[0], objects.geometry(kLinkStage)});
  const Stages alone = objects.create({objects.infos(0)[1]});
  return {{set[0], alone[0], set[1]}};
}

std::vector<Stages> unlinked(const Objects& objects) { return {objects.create(objects.infos(0))}; }

std::vector<Stages> one_stage(const Objects& objects) {
  const auto infos = objects.infos(kLinkStage);
  Stages vertex, fragment;
  need(objects.create({infos[0]}, vertex), "vkCreateShadersEXT");
  need(objects.create({infos[1]}, fragment), "vkCreateShadersEXT");
  return {{vertex[0], fragment[0]}};
}

std::vector<Stages> specialized(const Objects& objects) {
  std::vector<Stages> drawn;
  for (const std::int32_t bands : {2, 7}) {
    auto infos = objects.infos(kLinkStage);
    const VkSpecializationMapEntry entry = {0, 0, sizeof bands};
    const VkSpecializationInfo values = {1, &entry, sizeof bands, &bands};
    infos[1].specialization = &values;
    drawn.push_back(objects.create(infos));
  }
  return drawn;
}

// A set among shaders that are by themselves, in no order.
std::vector<Stages> mixed(const Objects& objects) {
  const auto set = objects.infos(kLinkStage), alone = objects.infos(0);
  Stages shaders;
  need(objects.create({alone[0], set[1], alone[1], set[0]}, shaders), "vkCreateShadersEXT");
  return {{shaders[3], shaders[1]}, {shaders[0], shaders[2]}};
}

// 0 if fragment shaders cannot ask for a size.
std::uint32_t subgroup_size(const Scene& scene) {
  VkPhysicalDeviceVulkan13Properties more = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES};
  VkPhysicalDeviceProperties2 properties = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &more};
  vkGetPhysicalDeviceProperties2(scene.physical(), &properties);
  return (more.requiredSubgroupSizeStages & kFragment) != 0 ? more.minSubgroupSize : 0;
}

// Create infos that point to nothing which others own.
struct OwnedInfos {
  explicit OwnedInfos(const Objects& objects)
      : infos(objects.infos(kLinkStage)), range(*infos[0].push_constant_ranges) {
    size.requiredSubgroupSize = subgroup_size(objects.scene());
    for (std::size_t i = 0; i < 2; ++i) {
      const auto* words = static_cast<const std::uint32_t*>(infos[i].code);
      codes[i].assign(words, words + infos[i].code_size / 4);
      infos[i].code = codes[i].data();
      infos[i].name = name.data();
      infos[i].push_constant_ranges = &range;
      infos[i].specialization = &values;
    }
    if (size.requiredSubgroupSize != 0) infos[1].pNext = &size;
  }
  OwnedInfos(const OwnedInfos&) = delete;
  OwnedInfos& operator=(const OwnedInfos&) = delete;
  // The program has created its shaders, and uses the memory for something else.
  void overwrite() {
    for (auto& code : codes) std::fill(code.begin(), code.end(), 0u);
    name = "gone";
    range = {};
    size = {};
    values = {};
    bands = 0;
    entry.constantID = 5;
  }

  std::vector<ShaderCreateInfo> infos;
  VkPushConstantRange range;
  std::array<std::vector<std::uint32_t>, 2> codes;
  std::string name = "main";
  std::int32_t bands = 3;
  VkSpecializationMapEntry entry = {0, 0, sizeof bands};
  VkSpecializationInfo values = {1, &entry, sizeof bands, &bands};
  VkPipelineShaderStageRequiredSubgroupSizeCreateInfo size = {
      VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO};
};

// As programs do that keep binaries for their next start.
std::vector<Stages> binary(const Objects& objects) {
  OwnedInfos first(objects);
  const Stages stages = objects.create(first.infos);
  first.overwrite();
  std::array<Binary, 2> binaries;
  OwnedInfos again(objects);
  for (std::size_t i = 0; i < 2; ++i) {
    need(objects.get_binary(stages[i], binaries[i]), "vkGetShaderBinaryDataEXT");
    objects.write(i == 0 ? ".vert" : ".frag", binaries[i]);
    again.infos[i].code_type = kBinaryCode;
    again.infos[i].code_size = binaries[i].size();
    again.infos[i].code = binaries[i].data();
  }
  return {stages, objects.create(again.infos)};
}

// Sets that drivers take and that are no subject for linking; nothing is drawn with them.
std::vector<Stages> not_understood(const Objects& objects) {
  auto other_layout = objects.infos(kLinkStage), unknown_flag = other_layout, structure = other_layout;
  const VkPushConstantRange shorter = {kFragment, 0, 4};
  other_layout[1].push_constant_ranges = &shorter;
  unknown_flag[0].flags |= 1u << 30;
  const VkDebugUtilsObjectNameInfoEXT name = {VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT};
  structure[0].pNext = &name;
  for (const auto& infos : {other_layout, unknown_flag, structure})
    for (const ShaderObject shader : objects.create(infos)) objects.destroy(shader);
  return linked(objects);
}

// A binary that no driver takes stands behind the set.
std::vector<Stages> refused_binary(const Objects& objects) {
  const auto set = objects.infos(kLinkStage);
  static const std::array<std::uint32_t, 64> nonsense = {};
  ShaderCreateInfo other = objects.infos(0)[0];
  other.code_type = kBinaryCode;
  other.code = nonsense.data();
  other.code_size = sizeof nonsense;
  Stages shaders;
  const VkResult result = objects.create({set[0], set[1], other}, shaders);
  std::printf("result %d, handles %d %d %d\n", result, shaders[0] != 0, shaders[1] != 0, shaders[2] != 0);
  if (result != kIncompatibleBinary) end(1, "a binary without meaning was taken");
  if (shaders[0] != 0 && shaders[1] != 0) return {{shaders[0], shaders[1]}};
  return linked(objects);
}

// Descriptor set layouts may go once the shaders are there.
std::vector<Stages> destroyed_layouts(const Objects& objects) {
  const VkDescriptorSetLayoutCreateInfo layout_info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  VkDescriptorSetLayout layout = VK_NULL_HANDLE;
  const auto make = [&] {
    need(vkCreateDescriptorSetLayout(objects.scene().device(), &layout_info, nullptr, &layout), "a layout");
  };
  make();
  auto infos = objects.infos(kLinkStage);
  for (ShaderCreateInfo& info : infos) {
    info.set_layout_count = 1;
    info.set_layouts = &layout;
  }
  const Stages stages = objects.create(infos);
  Binary bytes;
  std::printf("binary %d\n", objects.get_binary(stages[0], bytes));
  const Stages other = objects.create(infos);
  vkDestroyDescriptorSetLayout(objects.scene().device(), layout, nullptr);
  make();  // drivers may hand out the same handle again
  std::printf("binary %d\n", objects.get_binary(other[0], bytes));
  std::printf("binary %d\n", objects.get_binary(other[1], bytes));
  vkDestroyDescriptorSetLayout(objects.scene().device(), layout, nullptr);
  return {stages};
}

std::vector<Stages> threads(const Objects& objects) {
  std::vector<Stages> drawn(8);
  std::vector<std::thread> running;
  for (std::size_t i = 0; i < drawn.size(); ++i)
    running.emplace_back([&, i] {
      auto infos = objects.infos(kLinkStage);
      const std::int32_t bands = static_cast<std::int32_t>(i / 2);
      const VkSpecializationMapEntry entry = {0, 0, sizeof bands};
      const VkSpecializationInfo values = {1, &entry, sizeof bands, &bands};
      infos[1].specialization = &values;
      drawn[i] = objects.create(infos);
      const Stages gone = objects.create(infos);
      Binary bytes;
      need(objects.get_binary(gone[i % 2], bytes), "vkGetShaderBinaryDataEXT");
      for (const ShaderObject each : gone) objects.destroy(each);
      objects.destroy(0);
    });
  for (std::thread& each : running) each.join();
  return {drawn.begin(), drawn.begin() + 4};
}

struct Way {
  const char* name;
  std::vector<Stages> (*make)(const Objects&);
};
constexpr Way kWays[] = {
    {"shader-objects", linked},
    {"shader-objects-geometry", geometry},
    {"shader-objects-open-end", open_end},
    {"shader-objects-unlinked", unlinked},
    {"shader-objects-one-stage", one_stage},
    {"shader-objects-specialized", specialized},
    {"shader-objects-mixed", mixed},
    {"shader-objects-binary", binary},
    {"shader-objects-not-understood", not_understood},
    {"shader-objects-refused-binary", refused_binary},
    {"shader-objects-destroyed-layouts", destroyed_layouts},
    {"shader-objects-threads", threads},
};

}  // namespace

bool draw_shader_objects(const std::string& name, const std::string& folder, const std::string& frame, bool destroys) {
  for (const Way& way : kWays) {
    if (name != way.name) continue;
    Scene scene(folder);
    if (!scene.has_shader_objects()) end(kSkip, "no shader objects");
    const Objects objects(scene, frame);
    std::vector<Bind> binds;
    const std::vector<Stages> drawn = way.make(objects);
    for (const Stages& stages : drawn) binds.push_back(objects.binder(stages));
    scene.draw(binds);
    scene.write(frame);
    if (destroys) {
      for (const Stages& stages : drawn)
        for (const ShaderObject shader : stages) objects.destroy(shader);
      scene.destroy({});
    }
    return true;
  }
  return false;
}
