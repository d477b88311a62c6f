#include "formats/understanding.h"

namespace varylink::formats {

void Understanding::add(const Understanding& other) {
  taken_away |= other.taken_away;
  if (why_not.empty()) why_not = other.why_not;
}

void Understanding::add_structure(const ChainedStructure* known, const std::string& type) {
  if (known == nullptr) return add({{}, "it has a structure that is not known here, of type " + type});
  taken_away |= known->takes_away;
  if (known->takes_away.has(Assumption::stages))
    add({{}, "it has a structure that changes what its stages mean: " + std::string(known->name)});
}

}  // namespace varylink::formats
