#include "support/pipeline_case.h"

#include <filesystem>
#include <fstream>

#include "platform/file_system.h"
#include "support/catch.h"

namespace varylink::test {
namespace {

const std::string kSources =
    ";; What nobody reads goes.\n"
    ";; link: -O1\n"
    "== vert\n"
    "#version 450\n"
    "layout(location = 0) out float unread;\n"
    "void main() { unread = 1.0; gl_Position = vec4(0); }\n"
    "== frag\n"
    "#version 450\n"
    "layout(location = 0) out vec4 target;\n"
    "void main() { target = vec4(1); }\n"
    "== expect status\nok\n"
    "== expect interface vert->frag\n"
    "components 1 -> 0, locations 1 -> 0, highest location 1 -> 0\n"
    "0.x float unread -> dead: nobody reads it\n";

// In a folder of its own: tests of this file run side by side.
std::vector<std::string> problems_of(const std::string& text) {
  const std::filesystem::path folder = platform::make_temporary_folder("varylink-case-");
  REQUIRE(!folder.empty());
  const std::filesystem::path path = folder / "stated.case";
  std::ofstream(path, std::ios::binary) << text;
  std::vector<std::string> problems = run_pipeline_case(path.string(), false);
  std::filesystem::remove_all(folder);
  return problems;
}

}  // namespace

TEST_CASE("a pipeline case states something that a blessing cannot lose") {
  const std::vector<std::string> refused = problems_of(kSources);
  REQUIRE(refused.size() == 1);
  CHECK(refused[0].find("has no check section") != std::string::npos);
}

TEST_CASE("a pipeline case with a check is run") {
  CHECK(problems_of(kSources + "== check interface vert->frag\ncomponents 1 -> 0\n") == std::vector<std::string>());
  CHECK(problems_of(kSources + "== check interface vert->frag\ncomponents 1 -> 1\n").size() == 1);
}

}  // namespace varylink::test
