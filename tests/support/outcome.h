// What came out of linking a case, as the text that cases expect.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "link/model/pipeline.h"

namespace varylink::test {

struct Outcome {
  std::string status;  // "ok" or the kind of the error: "glsl", "interface_mismatch", ...
  std::vector<std::pair<std::string, std::string>> interfaces;  // "vert->frag" and its listing, in pipeline order
  std::string remarks, diagnostics;                             // one line each; no line break if there is none
  std::vector<link::StageOutput> stages;
};

// `warnings` are those of the front end; they come first.
Outcome outcome_of(link::LinkedPipeline linked, const Diagnostics& warnings);
// The front end failed already.
Outcome outcome_of_failure(const Diagnostic& error, const Diagnostics& messages);

// "components 8 -> 4, locations 2 -> 1, highest location 2 -> 1" and one line for each old component:
//   0.x float smooth vNormal.x = inNormal.x -> 0.x kept: reason
//   0.w float smooth vColor.w -> dead: reason
//   3.x float smooth copy -> duplicate of 0.x: reason
std::string interface_text(const link::InterfaceReport& report);

// Every component stayed in its place.
bool is_unchanged(const link::InterfaceReport& report);

}  // namespace varylink::test
