// Thrown inside of this folder where a module has something that the proof has no reading for; prove() turns it into
// "not proved" with this reason. It never leaves the folder.
#pragma once

#include <string>

namespace varylink::prove {

struct Unsupported {
  std::string reason;
};

}  // namespace varylink::prove
