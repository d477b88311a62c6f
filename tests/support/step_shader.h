// A small shader for tests of single clean-up steps.
#pragma once

#include <string>

#include "spirv/ir/module.h"

namespace varylink::test {

// A fragment stage with input %a (vec4) and output %o (float), an array %u of four floats in a uniform block, a storage
// buffer %s of one float, and this code, which ends the last block of %main. `annotations` stand in front of the types,
// `types` behind them, `functions` behind %main. The ids %a, %o, %p, %q, %m have names.
spirv::Module shader(const std::string& code, const std::string& annotations = {}, const std::string& types = {},
                     const std::string& functions = {});

// The module is valid, and its disassembly passes the checks (failed_checks() of support/listing_check.h).
void check_listing(spirv::Module module, const std::string& checks);

// Code for shader(): values %p and %q of the input %x; the start of a selection on %c between %then and %end.
extern const std::string kX, kIf;
// A loop that runs four times around `body`, which ends with a branch to %cont.
std::string loop(const std::string& body);

}  // namespace varylink::test
