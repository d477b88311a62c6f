// One test case per topic folder, one section per file. The build lists the topics in pipeline_topics.inc.
#include <algorithm>
#include <filesystem>

#include "support/case_file.h"
#include "support/catch.h"
#include "support/pipeline_case.h"

namespace varylink::test {
namespace {

const std::string kFolder = VARYLINK_SOURCE_DIR "/tests/pipelines";

void run_file(const std::string& topic, const std::string& path) {
  const std::string name = topic + "/" + std::filesystem::path(path).stem().string();
  const std::vector<std::string> known = known_failures(kFolder + "/KNOWN");
  const bool fails_as_known = std::find(known.begin(), known.end(), name) != known.end();

  std::string problems;
  for (const std::string& problem : run_pipeline_case(path, bless_from_environment())) problems += problem + "\n";
  INFO(problems);
  if (!fails_as_known)
    CHECK(problems.empty());
  else if (problems.empty())
    FAIL(name << " holds: take it off tests/pipelines/KNOWN");
  else
    WARN("known to fail: " << name);
}

void run_topic(const std::string& topic) {
  const std::vector<std::string> files = case_files(kFolder + "/" + topic);
  REQUIRE_FALSE(files.empty());
  for (const std::string& path : files) DYNAMIC_SECTION(std::filesystem::path(path).stem().string()) {
      run_file(topic, path);
    }
}

#define VARYLINK_PIPELINE_TOPIC(topic) \
  TEST_CASE("pipelines: " topic, "[pipelines]") { run_topic(topic); }
#include "pipeline_topics.inc"

}  // namespace
}  // namespace varylink::test
