// Objects of a captured program that its pipelines refer to, by handle: GFXReconstruct numbers objects, and gives no
// number twice.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/strict_json.h"
#include "formats/created_pipeline.h"
#include "formats/understanding.h"
#include "link/model/pipeline_layout.h"

namespace varylink::formats::gfxreconstruct {

using Handle = std::uint64_t;  // 0: VK_NULL_HANDLE

// The member, as a number or "VK_NULL_HANDLE". 0 if it is missing.
Handle handle_in(const StrictJson& json, const char* key);

struct CapturedObjects {
  std::map<Handle, std::shared_ptr<const Words>> modules;  // null: code that is not known
  // Bindings have no set yet. None: not known, as for descriptors that are pushed.
  std::map<Handle, std::optional<link::PipelineLayout>> set_layouts;
  std::map<Handle, std::optional<link::PipelineLayout>> pipeline_layouts;
  std::map<Handle, nlohmann::json> render_passes;  // their create infos
};

// The structures of the chain, without those that are read elsewhere: code, and parts of libraries.
void add_chain(const StrictJson& json, Understanding& understanding);

std::optional<link::PipelineLayout> read_set_layout(const StrictJson& info);
std::optional<link::PipelineLayout> read_pipeline_layout(const StrictJson& info, const CapturedObjects& objects);

// Versions and layouts that the device takes. `api_version`: the lower of those of instance and device; `info` is a
// VkDeviceCreateInfo.
spirv::ValidatorOptions read_target(const StrictJson& info, std::uint32_t api_version);

}  // namespace varylink::formats::gfxreconstruct
