#include "verify/texels.h"

#include <cstring>

#include "verify/random.h"
#include "verify/values.h"

namespace varylink::verify {
namespace {

using spv::ImageFormat;

struct StorageFormat {
  ImageFormat declared;
  TexelFormat texel;
};

constexpr StorageFormat kStorageFormats[] = {
    {ImageFormat::Rgba32f, {VK_FORMAT_R32G32B32A32_SFLOAT, 16, 4, TexelClass::float32}},
    {ImageFormat::Rgba16f, {VK_FORMAT_R16G16B16A16_SFLOAT, 8, 2, TexelClass::float16}},
    {ImageFormat::R32f, {VK_FORMAT_R32_SFLOAT, 4, 4, TexelClass::float32}},
    {ImageFormat::Rgba8, {VK_FORMAT_R8G8B8A8_UNORM, 4, 1, TexelClass::unorm}},
    {ImageFormat::Rgba8Snorm, {VK_FORMAT_R8G8B8A8_SNORM, 4, 1, TexelClass::unorm}},
    {ImageFormat::Rg32f, {VK_FORMAT_R32G32_SFLOAT, 8, 4, TexelClass::float32}},
    {ImageFormat::Rg16f, {VK_FORMAT_R16G16_SFLOAT, 4, 2, TexelClass::float16}},
    {ImageFormat::R11fG11fB10f, {VK_FORMAT_B10G11R11_UFLOAT_PACK32, 4, 4, TexelClass::packed_float}},
    {ImageFormat::R16f, {VK_FORMAT_R16_SFLOAT, 2, 2, TexelClass::float16}},
    {ImageFormat::Rgba16, {VK_FORMAT_R16G16B16A16_UNORM, 8, 1, TexelClass::unorm}},
    {ImageFormat::Rgb10A2, {VK_FORMAT_A2B10G10R10_UNORM_PACK32, 4, 1, TexelClass::unorm}},
    {ImageFormat::Rg16, {VK_FORMAT_R16G16_UNORM, 4, 1, TexelClass::unorm}},
    {ImageFormat::Rg8, {VK_FORMAT_R8G8_UNORM, 2, 1, TexelClass::unorm}},
    {ImageFormat::R16, {VK_FORMAT_R16_UNORM, 2, 1, TexelClass::unorm}},
    {ImageFormat::R8, {VK_FORMAT_R8_UNORM, 1, 1, TexelClass::unorm}},
    {ImageFormat::Rgba16Snorm, {VK_FORMAT_R16G16B16A16_SNORM, 8, 1, TexelClass::unorm}},
    {ImageFormat::Rg16Snorm, {VK_FORMAT_R16G16_SNORM, 4, 1, TexelClass::unorm}},
    {ImageFormat::Rg8Snorm, {VK_FORMAT_R8G8_SNORM, 2, 1, TexelClass::unorm}},
    {ImageFormat::R16Snorm, {VK_FORMAT_R16_SNORM, 2, 1, TexelClass::unorm}},
    {ImageFormat::R8Snorm, {VK_FORMAT_R8_SNORM, 1, 1, TexelClass::unorm}},
    {ImageFormat::Rgba32i, {VK_FORMAT_R32G32B32A32_SINT, 16, 4, TexelClass::integer}},
    {ImageFormat::Rgba16i, {VK_FORMAT_R16G16B16A16_SINT, 8, 2, TexelClass::integer}},
    {ImageFormat::Rgba8i, {VK_FORMAT_R8G8B8A8_SINT, 4, 1, TexelClass::integer}},
    {ImageFormat::R32i, {VK_FORMAT_R32_SINT, 4, 4, TexelClass::integer}},
    {ImageFormat::Rg32i, {VK_FORMAT_R32G32_SINT, 8, 4, TexelClass::integer}},
    {ImageFormat::Rg16i, {VK_FORMAT_R16G16_SINT, 4, 2, TexelClass::integer}},
    {ImageFormat::Rg8i, {VK_FORMAT_R8G8_SINT, 2, 1, TexelClass::integer}},
    {ImageFormat::R16i, {VK_FORMAT_R16_SINT, 2, 2, TexelClass::integer}},
    {ImageFormat::R8i, {VK_FORMAT_R8_SINT, 1, 1, TexelClass::integer}},
    {ImageFormat::Rgba32ui, {VK_FORMAT_R32G32B32A32_UINT, 16, 4, TexelClass::integer}},
    {ImageFormat::Rgba16ui, {VK_FORMAT_R16G16B16A16_UINT, 8, 2, TexelClass::integer}},
    {ImageFormat::Rgba8ui, {VK_FORMAT_R8G8B8A8_UINT, 4, 1, TexelClass::integer}},
    {ImageFormat::R32ui, {VK_FORMAT_R32_UINT, 4, 4, TexelClass::integer}},
    {ImageFormat::Rg32ui, {VK_FORMAT_R32G32_UINT, 8, 4, TexelClass::integer}},
    {ImageFormat::Rg16ui, {VK_FORMAT_R16G16_UINT, 4, 2, TexelClass::integer}},
    {ImageFormat::Rg8ui, {VK_FORMAT_R8G8_UINT, 2, 1, TexelClass::integer}},
    {ImageFormat::R16ui, {VK_FORMAT_R16_UINT, 2, 2, TexelClass::integer}},
    {ImageFormat::R8ui, {VK_FORMAT_R8_UINT, 1, 1, TexelClass::integer}},
};

TexelFormat wide_format(varyings::ScalarKind kind) {
  if (kind == varyings::ScalarKind::sint) return {VK_FORMAT_R32G32B32A32_SINT, 16, 4, TexelClass::integer};
  if (kind == varyings::ScalarKind::uint) return {VK_FORMAT_R32G32B32A32_UINT, 16, 4, TexelClass::integer};
  return {VK_FORMAT_R32G32B32A32_SFLOAT, 16, 4, TexelClass::float32};
}

void fill_component(const TexelFormat& format, std::uint64_t hash, std::byte* to) {
  const auto kind = format.kind == TexelClass::integer ? varyings::ScalarKind::sint : varyings::ScalarKind::floating;
  switch (format.kind) {
    case TexelClass::unorm: *to = static_cast<std::byte>(hash >> 56); break;
    case TexelClass::packed_float: {
      // Random mantissas with the exponent of 0.25 in all three fields.
      const auto bits = static_cast<std::uint32_t>(hash >> 32);
      constexpr std::uint32_t kMantissas = 0x3fu | 0x3fu << 11 | 0x1fu << 22;
      const std::uint32_t word = (bits & kMantissas) | (13u << 6) | (13u << 17) | (13u << 27);
      std::memcpy(to, &word, 4);
      break;
    }
    case TexelClass::integer:
      write_scalar({kind, format.component_bytes * 8}, static_cast<double>(uniform_int(hash, 0, 15)), to);
      break;
    default: write_scalar({kind, format.component_bytes * 8}, uniform(hash, 0.0f, 1.0f), to); break;
  }
}

}  // namespace

std::optional<TexelFormat> sampled_format(const TextureShape& shape, bool texel_buffer) {
  if (shape.sampled.width > 32) return std::nullopt;
  if (shape.compare) return TexelFormat{VK_FORMAT_D32_SFLOAT, 4, 4, TexelClass::float32};
  if (shape.sampled.kind != varyings::ScalarKind::floating || texel_buffer) return wide_format(shape.sampled.kind);
  return TexelFormat{VK_FORMAT_R8G8B8A8_UNORM, 4, 1, TexelClass::unorm};
}

std::optional<TexelFormat> storage_format(const TextureShape& shape) {
  if (shape.sampled.width > 32) return std::nullopt;
  if (shape.format == ImageFormat::Unknown) return wide_format(shape.sampled.kind);
  for (const StorageFormat& entry : kStorageFormats)
    if (entry.declared == shape.format) return entry.texel;
  return std::nullopt;
}

void fill_texels(const TexelFormat& format, std::uint64_t seed, std::span<std::byte> bytes) {
  for (std::size_t at = 0; at + format.component_bytes <= bytes.size(); at += format.component_bytes)
    fill_component(format, hash_of(seed, {at}), bytes.data() + at);
}

}  // namespace varylink::verify
