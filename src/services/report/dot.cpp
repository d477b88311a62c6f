#include "report/dot.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "base/printable.h"

namespace varylink::report {
namespace {

using Components = std::vector<ValueFlow::Component>;

constexpr std::string_view kToProducer = "#9ec9f5", kToConsumer = "#ffc78a", kCut = "#c02f2f", kGone = "#9aa0a8";

std::string_view color_of(link::Outcome outcome) {
  switch (outcome) {
    case link::Outcome::kept: return "#cfe2f7";
    case link::Outcome::dead: return "#e3e5e8";
    case link::Outcome::constant: return "#f6ddb0";
    case link::Outcome::uniform: return "#e2cfec";
    case link::Outcome::duplicate: return "#bfe8e0";
    case link::Outcome::moved: return "#dde8b9";
  }
  return "#ffffff";
}

// Inside double quotes.
std::string dot_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : printable(text)) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

// Inside a label between angle brackets.
std::string markup(std::string_view text) {
  std::string result;
  for (const char c : printable(text)) switch (c) {
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '&': result += "&amp;"; break;
      case '"': result += "&quot;"; break;
      default: result += c;
    }
  return result;
}

// Which operand is which matters.
bool is_ordered(const ValueFlow::Node& node) {
  static constexpr std::array<std::string_view, 9> kCommutative = {
      "+", "*", "BitwiseAnd", "BitwiseOr", "BitwiseXor", "LogicalAnd", "LogicalOr", "IEqual", "INotEqual"};
  return node.kind == ValueFlow::Kind::operation && node.operands.size() > 1 &&
         std::find(kCommutative.begin(), kCommutative.end(), node.label) == kCommutative.end();
}

// One interface. All its names begin with its number, so that a graph can hold several.
class InterfaceGraph {
 public:
  InterfaceGraph(const ValueFlow& flow, std::size_t number, std::string& out)
      : flow_(flow), prefix_("i" + std::to_string(number)), out_(out) {
    for (const ValueFlow::Component& component : flow.after)
      if (component.node) carrier_.emplace(*component.node, prefix_ + "after:" + port(component.slot));
  }

  void write() {
    out_ += "  subgraph cluster_" + prefix_ + "producer {\n    label=" + dot_string(short_name(flow_.producer)) + ";\n";
    for (std::size_t i = 0; i < flow_.nodes.size(); ++i)
      if (stands_with_producer(flow_.nodes[i])) write_node(i, "p");
    out_ += "  }\n";
    write_fields("before", "declared", flow_.before);
    write_fields("after", "crosses now", flow_.after);
    out_ += "  {rank=same; " + prefix_ + "before; " + prefix_ + "after;}\n";
    out_ += "  subgraph cluster_" + prefix_ + "consumer {\n    label=" + dot_string(short_name(flow_.consumer)) + ";\n";
    for (std::size_t i = 0; i < flow_.nodes.size(); ++i)
      if (stands_with_consumer(flow_.nodes[i])) write_node(i, "c");
    for (std::size_t i = 0; i < flow_.nodes.size(); ++i) write_use(i);
    out_ += "  }\n";
    for (const ValueFlow::Component& component : flow_.before) write_declared(component);
    for (const ValueFlow::Component& component : flow_.after) write_cut(component);
  }

 private:
  // Constants are written into each place that uses them.
  static bool is_inline(const ValueFlow::Node& node) { return node.kind == ValueFlow::Kind::constant; }
  // A value that no stage computes any more stays where it was computed.
  static bool stands_with_producer(const ValueFlow::Node& node) {
    return !is_inline(node) && (node.after.any() ? node.after.producer : node.before.producer);
  }
  static bool stands_with_consumer(const ValueFlow::Node& node) {
    return !is_inline(node) && (node.after.any() ? node.after.consumer : node.before.consumer && !node.before.producer);
  }

  static std::string port(varyings::Slot slot) {
    return "l" + std::to_string(slot.location) + "xyzw"[slot.component & 3];
  }
  std::string name(std::size_t node, std::string_view side) const {
    return prefix_ + std::string(side) + std::to_string(node);
  }

  void write_node(std::size_t index, std::string_view side) {
    const ValueFlow::Node& node = flow_.nodes[index];
    const Movement movement = movement_of(node);
    const bool is_had = node.kind == ValueFlow::Kind::leaf || node.kind == ValueFlow::Kind::resource;
    std::string label = node.label;
    if (movement == Movement::to_producer || movement == Movement::to_consumer)
      label += " (moved " + text(movement, flow_) + ")";
    out_ += "    " + name(index, side) + " [label=" + dot_string(label) + ", shape=" + (is_had ? "box" : "ellipse");
    if (movement == Movement::to_producer) out_ += ", style=filled, fillcolor=\"" + std::string(kToProducer) + "\"";
    if (movement == Movement::to_consumer) out_ += ", style=filled, fillcolor=\"" + std::string(kToConsumer) + "\"";
    if (movement == Movement::gone)
      out_ += ", style=dashed, color=\"" + std::string(kGone) + "\", fontcolor=\"" + std::string(kGone) + "\"";
    out_ += "];\n";
    if (is_had && side == "c") put_behind_fields(name(index, side));
    for (std::size_t i = 0; i < node.operands.size(); ++i) write_operand(index, side, i);
  }

  // Values that the consumer has by itself are drawn behind those that it receives.
  void put_behind_fields(const std::string& what) {
    out_ += "    " + prefix_ + "after -> " + what + " [style=invis];\n";
  }

  void write_operand(std::size_t index, std::string_view side, std::size_t position) {
    const ValueFlow::Node& node = flow_.nodes[index];
    const std::uint32_t operand = node.operands[position];
    const std::string place = is_ordered(node) ? "headlabel=\"" + std::to_string(position + 1) + "\"" : "";
    std::string from = name(operand, side);
    if (is_inline(flow_.nodes[operand])) {
      from = name(index, side) + "k" + std::to_string(position);
      out_ += "    " + from + " [label=" + dot_string(flow_.nodes[operand].label) + ", shape=plaintext];\n";
      if (side == "c") put_behind_fields(from);
    } else if (side == "c") {
      from = source_for_consumer(operand);
      if (from.empty()) return;
    }
    const bool is_gone = movement_of(node) == Movement::gone;
    out_ += "    " + from + " -> " + name(index, side) + " [" + place;
    if (is_gone) out_ += std::string(place.empty() ? "" : ", ") + "style=dashed, color=\"" + std::string(kGone) + "\"";
    out_ += "];\n";
  }

  // Where the consumer gets a value from: the field that carries it, or what it computes itself. Empty if it does not
  // get it any more.
  std::string source_for_consumer(std::uint32_t value) const {
    if (const auto carried = carrier_.find(value); carried != carrier_.end()) return carried->second;
    return stands_with_consumer(flow_.nodes[value]) ? name(value, "c") : std::string();
  }

  void write_use(std::size_t index) {
    const ValueFlow::Node& node = flow_.nodes[index];
    if (node.uses.empty()) return;
    std::string source = source_for_consumer(static_cast<std::uint32_t>(index));
    const std::string use = name(index, "u");
    if (is_inline(node)) {
      source = use + "k";
      out_ += "    " + source + " [label=" + dot_string(node.label) + ", shape=plaintext];\n";
      put_behind_fields(source);
    }
    if (source.empty()) return;
    std::string label;
    for (const std::string& each : node.uses) label += (label.empty() ? "" : ", ") + each;
    out_ += "    " + use + " [label=" + dot_string(label) + ", shape=cds];\n    " + source + " -> " + use + ";\n";
  }

  void write_fields(const std::string& which, const std::string& title, const Components& components) {
    std::map<std::uint32_t, std::map<std::uint32_t, const ValueFlow::Component*>> rows;
    for (const ValueFlow::Component& component : components)
      rows[component.slot.location].emplace(component.slot.component, &component);
    out_ +=
        "  " + prefix_ + which + " [shape=plaintext, label=<<table border=\"0\" cellborder=\"1\" cellspacing=\"0\">";
    out_ += "<tr><td colspan=\"5\"><b>" + title + ": " + std::to_string(components.size()) + "</b></td></tr>";
    for (const auto& [location, row] : rows) {
      out_ += "<tr><td>" + std::to_string(location) + "</td>";
      for (std::uint32_t component = 0; component < 4; ++component) {
        const auto field = row.find(component);
        if (field == row.end()) {
          out_ += "<td></td>";
          continue;
        }
        const ValueFlow::Component& declared = *field->second;
        out_ += "<td port=\"" + port(declared.slot) + "\" bgcolor=\"" + std::string(color_of(declared.outcome)) +
                "\">" + markup(declared.name) + "<br/>" + std::string(link::name_of(declared.outcome)) + "</td>";
      }
      out_ += "</tr>";
    }
    out_ += "</table>>];\n";
  }

  void write_declared(const ValueFlow::Component& component) {
    if (!component.node || !stands_with_producer(flow_.nodes[*component.node])) return;
    out_ += "  " + name(*component.node, "p") + " -> " + prefix_ + "before:" + port(component.slot) +
            " [style=" + (component.outcome == link::Outcome::kept ? "solid" : "dashed") + ", color=\"" +
            std::string(kGone) + "\"];\n";
  }

  void write_cut(const ValueFlow::Component& component) {
    if (!component.node || !stands_with_producer(flow_.nodes[*component.node])) return;
    out_ += "  " + name(*component.node, "p") + " -> " + prefix_ + "after:" + port(component.slot) + " [color=\"" +
            std::string(kCut) + "\", penwidth=2];\n";
  }

  const ValueFlow& flow_;
  const std::string prefix_;
  std::string& out_;
  std::map<std::uint32_t, std::string> carrier_;  // by node: field of what crosses now
};

std::string graph_of(const ReportEntry& pipeline) {
  std::string out =
      "digraph " + dot_string(pipeline.name) + " {\n  rankdir=LR;\n  label=" + dot_string(pipeline.name) +
      ";\n  node [fontname=\"sans-serif\", fontsize=10];\n  edge [fontname=\"sans-serif\", fontsize=8];\n";
  for (std::size_t i = 0; i < pipeline.flows.size(); ++i) InterfaceGraph(pipeline.flows[i], i, out).write();
  if (pipeline.flows.empty())
    out += std::string("  nothing [shape=plaintext, label=") +
           (pipeline.linked() ? "\"no interface that is worked on\"" : "\"not linked\"") + "];\n";
  return out + "}\n";
}

}  // namespace

std::string dot(std::span<const ReportEntry> pipelines) {
  std::string out;
  for (const ReportEntry& pipeline : pipelines) out += graph_of(pipeline);
  return out;
}

}  // namespace varylink::report
