// Shaders written in a test, as modules. A shader that does not compile fails the test with the compiler's message.
#pragma once

#include <string>

#include "spirv/ir/module.h"
#include "spirv/ir/stage.h"

namespace varylink::test {

// GLSL with a location on each varying; "#version 460" is put in front if the text has no #version line.
spirv::Module module_from_glsl(Stage stage, const std::string& text);

// SPIR-V assembly of the Vulkan 1.3 environment.
spirv::Module module_from_assembly(const std::string& text);

}  // namespace varylink::test
