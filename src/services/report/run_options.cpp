#include "report/run_options.h"

#include "link/model/link_flags.h"

namespace varylink::report {

std::vector<std::pair<std::string, std::string>> options_that_matter(const link::LinkOptions& options) {
  std::vector<std::pair<std::string, std::string>> list;
  list.emplace_back("-O", std::to_string(static_cast<int>(options.level)));
  list.emplace_back("--target-env", spirv::name_of(options.validator.env));
  std::string passes;
  for (const std::string& pass : options.passes) passes += (passes.empty() ? "" : ",") + pass;
  if (!passes.empty()) list.emplace_back("--passes", passes);
  if (options.fuel) list.emplace_back("--fuel", std::to_string(*options.fuel));
  list.emplace_back("--profile", options.profile.name);
  const auto flag = [&](const char* name, bool set) {
    if (set) list.emplace_back(name, "");
  };
  for (const link::LinkFlag& each : link::link_flags())
    if (each.decides_results) flag(each.option, options.*each.member);
  if (options.layout) list.emplace_back("--layout", link::text(*options.layout));
  flag("--scalar-block-layout", options.validator.scalar_block_layout);
  flag("--uniform-buffer-standard-layout", options.validator.uniform_buffer_standard_layout);
  flag("--relax-block-layout", options.validator.relax_block_layout);
  flag("--allow-localsizeid", options.validator.allow_localsizeid);
  if (options.validator.known_issues_are_errors) list.emplace_back("--validator-known-issues", "error");
  return list;
}

std::vector<std::pair<std::string, std::string>> options_that_matter(const share::SharedRequest& request) {
  std::vector<std::pair<std::string, std::string>> list;
  switch (request.sharing) {
    case share::Sharing::none: break;
    case share::Sharing::specialize: list.emplace_back("--share", "specialize"); break;
    case share::Sharing::together: list.emplace_back("--share", "union"); break;
    case share::Sharing::cluster:
      list.emplace_back("--share", "cluster");
      list.emplace_back("--max-variants", std::to_string(request.max_variants));
      break;
  }
  std::string groups;
  for (const std::vector<std::string>& names : request.invariance_groups) {
    if (!groups.empty()) groups += " ";
    for (std::size_t i = 0; i < names.size(); ++i) groups += (i == 0 ? "" : ",") + names[i];
  }
  if (!groups.empty()) list.emplace_back("--invariance-group", groups);
  return list;
}

}  // namespace varylink::report
