#include "varyings/reflect/interpolation_qualifiers.h"

#include "base/seeded_fault.h"

namespace varylink::varyings {
namespace {

struct Qualifier {
  spv::Decoration decoration;
  bool Interpolation::*flag;
};

constexpr Qualifier kQualifiers[] = {
    {spv::Decoration::Flat, &Interpolation::flat},
    {spv::Decoration::NoPerspective, &Interpolation::no_perspective},
    {spv::Decoration::Centroid, &Interpolation::centroid},
    {spv::Decoration::Sample, &Interpolation::sample},
    {spv::Decoration::PerVertexKHR, &Interpolation::per_vertex},
};
static_assert(sizeof(kQualifiers) / sizeof(kQualifiers[0]) == sizeof(Interpolation), "a flag without a decoration");

}  // namespace

bool* interpolation_flag(Interpolation& interpolation, spv::Decoration decoration) {
  for (const Qualifier& qualifier : kQualifiers)
    if (qualifier.decoration == decoration) return &(interpolation.*qualifier.flag);
  return nullptr;
}

Interpolation declarable_on_outputs(const spirv::Module& module, Interpolation interpolation) {
  interpolation.per_vertex = false;
  if (seeded_fault("outputs-lose-sample")) interpolation.sample = false;
  interpolation.sample = interpolation.sample && module.has_capability(spv::Capability::SampleRateShading);
  return interpolation;
}

std::vector<spv::Decoration> interpolation_decorations(const Interpolation& interpolation) {
  std::vector<spv::Decoration> found;
  for (const Qualifier& qualifier : kQualifiers)
    if (interpolation.*qualifier.flag) found.push_back(qualifier.decoration);
  return found;
}

}  // namespace varylink::varyings
