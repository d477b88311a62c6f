#include "driver/link_group.h"

#include <algorithm>
#include <map>
#include <string>

#include "driver/group_steps.h"

namespace varylink::driver {
namespace {

// A pipeline that shares nothing stays as it is if one of its modules has to, and so does what is only checked.
bool is_passed_through(const GroupRecords& group) {
  if (group.options->level == link::Level::check) return true;
  return group.pipelines.size() == 1 && std::any_of(group.modules.begin(), group.modules.end(),
                                                    [](const ModuleRecord& module) { return !module.may_change(); });
}

// Each round of linking leaves one module more alone than the round before.
void leave_alone(const GroupRecords& group, std::map<std::size_t, std::string>& left_alone) {
  for (std::size_t i = 0; i < group.modules.size(); ++i)
    if (!group.modules[i].unwritable.empty()) left_alone.emplace(i, group.modules[i].unwritable);
}

}  // namespace

link::LinkedGroup link_group(const link::GroupInput& input, const link::LinkOptions& options,
                             const InterfaceObserver& observe) {
  link::LinkOptions own_options = options;
  own_options.layout = link::common_layout(input, options.layout);
  std::map<std::size_t, std::string> left_alone;
  while (true) {
    GroupRecords group = open_group(input, own_options, left_alone);
    if (is_passed_through(group)) {
      pass_group_through(group);
      report_passed_through(group);
    } else if (link_interfaces(group, observe)) {
      if (!write_group(group)) {
        leave_alone(group, left_alone);
        continue;
      }
      report_linked(group);
    }
    keep_spec_ids(group);
    pass_unread_through(group);
    record_assumptions(group, input);
    return take_results(group);
  }
}

}  // namespace varylink::driver
