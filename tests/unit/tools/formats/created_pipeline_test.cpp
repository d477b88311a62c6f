// What is said of devices beside recorded pipelines.
#include "formats/created_pipeline.h"

#include "support/catch.h"

namespace varylink::formats {
namespace {

using spirv::TargetEnv;

spirv::ValidatorOptions all_layouts(TargetEnv env) {
  spirv::ValidatorOptions options;
  options.env = env;
  options.scalar_block_layout = options.uniform_buffer_standard_layout = true;
  options.relax_block_layout = options.allow_localsizeid = true;
  return options;
}

}  // namespace

TEST_CASE("formats: options of a device are read back", "[formats]") {
  for (const spirv::ValidatorOptions& options : {all_layouts(TargetEnv::vulkan1_1_spirv1_4), spirv::ValidatorOptions()})
    CHECK(options_in(options_text(options)) == options);
}

TEST_CASE("formats: options of two devices take the modules of both", "[formats]") {
  spirv::ValidatorOptions newer;
  newer.env = TargetEnv::vulkan1_3;
  CHECK(joined(all_layouts(TargetEnv::vulkan1_0), newer) == all_layouts(TargetEnv::vulkan1_3));
}

TEST_CASE("formats: other options beside those of a device are ignored", "[formats]") {
  spirv::ValidatorOptions options;
  options.env = TargetEnv::vulkan1_0;
  options.scalar_block_layout = true;
  CHECK(options_in("-O2 --target-env none\n--scalar-block-layout --target-env") == options);
}

}  // namespace varylink::formats
