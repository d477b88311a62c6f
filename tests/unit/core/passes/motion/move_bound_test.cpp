// Lower bound for the width of an interface: random small pipelines, linked, against all the sets of values that could
// cross instead, tried one by one.
#include <algorithm>
#include <map>
#include <random>
#include <sstream>

#include "driver/link_pipeline.h"
#include "passes/pass.h"
#include "spirv/tools/binary.h"
#include "support/catch.h"
#include "support/shader.h"

namespace varylink::passes {
namespace {

// Where the subject is put to the test.
enum class Pair {
  vertex_to_fragment,
  geometry_to_fragment,     // three emits, the same operations over other atoms
  vertex_to_geometry,       // one vertex of the primitive, by a constant index
  vertex_to_geometry_loop,  // each of them, in a loop
  vertex_to_control,        // the vertex of the invocation
  control_to_evaluation,    // patch outputs
};

bool interpolates(Pair pair) { return pair == Pair::vertex_to_fragment || pair == Pair::geometry_to_fragment; }

// A value: an atom that only the producer can have, or an operation over values before it.
struct Node {
  char op = 'a';  // a: atom, +, -, *: by a constant, x: product, m: greater one. Each costs less than a component
  std::size_t left = 0, right = 0;
  int constant = 0;

  auto tied() const { return std::tie(op, left, right, constant); }
  friend bool operator<(const Node& a, const Node& b) { return a.tied() < b.tied(); }
};

// The producer computes nodes [0, sent_end) and sends some of them; the consumer computes the rest and needs some as
// they are: a fragment shader takes their sine, any other stage stores them in a buffer.
struct Subject {
  std::vector<Node> nodes;
  std::size_t atoms = 0, sent_end = 0;
  std::vector<std::size_t> sent, wanted;
};

// No two nodes are the same, so that no value has two names.
void add_operation(Subject& subject, std::vector<std::size_t> operands, std::map<Node, std::size_t>& known, Pair pair,
                   std::mt19937& random) {
  Node node;
  const std::size_t a = operands[random() % operands.size()], b = operands[random() % operands.size()];
  const bool binary = random() % 3 != 0 && a != b;
  node.op = binary ? "+-xm"[random() % (interpolates(pair) ? 2 : 4)] : '*';
  node.left = a;
  node.right = binary ? b : a;
  if (node.op != '-' && node.left > node.right) std::swap(node.left, node.right);
  if (!binary) node.constant = 3 + static_cast<int>(random() % 5);
  if (known.emplace(node, subject.nodes.size()).second) subject.nodes.push_back(node);
}

Subject random_subject(Pair pair, std::mt19937& random) {
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
    add_operation(subject, below(subject.nodes.size()), known, pair, random);
  subject.sent_end = subject.nodes.size();
  for (std::size_t i = 0; i < subject.sent_end; ++i)
    if (random() % 3 != 0) subject.sent.push_back(i);
  if (subject.sent.empty()) subject.sent.push_back(0);
  std::vector<std::size_t> usable = subject.sent;
  for (std::size_t i = 0, count = 1 + random() % 5; i < count; ++i) {
    const std::size_t before = subject.nodes.size();
    add_operation(subject, usable, known, pair, random);
    if (subject.nodes.size() > before) usable.push_back(before);
  }
  for (const std::size_t node : usable)
    if (random() % 2 == 0) subject.wanted.push_back(node);
  if (subject.wanted.empty()) subject.wanted.push_back(usable.back());
  return subject;
}

std::string expression(const Subject& subject, std::size_t index) {
  const Node& node = subject.nodes[index];
  const std::string left = "n" + std::to_string(node.left), right = "n" + std::to_string(node.right);
  switch (node.op) {
    case '*': return left + " * " + std::to_string(node.constant) + ".0";
    case 'x': return left + " * " + right;
    case 'm': return "max(" + left + ", " + right + ")";
    default: return left + " " + node.op + " " + right;
  }
}

// What is sent, in the words of one side: "layout(location = 2) " + before + "2" + after.
std::string declarations(const Subject& subject, const std::string& before, const std::string& after) {
  std::string text;
  for (const std::size_t i : subject.sent)
    text += "layout(location = " + std::to_string(i) + ") " + before + std::to_string(i) + after + ";\n";
  return text;
}

// The producer's part: atoms are sines of the components of `source`.
std::string sending(const Subject& subject, const std::string& source) {
  std::ostringstream text;
  text << "  {\n";
  for (std::size_t i = 0; i < subject.sent_end; ++i)
    text << "  float n" << i << " = "
         << (i < subject.atoms ? "sin(" + source + "[" + std::to_string(i) + "])" : expression(subject, i)) << ";\n";
  for (const std::size_t i : subject.sent) text << "  o" << i << " = n" << i << ";\n";
  text << "  }\n";
  return text.str();
}

// The consumer's part: inputs are called i0, i1, ..., with `index` behind them.
std::string receiving(const Subject& subject, Pair pair, const std::string& index) {
  std::ostringstream text;
  for (const std::size_t i : subject.sent) text << "  float n" << i << " = i" << i << index << ";\n";
  for (std::size_t i = subject.sent_end; i < subject.nodes.size(); ++i)
    text << "  float n" << i << " = " << expression(subject, i) << ";\n";
  for (const std::size_t i : subject.wanted)
    if (interpolates(pair))
      text << "  r = sin(r * 0.5 + sin(n" << i << "));\n";
    else
      text << "  data[" << i << "] = n" << i << ";\n";
  return text.str();
}

constexpr const char* kBuffer = "layout(set = 0, binding = 0, std430) buffer Data { float data[]; };\n";

using Sources = std::vector<std::pair<Stage, std::string>>;

std::string vertex_shader(const std::string& outputs, const std::string& body) {
  return "layout(location = 0) in vec4 p;\n" + outputs + "void main() {\n  gl_Position = p;\n" + body + "}\n";
}

std::string fragment_shader(const Subject& subject, Pair pair) {
  return declarations(subject, "in float i", "") +
         "layout(location = 0) out vec4 o;\nvoid main() {\n  float r = 0.0;\n" + receiving(subject, pair, "") +
         "  o = vec4(r);\n}\n";
}

std::string sending_geometry_shader(const Subject& subject) {
  std::string text =
      "layout(triangles) in;\nlayout(triangle_strip, max_vertices = 3) out;\nlayout(location = 20) in vec4 q[];\n" +
      declarations(subject, "out float o", "") + "void main() {\n";
  for (const char* vertex : {"q[0]", "q[1]", "q[2]"})
    text += sending(subject, vertex) + "  gl_Position = " + std::string(vertex) + ";\n  EmitVertex();\n";
  return text + "}\n";
}

std::string receiving_geometry_shader(const Subject& subject, Pair pair) {
  const bool loops = pair == Pair::vertex_to_geometry_loop;
  return "layout(triangles) in;\nlayout(points, max_vertices = 1) out;\n" + std::string(kBuffer) +
         declarations(subject, "in float i", "[]") + "void main() {\n" +
         (loops ? "  for (int v = 0; v < 3; ++v) {\n" + receiving(subject, pair, "[v]") + "  }\n"
                : receiving(subject, pair, "[1]")) +
         "  gl_Position = vec4(0.0);\n  EmitVertex();\n}\n";
}

std::string control_shader(const std::string& declared, const std::string& body) {
  return "layout(vertices = 3) out;\n" + declared + "void main() {\n" + body +
         "  gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = gl_TessLevelInner[0] = 1.0;\n}\n";
}

std::string evaluation_shader(const std::string& declared, const std::string& body) {
  return "layout(triangles) in;\n" + declared + "void main() {\n" + body + "  gl_Position = vec4(0.0);\n}\n";
}

Sources sources_of(const Subject& subject, Pair pair) {
  const std::string outputs = declarations(subject, "out float o", "");
  const std::string passes_q = "layout(location = 20) out vec4 q;\n";
  switch (pair) {
    case Pair::vertex_to_fragment:
      return {{Stage::vertex, vertex_shader(outputs, sending(subject, "p"))},
              {Stage::fragment, fragment_shader(subject, pair)}};
    case Pair::geometry_to_fragment:
      return {{Stage::vertex, vertex_shader(passes_q, "  q = p;\n")},
              {Stage::geometry, sending_geometry_shader(subject)},
              {Stage::fragment, fragment_shader(subject, pair)}};
    case Pair::vertex_to_geometry:
    case Pair::vertex_to_geometry_loop:
      return {{Stage::vertex, vertex_shader(outputs, sending(subject, "p"))},
              {Stage::geometry, receiving_geometry_shader(subject, pair)}};
    case Pair::vertex_to_control:
      return {{Stage::vertex, vertex_shader(outputs, sending(subject, "p"))},
              {Stage::tess_control, control_shader(kBuffer + declarations(subject, "in float i", "[]"),
                                                   receiving(subject, pair, "[gl_InvocationID]"))},
              {Stage::tess_eval, evaluation_shader("", "")}};
    case Pair::control_to_evaluation: break;
  }
  return {{Stage::vertex, vertex_shader(passes_q, "  q = p;\n")},
          {Stage::tess_control,
           control_shader("layout(location = 20) in vec4 q[];\n" + declarations(subject, "patch out float o", ""),
                          sending(subject, "q[0]"))},
          {Stage::tess_eval,
           evaluation_shader(kBuffer + declarations(subject, "patch in float i", ""), receiving(subject, pair, ""))}};
}

std::string text(const Sources& sources) {
  std::string all;
  for (const auto& [stage, source] : sources) all += source;
  return all;
}

// The consumer can have the value if these cross.
bool available(const Subject& subject, std::size_t index, std::uint32_t sent) {
  if ((sent >> index & 1) != 0) return true;
  if (index < subject.atoms) return false;
  const Node& node = subject.nodes[index];
  return available(subject, node.left, sent) && available(subject, node.right, sent);
}

std::uint32_t fewest(const Subject& subject) {
  std::uint32_t best = 32;
  for (std::uint32_t sent = 0; sent < 1u << subject.nodes.size(); ++sent) {
    const auto can_have = [&](std::size_t node) { return available(subject, node, sent); };
    if (std::all_of(subject.wanted.begin(), subject.wanted.end(), can_have))
      best = std::min(best, static_cast<std::uint32_t>(__builtin_popcount(sent)));
  }
  return best;
}

// Components that cross if only whole values may, or also combinations of them.
enum class Sent { values, combinations };

std::uint32_t linked(const Sources& sources, Pair pair, Sent what) {
  link::PipelineInput pipeline;
  pipeline.state.no_fragment = !interpolates(pair);
  for (const auto& [stage, source] : sources)
    pipeline.stages.push_back({stage, "subject", spirv::write_module(test::module_from_glsl(stage, source)), "main"});
  link::LinkOptions options;
  for (const PassInfo& pass : registry())
    if (what == Sent::combinations || pass.name != "eliminate-affine-dependencies")
      options.passes.emplace_back(pass.name);
  const link::LinkedPipeline result = driver::link_pipeline(pipeline, options);
  REQUIRE(result.failure == ErrorKind::none);
  const bool second = pair == Pair::geometry_to_fragment || pair == Pair::control_to_evaluation;
  return result.interfaces[second ? 1 : 0].after.components;
}

// Of each kind of pair. With the validator behind each pass a round takes as long as fifteen.
#ifdef VARYLINK_VALIDATE_EACH_PASS
constexpr int kRounds = 24;
#else
constexpr int kRounds = 120;
#endif

TEST_CASE("no set of values that could cross is smaller than the one that does", "[move]") {
  const auto [pair, name] = GENERATE(table<Pair, std::string>({
      {Pair::vertex_to_fragment, "vertex to fragment"},
      {Pair::geometry_to_fragment, "geometry to fragment"},
      {Pair::vertex_to_geometry, "vertex to geometry"},
      {Pair::vertex_to_geometry_loop, "vertex to geometry, in a loop"},
      {Pair::vertex_to_control, "vertex to control"},
      {Pair::control_to_evaluation, "control to evaluation"},
  }));
  INFO(name);
  std::mt19937 random(11);
  std::size_t moved = 0;
  for (int round = 0; round < kRounds; ++round) {
    const Subject subject = random_subject(pair, random);
    const Sources sources = sources_of(subject, pair);
    INFO(text(sources));
    const std::uint32_t width = linked(sources, pair, Sent::values);
    CHECK(width == fewest(subject));
    CHECK(linked(sources, pair, Sent::combinations) <= width);
    moved += width < subject.sent.size();
  }
  CHECK(moved > kRounds / 4);
}

}  // namespace
}  // namespace varylink::passes
