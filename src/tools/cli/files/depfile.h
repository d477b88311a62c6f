// Dependency files for make and ninja.
#pragma once

#include <string>
#include <vector>

namespace varylink::cli {

// One rule: the targets depend on the prerequisites. Characters that make treats specially are escaped. Empty if there
// is no target.
std::string dependency_rule(const std::vector<std::string>& targets, const std::vector<std::string>& prerequisites);

// A rule without prerequisites and commands for each file: make then takes one that is gone for changed, where it would
// stop otherwise.
std::string empty_rules(const std::vector<std::string>& files);

}  // namespace varylink::cli
