#include "support/shader.h"

#include "frontend/glsl.h"
#include "spirv/tools/binary.h"
#include "spirv/tools/tools.h"
#include "support/catch.h"

namespace varylink::test {

spirv::Module module_from_glsl(Stage stage, const std::string& text) {
  const std::string source = text.find("#version") == std::string::npos ? "#version 460\n" + text : text;
  auto compiled = frontend::compile_glsl({source, "test." + std::string(short_name(stage)), stage, ""}, {}, nullptr);
  if (!compiled) FAIL(render(compiled.error()));
  return std::move(compiled->module);
}

spirv::Module module_from_assembly(const std::string& text) {
  const auto words = spirv::assemble(text, spirv::TargetEnv::vulkan1_3, "test.spvasm");
  if (!words) FAIL(render(words.error()));
  auto module = spirv::read_module(*words, "test.spvasm");
  if (!module) FAIL(render(module.error()));
  return std::move(*module);
}

}  // namespace varylink::test
