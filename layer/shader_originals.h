// Shader objects as the program wanted them, where linked ones were created instead.
#pragma once

#include <vulkan/vulkan_core.h>

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "objects.h"
#include "shader_object_api.h"
#include "subject.h"

namespace varylink::layer {

// The create infos of a set, with all that they point to. Words are shared with whoever holds the same.
class ShaderSet {
 public:
  ShaderSet(const std::vector<const ShaderCreateInfo*>& set, const Subject& subject, const Objects& objects);

  const std::vector<ShaderCreateInfo>& infos() const { return infos_; }
  // The program has destroyed none of its descriptor set layouts.
  bool has_its_layouts(const Objects& objects) const;

 private:
  struct Copies {
    std::shared_ptr<const Words> words;
    std::string name;
    std::vector<std::vector<std::byte>> chain;
    std::vector<VkDescriptorSetLayout> set_layouts;
    std::vector<VkPushConstantRange> push_constant_ranges;
    std::vector<VkSpecializationMapEntry> entries;
    std::vector<std::byte> data;
    VkSpecializationInfo specialization;
  };

  static void copy_chain(ShaderCreateInfo& info, Copies& copies);
  static void copy_specialization(ShaderCreateInfo& info, Copies& copies);

  std::vector<ShaderCreateInfo> infos_;
  std::list<Copies> copies_;
  std::vector<std::pair<VkDescriptorSetLayout, std::uint64_t>> lifetimes_;
};

struct LinkedShader {
  std::shared_ptr<const ShaderSet> set;
  std::size_t index;  // in the set
};

struct Device;

// Binaries of the shaders of a set, as the driver makes them of the program's code. Drivers link, too: the whole set is
// created for it, and its binaries are kept until others are asked for. A program asks for a size first, and for each
// shader of a set.
class OriginalBinaries {
 public:
  // As vkGetShaderBinaryDataEXT. If the set cannot be created again, VK_ERROR_OUT_OF_HOST_MEMORY.
  VkResult get(Device& device, const LinkedShader& shader, std::size_t* size, void* data);
  // While it is held, no set is created: a descriptor set layout can go.
  std::unique_lock<std::mutex> lock() { return std::unique_lock(mutex_); }

 private:
  using Binary = std::vector<std::byte>;

  VkResult make(Device& device, const std::shared_ptr<const ShaderSet>& set);
  VkResult fail(Device& device, VkResult result, const char* why);

  std::mutex mutex_;
  std::shared_ptr<const ShaderSet> set_;  // of the binaries
  std::vector<Binary> binaries_;
  bool has_said_ = false;
};

}  // namespace varylink::layer
