// What becomes of a pipeline or of a set of shader objects: one way for both.
#pragma once

#include <memory>

#include "outcome.h"
#include "records.h"
#include "subject.h"

namespace varylink::layer {

struct Decision {
  Subject subject;
  Outcome outcome;
  std::shared_ptr<const LinkedModules> linked;  // to be created instead; null: as the program wants it

  // The driver gets the program's modules after all.
  void pass_through(std::string reason);
};

// Looks among known results, in the cache, in the folder of recorded results, or links, as the settings say. On a
// thread with a deep stack. Without `linked` if the subject says why not.
Decision decide(Device& device, Subject subject);

}  // namespace varylink::layer
