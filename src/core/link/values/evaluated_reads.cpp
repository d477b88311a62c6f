#include "link/values/evaluated_reads.h"

#include <set>

#include "graph/value_writer.h"
#include "link/values/reachable_resources.h"
#include "spirv/ir/code_edit.h"
#include "spirv/ir/emitter.h"
#include "spirv/ir/globals.h"
#include "varyings/reflect/pointer_access.h"

namespace varylink::link {

using graph::Value;
using graph::ValueId;
using spirv::Id;

namespace {

std::vector<const Value*> resources_in(const graph::ValueGraph& graph, const std::map<Id, ValueId>& values) {
  std::vector<ValueId> computed;
  for (const auto& [variable, value] : values) computed.push_back(value);
  std::vector<const Value*> resources;
  for (const ValueId part : parts_of(graph, computed))
    if (graph[part].kind == graph::ValueKind::resource) resources.push_back(&graph[part]);
  return resources;
}

}  // namespace

bool evaluate_reads(LinkedStage& stage, const graph::ValueGraph& graph, const std::map<Id, ValueId>& values,
                    const std::vector<bool>& keeps_rounding) {
  spirv::Module& module = stage.module;
  const graph::Resources resources = with_declared(stage, resources_in(graph, values));
  const spirv::Uses uses(module);
  spirv::Globals globals(module);
  spirv::Emitter emitter(module, globals);
  spirv::CodeEdit edit;
  emitter.write_to(edit.start());
  graph::ValueWriter writer(graph, module, globals, emitter, resources, [](ValueId) { return 0; });
  std::vector<std::pair<ValueId, spirv::InstRef>> reads;
  std::set<ValueId> rounded;
  for (const auto& [variable, value] : values)
    for (const varyings::PointerAccess& access : varyings::accesses_of(module, uses, variable).accesses) {
      if (access.kind == varyings::PointerAccess::Kind::store) continue;
      reads.emplace_back(value, access.inst);
      if (keeps_rounding[module[access.inst].result]) rounded.insert(value);
    }
  writer.keep_rounding(rounded);
  for (const auto& [value, read] : reads) {
    edit.replace(module[read].result, writer.write(value));
    edit.remove(read);
  }
  edit.apply(module, stage.entry.function);
  return writer.is_complete();
}

}  // namespace varylink::link
