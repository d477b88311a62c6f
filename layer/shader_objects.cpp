#include "shader_objects.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "formats/create_info.h"
#include "request.h"
#include "shader_originals.h"

namespace varylink::layer {
namespace {

#ifdef VK_EXT_shader_object
static_assert(sizeof(ShaderCreateInfo) == sizeof(VkShaderCreateInfoEXT));
static_assert(offsetof(ShaderCreateInfo, code_size) == offsetof(VkShaderCreateInfoEXT, codeSize));
static_assert(offsetof(ShaderCreateInfo, specialization) == offsetof(VkShaderCreateInfoEXT, pSpecializationInfo));
static_assert(sizeof(ShaderObject) == sizeof(VkShaderEXT));
#endif

// A graphics shader that is bound together with all others of its call which are that.
bool is_in_set(const ShaderCreateInfo& info) {
  return (info.flags & shader_flags::kLinkStage) != 0 && formats::stage_of_flag(info.stage).has_value();
}

class ShaderRequest : public Request {
 public:
  ShaderRequest(Device& device, std::uint32_t count, const ShaderCreateInfo* infos,
                const VkAllocationCallbacks* allocator, ShaderObject* shaders)
      : Request(device), count_(count), given_(infos), allocator_(allocator), shaders_(shaders) {}

 private:
  void prepare() override;
  bool is_for_compilers() const override { return std::any_of(given_, given_ + count_, is_in_set); }
  VkResult create_linked() override;
  VkResult create_original() override { return create(given_); }
  // Those of one call are linked together or not at all.
  bool is_created(std::size_t) const override {
    return std::all_of(linked_.begin(), linked_.end(), [&](std::size_t shader) { return shaders_[shader] != 0; });
  }
  void destroy_all() override;

  // As with pipelines: a layer behind may fail without a word about the handles.
  VkResult create(const ShaderCreateInfo* infos) {
    std::fill_n(shaders_, count_, ShaderObject{});
    return device().next.create_shaders(device().handle, count_, infos, allocator_, shaders_);
  }
  void replace(const Decision& decision, const std::vector<std::size_t>& set);

  std::uint32_t count_;
  const ShaderCreateInfo* given_;
  const VkAllocationCallbacks* allocator_;
  ShaderObject* shaders_;

  std::vector<ShaderCreateInfo> infos_;
  std::vector<std::size_t> linked_;  // indices
  std::shared_ptr<const ShaderSet> originals_;
};

// Compute shaders are left alone, and not counted, as their pipelines are.
void ShaderRequest::prepare() {
  std::vector<std::size_t> indices;
  std::vector<const ShaderCreateInfo*> set;
  for (std::size_t i = 0; i < count_; ++i) {
    if (is_in_set(given_[i])) {
      indices.push_back(i);
      set.push_back(&given_[i]);
    } else if (formats::stage_of_flag(given_[i].stage)) {
      decisions().push_back(decide(device(), left_alone({&given_[i]}, "it is a shader object without LINK_STAGE")));
    }
  }
  if (set.empty()) return;
  const Decision& decision = decisions().emplace_back(decide(device(), read_subject(set, device().objects)));
  if (!decision.linked) return;
  originals_ = std::make_shared<const ShaderSet>(set, decision.subject, device().objects);
  replace(decision, indices);
}

void ShaderRequest::replace(const Decision& decision, const std::vector<std::size_t>& set) {
  infos_.assign(given_, given_ + count_);
  for (std::size_t i = 0; i < set.size(); ++i) {
    const Words& words = decision.linked->modules.at(decision.subject.stages[i].stage);
    infos_[set[i]].code = words.data();
    infos_[set[i]].code_size = words.size() * sizeof(std::uint32_t);
  }
  linked_ = set;
}

// A binary among the other shaders may be refused, and that is no failure: some handles are null then.
VkResult ShaderRequest::create_linked() {
  const VkResult result = create(infos_.data());
  if (result < 0) return result;
  for (std::size_t i = 0; i < linked_.size(); ++i)
    if (shaders_[linked_[i]] != 0) device().linked_shaders.add(shaders_[linked_[i]], LinkedShader{originals_, i});
  return result;
}

void ShaderRequest::destroy_all() {
  for (std::size_t i = 0; i < count_; ++i) {
    if (shaders_[i] != 0) destroy_shader_object(device(), shaders_[i], allocator_);
    shaders_[i] = 0;
  }
}

}  // namespace

VkResult create_shader_objects(Device& device, std::uint32_t count, const ShaderCreateInfo* infos,
                               const VkAllocationCallbacks* allocator, ShaderObject* shaders) {
  return ShaderRequest(device, count, infos, allocator, shaders).run();
}

// The record goes before the handle does: another thread may be handed the same one again at once.
void destroy_shader_object(Device& device, ShaderObject shader, const VkAllocationCallbacks* allocator) {
  device.linked_shaders.remove(shader);
  device.next.destroy_shader(device.handle, shader, allocator);
}

VkResult get_shader_object_binary(Device& device, ShaderObject shader, std::size_t* size, void* data) {
  try {
    if (const auto linked = device.linked_shaders.find(shader))
      return device.original_binaries.get(device, *linked, size, data);
  } catch (...) {
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  }
  return device.next.get_shader_binary(device.handle, shader, size, data);
}

}  // namespace varylink::layer
