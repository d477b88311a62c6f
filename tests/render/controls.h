// Pipelines for the controls of the oracle: what must be told apart and what must not.
#pragma once

#include "render/render_support.h"

namespace varylink::test {

// A fragment stage that adds two varyings of four components.
extern const Sources kSum;

struct Control {
  const char* name;
  Sources original;
  Stage stage;  // the stage that is made wrong
  const char* from;
  const char* to;
};

// One for every kind of comparison: the edited pipeline must be reported as different.
std::vector<Control> negative_controls();

}  // namespace varylink::test
