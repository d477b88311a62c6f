// tests/steps/STEP/*.case: assembly in, one step of prepare/steps.h, assembly out. README.md says how they are written.
#include <filesystem>

#include "driver/open_stage.h"
#include "prepare/steps.h"
#include "spirv/tools/binary.h"
#include "spirv/tools/tools.h"
#include "support/case_file.h"
#include "support/catch.h"
#include "support/shader.h"
#include "support/step_shader.h"

namespace varylink::test {
namespace {

const std::filesystem::path kFolder = VARYLINK_SOURCE_DIR "/tests/steps";

std::string body_of(const CaseFile& file, std::string_view title) {
  const CaseSection* section = file.find(title);
  return section ? section->body : std::string();
}

link::LinkedStage stage_of(const CaseFile& file) {
  const std::string module = body_of(file, "module"), glsl = body_of(file, "glsl"), name = file.directive("stage");
  const std::optional<Stage> stage = name.empty() ? Stage::fragment : stage_from_short_name(name);
  REQUIRE(stage);
  const spirv::Module built = !glsl.empty()     ? module_from_glsl(*stage, glsl)
                              : !module.empty() ? module_from_assembly(module)
                                                : shader(body_of(file, "code"), body_of(file, "annotations"),
                                                         body_of(file, "types"), body_of(file, "functions"));
  Result<link::LinkedStage> read = driver::read_stage(file.path, {*stage, file.path, spirv::write_module(built), ""});
  INFO((read ? std::string() : render(read.error())));
  REQUIRE(read);
  read->original_module = std::make_shared<const spirv::Module>(read->module);
  return std::move(*read);
}

// "merge-returns, inline-functions" of the directive, else the name of the folder.
std::vector<std::string> steps_of(const CaseFile& file) {
  const std::string listed = file.directive("steps");
  if (listed.empty()) return {std::filesystem::path(file.path).parent_path().filename().string()};
  return split_list(listed);
}

void take(link::LinkedStage& stage, const std::string& name) {
  const prepare::StepInfo* step = prepare::find_step(name);
  INFO(name);
  REQUIRE(step);
  if (step->clean_up)
    spirv::run_clean_up(stage.module, {&*step->clean_up, 1}, {});
  else
    step->run(stage, {});
}

std::string listing(const spirv::Module& module) { return spirv::disassemble(spirv::write_module(module)); }

void run_case(const std::string& path) {
  const Result<CaseFile> file = read_case(path);
  INFO((file ? file->description : render(file.error())));
  REQUIRE(file);
  link::LinkedStage stage = stage_of(*file);
  const std::string before = listing(stage.module);
  for (const std::string& step : steps_of(*file)) take(stage, step);
  const CaseSection* check = file->find("check");
  REQUIRE((check != nullptr) != (file->find("unchanged") != nullptr));
  if (check)
    check_listing(stage.module, check->body);
  else
    CHECK(listing(stage.module) == before);
}

TEST_CASE("every step has cases, and they hold", "[steps]") {
  for (const prepare::StepInfo& step : prepare::all_steps()) DYNAMIC_SECTION(step.name) {
      CHECK(step.clean_up.has_value() == (step.run == nullptr));
      const std::vector<std::string> files = case_files((kFolder / step.name).string());
      CHECK_FALSE(files.empty());
      for (const std::string& path : files) DYNAMIC_SECTION(std::filesystem::path(path).stem().string()) {
          run_case(path);
        }
    }
}

TEST_CASE("every folder is a step", "[steps]") {
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    INFO(entry.path().filename().string());
    if (entry.is_directory()) CHECK(prepare::find_step(entry.path().filename().string()));
  }
}

}  // namespace
}  // namespace varylink::test
