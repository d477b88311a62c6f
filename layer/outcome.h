// What became of one pipeline.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "objects.h"
#include "spirv/ir/stage.h"

namespace varylink::layer {

enum class Disposition {
  linked,          // the driver got the modules below
  recorded,        // it is in the manifest, and the driver got the program's
  unchanged,       // nothing was won: the driver got the program's
  passed_through,  // and here nobody tried, or had to give up
};

struct InterfaceSize {
  std::uint32_t components = 0, locations = 0;
};

struct LinkedModules {
  Disposition disposition = Disposition::passed_through;
  std::string reason;  // of what was passed through
  std::map<Stage, Words> modules;
  InterfaceSize before, after;
  std::string report;       // what the library says of the pipeline, as JSON; empty if it was not asked
  std::uint64_t steps = 0;  // that linking took
  bool is_final = false;    // every run comes to this
  bool over_budget = false;
};

struct Outcome {
  std::string key;     // of its words and state; empty for what was not read
  std::string stages;  // "vert frag"
  Disposition disposition = Disposition::passed_through;
  std::string reason;
  InterfaceSize before, after;
  bool known = false;       // the program made it before
  bool from_cache = false;  // an earlier run has linked it
  std::uint64_t steps = 0;
  std::string report;  // as LinkedModules has it, of what is not known
  double link_ms = 0, driver_ms = 0;
};

}  // namespace varylink::layer
