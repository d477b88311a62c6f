#include "link/model/name_files.h"

namespace varylink::link {

void name_files(std::span<LinkedPipeline> linked, const std::vector<StageInput>& modules) {
  std::vector<std::string> names;
  for (const StageInput& module : modules) names.push_back(module.file);
  for (LinkedPipeline& pipeline : linked) {
    for (Diagnostic& diagnostic : pipeline.diagnostics) varylink::name_files(diagnostic, names);
    for (InterfaceReport& interface : pipeline.interfaces)
      for (ComponentRecord& record : interface.components) varylink::name_files(record.reason, record.mentions, names);
  }
}

}  // namespace varylink::link
