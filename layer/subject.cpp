#include "subject.h"

#include <algorithm>
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

bool Subject::has(Stage stage) const {
  return std::any_of(stages.begin(), stages.end(), [&](const StageCode& each) { return each.stage == stage; });
}

void Subject::add_stage(const StageInfo& info, std::shared_ptr<const Words> words) {
  const std::optional<Stage> stage = formats::stage_of_flag(info.flag);
  if (!stage)
    why_not = "it has a stage that is not known here";
  else if (has(*stage))
    why_not = "it has a stage twice";
  else if (!words)
    why_not = "the code of a stage is not known";
  if (!why_not.empty()) return;
  link::StageDescription& of_stage = description.stages[*stage];
  of_stage.entry_point = info.entry_point;
  if (info.specialization != nullptr)
    of_stage.specialization = formats::values_of(data_of(*info.specialization), *words);
  stages.push_back({*stage, info.entry_point, std::move(words)});
}

std::string Subject::missing_stage() const {
  if (stages.size() < 2) return "it has one stage";
  return has(Stage::vertex) || has(Stage::mesh) ? "" : "it has no first stage";
}

std::string structure_not_copied(const void* chain, std::size_t (*size_of)(std::uint32_t type)) {
  for (const auto* each = static_cast<const VkBaseInStructure*>(chain); each != nullptr; each = each->pNext)
    if (size_of(type_of(*each)) == 0)
      return "a stage has a structure that is not copied, of type " + std::to_string(type_of(*each));
  return {};
}

}  // namespace varylink::layer
