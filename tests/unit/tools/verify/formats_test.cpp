#include "verify/formats.h"

#include <cmath>

#include "support/catch.h"

namespace varylink::verify {
namespace {

std::array<Step, 4> steps(const char* name) { return steps_of(*state::find_format(name)); }

}  // namespace

TEST_CASE("formats: a step is the distance of two neighbouring values", "[verify]") {
  CHECK(steps("R8G8B8A8_UNORM")[1].absolute == 1.0 / 255);
  CHECK(steps("R8_SNORM")[0].absolute == 1.0 / 127);
  CHECK(steps("R5G6B5_UNORM_PACK16")[0].absolute == 1.0 / 31);
  CHECK(steps("R5G6B5_UNORM_PACK16")[1].absolute == 1.0 / 63);
  CHECK(steps("R16_SFLOAT")[0].relative == std::ldexp(1.0, -10));
  CHECK(steps("B10G11R11_UFLOAT_PACK32")[0].relative == std::ldexp(1.0, -6));
  CHECK(steps("B10G11R11_UFLOAT_PACK32")[2].relative == std::ldexp(1.0, -5));
}

TEST_CASE("formats: stored sRGB is decoded most steeply at white, alpha is not encoded", "[verify]") {
  const auto decoded = [](double stored) { return std::pow((stored + 0.055) / 1.055, 2.4); };
  const double widest = decoded(1) - decoded(254.0 / 255);
  CHECK(steps("R8G8B8A8_SRGB")[0].absolute >= widest);
  CHECK(steps("R8G8B8A8_SRGB")[0].absolute < widest * 1.01);
  CHECK(steps("R8G8B8A8_SRGB")[3].absolute == 1.0 / 255);
}

TEST_CASE("formats: integers, wide floats and absent components are not rounded", "[verify]") {
  for (const char* name : {"R8_UINT", "R16_SINT", "R32_SFLOAT", "R32G32B32A32_SFLOAT"})
    for (const Step& step : steps(name)) CHECK((step.absolute == 0 && step.relative == 0));
  CHECK(steps("R8G8_UNORM")[2].absolute == 0);
}

TEST_CASE("formats: names are Vulkan's without prefix", "[verify]") {
  CHECK(format_named("A2B10G10R10_UNORM_PACK32") == VK_FORMAT_A2B10G10R10_UNORM_PACK32);
  CHECK(format_named("D24_UNORM_S8_UINT") == VK_FORMAT_D24_UNORM_S8_UINT);
  CHECK(format_named("VK_FORMAT_R8_UNORM") == VK_FORMAT_UNDEFINED);
  CHECK(format_named("") == VK_FORMAT_UNDEFINED);
}

}  // namespace varylink::verify
