#include "link/conformance/pair_check.h"

#include <algorithm>

#include "link/conformance/match.h"
#include "spirv/ir/globals.h"

namespace varylink::link {
namespace {

struct Pair {
  Pair(const StageView& producer, const StageView& consumer)
      : outputs(producer, io::Direction::output), inputs(consumer, io::Direction::input) {}

  Findings findings() const {
    Findings all = check_declarations(outputs);
    const auto append = [&](const Findings& more) { all.insert(all.end(), more.begin(), more.end()); };
    append(check_declarations(inputs));
    append(match_interfaces(outputs, inputs));
    append(match_built_in_blocks(outputs.stage(), inputs.stage()));
    return all;
  }

  InterfaceModel outputs, inputs;
};

Diagnostic to_diagnostic(const Finding& finding, const Pair& pair, Severity severity, ErrorKind kind) {
  Diagnostic diagnostic;
  diagnostic.severity = severity;
  diagnostic.kind = severity == Severity::error ? kind : ErrorKind::none;
  diagnostic.file = (finding.on_producer ? pair.outputs : pair.inputs).stage().file;
  diagnostic.message = finding.message;
  diagnostic.vuid = vuid_of(finding.rule, finding.direction);
  if (finding.slot) diagnostic.location = io::text(*finding.slot);
  return diagnostic;
}

std::uint32_t never_written(const Findings& findings) {
  std::uint32_t count = 0;
  for (const Finding& finding : findings)
    if (finding.rule == Rule::read_not_written) count += static_cast<std::uint32_t>(finding.unwritten.size());
  return count;
}

bool was_there(const Findings& before, const Finding& finding) {
  return std::any_of(before.begin(), before.end(), [&](const Finding& old) {
    return old.rule == finding.rule && old.slot == finding.slot && old.on_producer == finding.on_producer;
  });
}

// What a broken rule means for a pair that is to be linked: none if the linker copes with it.
std::optional<Severity> input_severity(const Finding& finding) {
  switch (finding.rule) {
    case Rule::missing_output:
    case Rule::missing_component: return finding.read ? Severity::error : Severity::warning;
    case Rule::component_type:
    case Rule::patch_mismatch:
    case Rule::overlap: return Severity::error;
    case Rule::signedness:
    case Rule::per_primitive_mismatch:
    case Rule::built_in_block:
    case Rule::read_not_written:
    case Rule::overlap_of_kinds:
    case Rule::mixed_interpolation:
    case Rule::missing_flat: return Severity::warning;
    case Rule::vector_width:
    case Rule::scalar_against_vector:
    case Rule::shape:
    case Rule::interpolation_differs:
    case Rule::not_described: return std::nullopt;
  }
  return std::nullopt;
}

// Type of the payload in the entry point's list, 0 if there is none.
spirv::Id payload_type(const StageView& stage) {
  const spirv::Module& module = *stage.module;
  for (const spirv::Id id : stage.entry.interface)
    if (module.def_op(id) == spv::Op::OpVariable &&
        static_cast<spv::StorageClass>(module.operand(module.def(id), 0).word) ==
            spv::StorageClass::TaskPayloadWorkgroupEXT)
      return spirv::pointee_type(module, module.type_of(id));
  return 0;
}

}  // namespace

Diagnostics check_pair(const StageView& producer, const StageView& consumer, const PairOriginals* originals) {
  const Pair pair(producer, consumer);
  const Findings findings = pair.findings();
  Findings before;
  if (originals) before = Pair(originals->producer, originals->consumer).findings();
  // Slots move, so reads of values that nobody writes are told apart by their number only.
  const bool more_unwritten = never_written(findings) > never_written(before);
  Diagnostics diagnostics;
  for (const Finding& finding : findings) {
    if (finding.rule == Rule::not_described) continue;
    if (finding.rule == Rule::read_not_written ? !more_unwritten : was_there(before, finding)) continue;
    diagnostics.push_back(to_diagnostic(finding, pair, Severity::error, ErrorKind::verification_failed));
  }
  return diagnostics;
}

Diagnostics check_payload(const StageView& task, const StageView& mesh) {
  const spirv::Id in = payload_type(mesh), out = payload_type(task);
  if (in == 0 || (out != 0 && same_type(*mesh.module, in, *task.module, out))) return {};
  return {make_error(ErrorKind::verification_failed, mesh.file,
                     "the task payload is not declared like that of " + task.file)};
}

InputCheck check_input_pair(const StageView& producer, const StageView& consumer) {
  const Pair pair(producer, consumer);
  InputCheck check;
  for (const Finding& finding : pair.findings()) {
    check.unwritten.insert(finding.unwritten.begin(), finding.unwritten.end());
    if (const auto severity = input_severity(finding))
      check.diagnostics.push_back(to_diagnostic(finding, pair, *severity, ErrorKind::interface_mismatch));
  }
  return check;
}

}  // namespace varylink::link
