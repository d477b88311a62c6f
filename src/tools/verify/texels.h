// Texel formats: which one fits a declaration, and random contents for it.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "verify/gpu.h"
#include "verify/shader.h"

namespace varylink::verify {

enum class TexelClass { unorm, float32, float16, packed_float, integer };

struct TexelFormat {
  VkFormat format = VK_FORMAT_UNDEFINED;
  std::uint32_t bytes = 4;  // per texel
  std::uint32_t component_bytes = 1;
  TexelClass kind = TexelClass::unorm;
};

// Format for images and texel buffers that are only read. None for 64-bit ones.
std::optional<TexelFormat> sampled_format(const TextureShape& shape, bool texel_buffer);
// Format of a storage image or storage texel buffer; without a declared one, four 32-bit components.
std::optional<TexelFormat> storage_format(const TextureShape& shape);

// Random texels: normalized and float components in [0, 1], integers from 0 to 15.
void fill_texels(const TexelFormat& format, std::uint64_t seed, std::span<std::byte> bytes);

}  // namespace varylink::verify
