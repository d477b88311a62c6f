// Varyings of 16 bits that both stages only convert, as varyings of 32 bits: those are scalars like others, and code
// that reads them moves. The producer converts in front of the store, as the consumer does behind the load:
//
//   flat out float16_t h;  h = x;          flat in float16_t h;  float y = h;
//     ->  flat out float h;  h = float(x);      flat in float h;  float y = h;
//
// A module without Float16 (Int16) can neither take such numbers out of a vector nor compute with them, but may convert
// them (SPIR-V, StorageInputOutput16; rule ). Numbers that are interpolated keep their type (rule ).
#pragma once

#include <vector>

#include "varyings/reflect/interface_variable.h"

namespace varylink::varyings {

struct ConstModuleSide {
  const spirv::Module* module;  // not owned, as is the entry point
  const Entry* entry;
};

// One variable, and the conversion that its consumer applies to all that it reads: OpFConvert, OpUConvert, OpSConvert.
struct WidenedVariable {
  spirv::Id variable = 0;
  spv::Op conversion = spv::Op::OpNop;
};

struct WidenedVaryings {
  std::vector<WidenedVariable> outputs, inputs;
  bool empty() const { return inputs.empty(); }
};

// Variables of both sides that can be widened, without numbers of which both modules compute with the type. All that
// shares a location with one of them is in the answer. `with_floats`: halves may be converted in either stage.
WidenedVaryings find_widened_varyings(ConstModuleSide producer, ConstModuleSide consumer, bool with_floats);

void widen_outputs(spirv::Module& module, const Entry& entry, const std::vector<WidenedVariable>& outputs);
void widen_inputs(spirv::Module& module, const Entry& entry, const std::vector<WidenedVariable>& inputs);

}  // namespace varylink::varyings
