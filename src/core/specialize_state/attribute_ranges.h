// Operations that the ranges of vertex formats decide.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "specialize_state/range_walk.h"
#include "state/pipeline_state.h"

namespace varylink::specialize_state {

// Attribute formats by location.
using Formats = std::map<std::uint32_t, std::string>;

struct DecidedByAttributes {
  Formats formats;                          // those that mattered
  std::map<varyings::Slot, Range> outputs;  // of the vertex stage, where ranges reach them
};

// Takes operations out of the vertex stage that the ranges of its attributes decide (rule; see walk_ranges).
DecidedByAttributes decide_by_attribute_ranges(spirv::Module& module, const varyings::Entry& entry,
                                               const state::PipelineState& state);

// Takes operations out of the fragment stage behind it that the ranges of flat inputs decide: a flat input is a value
// that one vertex stored. `state` is the vertex stage's; returns the formats of it that mattered.
Formats decide_by_flat_inputs(spirv::Module& module, const varyings::Entry& entry,
                              const std::map<varyings::Slot, Range>& outputs, const state::PipelineState& state);

}  // namespace varylink::specialize_state
