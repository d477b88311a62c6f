// Proxies: varyings that stand for something with a place of its own, so that while the passes run everything that is
// done with varyings is done with it. They have locations behind those of the varyings, are never placed, and are gone
// before placement (link/scalarize/proxies.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "spirv/ir/code_edit.h"
#include "spirv/ir/emitter.h"
#include "spirv/ir/globals.h"
#include "varyings/reflect/interface_variable.h"
#include "varyings/reflect/pointer_access.h"
#include "varyings/scalarize/varying.h"

namespace varylink::varyings {

struct Proxy {
  enum class Stands : std::uint8_t {
    for_built_in,           // that no stage in front of the rasterizer takes: it is plain data (rules)
    for_reads_of_built_in,  // whose stores stay for the rasterizer or the tessellator (rule)
    for_reads_of_captured,  // of an output that transform feedback fixes (rule)
  };

  Stands stands = Stands::for_built_in;
  std::uint32_t location = 0;  // the first one: a scalar or vector has one, an array one for each element
  std::uint32_t count = 1;     // components of the vector, or elements of the array
  bool is_array = false;
  std::string name;                                // of what it stands for, such as "gl_Position"
  spv::BuiltIn built_in = spv::BuiltIn::Position;  // for_built_in, for_reads_of_built_in
  Slot captured_slot;                              // for_reads_of_captured: first component of the output
  // for_built_in: components without a load and to which every store gives a constant or nothing: without them nothing
  // is new.
  std::vector<std::uint32_t> idle = {};

  std::uint32_t location_count() const { return is_array ? count : 1; }
  bool holds(Slot slot) const { return slot.location >= location && slot.location < location + location_count(); }
  Slot slot_of(std::uint32_t component) const {
    return is_array ? Slot{location + component, 0} : Slot{location, component};
  }
  std::uint32_t component_of(Slot slot) const { return is_array ? slot.location - location : slot.component; }
  // Where transform feedback's output has the component.
  Slot captured(Slot slot) const { return {captured_slot.location, captured_slot.component + slot.component}; }
  // "gl_Position.x", "gl_ClipDistance[1]"
  std::string component_name(Slot slot) const;
};

// "gl_Position"; for the built-ins between stages that linking changes.
std::string built_in_name(spv::BuiltIn built_in);

// The proxy of such a built-in. `type`: that of the built-in in `module`, without a level for vertices.
Proxy proxy_of_built_in(Proxy::Stands stands, spv::BuiltIn built_in, const spirv::Module& module, spirv::Id type,
                        std::uint32_t location, std::uint32_t count);

// Adds the variable of a proxy, or of what it stands for, to the entry point's interface.
spirv::Id add_interface_variable(spirv::Module& module, spirv::Globals& globals, Entry& entry, Direction direction,
                                 spirv::Id type, const std::string& name);

// Makes accesses to the variables of proxies accesses to what they stand for.
class ProxyRemover {
 public:
  ProxyRemover(spirv::Module& module, Entry& entry, Direction direction)
      : module_(module), entry_(entry), direction_(direction), globals_(module), emitter_(module, globals_) {}

  spirv::Globals& globals() { return globals_; }
  // Accesses to `varying`, which is `proxy` or a component of it, become accesses to `target`, or to a member of that.
  void redirect(const Proxy& proxy, const Varying& varying, spirv::Id target,
                const std::optional<std::uint32_t>& member = {});
  // Once: takes the variables of the proxies out of the module.
  void finish();

 private:
  spirv::Module& module_;
  Entry& entry_;
  const Direction direction_;
  spirv::Globals globals_;
  spirv::Emitter emitter_;
  spirv::CodeEdit edit_;
  std::vector<std::pair<spirv::Id, VariableAccesses>> gone_;
};

}  // namespace varylink::varyings
