// Lower bound for the width of an interface: random small pipelines, linked, against all the sets of values that could
// cross instead, tried one by one.
#include <algorithm>
#include <map>
#include <random>
#include <sstream>

#include "driver/link_pipeline.h"
#include "passes/pass.h"
#include "spirv/binary.h"
#include "support/catch.h"
#include "support/shader.h"

namespace varylink::passes {
namespace {

// A value: an atom that only the vertex shader can have, or a linear operation over values before it.
struct Node {
  char op = 'a';  // a: atom, +, -, *: by a constant. Nothing that costs more than a component is worth
  std::size_t left = 0, right = 0;
  int constant = 0;

  auto tied() const { return std::tie(op, left, right, constant); }
  friend bool operator<(const Node& a, const Node& b) { return a.tied() < b.tied(); }
};

// The vertex shader computes nodes [0, sent_end) and sends some of them; the fragment shader computes the rest and
// takes the sine of some.
struct Subject {
  std::vector<Node> nodes;
  std::size_t atoms = 0, sent_end = 0;
  std::vector<std::size_t> sent, wanted;
};

bool is_binary(const Node& node) { return node.op == '+' || node.op == '-'; }

// No two nodes are the same, so that no value has two names.
void add_operation(Subject& subject, std::vector<std::size_t> operands, std::map<Node, std::size_t>& known,
                   std::mt19937& random) {
  Node node;
  const std::size_t a = operands[random() % operands.size()], b = operands[random() % operands.size()];
  const bool binary = random() % 3 != 0 && a != b;
  node.op = binary ? "+-"[random() % 2] : '*';
  node.left = a;
  node.right = binary ? b : a;
  if (node.op == '+' && node.left > node.right) std::swap(node.left, node.right);
  if (!binary) node.constant = 3 + static_cast<int>(random() % 5);
  if (known.emplace(node, subject.nodes.size()).second) subject.nodes.push_back(node);
}

Subject random_subject(std::mt19937& random) {
  Subject subject;
  std::map<Node, std::size_t> known;
  subject.atoms = 1 + random() % 4;
  subject.nodes.resize(subject.atoms);
  const auto below = [](std::size_t end) {
    std::vector<std::size_t> list(end);
    for (std::size_t i = 0; i < end; ++i) list[i] = i;
    return list;
  };
  for (std::size_t i = 0, count = random() % 4; i < count; ++i)
    add_operation(subject, below(subject.nodes.size()), known, random);
  subject.sent_end = subject.nodes.size();
  for (std::size_t i = 0; i < subject.sent_end; ++i)
    if (random() % 3 != 0) subject.sent.push_back(i);
  if (subject.sent.empty()) subject.sent.push_back(0);
  std::vector<std::size_t> usable = subject.sent;
  for (std::size_t i = 0, count = 1 + random() % 5; i < count; ++i) {
    const std::size_t before = subject.nodes.size();
    add_operation(subject, usable, known, random);
    if (subject.nodes.size() > before) usable.push_back(before);
  }
  for (const std::size_t node : usable)
    if (random() % 2 == 0) subject.wanted.push_back(node);
  if (subject.wanted.empty()) subject.wanted.push_back(usable.back());
  return subject;
}

std::string expression(const Subject& subject, std::size_t index) {
  const Node& node = subject.nodes[index];
  std::ostringstream text;
  text << "n" << node.left << " " << node.op << " ";
  is_binary(node) ? text << "n" << node.right : text << node.constant << ".0";
  return text.str();
}

std::string vertex_shader(const Subject& subject) {
  std::ostringstream text;
  text << "layout(location = 0) in vec4 p;\n";
  for (const std::size_t i : subject.sent) text << "layout(location = " << i << ") out float o" << i << ";\n";
  text << "void main() {\n  gl_Position = p;\n";
  for (std::size_t i = 0; i < subject.sent_end; ++i)
    text << "  float n" << i << " = "
         << (i < subject.atoms ? "sin(p[" + std::to_string(i) + "])" : expression(subject, i)) << ";\n";
  for (const std::size_t i : subject.sent) text << "  o" << i << " = n" << i << ";\n";
  return text.str() + "}\n";
}

std::string fragment_shader(const Subject& subject) {
  std::ostringstream text;
  for (const std::size_t i : subject.sent) text << "layout(location = " << i << ") in float n" << i << ";\n";
  text << "layout(location = 0) out vec4 o;\nvoid main() {\n  float r = 0.0;\n";
  for (std::size_t i = subject.sent_end; i < subject.nodes.size(); ++i)
    text << "  float n" << i << " = " << expression(subject, i) << ";\n";
  for (const std::size_t i : subject.wanted) text << "  r = sin(r * 0.5 + sin(n" << i << "));\n";
  return text.str() + "  o = vec4(r);\n}\n";
}

// The fragment shader can have the value if these cross.
bool available(const Subject& subject, std::size_t index, std::uint32_t crossing) {
  if ((crossing >> index & 1) != 0) return true;
  if (index < subject.atoms) return false;
  const Node& node = subject.nodes[index];
  return available(subject, node.left, crossing) && available(subject, node.right, crossing);
}

std::uint32_t fewest(const Subject& subject) {
  std::uint32_t best = 32;
  for (std::uint32_t crossing = 0; crossing < 1u << subject.nodes.size(); ++crossing) {
    const auto can_have = [&](std::size_t node) { return available(subject, node, crossing); };
    if (std::all_of(subject.wanted.begin(), subject.wanted.end(), can_have))
      best = std::min(best, static_cast<std::uint32_t>(__builtin_popcount(crossing)));
  }
  return best;
}

// Components that cross if only whole values may, or also combinations of them.
enum class Crossing { values, combinations };

std::uint32_t linked(const Subject& subject, Crossing crossing) {
  link::PipelineInput pipeline;
  const auto add = [&](Stage stage, const std::string& source) {
    pipeline.stages.push_back({stage, "subject", spirv::write_module(test::module_from_glsl(stage, source)), "main"});
  };
  add(Stage::vertex, vertex_shader(subject));
  add(Stage::fragment, fragment_shader(subject));
  link::LinkOptions options;
  for (const PassInfo& pass : registry())
    if (crossing == Crossing::combinations || pass.name != "affine-rank") options.passes.emplace_back(pass.name);
  const link::LinkedPipeline result = driver::link_pipeline(pipeline, options);
  REQUIRE(result.failure == ErrorKind::none);
  return result.interfaces.front().after.components;
}

TEST_CASE("no set of values that could cross is smaller than the one that does", "[move]") {
  std::mt19937 random(11);
  std::size_t moved = 0;
  for (int round = 0; round < 120; ++round) {
    const Subject subject = random_subject(random);
    INFO(vertex_shader(subject) << fragment_shader(subject));
    const std::uint32_t width = linked(subject, Crossing::values);
    CHECK(width == fewest(subject));
    CHECK(linked(subject, Crossing::combinations) <= width);
    moved += width < subject.sent.size();
  }
  CHECK(moved > 30);
}

}  // namespace
}  // namespace varylink::passes
