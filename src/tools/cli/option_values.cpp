#include "cli/option_values.h"

#include "analysis/cost_profile.h"
#include "cli/settings/stage_names.h"
#include "passes/pass.h"
#include "report/run_diff.h"

namespace varylink::cli {
namespace {

std::vector<std::string> pass_names() {
  std::vector<std::string> names;
  for (const passes::PassInfo& pass : passes::registry()) names.emplace_back(pass.name);
  return names;
}

std::vector<std::string> profile_names() {
  std::vector<std::string> names;
  for (const analysis::CostProfile& profile : analysis::built_in_profiles()) names.push_back(profile.name);
  return names;
}

}  // namespace

std::vector<std::string> known_values(const std::string& option) {
  if (option == "-S") return stage_names();
  if (option == "--passes") return pass_names();
  if (option == "--profile") return profile_names();
  if (option == "--fail-on") {
    std::vector<std::string> names;
    for (const report::RegressionName& each : report::kRegressions) names.emplace_back(each.name);
    return names;
  }
  if (option == "-O") return {"0", "1", "2", "3"};
  if (option != "--dump-after") return {};
  std::vector<std::string> names = pass_names();
  names.emplace_back("all");
  return names;
}

}  // namespace varylink::cli
