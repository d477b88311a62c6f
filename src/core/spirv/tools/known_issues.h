// Messages of the SPIR-V validator that later versions of it took back, because the module was valid all along.
// Distributions keep a version for years, and such a message must not cost the user the pipeline.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "spirv/ir/module.h"

namespace varylink::spirv {

struct KnownIssue {
  std::string_view vuid;      // that the message carries; empty: `message` tells
  std::string_view fixed_in;  // the first SPIRV-Tools without it, such as "2024.4"
  std::string_view refused;   // code that the validator refuses, a noun phrase
  // Takes the code that the message is about out of the module, and nothing else, so that the validator gets to see the
  // rest. False if the module has nothing of it: then the message is true.
  bool (*take_out)(Module& module);
  std::string_view message = {};  // a part of it
};

std::span<const KnownIssue> known_issues();

// Whether SPIRV-Tools of this version ("v2023.1", "v2024.4-dev", "v2024.4.rc1") have the issue. A version that cannot
// be read has none.
bool has_issue(std::string_view tools_version, const KnownIssue& issue);

}  // namespace varylink::spirv
