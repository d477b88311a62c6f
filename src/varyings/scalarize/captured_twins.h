// Captured outputs and their loads by the next stage: transform feedback fixes the output (rule ), not the load.
// While the passes run the consumer reads a twin, which holds the same value at a location of its own and is a varying
// like others; loads of the twin that are left in the end become loads of the captured output.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "varyings/reflect/interface_variable.h"
#include "varyings/scalarize/varying.h"

namespace varylink::varyings {

struct CapturedTwin {
  std::uint32_t location = 0;  // of the twin, from component 0 on
  Slot slot;                   // first component of the captured output
  std::uint32_t count = 1;
  std::string name;

  bool holds(Slot other) const { return other.location == location; }
  Slot twin_of(std::uint32_t component) const { return {location, component}; }
  Slot captured(Slot twin) const { return {slot.location, slot.component + twin.component}; }
  std::string component_name(Slot twin) const { return count == 1 ? name : name + "." + "xyzw"[twin.component & 3]; }
};

// A variable that can have a twin: one scalar or vector of 32 bits per component, whose uses are understood; outputs
// also captured, stored and never read back, on the stream that is rasterized.
bool may_have_twin(const spirv::Module& module, const InterfaceVariable& variable);

// Gives the output a twin without its decorations, which everything stored to it is stored to as well.
void add_twin(spirv::Module& module, Entry& entry, const InterfaceVariable& output, const CapturedTwin& twin);

// Gives a variable another place.
void move_variable(spirv::Module& module, spirv::Id variable, Slot slot);

// The variable of the entry point's inputs at the place of the twin, 0 if there is none.
spirv::Id input_at(const spirv::Module& module, spirv::InstRef entry_point, const CapturedTwin& twin);

}  // namespace varylink::varyings
