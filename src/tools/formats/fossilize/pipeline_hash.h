// The hash of a graphics pipeline as Fossilize computes it (compute_hash_graphics_pipeline), from its JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace varylink::formats::fossilize {

// `text` is the payload of a pipeline's entry with the hash `hash`. None for a pipeline with structures in pNext chains
// that are not known here, or that derives from another one; and for what is no such JSON.
std::optional<std::uint64_t> hash_of_pipeline(std::string_view text, std::uint64_t hash);

}  // namespace varylink::formats::fossilize
