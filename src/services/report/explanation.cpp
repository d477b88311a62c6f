#include "report/explanation.h"

#include <algorithm>
#include <cctype>

#include "base/printable.h"

namespace varylink::report {
namespace {

constexpr const char* kStageArrow = "→";
constexpr std::string_view kComponents = "xyzw";

std::string interface_name(const link::InterfaceReport& interface) {
  return std::string(short_name(interface.producer)) + kStageArrow + std::string(short_name(interface.consumer));
}

bool matches(const ComponentQuery& query, varyings::Slot slot) {
  return query.location == slot.location && query.component.value_or(slot.component) == slot.component;
}

// "vert→frag 4.x: float v.color.x, read as color.x, smooth"
std::string heading(const link::InterfaceReport& interface, const link::ComponentRecord& component) {
  std::string text = interface_name(interface) + " " + varyings::text(component.old_slot) + ": " + component.type;
  if (!component.producer_name.empty()) text += " " + printable(component.producer_name);
  if (!component.consumer_name.empty() && component.consumer_name != component.producer_name)
    text += ", read as " + printable(component.consumer_name);
  if (!component.interpolation.empty()) text += ", " + component.interpolation;
  return text + (component.patch ? ", per patch" : "");
}

// The values of an interface, nullptr if they were not taken down.
const ValueFlow* flow_of(const ReportEntry& pipeline, const link::InterfaceReport& interface) {
  for (const ValueFlow& flow : pipeline.flows)
    if (flow.producer == interface.producer && flow.consumer == interface.consumer) return &flow;
  return nullptr;
}

std::string needed_for(const ValueFlow& flow, varyings::Slot slot) {
  std::string text;
  for (const std::string& use : uses_of(flow, slot)) text += (text.empty() ? "" : ", ") + printable(use);
  return text.empty() ? text : " The " + std::string(short_name(flow.consumer)) + " stage needs it for " + text + ".";
}

std::string crosses_instead(const ValueFlow* flow, varyings::Slot slot) {
  std::string text;
  if (flow)
    for (const std::size_t place : successors_of(*flow, slot)) {
      const ValueFlow::Component& component = flow->after[place];
      text += (text.empty() ? "" : "; ") + varyings::text(component.slot) + " carries " + printable(component.name);
    }
  return text.empty() ? "Other values cross instead." : "Now " + text + ".";
}

// A uniform expression that the next stage was to evaluate, until code that needs it moved to the producer.
bool is_sent_as_part(const ValueFlow* flow, varyings::Slot slot) {
  const std::optional<std::uint32_t> node = flow ? node_at(*flow, slot) : std::nullopt;
  return node && flow->nodes[*node].after.producer && !flow->nodes[*node].after.consumer;
}

std::string kept(const link::ComponentRecord& component, bool optimized) {
  const bool moved = component.new_slot && *component.new_slot != component.old_slot;
  std::string text = "It still crosses, " +
                     (moved ? "now at " + varyings::text(*component.new_slot) : "at the same place") + ", because " +
                     printable(component.reason) + ".";
  // The passes looked at it and found nothing; what is kept as a whole has its own reason.
  if (optimized && component.reason == "the next stage reads it")
    text += " It is not a constant, and no other component that is interpolated alike carries the same value.";
  return text;
}

std::string gone(const link::InterfaceReport& interface, const link::ComponentRecord& component,
                 const ValueFlow* flow) {
  const std::string producer(short_name(interface.producer));
  const std::string consumer(short_name(interface.consumer));
  if (component.outcome == link::Outcome::uniform && is_sent_as_part(flow, component.old_slot))
    return "It is gone, because it is a uniform part of values that the " + producer + " stage computes. " +
           crosses_instead(flow, component.old_slot);
  const std::string start = "It is gone, because " + printable(component.reason) + ". ";
  switch (component.outcome) {
    case link::Outcome::dead: return start + "The " + producer + " stage lost the code that only computed it.";
    case link::Outcome::constant: return start + "The " + consumer + " stage has the constant itself.";
    case link::Outcome::uniform: return start + "The " + consumer + " stage evaluates the expression itself.";
    case link::Outcome::duplicate:
      return start + "The " + consumer + " stage reads " +
             (component.new_slot ? "what is now " + varyings::text(*component.new_slot)
                                 : std::string("the other one")) +
             " instead.";
    case link::Outcome::moved: return start + crosses_instead(flow, component.old_slot);
    case link::Outcome::kept: break;
  }
  return start;
}

// The message speaks of that location.
bool mentions(const std::string& message, std::uint32_t location) {
  const std::string name = "location " + std::to_string(location);
  const std::size_t found = message.find(name);
  if (found == std::string::npos) return false;
  const std::size_t behind = found + name.size();
  return behind == message.size() || !std::isdigit(static_cast<unsigned char>(message[behind]));
}

std::string line_of(const link::Remark& remark) {
  return remark.pass + " in " + remark.stage + ": " + printable(remark.message) + "\n";
}

std::string remarks_about(const ReportEntry& pipeline, std::uint32_t location) {
  std::string text;
  for (const link::Remark& remark : pipeline.remarks)
    if (mentions(remark.message, location)) text += "  " + line_of(remark);
  return text;
}

// Any outcome may rest on these facts: they are written into the code before a pass sees it.
std::string needed_state(const ReportEntry& pipeline) {
  std::string text;
  for (const link::Remark& remark : pipeline.remarks)
    if (remark.message.starts_with(link::kNeedsState)) text += line_of(remark);
  return text;
}

bool was_optimized(const ReportEntry& pipeline) {
  const auto changed = [](const link::InterfaceReport& interface) {
    return std::any_of(interface.components.begin(), interface.components.end(), [](const auto& component) {
      return component.outcome != link::Outcome::kept || component.reason == "the next stage reads it";
    });
  };
  return std::any_of(pipeline.interfaces.begin(), pipeline.interfaces.end(), changed);
}

}  // namespace

Result<ComponentQuery> parse_query(const std::string& text) {
  const Diagnostic error =
      make_error(ErrorKind::usage, "", "'" + text + "' is no place of a varying; it is written like 4.x or 4");
  constexpr std::size_t kMostDigits = 6;
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (digits == 0 || digits > kMostDigits) return error;
  ComponentQuery query;
  query.location = static_cast<std::uint32_t>(std::stoul(text.substr(0, digits)));
  if (digits == text.size()) return query;
  const std::size_t component = text.size() == digits + 2 ? kComponents.find(text[digits + 1]) : std::string::npos;
  if (text[digits] != '.' || component == std::string::npos) return error;
  query.component = static_cast<std::uint32_t>(component);
  return query;
}

std::string explain(const ReportEntry& pipeline, const std::optional<ComponentQuery>& query) {
  const bool optimized = was_optimized(pipeline);
  std::string text;
  for (const link::InterfaceReport& interface : pipeline.interfaces) {
    const ValueFlow* flow = flow_of(pipeline, interface);
    for (const link::ComponentRecord& component : interface.components) {
      if (query && !matches(*query, component.old_slot)) continue;
      text += heading(interface, component) + "\n  ";
      if (component.outcome == link::Outcome::kept)
        text += kept(component, optimized) + (flow ? needed_for(*flow, component.old_slot) : "");
      else
        text += gone(interface, component, flow);
      text += "\n" + remarks_about(pipeline, component.old_slot.location);
    }
  }
  return text.empty() ? text : text + needed_state(pipeline);
}

std::string declared_components(const ReportEntry& pipeline) {
  std::string text;
  for (const link::InterfaceReport& interface : pipeline.interfaces) {
    text += interface_name(interface) + " declares";
    std::optional<std::uint32_t> location;
    for (const link::ComponentRecord& component : interface.components) {
      const varyings::Slot slot = component.old_slot;
      if (location != slot.location) text += " " + std::to_string(slot.location) + ".";
      text += kComponents[slot.component & 3];
      location = slot.location;
    }
    text += interface.components.empty() ? " nothing\n" : "\n";
  }
  return text;
}

}  // namespace varylink::report
