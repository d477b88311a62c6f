#include "link/model/link_flags.h"

#include <algorithm>

namespace varylink::link {
namespace {

constexpr LinkFlag kFlags[] = {
    {"--strip-unused-resources", &LinkOptions::strip_unused_resources,
     "also remove declarations of resources that nobody uses any more"},
    {"--strip-unused-attributes", &LinkOptions::strip_unused_attributes,
     "also remove vertex inputs that nobody reads any more"},
    {"--keep-spec-ids", &LinkOptions::keep_spec_ids,
     "specialization constants that were given values stay declared, without a use, for tools that look for their ids"},
    {"--pack-beside-arrays", &LinkOptions::pack_beside_arrays,
     "also place varyings into components that the elements of an array leave free; drivers with a Vulkan conformance "
     "version below 1.4.6 may get that wrong"},
    {"--portable", &LinkOptions::portable,
     "one variable in each location, even if that takes more locations, so that spirv-cross can turn the results into "
     "GLSL, HLSL and Metal; mediump values beside others become highp"},
    {"--allow-discontinuous", &LinkOptions::allow_discontinuous,
     "also move interpolated arithmetic that ends in a comparison, floor, texel address or conversion to integers, "
     "where "
     "rounding may decide"},
    {"--no-costlier-stage", &LinkOptions::no_costlier_stage,
     "trade code for components only where no stage costs more by the profile than before; else the stages of a "
     "pipeline "
     "together (docs/cli.md)",
     true, "--no-dearer-stage"},
    {"--strict", &LinkOptions::strict,
     "refuse stages that break the letter of the matching rules, also where drivers and the validation layer take them "
     "(docs/check.md)"},
    {"--validate-each-pass", &LinkOptions::validate_each_pass, "run the SPIR-V validator after every pass", false},
};

}  // namespace

std::span<const LinkFlag> link_flags() { return kFlags; }

const LinkFlag* find_link_flag(std::string_view option) {
  const auto found = std::find_if(std::begin(kFlags), std::end(kFlags), [&](const LinkFlag& flag) {
    return flag.option == option || (flag.former_option != nullptr && flag.former_option == option);
  });
  return found == std::end(kFlags) ? nullptr : found;
}

}  // namespace varylink::link
