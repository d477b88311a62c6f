#include "link/model/name_files.h"

namespace varylink::link {

void name_files(LinkedPipeline& linked, const std::vector<StageInput>& modules) {
  std::vector<std::string> names;
  for (const StageInput& module : modules) names.push_back(module.file);
  for (Diagnostic& diagnostic : linked.diagnostics) varylink::name_files(diagnostic, names);
  for (InterfaceReport& interface : linked.interfaces)
    for (ComponentRecord& record : interface.components) varylink::name_files(record.reason, record.mentions, names);
}

}  // namespace varylink::link
