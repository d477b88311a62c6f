#include "shader_originals.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "chain.h"
#include "records.h"

namespace varylink::layer {
namespace {

// Shader objects for a moment.
class Created {
 public:
  Created(Device& device, const ShaderSet& set) : device_(device), shaders_(set.infos().size()) {
    result_ = device_.next.create_shaders(device_.handle, static_cast<std::uint32_t>(shaders_.size()),
                                          set.infos().data(), nullptr, shaders_.data());
  }
  ~Created() {
    for (const ShaderObject shader : shaders_)
      if (shader != 0) device_.next.destroy_shader(device_.handle, shader, nullptr);
  }
  Created(const Created&) = delete;
  Created& operator=(const Created&) = delete;

  VkResult result() const { return result_; }
  VkResult binary_of(std::size_t index, std::vector<std::byte>& binary) const {
    std::size_t size = 0;
    VkResult result = device_.next.get_shader_binary(device_.handle, shaders_[index], &size, nullptr);
    if (result != VK_SUCCESS) return result;
    binary.resize(size);
    return device_.next.get_shader_binary(device_.handle, shaders_[index], &size, binary.data());
  }

 private:
  Device& device_;
  std::vector<ShaderObject> shaders_;
  VkResult result_;
};

template <typename Value>
std::vector<Value> copy_of(const Value* values, std::size_t count) {
  return count == 0 ? std::vector<Value>() : std::vector<Value>(values, values + count);
}

}  // namespace

ShaderSet::ShaderSet(const std::vector<const ShaderCreateInfo*>& set, const Subject& subject, const Objects& objects) {
  for (std::size_t i = 0; i < set.size(); ++i) {
    ShaderCreateInfo& info = infos_.emplace_back(*set[i]);
    Copies& copies = copies_.emplace_back();
    copies.words = subject.stages[i].words;
    copies.name = info.name;
    copies.set_layouts = copy_of(info.set_layouts, info.set_layout_count);
    copies.push_constant_ranges = copy_of(info.push_constant_ranges, info.push_constant_range_count);
    info.code = copies.words->data();
    info.name = copies.name.c_str();
    info.set_layouts = copies.set_layouts.data();
    info.push_constant_ranges = copies.push_constant_ranges.data();
    copy_chain(info, copies);
    copy_specialization(info, copies);
    for (const VkDescriptorSetLayout layout : copies.set_layouts)
      lifetimes_.emplace_back(layout, objects.set_layouts.lifetime_of(layout));
  }
}

void ShaderSet::copy_chain(ShaderCreateInfo& info, Copies& copies) {
  const VkBaseInStructure* last = nullptr;
  for (const auto* each = static_cast<const VkBaseInStructure*>(info.pNext); each != nullptr; each = each->pNext) {
    std::vector<std::byte>& copy = copies.chain.emplace_back(size_in_shader_chain(type_of(*each)));
    std::memcpy(copy.data(), each, copy.size());
    auto* structure = reinterpret_cast<VkBaseInStructure*>(copy.data());
    structure->pNext = last;  // the order means nothing
    last = structure;
  }
  info.pNext = last;
}

void ShaderSet::copy_specialization(ShaderCreateInfo& info, Copies& copies) {
  if (info.specialization == nullptr) return;
  const VkSpecializationInfo& given = *info.specialization;
  copies.entries = copy_of(given.pMapEntries, given.mapEntryCount);
  copies.data = copy_of(static_cast<const std::byte*>(given.pData), given.dataSize);
  copies.specialization = {given.mapEntryCount, copies.entries.data(), given.dataSize, copies.data.data()};
  info.specialization = &copies.specialization;
}

bool ShaderSet::has_its_layouts(const Objects& objects) const {
  return std::all_of(lifetimes_.begin(), lifetimes_.end(), [&](const auto& each) {
    return each.second != 0 && objects.set_layouts.lifetime_of(each.first) == each.second;
  });
}

VkResult OriginalBinaries::get(Device& device, const LinkedShader& shader, std::size_t* size, void* data) {
  const std::lock_guard lock(mutex_);
  if (set_ != shader.set)
    if (const VkResult result = make(device, shader.set); result != VK_SUCCESS) return result;
  const Binary& binary = binaries_[shader.index];
  if (data == nullptr) {
    *size = binary.size();
    return VK_SUCCESS;
  }
  if (*size < binary.size()) {
    *size = 0;
    return VK_INCOMPLETE;
  }
  *size = binary.size();
  std::memcpy(data, binary.data(), binary.size());
  return VK_SUCCESS;
}

VkResult OriginalBinaries::make(Device& device, const std::shared_ptr<const ShaderSet>& set) {
  set_.reset();
  binaries_.assign(set->infos().size(), {});
  if (!set->has_its_layouts(device.objects))
    return fail(device, VK_ERROR_OUT_OF_HOST_MEMORY, "their descriptor set layouts were destroyed");
  const Created created(device, *set);
  if (created.result() != VK_SUCCESS) return fail(device, created.result(), "the driver does not create them again");
  for (std::size_t i = 0; i < binaries_.size(); ++i)
    if (const VkResult result = created.binary_of(i, binaries_[i]); result != VK_SUCCESS)
      return fail(device, result, "the driver does not give them");
  set_ = set;
  return VK_SUCCESS;
}

// The command has few results. Linked code is never given instead: it would come back in a run without this layer.
VkResult OriginalBinaries::fail(Device& device, VkResult result, const char* why) {
  if (!std::exchange(has_said_, true))
    device.instance->journal->say(std::string("binaries of linked shader objects are not to be had: ") + why);
  return result == VK_ERROR_OUT_OF_DEVICE_MEMORY ? result : VK_ERROR_OUT_OF_HOST_MEMORY;
}

}  // namespace varylink::layer
