// Facts that a create info states beside its members: structures in pNext chains, and flags. Vulkan adds structures
// that change the meaning of members, so an unknown one invalidates every assumption.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace varylink::formats {

// Assumptions about a pipeline that a structure or flag may invalidate.
enum class Assumption : std::uint8_t {
  samples = 1,      // their number, and that one sample is where inputs without qualifier are interpolated to
  attachments = 2,  // which outputs reach which attachment, and the formats of these
  views = 4,        // the value of ViewIndex
  stages = 8,       // that the stages are what runs, with these resources and this stream: else nothing is linked
};

class Assumptions {
 public:
  constexpr Assumptions() = default;
  constexpr Assumptions(Assumption one) : bits_(static_cast<std::uint8_t>(one)) {}  // NOLINT: reads like a set of one
  constexpr bool has(Assumption one) const { return (bits_ & static_cast<std::uint8_t>(one)) != 0; }
  constexpr Assumptions& operator|=(Assumptions other) {
    bits_ = static_cast<std::uint8_t>(bits_ | other.bits_);
    return *this;
  }
  friend constexpr Assumptions operator|(Assumptions a, Assumptions b) { return a |= b; }
  friend bool operator==(const Assumptions&, const Assumptions&) = default;

 private:
  std::uint8_t bits_ = 0;
};

struct ChainedStructure {
  std::uint32_t type;         // VkStructureType
  std::string_view name;      // of the type, without VK_STRUCTURE_TYPE_ and without the suffix of an extension
  Assumptions takes_away;     // none, too, for structures that the readers read
  std::string_view unless_0;  // takes nothing away while this member is 0
};

// Every structure of the registry that may stand in the chains of a VkGraphicsPipelineCreateInfo, its states and
// stages, and of the render pass, pipeline layout and set layouts that it names.
std::span<const ChainedStructure> chained_structures();

// Null for an unknown type.
const ChainedStructure* chained_structure(std::uint32_t type);
const ChainedStructure* chained_structure(std::string_view name);

// VkPipelineCreateFlags2, whose lower half is VkPipelineCreateFlags.
Assumptions taken_away_by_flags(std::uint64_t flags);

}  // namespace varylink::formats
