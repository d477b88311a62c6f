// Captured outputs and their loads by the next stage: transform feedback fixes the output (rule ), not the load.
// While the passes run the consumer reads a proxy, which holds the same value at a location of its own and is a varying
// like others; loads of the proxy that are left in the end become loads of the captured output.
#pragma once

#include "varyings/reflect/interface_variable.h"
#include "varyings/scalarize/proxy.h"

namespace varylink::varyings {

// A variable that can have a proxy: one scalar or vector of 32 bits per component, whose uses are understood; outputs
// also captured, stored and never read back, on the stream that is rasterized.
bool may_have_proxy(const spirv::Module& module, const InterfaceVariable& variable);

// Gives the output a proxy without its decorations, which everything stored to it is stored to as well.
void add_read_proxy(spirv::Module& module, Entry& entry, const InterfaceVariable& output, const Proxy& proxy);

// Gives a variable another place.
void move_variable(spirv::Module& module, spirv::Id variable, Slot slot);

// The variable of the entry point's inputs that begins there, 0 if there is none.
spirv::Id input_at(const spirv::Module& module, spirv::InstRef entry_point, Slot slot);

}  // namespace varylink::varyings
