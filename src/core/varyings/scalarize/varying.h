// One thing that crosses an interface, in scalarized form.
//
// A scalarized stage is still a valid SPIR-V module. Where the plan allows it, each user varying has become scalar
// variables, one per component, each with its own Location and Component:
//   * an input is loaded exactly once, at the start of the entry point, besides reads by InterpolateAt instructions;
//   * an output is stored exactly once per exit of the entry point (per emit of a geometry shader).
// A varying that cannot be scalarized keeps its old type. It is `unsplit` if it may move to another location as a unit,
// `fixed` if nothing about it may change.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "spirv/ir/module.h"
#include "varyings/reflect/slot.h"

namespace varylink::varyings {

struct Varying {
  enum class Form : std::uint8_t { scalar, unsplit, fixed };
  Form form = Form::scalar;
  Slot slot;                           // place of its first component, as declared by the input modules
  std::uint32_t location_count = 1;    // locations it takes from slot.location on
  std::uint32_t component_count = 1;   // 32-bit components it takes altogether
  std::vector<Slot> slots;             // every 32-bit component it takes, in order, as declared
  std::uint32_t columns = 0;           // components in each location of a redeclared array; else 0
  spirv::Id variable = 0;              // the scalarized variable; 0 once it has been removed
  ScalarType scalar;                   // component type of scalar varyings
  Interpolation interpolation;         // fragment inputs
  std::vector<Interpolation> members;  // of the outermost structure of an unsplit or fixed one, if it has one
  bool has_sample_part = false;        // of an unsplit or fixed one: some of it is interpolated per sample
  bool patch = false;
  bool per_primitive = false;
  bool relaxed_precision = false;
  bool captured = false;  // by transform feedback
  // Stands for a component of something that has a place already, a built-in (varyings/scalarize/built_in_proxies.h) or
  // a captured output (varyings/scalarize/captured_read_proxies.h): no other value may take its place, and it is not
  // placed.
  bool proxy = false;
  bool accessed = true;  // unsplit and fixed ones: some code loads or stores it
  std::uint32_t stream = 0;
  std::string name;          // source name such as "v.color"
  std::string semantic;      // HLSL semantic such as "TEXCOORD1" (varyings/reflect/semantics.h), empty if there is none
  std::string type;          // type in words, for reports
  std::string kept_because;  // why it is not scalar

  // Whether the varying may make the fragment stage run per sample (rule ).
  bool is_per_sample() const { return interpolation.sample || has_sample_part; }
};

}  // namespace varylink::varyings
