// Facts about opcodes that optimizations need and the SPIR-V grammar does not state.
#pragma once

#include <set>

#include "spirv/ir/module.h"

namespace varylink::spirv {

// The instruction computes its result from its operands (or reads memory) and has no other effect, so it may be removed
// if the result is unused. False for unknown instructions.
bool is_removable(const Module& module, InstRef inst);

// Component i of the result depends on component i of each vector operand only (and on scalar operands as a whole).
// Covers arithmetic, logic, comparisons, conversions and the component-wise instructions of GLSL.std.450.
bool is_component_wise(const Module& module, InstRef inst);

// Position of the first value operand: 2 for an extended instruction (behind set and number), else 0.
std::uint32_t first_value_operand(const Module& module, InstRef inst);

// The result rearranges components of other values and computes nothing.
bool is_rearrangement(spv::Op op);

// A constant whose value, or a part of it, is given when a pipeline is made.
bool is_spec_constant(spv::Op op);

// OpAccessChain and OpInBoundsAccessChain: a pointer into what its first operand points to.
bool is_access_chain(spv::Op op);

// A load without memory operands.
bool is_plain_load(const Module& module, InstRef inst);

// The set operand of the OpExtInst is GLSL.std.450.
bool is_glsl_inst(const Module& module, InstRef inst);

// A decoration of an id as a whole (SPIR-V, "Annotation Instructions"), not of a member.
bool decorates_id(spv::Op op);

// Results decorated NoContraction: their operation sequence must stay as it is.
std::set<Id> no_contraction_ids(const Module& module);
// Values and variables decorated RelaxedPrecision as a whole: they may have less precision than their type.
std::set<Id> relaxed_ids(const Module& module);

}  // namespace varylink::spirv
