// One test case per topic folder, one section per file. The build lists the topics in pipeline_topics.inc.
#include <filesystem>

#include "support/case_file.h"
#include "support/catch.h"
#include "support/pipeline_case.h"

namespace varylink::test {
namespace {

const std::string kFolder = VARYLINK_SOURCE_DIR "/tests/pipelines";

void run_file(const std::string& path) {
  std::string problems;
  for (const std::string& problem : run_pipeline_case(path, bless_from_environment())) problems += problem + "\n";
  INFO(problems);
  CHECK(problems.empty());
}

void run_topic(const std::string& topic) {
  const std::vector<std::string> files = case_files(kFolder + "/" + topic);
  REQUIRE_FALSE(files.empty());
  for (const std::string& path : files) DYNAMIC_SECTION(std::filesystem::path(path).stem().string()) {
      run_file(path);
    }
}

#define VARYLINK_PIPELINE_TOPIC(topic) \
  TEST_CASE("pipelines: " topic, "[pipelines]") { run_topic(topic); }
#include "pipeline_topics.inc"

}  // namespace
}  // namespace varylink::test
