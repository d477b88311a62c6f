// What the program made on a device and what pipelines refer to, by handle.
#pragma once

#include <vulkan/vulkan_core.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "link/model/pipeline_layout.h"
#include "shared_words.h"
#include "understanding.h"

namespace varylink::layer {

// Values by handle, for any number of threads. Drivers may hand out one handle for several equal objects: a value is
// there until the handle was destroyed as often as it was made.
template <typename Value>
class ByHandle {
 public:
  template <typename Handle>
  void add(Handle handle, Value value) {
    const std::lock_guard lock(mutex_);
    Counted& counted = values_[number(handle)];
    counted.value = std::make_shared<const Value>(std::move(value));
    if (counted.count++ == 0) counted.lifetime = ++lifetimes_;
  }
  template <typename Handle>
  std::shared_ptr<const Value> find(Handle handle) const {
    const std::lock_guard lock(mutex_);
    const auto found = values_.find(number(handle));
    return found == values_.end() ? nullptr : found->second.value;
  }
  // Another number once the handle was destroyed, though it may have been made again; 0 while it is not there.
  template <typename Handle>
  std::uint64_t lifetime_of(Handle handle) const {
    const std::lock_guard lock(mutex_);
    const auto found = values_.find(number(handle));
    return found == values_.end() ? 0 : found->second.lifetime;
  }
  template <typename Handle>
  void remove(Handle handle) {
    const std::lock_guard lock(mutex_);
    const auto found = values_.find(number(handle));
    if (found != values_.end() && --found->second.count == 0) values_.erase(found);
  }

 private:
  struct Counted {
    std::shared_ptr<const Value> value;
    std::size_t count = 0;
    std::uint64_t lifetime = 0;
  };

  // Handles are pointers or numbers, as the platform has it.
  template <typename Handle>
  static std::uint64_t number(Handle handle) {
    return (std::uint64_t)handle;  // NOLINT: the one cast that takes both
  }

  mutable std::mutex mutex_;
  std::unordered_map<std::uint64_t, Counted> values_;
  std::uint64_t lifetimes_ = 0;
};

// What a subpass says about the pipelines in it.
struct Subpass {
  std::vector<std::string> color_formats;  // by location, as in formats::CreateInfo
  std::string depth_format, stencil_format;
  std::uint32_t view_mask = 0;
  Understanding understanding;
};

struct Objects {
  ByHandle<Words> modules;
  SharedWords words;  // of shader objects
  // Bindings have no set yet. None: not known, as for descriptors that are pushed.
  ByHandle<std::optional<link::PipelineLayout>> set_layouts;
  ByHandle<std::optional<link::PipelineLayout>> pipeline_layouts;
  ByHandle<std::vector<Subpass>> render_passes;
};

std::optional<link::PipelineLayout> read(const VkDescriptorSetLayoutCreateInfo& info);
std::optional<link::PipelineLayout> read(const VkPipelineLayoutCreateInfo& info, const Objects& objects);
std::vector<Subpass> read(const VkRenderPassCreateInfo& info);
std::vector<Subpass> read(const VkRenderPassCreateInfo2& info);

}  // namespace varylink::layer
