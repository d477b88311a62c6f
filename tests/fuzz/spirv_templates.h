// Random vertex + fragment pipelines in SPIR-V assembly, for what GLSL cannot say: output initializers, OpCopyMemory,
// copies of pointers, decoration groups, loose built-ins, several types in one location, several entry points, debug
// instructions of unknown sets, shuffles with undefined lanes, phis of composites.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "fuzz/candidate.h"

namespace varylink::fuzz {

// One varying of a template pipeline: an index into shapes(), its place, and the seed of its details.
struct PlacedShape {
  std::size_t shape = 0;
  int location = 0;
  std::uint64_t seed = 0;
};

// A template pipeline before it is written out, so that parts can be left away.
struct TemplatePlan {
  std::uint64_t seed = 0;
  std::vector<PlacedShape> varyings;
  bool one_module = false;   // both entry points in one module
  bool other_entry = false;  // a third entry point beside them
  bool debug = false;        // instructions of a debug set that no tool knows
  bool old_version = false;  // SPIR-V 1.0
};

// The same seed gives the same plan.
TemplatePlan plan_templates(std::uint64_t seed);
Candidate candidate_of(const TemplatePlan& plan);

// The plan without the varyings and extras that `still_fails` does not need.
TemplatePlan reduce(TemplatePlan plan, const std::function<bool(const TemplatePlan&)>& still_fails);

}  // namespace varylink::fuzz
