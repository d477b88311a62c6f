// Facts that the structures in chains and the flags of one pipeline state beside the members of its create info.
#pragma once

#include <string>

#include "formats/chained_structures.h"

namespace varylink::formats {

struct Understanding {
  Assumptions taken_away;  // of what is assumed otherwise
  std::string why_not;     // why the pipeline is not linked for it; empty if it may be

  void add(const Understanding& other);
  // Null for a structure that is not known; `type` says which one that is.
  void add_structure(const ChainedStructure* known, const std::string& type);
};

}  // namespace varylink::formats
