#include "support/outcome.h"

#include <algorithm>

namespace varylink::test {
namespace {

std::string status_text(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::none: return "ok";
    case ErrorKind::usage: return "usage";
    case ErrorKind::io: return "io";
    case ErrorKind::glsl: return "glsl";
    case ErrorKind::invalid_spirv: return "invalid_spirv";
    case ErrorKind::interface_mismatch: return "interface_mismatch";
    case ErrorKind::verification_failed: return "verification_failed";
    case ErrorKind::interrupted: return "interrupted";
  }
  return "?";
}

std::string lines_of(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) text += render(diagnostic) + "\n";
  return text;
}

std::string names_text(const link::ComponentRecord& record) {
  if (record.producer_name.empty() && record.consumer_name.empty()) return "-";
  if (record.consumer_name.empty() || record.consumer_name == record.producer_name) return record.producer_name;
  if (record.producer_name.empty()) return "= " + record.consumer_name;
  return record.producer_name + " = " + record.consumer_name;
}

std::string fate_text(const link::ComponentRecord& record) {
  const std::string slot = record.new_slot ? varyings::text(*record.new_slot) : "?";
  const std::string outcome(link::name_of(record.outcome));
  if (record.outcome == link::Outcome::kept) return slot + " kept";
  if (record.outcome == link::Outcome::duplicate) return outcome + " of " + (record.new_slot ? slot : "a built-in");
  return record.new_slot ? slot + " " + outcome : outcome;
}

std::string change_text(const char* what, std::uint32_t before, std::uint32_t after) {
  return std::string(what) + " " + std::to_string(before) + " -> " + std::to_string(after);
}

}  // namespace

std::string interface_text(const link::InterfaceReport& report) {
  std::string text = change_text("components", report.before.components, report.after.components) + ", " +
                     change_text("locations", report.before.locations, report.after.locations) + ", " +
                     change_text("highest location", report.before.highest_location, report.after.highest_location) +
                     "\n";
  for (const link::ComponentRecord& record : report.components) {
    text += varyings::text(record.old_slot) + " " + record.type;
    if (!record.interpolation.empty()) text += " " + record.interpolation;
    if (record.patch) text += " patch";
    text += " " + names_text(record) + " -> " + fate_text(record);
    if (!record.reason.empty()) text += ": " + record.reason;
    text += "\n";
  }
  return text;
}

bool is_unchanged(const link::InterfaceReport& report) {
  return std::all_of(report.components.begin(), report.components.end(), [](const link::ComponentRecord& record) {
    return record.outcome == link::Outcome::kept && record.new_slot == record.old_slot;
  });
}

Outcome outcome_of(link::LinkedPipeline linked, const Diagnostics& warnings) {
  Outcome outcome;
  outcome.status = status_text(linked.failure);
  for (const link::InterfaceReport& report : linked.interfaces) {
    const std::string name = std::string(short_name(report.producer)) + "->" + std::string(short_name(report.consumer));
    outcome.interfaces.emplace_back(
        name, is_unchanged(report) ? "unchanged\n" + interface_text(report) : interface_text(report));
  }
  for (const link::Remark& remark : linked.remarks)
    outcome.remarks += remark.pass + " " + remark.stage + ": " + remark.message + "\n";
  outcome.diagnostics = lines_of(warnings) + lines_of(linked.diagnostics);
  outcome.stages = std::move(linked.stages);
  return outcome;
}

Outcome outcome_of_failure(const Diagnostic& error, const Diagnostics& messages) {
  Outcome outcome;
  outcome.status = status_text(error.kind);
  outcome.diagnostics = messages.empty() ? lines_of({error}) : lines_of(messages);
  return outcome;
}

}  // namespace varylink::test
