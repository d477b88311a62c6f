#include "subject.h"

#include <optional>
#include <utility>

#include "chain.h"
#include "formats/create_info.h"

namespace varylink::layer {
namespace {

formats::SpecializationData data_of(const VkSpecializationInfo& info) {
  formats::SpecializationData data;
  for (std::uint32_t i = 0; i < info.mapEntryCount; ++i) {
    const VkSpecializationMapEntry& entry = info.pMapEntries[i];
    data.entries.push_back({entry.constantID, entry.offset, entry.size});
  }
  if (info.dataSize != 0) data.bytes.assign(static_cast<const char*>(info.pData), info.dataSize);
  return data;
}

}  // namespace

void add_stage(Subject& subject, const StageInfo& info, std::shared_ptr<const Words> words) {
  const std::optional<Stage> stage = formats::stage_of_flag(info.flag);
  if (!stage)
    subject.why_not = formats::kUnknownStage;
  else if (subject.has(*stage))
    subject.why_not = formats::kStageTwice;
  else if (!words)
    subject.why_not = formats::kUnknownCode;
  if (!subject.why_not.empty()) return;
  link::StageDescription& description = subject.description.stages[*stage];
  description.entry_point = info.entry_point;
  if (info.specialization != nullptr)
    description.specialization = formats::values_of(data_of(*info.specialization), *words);
  subject.stages.push_back({*stage, info.entry_point, std::move(words)});
}

std::string structure_not_copied(const void* chain, std::size_t (*size_of)(std::uint32_t type)) {
  for (const auto* each = static_cast<const VkBaseInStructure*>(chain); each != nullptr; each = each->pNext)
    if (size_of(type_of(*each)) == 0)
      return "a stage has a structure that is not copied, of type " + std::to_string(type_of(*each));
  return {};
}

}  // namespace varylink::layer
