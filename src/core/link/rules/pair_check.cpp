#include "link/rules/pair_check.h"

#include <algorithm>

#include "link/rules/contract_facts.h"
#include "link/rules/match.h"
#include "link/rules/source_place.h"
#include "spirv/ir/globals.h"

namespace varylink::link {
namespace {

struct Pair {
  Pair(const StageView& producer, const StageView& consumer)
      : outputs(producer, varyings::Direction::output), inputs(consumer, varyings::Direction::input) {}

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
  const StageView& stage = (finding.on_producer ? pair.outputs : pair.inputs).stage();
  Diagnostic diagnostic = make_error(severity == Severity::error ? kind : ErrorKind::none, stage.file, finding.message,
                                     std::string(vuid_of(finding.rule, finding.direction)));
  diagnostic.severity = severity;
  if (finding.slot) diagnostic.location = varyings::text(*finding.slot);
  return diagnostic;
}

// `other` of a finding within one stage is a variable of the same stage.
Diagnostic with_places(Diagnostic diagnostic, const Finding& finding, const Pair& pair) {
  const StageView& own = (finding.on_producer ? pair.outputs : pair.inputs).stage();
  const bool is_within = finding.on_producer || finding.rule >= Rule::overlap;
  const StageView& other = is_within ? own : pair.outputs.stage();
  add_places(diagnostic, {&own, finding.id}, {&other, finding.other});
  return diagnostic;
}

std::uint32_t never_written(const Findings& findings) {
  std::uint32_t count = 0;
  for (const Finding& finding : findings)
    if (finding.rule == Rule::read_not_written) count += static_cast<std::uint32_t>(finding.unwritten.size());
  return count;
}

// Components that the consumer reads and the producer does not write for certain: values that linking makes constant,
// such as the counter of a loop or a condition, may show that it never does.
std::uint32_t uncertainly_written(const Pair& pair) {
  std::uint32_t count = 0;
  for (const auto& [slot, uses] : pair.inputs.slots())
    for (const SlotUse& input : uses) {
      const varyings::Leaf& leaf = pair.inputs.leaf(input);
      if (slot != leaf.slot_of(input.component) || !(pair.inputs.access(input).read >> input.component & 1)) continue;
      const SlotUse* output = pair.outputs.find(slot, leaf);
      if (output && !(pair.outputs.access(*output).certain >> output->component & 1)) ++count;
    }
  return count;
}

bool is_unread_without_output(const Finding& finding) {
  return (finding.rule == Rule::missing_output || finding.rule == Rule::missing_component) && !finding.read;
}

std::ptrdiff_t unread_without_output(const Findings& findings) {
  return std::count_if(findings.begin(), findings.end(), is_unread_without_output);
}

bool was_there(const Findings& before, const Finding& finding) {
  return std::any_of(before.begin(), before.end(), [&](const Finding& old) {
    return old.rule == finding.rule && old.slot == finding.slot && old.on_producer == finding.on_producer;
  });
}

// Severity of a broken rule for a pair that is to be linked: none if it need not be told.
std::optional<Severity> input_severity(const Finding& finding, bool strict) {
  if (finding.rule == Rule::not_described || finding.rule == Rule::interpolation_differs) return std::nullopt;
  if (strict) return severity_of(finding.rule, true);
  switch (finding.rule) {
    case Rule::missing_output:
    case Rule::missing_component: return finding.read ? Severity::error : Severity::warning;
    case Rule::per_primitive_mismatch:
    case Rule::built_in_block:
    case Rule::mixed_interpolation: return Severity::warning;
    case Rule::vector_width: return std::nullopt;
    default: return severity_of(finding.rule, false);
  }
}

// The payload that the code of the stage uses, 0 if there is none.
spirv::Id payload(const StageView& stage) {
  for (const spirv::Id id : used_globals(stage))
    if (static_cast<spv::StorageClass>(stage.module->operand(stage.module->def(id), 0).word) ==
        spv::StorageClass::TaskPayloadWorkgroupEXT)
      return id;
  return 0;
}

}  // namespace

Diagnostics check_pair(const StageView& producer, const StageView& consumer, const PairOriginals* originals) {
  if (passes_through(producer)) return {};
  const Pair pair(producer, consumer);
  const Findings findings = pair.findings();
  Findings before;
  std::uint32_t uncertain = 0;
  if (originals) {
    const Pair original(originals->producer, originals->consumer);
    before = original.findings();
    uncertain = uncertainly_written(original);
  }
  // Slots move, so reads of values that nobody writes are told apart by their number only.
  const bool more_unwritten = never_written(findings) > uncertain;
  // So are inputs that nobody reads: the component of one that is left, the last one per sample, may be at another
  // slot.
  const bool more_unread = unread_without_output(findings) > unread_without_output(before);
  Diagnostics diagnostics;
  for (const Finding& finding : findings) {
    if (finding.rule == Rule::not_described) continue;
    if (finding.rule == Rule::read_not_written ? !more_unwritten : was_there(before, finding)) continue;
    if (is_unread_without_output(finding) && !more_unread) continue;
    diagnostics.push_back(to_diagnostic(finding, pair, Severity::error, ErrorKind::verification_failed));
  }
  return diagnostics;
}

PayloadFinding match_payloads(const StageView& task, const StageView& mesh) {
  PayloadFinding found{PayloadMatch::same, payload(task), payload(mesh), ""};
  if (found.mesh == 0) return found;
  if (found.task == 0) {
    found.match = PayloadMatch::missing;
    found.message = "the task payload is used but " + task.file + " does not have one";
    return found;
  }
  const auto type = [](const StageView& stage, spirv::Id id) {
    return spirv::pointee_type(*stage.module, stage.module->type_of(id));
  };
  switch (match_types(*mesh.module, type(mesh, found.mesh), *task.module, type(task, found.task))) {
    case TypeMatch::same: break;
    case TypeMatch::specialized:
      found.match = PayloadMatch::specialized;
      found.message = "the size of the task payload depends on specialization constants that " + task.file +
                      " does not have with the same SpecId and default";
      break;
    case TypeMatch::signedness:
    case TypeMatch::different:
      found.match = PayloadMatch::different;
      found.message = "the task payload has another type in " + task.file;
  }
  return found;
}

Diagnostics check_payload(const StageView& task, const StageView& mesh, const PairOriginals* originals) {
  const PayloadFinding found = match_payloads(task, mesh);
  const PayloadMatch before =
      originals ? match_payloads(originals->producer, originals->consumer).match : PayloadMatch::same;
  if (found.match <= before) return {};
  return {make_error(ErrorKind::verification_failed, mesh.file, found.message, std::string(kPayloadVuid))};
}

Diagnostics check_input_payload(const StageView& task, const StageView& mesh) {
  const PayloadFinding found = match_payloads(task, mesh);
  if (found.match == PayloadMatch::same) return {};
  if (found.match == PayloadMatch::specialized)
    return {make_warning(mesh.file, found.message, std::string(kPayloadVuid))};
  return {make_error(ErrorKind::interface_mismatch, mesh.file, found.message, std::string(kPayloadVuid))};
}

InputCheck check_input_pair(const StageView& producer, const StageView& consumer, bool strict) {
  InputCheck check;
  if (passes_through(producer)) return check;
  const Pair pair(producer, consumer);
  for (const Finding& finding : pair.findings()) {
    check.unwritten.insert(finding.unwritten.begin(), finding.unwritten.end());
    if (const auto severity = input_severity(finding, strict))
      check.diagnostics.push_back(
          with_places(to_diagnostic(finding, pair, *severity, ErrorKind::interface_mismatch), finding, pair));
  }
  return check;
}

}  // namespace varylink::link
