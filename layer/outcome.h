// What became of one pipeline.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "objects.h"
#include "spirv/ir/stage.h"

namespace varylink::layer {

enum class Fate {
  linked,          // the driver got the modules below
  recorded,        // it is in the manifest, and the driver got the program's
  unchanged,       // nothing was won: the driver got the program's
  passed_through,  // and here nobody tried, or had to give up
};

struct InterfaceSize {
  std::uint32_t components = 0, locations = 0;
};

struct LinkedModules {
  Fate fate = Fate::passed_through;
  std::string reason;  // of what was passed through
  std::map<Stage, Words> modules;
  InterfaceSize before, after;
};

struct Outcome {
  std::string key;     // of its words and state; empty for what was not read
  std::string stages;  // "vert frag"
  Fate fate = Fate::passed_through;
  std::string reason;
  InterfaceSize before, after;
  bool known = false;  // it was linked before, by this program or an earlier one
  double link_ms = 0, driver_ms = 0;
};

}  // namespace varylink::layer
