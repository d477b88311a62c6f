// Runs one pipeline case: compiles its sources, links them, and compares everything that came out with what the case
// says must come out. tests/pipelines/README.md describes the sections.
#pragma once

#include <string>
#include <vector>

namespace varylink::test {

// Returns what does not hold, one text per problem; empty if the case holds. With `bless` the "== expect" sections of
// the file are rewritten to what came out, everything else stays, and only the problems that a blessing cannot hide are
// returned: failed "== check" sections and broken guarantees (validity, determinism, idempotence, the outside
// contract).
std::vector<std::string> run_pipeline_case(const std::string& path, bool bless);

// True if the environment asks for blessing (VARYLINK_BLESS=1).
bool bless_from_environment();

}  // namespace varylink::test
