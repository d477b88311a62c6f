#include "link/values/certain_buffers.h"

#include <algorithm>
#include <utility>

namespace varylink::link {

BufferEnds certain_ends(const LinkedStage& stage, spirv::DereferenceableRanges::Until until) {
  const spirv::Function* function = stage.module.function(stage.entry.function);
  BufferEnds ends;
  if (!function || function->blocks.empty()) return ends;
  spirv::DereferenceableRanges reads(stage.module, *function, until);
  for (const auto& [buffer, end] : reads.ends()) {
    const auto set = reads.layout().decoration(buffer.first, spv::Decoration::DescriptorSet);
    const auto binding = reads.layout().decoration(buffer.first, spv::Decoration::Binding);
    std::uint64_t& known = ends[{set.value_or(0), binding.value_or(0), buffer.second}];
    known = std::max(known, end);
  }
  return ends;
}

BufferEnds CertainBuffers::common_ends() const {
  std::optional<BufferEnds> common;
  for (const LinkedStage* consumer : consumers_) {
    BufferEnds here = certain_ends(*consumer);
    for (const auto& [place, end] : consumer->certain_as_it_came) here[place] = std::max(here[place], end);
    if (common) {
      std::erase_if(here, [&](const auto& entry) { return common->count(entry.first) == 0; });
      for (auto& [place, end] : here) end = std::min(end, common->at(place));
    }
    common = std::move(here);
  }
  return common.value_or(BufferEnds());
}

bool CertainBuffers::have(varyings::ScalarType type, const graph::ResourceKey& key) const {
  if (key.storage != spv::StorageClass::Uniform || key.is_indexed()) return false;
  if (!ends_) ends_ = common_ends();
  const auto found = ends_->find({key.set, key.binding, key.element});
  return found != ends_->end() && std::uint64_t{key.offset} + type.width / 8u <= found->second;
}

}  // namespace varylink::link
