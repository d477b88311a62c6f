#include "verify/values.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "verify/random.h"

namespace varylink::verify {
namespace {

constexpr std::uint64_t kVertexPlace = 0x76657274;  // keeps vertices apart from buffers

using Vec4 = std::array<float, 4>;

std::uint32_t corner_count(VkPrimitiveTopology topology) {
  switch (topology) {
    case VK_PRIMITIVE_TOPOLOGY_POINT_LIST: return 1;
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST: return 2;
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY: return 4;
    default: return 3;
  }
}

// Corner of a cell of a grid that tiles [-extent, extent] squared; two triangles share a cell. Corners move a little,
// so that no edge lies on pixel centers.
Vec4 grid_position(std::uint32_t vertex, std::uint32_t corners, std::uint32_t total, float extent, std::uint64_t seed) {
  const std::uint32_t primitives = std::max(1u, total / corners);
  const std::uint32_t cells = std::max(1u, corners == 3 ? (primitives + 1) / 2 : primitives);
  const auto side = static_cast<std::uint32_t>(std::ceil(std::sqrt(static_cast<float>(cells))));
  const std::uint32_t primitive = vertex / corners;
  const std::uint32_t cell = corners == 3 ? primitive / 2 : primitive;
  constexpr std::array<std::array<float, 2>, 6> kCorners{{{0, 0}, {1, 0}, {0, 1}, {1, 1}, {0, 1}, {1, 0}}};
  const std::uint32_t corner = corners == 3 ? (primitive % 2) * 3 + vertex % 3 : vertex % corners;
  const float step = 2 * extent / static_cast<float>(side);
  const float x = static_cast<float>(cell % side) + kCorners[corner % 6][0];
  const float y = static_cast<float>(cell / side % side) + kCorners[corner % 6][1];
  const float shake = step * 0.08f;
  const auto jitter = [&](std::uint64_t axis) { return uniform(hash_of(seed, {vertex, axis}), -shake, shake); };
  const auto along = [&](float cells_away, std::uint64_t axis) {
    return std::clamp(cells_away * step - extent + jitter(axis), -extent, extent);
  };
  return {along(x, 0), along(y, 1), uniform(hash_of(seed, {vertex, 2}), 0.08f, 0.92f), 1.0f};
}

Vec4 large_position(std::uint32_t vertex, std::uint64_t seed) {
  // Corners on a circle of radius 2.2 around a center near the middle: every triangle covers much of the target.
  const std::uint32_t primitive = vertex / 3;
  const float turn = uniform(hash_of(seed, {primitive, 7}), 0.0f, 6.28f) + static_cast<float>(vertex % 3) * 2.094f;
  const float radius = uniform(hash_of(seed, {vertex, 8}), 0.7f, 2.2f);
  return {radius * std::cos(turn) + uniform(hash_of(seed, {primitive, 9}), -0.4f, 0.4f),
          radius * std::sin(turn) + uniform(hash_of(seed, {primitive, 10}), -0.4f, 0.4f),
          uniform(hash_of(seed, {vertex, 2}), -0.1f, 1.1f), 1.0f};
}

class VertexWriter {
 public:
  VertexWriter(const Needs& needs, const Strategy& strategy, std::uint64_t seed)
      : needs_(needs), strategy_(strategy), seed_(hash_of(seed, {kVertexPlace, strategy.salt})) {
    count_ = vertex_count(needs, strategy);
    first_ = first_position_attribute();
  }

  std::vector<std::byte> write() const {
    std::vector<std::byte> bytes(static_cast<std::size_t>(count_) * needs_.vertex_stride);
    for (std::uint32_t vertex = 0; vertex < count_; ++vertex) {
      const Vec4 position = position_of(vertex);
      for (const Attribute& attribute : needs_.attributes) {
        std::byte* to = bytes.data() + static_cast<std::size_t>(vertex) * needs_.vertex_stride + attribute.offset;
        for (std::uint32_t i = 0; i < 4; ++i)
          write_scalar(attribute.type, value_of(attribute, vertex, i, position), to + i * attribute.type.width / 8);
      }
    }
    return bytes;
  }

 private:
  // Location of the attribute that is most likely the position: the lowest float one that feeds it.
  std::uint32_t first_position_attribute() const {
    for (const Attribute& attribute : needs_.attributes)
      if (attribute.feeds_position && !attribute.per_instance && attribute.type.kind == varyings::ScalarKind::floating)
        return attribute.location;
    return 0xffffffffu;
  }

  Vec4 position_of(std::uint32_t vertex) const {
    Vec4 position = strategy_.placement == Placement::grid
                        ? grid_position(vertex, corner_count(strategy_.topology), count_, strategy_.extent, seed_)
                        : large_position(vertex, seed_);
    const float w = uniform(hash_of(seed_, {vertex, 3}), strategy_.w_low, strategy_.w_high);
    for (float& component : position) component *= w;
    return position;
  }

  double value_of(const Attribute& attribute, std::uint32_t vertex, std::uint32_t component,
                  const Vec4& position) const {
    const std::uint64_t hash = hash_of(seed_, {vertex, attribute.location + 16, component});
    if (attribute.type.kind == varyings::ScalarKind::sint)
      return static_cast<double>(
          uniform_int(hash, attribute.feeds_position ? -1 : 0, attribute.feeds_position ? 1 : 3));
    if (attribute.type.kind == varyings::ScalarKind::uint)
      return static_cast<double>(uniform_int(hash, 0, attribute.feeds_position ? 1 : 3));
    if (attribute.location == first_) return position[component];
    if (!attribute.feeds_position) return uniform(hash, -1.0f, 1.0f);
    switch (strategy_.companions) {
      case Companions::small: return uniform(hash, -0.05f, 0.05f);
      case Companions::near_one: return uniform(hash, 0.85f, 1.0f);
      case Companions::same: return position[component];
    }
    return 0;
  }

  const Needs& needs_;
  const Strategy& strategy_;
  std::uint64_t seed_;
  std::uint32_t count_ = 0;
  std::uint32_t first_ = 0;
};

double matrix_value(const Field& field, MatrixKind kind, std::uint64_t place_hash) {
  const double base = field.column == field.row ? 1 : 0;
  const std::uint64_t cell = hash_of(place_hash, {field.column, field.row});
  // The last row of a 4x4 matrix makes w: it stays exact except where a perspective is asked for.
  const bool makes_w = field.rows == 4 && field.row == 3;
  if (kind == MatrixKind::identity || (makes_w && kind == MatrixKind::rotated)) return base;
  if (kind == MatrixKind::near_identity) return base + uniform(cell, -0.03f, 0.03f);
  const float angle = uniform(hash_of(place_hash, {99}), -0.5f, 0.5f);
  if (field.column > 1 || field.row > 1) return base;
  if (field.column == field.row) return std::cos(angle);
  return field.column < field.row ? std::sin(angle) : -std::sin(angle);
}

}  // namespace

std::uint16_t half_bits(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits >> 16 & 0x8000u;
  const float magnitude = std::fabs(value);
  if (std::isnan(value)) return static_cast<std::uint16_t>(sign | 0x7e00u);
  if (magnitude >= 65520.0f) return static_cast<std::uint16_t>(sign | 0x7c00u);
  if (magnitude < 0x1p-14f)  // denormal or zero: a multiple of 2^-24
    return static_cast<std::uint16_t>(sign | static_cast<std::uint32_t>(std::nearbyint(magnitude * 0x1p24f)));
  const std::uint32_t rounded = (bits & 0x7fffffffu) + 0xfffu + (bits >> 13 & 1u);
  return static_cast<std::uint16_t>(sign | ((rounded >> 13) - (112u << 10)));
}

void write_scalar(varyings::ScalarType type, double value, std::byte* to) {
  const auto put = [&](auto number) { std::memcpy(to, &number, sizeof number); };
  const bool floating = type.kind == varyings::ScalarKind::floating;
  switch (type.width) {
    case 8: put(static_cast<std::int8_t>(value)); break;
    case 16:
      if (floating)
        put(half_bits(static_cast<float>(value)));
      else
        put(static_cast<std::int16_t>(value));
      break;
    case 64:
      if (floating)
        put(value);
      else
        put(static_cast<std::int64_t>(value));
      break;
    default:
      if (floating)
        put(static_cast<float>(value));
      else
        put(static_cast<std::int32_t>(value));
      break;
  }
}

std::vector<std::byte> vertex_bytes(const Needs& needs, const Strategy& strategy, std::uint64_t seed) {
  return VertexWriter(needs, strategy, seed).write();
}

void fill_block(const BlockLayout& layout, const Strategy& strategy, std::uint64_t seed, std::uint64_t place,
                std::span<std::byte> bytes) {
  std::fill(bytes.begin(), bytes.end(), std::byte{0});
  const std::uint64_t base = hash_of(seed, {place, strategy.salt});
  for (const Field& field : layout.fields) {
    if (field.offset + field.type.width / 8 > bytes.size()) continue;
    const std::uint64_t hash = hash_of(base, {field.offset});
    double value = 0;
    if (field.columns > 0)
      value = matrix_value(field, strategy.matrices, base);
    else if (field.type.kind == varyings::ScalarKind::floating)
      value = uniform(hash, strategy.low, strategy.high);
    else
      value = static_cast<double>(uniform_int(hash, 0, 3));
    write_scalar(field.type, value, bytes.data() + field.offset);
  }
}

std::uint64_t other_value(const SpecConstant& constant, std::uint32_t stage) {
  if (constant.type.kind == varyings::ScalarKind::floating) {
    const float added = 0.375f + 0.03125f * static_cast<float>(constant.id % 4) + 0.125f * static_cast<float>(stage);
    if (constant.type.width == 64)
      return std::bit_cast<std::uint64_t>(std::bit_cast<double>(constant.value) * 0.75 + added);
    if (constant.type.width == 16) return half_bits(0.375f + added);
    return std::bit_cast<std::uint32_t>(std::bit_cast<float>(static_cast<std::uint32_t>(constant.value)) * 0.75f +
                                        added);
  }
  if (stage % 2 == 1) return constant.value;
  if (constant.type.kind == varyings::ScalarKind::boolean) return constant.value == 0 ? 1 : 0;
  return constant.value == 0 ? 1 : constant.value - 1;
}

}  // namespace varylink::verify
