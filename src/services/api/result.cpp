// Results: varylink_result_*.
#include "api/convert.h"
#include "api/handles.h"
#include "api/sized_struct.h"

using namespace varylink;

namespace {

// Fills `to` with what `convert` makes of element `index` of `list`.
template <typename T, typename List, typename Convert>
varylink_status get(const List* list, std::size_t index, T* to, Convert convert) {
  if (list == nullptr || to == nullptr || index >= list->size()) return VARYLINK_ERROR_INVALID_ARGUMENT;
  return api::write_sized(convert((*list)[index]), *to) ? VARYLINK_SUCCESS : VARYLINK_ERROR_INVALID_ARGUMENT;
}

varylink_interface_size to_c(const link::InterfaceSize& size) {
  return {size.components, size.locations, size.highest_location};
}

varylink_stage_output stage_to_c(const varylink_result::Module& from) {
  varylink_stage_output to = {};
  to.stage = api::to_c(from.stage);
  to.words = from.words.data();
  to.word_count = from.words.size();
  to.entry_point = from.entry_point.c_str();
  to.name = from.name.c_str();
  return to;
}

varylink_interface interface_to_c(const link::InterfaceReport& from) {
  varylink_interface to = {};
  to.producer = api::to_c(from.producer);
  to.consumer = api::to_c(from.consumer);
  to.before = to_c(from.before);
  to.after = to_c(from.after);
  to.component_count = from.components.size();
  to.not_counted_before = from.before.not_counted;
  to.not_counted_after = from.after.not_counted;
  return to;
}

varylink_component component_to_c(const link::ComponentRecord& from) {
  varylink_component to = {};
  to.old_location = from.old_slot.location;
  to.old_component = from.old_slot.component;
  to.fate = api::to_c(from.outcome);
  if (from.new_slot) {
    to.has_new = 1;
    to.new_location = from.new_slot->location;
    to.new_component = from.new_slot->component;
  }
  to.reason = from.reason.c_str();
  to.producer_name = from.producer_name.c_str();
  to.consumer_name = from.consumer_name.c_str();
  to.type = from.type.c_str();
  to.interpolation = from.interpolation.c_str();
  to.patch = from.patch ? 1 : 0;
  return to;
}

varylink_verdict to_c(prove::Verdict verdict) {
  switch (verdict) {
    case prove::Verdict::proved: return VARYLINK_VERDICT_PROVED;
    case prove::Verdict::refuted: return VARYLINK_VERDICT_REFUTED;
    case prove::Verdict::not_proved: break;
  }
  return VARYLINK_VERDICT_NOT_PROVED;
}

varylink_proof proof_to_c(const report::ProofRecord& from) {
  varylink_proof to = {};
  to.verdict = to_c(from.proof.verdict);
  to.level = static_cast<varylink_level>(from.level + VARYLINK_LEVEL_CHECK);
  to.reason = from.proof.reason.c_str();
  to.output_count = from.proof.outputs;
  to.finding_count = from.proof.findings.size();
  return to;
}

varylink_finding finding_to_c(const prove::Finding& from) {
  varylink_finding to = {};
  to.stage = api::to_c(from.stage);
  to.verdict = to_c(from.verdict);
  to.what = from.what.c_str();
  to.original = from.original.c_str();
  to.linked = from.linked.c_str();
  to.witness = from.witness.c_str();
  return to;
}

varylink_unused unused_to_c(const link::UnusedDeclaration& from) {
  varylink_unused to = {};
  to.kind = static_cast<varylink_unused_kind>(from.kind);
  to.set = from.set;
  to.number = from.number;
  to.location_count = from.locations;
  to.name = from.name.c_str();
  for (const Stage stage : from.stages) to.stages |= 1u << api::to_c(stage);
  to.unused_by_all = from.unused_by_all ? 1 : 0;
  to.was_used = from.was_used ? 1 : 0;
  return to;
}

}  // namespace

void varylink_result_destroy(varylink_result* result) { delete result; }

varylink_status varylink_result_status(const varylink_result* result) {
  return result == nullptr ? VARYLINK_ERROR_INVALID_ARGUMENT : result->status;
}

size_t varylink_result_stage_count(const varylink_result* result) {
  return result == nullptr ? 0 : result->modules.size();
}

size_t varylink_result_diagnostic_count(const varylink_result* result) {
  return result == nullptr ? 0 : result->found.size();
}

size_t varylink_result_interface_count(const varylink_result* result) {
  return result == nullptr ? 0 : result->interfaces.size();
}

size_t varylink_result_unused_count(const varylink_result* result) {
  return result == nullptr ? 0 : result->unused.size();
}

varylink_status varylink_result_get_unused(const varylink_result* result, size_t index, varylink_unused* unused) {
  return get(result == nullptr ? nullptr : &result->unused, index, unused, unused_to_c);
}

varylink_status varylink_result_get_stage(const varylink_result* result, size_t index, varylink_stage_output* stage) {
  return get(result == nullptr ? nullptr : &result->modules, index, stage, stage_to_c);
}

varylink_status varylink_result_get_diagnostic(const varylink_result* result, size_t index,
                                               varylink_diagnostic* diagnostic) {
  return get(result == nullptr ? nullptr : &result->found, index, diagnostic,
             [](const varylink_result::Found& found) { return api::to_c(found); });
}

varylink_status varylink_result_get_interface(const varylink_result* result, size_t index,
                                              varylink_interface* interface_out) {
  return get(result == nullptr ? nullptr : &result->interfaces, index, interface_out, interface_to_c);
}

varylink_status varylink_result_get_component(const varylink_result* result, size_t interface_index, size_t index,
                                              varylink_component* component) {
  if (result == nullptr || interface_index >= result->interfaces.size()) return VARYLINK_ERROR_INVALID_ARGUMENT;
  return get(&result->interfaces[interface_index].components, index, component, component_to_c);
}

varylink_status varylink_result_get_bound(const varylink_result* result, size_t index, varylink_interface_size* bound) {
  if (result == nullptr || bound == nullptr || index >= result->bounds.size()) return VARYLINK_ERROR_INVALID_ARGUMENT;
  *bound = to_c(result->bounds[index]);
  return VARYLINK_SUCCESS;
}

int varylink_result_has_proof(const varylink_result* result) { return result != nullptr && result->proof ? 1 : 0; }

varylink_status varylink_result_get_proof(const varylink_result* result, varylink_proof* proof) {
  if (varylink_result_has_proof(result) == 0 || proof == nullptr) return VARYLINK_ERROR_INVALID_ARGUMENT;
  return api::write_sized(proof_to_c(*result->proof), *proof) ? VARYLINK_SUCCESS : VARYLINK_ERROR_INVALID_ARGUMENT;
}

varylink_status varylink_result_get_finding(const varylink_result* result, size_t index, varylink_finding* finding) {
  if (varylink_result_has_proof(result) == 0) return VARYLINK_ERROR_INVALID_ARGUMENT;
  return get(&result->proof->proof.findings, index, finding, finding_to_c);
}

const char* varylink_result_report(const varylink_result* result) {
  return result == nullptr ? nullptr : result->report.c_str();
}
