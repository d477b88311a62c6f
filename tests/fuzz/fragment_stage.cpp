// The fragment stage: every read of a varying ends up in one of the render targets.
#include <utility>

#include "fuzz/stages.h"

namespace varylink::fuzz {
namespace {

const Type kVec4 = simple_type(Base::float32, 4);

class FragmentStage {
 public:
  FragmentStage(Build& build, const Interface& inputs, bool has_geometry)
      : builder_(build, Stage::fragment), inputs_(inputs), has_geometry_(has_geometry) {}

  StageModel build() {
    declare();
    Block& block = builder_.model.main;
    add_accumulators(block);
    start_outputs(block);
    const std::vector<Expr> reads = read_all(block);
    add_implicit_derivatives(block, reads);
    const std::string witness = VaryingReader(builder_, inputs_).witness("");
    block.push_back(statement("f0 += $0.xyxy;", {leaf(simple_type(Base::float32, 2), witness, 4.0)}));
    add_uses(block, reads);
    write_outputs(block);
    return std::move(builder_.model);
  }

 private:
  StageBuilder builder_;
  const Interface& inputs_;
  bool has_geometry_;
  bool texture_ = false;
  bool initial_ = false;  // outputs hold constants before they are written

  Random& random() { return builder_.random(); }
  Expressions& expressions() { return builder_.expressions; }

  void declare() {
    if (builder_.roll("uniform-in-consumer")) builder_.add_resources(0.9);
    if (inputs_.producer == Stage::mesh) builder_.add_declaration("#extension GL_EXT_mesh_shader : require");
    builder_.add_declarations(declare_inputs(inputs_));
    builder_.add_declaration("layout(location = 0) out vec4 c0;");
    builder_.add_declaration("layout(location = 1) out ivec4 c1;");
    builder_.add_declaration("layout(location = 2) out uvec4 c2;");
    builder_.add_declaration("layout(location = 3) out vec4 c3;");
    texture_ = builder_.roll("texture");
    if (texture_) builder_.add_declaration("layout(set = 0, binding = 2) uniform sampler2D tex;", "tex");
    auto& scope = expressions().scope;
    if (builder_.roll("builtin-input")) scope.push_back({"int(gl_FragCoord.x)", simple_type(Base::sint32, 1), 1.0});
    if (builder_.roll("builtin-input"))
      scope.push_back({"(gl_FragCoord.y * 0.0078125)", simple_type(Base::float32, 1), 8.0});
    if (!has_geometry_ && builder_.roll("builtin-input"))
      scope.push_back({"gl_PrimitiveID", simple_type(Base::sint32, 1), 1.0});
  }

  void add_accumulators(Block& block) {
    block.push_back(statement("vec4 f0 = vec4(0.0), f1 = vec4(0.0);"));
    block.push_back(statement("ivec4 n0 = ivec4(1);"));
    block.push_back(statement("uvec4 u0 = uvec4(1u);"));
  }

  std::vector<Expr> read_all(Block& block) {
    VaryingReader reader(builder_, inputs_);
    std::vector<Expr> all;
    for (const Varying& varying : inputs_.varyings) {
      for (Expr& read : reader.read(block, varying, "")) {
        if (!read.type.is_matrix() && random().chance(0.5)) {
          const Symbol local = builder_.add_local(block, expressions().tame(read));
          all.push_back(leaf(local.type, local.text, local.bound));
        } else {
          if (read.args.empty()) expressions().scope.push_back({read.pattern, read.type, read.bound});
          all.push_back(std::move(read));
        }
      }
    }
    return all;
  }

  // What must run in uniform control flow comes before any branch (SPIR-V: derivatives are undefined elsewhere).
  void add_implicit_derivatives(Block& block, const std::vector<Expr>& reads) {
    std::vector<Expr> floats;
    for (const Expr& read : reads) {
      if (read.type.base == Base::float32 && !read.type.is_matrix()) floats.push_back(read);
    }
    if (floats.empty()) return;
    // The derivative of an interpolated constant is noise in the original and 0 once the constant is known (rule
    // ), so only pipelines without that noise have derivatives.
    if (builder_.exact() && builder_.roll("derivative")) {
      static const std::vector<std::string> calls = {"dFdx($0)", "dFdy($0)", "fwidth($0)"};
      block.push_back(
          statement("f1 += " + random().pick(calls) + ";", {expressions().to_floats(random().pick(floats), 4)}));
    }
    if (texture_) {
      const Expr where = expressions().to_floats(random().pick(floats), 2);
      const bool explicit_lod = random().chance(0.5);
      block.push_back(statement(explicit_lod ? "f1 += textureLod(tex, $0, 0.0);" : "f1 += texture(tex, $0);", {where}));
      if (builder_.roll("texture-function")) add_texture_function(block, floats);
    }
  }

  // Returns early, and gets nothing but texels: such functions are not inlined.
  void add_texture_function(Block& block, const std::vector<Expr>& floats) {
    FunctionDefinition function;
    function.name = builder_.fresh("fn");
    function.header = "vec4 " + function.name + "(in vec4 texel, in vec4 other)";
    std::vector<Symbol> outer = std::exchange(expressions().scope, {});
    for (const Symbol& symbol : outer)
      if (symbol.uniform) expressions().scope.push_back(symbol);
    function.body.push_back(statement("if ($0) return texel * 0.5;", {builder_.condition()}));
    function.body.push_back(
        statement("switch ($0) { case 0: return other; case 1: if ($1) return texel + other; break; default: break; }",
                  {expressions().index_below(3), builder_.condition()}));
    function.body.push_back(statement("return texel * other - texel.wzyx;"));
    expressions().scope = std::move(outer);
    const std::string name = function.name;
    builder_.model.functions.push_back(std::move(function));
    const Expr first = expressions().to_floats(random().pick(floats), 2);
    const Expr second = expressions().to_floats(random().pick(floats), 2);
    block.push_back(statement("f1 += " + name + "(texture(tex, $0), texture(tex, $1));", {first, second}));
  }

  void add_uses(Block& block, const std::vector<Expr>& reads) {
    if (builder_.roll("function")) builder_.add_function_call(block);
    builder_.add_unusual(block);
    Block group;
    for (const Expr& read : reads) {
      group.push_back(use(read));
      if (random().chance(0.3)) flush(block, group);
    }
    const int mixes = random().range(0, 3);
    for (int i = 0; i < mixes; ++i) {
      const bool linear = builder_.roll("linear");
      const Expr value = linear ? expressions().make_linear(4, 3) : expressions().tame(expressions().make(kVec4, 3));
      group.push_back(statement("f1 += $0;", {value}));
    }
    flush(block, group);
    if (builder_.roll("discontinuity")) add_discontinuity(block, reads);
    if (builder_.roll("demote")) add_demotion(block);
    if (builder_.roll("discard")) block.push_back(lose_fragments("discard"));
    if (builder_.roll("storage-buffer")) builder_.add_storage_access(block);
  }

  void flush(Block& block, Block& group) {
    if (group.empty()) return;
    if (random().chance(0.15)) {
      block.push_back(builder_.wrap(std::move(group)));
    } else {
      block.insert(block.end(), group.begin(), group.end());
    }
    group.clear();
    if (!builder_.roll("early-return")) return;
    Block early;
    write_outputs(early);
    early.push_back(statement("return;"));
    block.push_back(statement("if ($0) @0", {builder_.condition()}, {std::move(early)}));
  }

  Statement use(const Expr& read) {
    if (read.type.is_integer()) {
      const bool is_signed = read.type.base == Base::sint32;
      return statement(is_signed ? "n0 = n0 * 5 + $0;" : "u0 = (u0 << 1u) ^ $0;", {expressions().reshape(read, 4)});
    }
    Expr value = expressions().tame(expressions().to_floats(read, 4));
    const std::string target = random().chance(0.5) ? "f0" : "f1";
    if (builder_.roll("discontinuous-use")) {
      static const std::vector<std::string> patterns = {" += floor(($0.x + $0.y * 0.5 - $0.z) * 2.0 + 0.37);",
                                                        " += ($0.x - $0.y) * 0.75 > 0.1 ? 0.5 : -0.25;",
                                                        " += float(int(($0.z * 3.0 + $0.x) * 4.0 + 0.37)) * 0.125;"};
      return statement(target + random().pick(patterns), {std::move(value)});
    }
    if (builder_.roll("linear")) {
      static const std::vector<std::string> patterns = {" += $0;", " -= $0;", " += $0 * 0.75;", " += 0.5 - $0;"};
      return statement(target + random().pick(patterns), {std::move(value)});
    }
    static const std::vector<std::string> patterns = {" += $0 * $0;", " += abs($0);", " += $0 / (1.0 + abs($0));",
                                                      " += $0 * clamp(f0, -1.0, 1.0);", " += sin($0 * 0.5);"};
    // Not the last one in exact pipelines: see Expressions::make_nonlinear.
    const std::size_t count = patterns.size() - (builder_.exact() ? 1 : 0);
    return statement(target + patterns[random().below(static_cast<std::uint32_t>(count))], {std::move(value)});
  }

  void add_discontinuity(Block& block, const std::vector<Expr>& reads) {
    if (reads.empty()) return;
    const Expr value = expressions().to_floats(random().pick(reads), 4);
    // Not at the multiples of an eighth that constants are made of: interpolation need not give them exactly.
    static const std::vector<std::string> patterns = {"f0 += floor($0 * 2.0 + 0.37);", "n0 += ivec4($0 * 8.0 + 0.37);",
                                                      "if ($0.x > 0.1) f1 *= 0.5;", "if ($0.y < -0.2) discard;"};
    block.push_back(statement(random().pick(patterns), {value}));
  }

  // Never all of them: a picture without fragments says nothing.
  Statement lose_fragments(const std::string& how) {
    return statement("if ($0 && mod(gl_FragCoord.x, 3.0) < 2.0) " + how + ";", {builder_.condition()});
  }

  // Whether a fragment is a helper differs in front of and behind the demotion. Helpers are not drawn, but their
  // neighbours see them in a derivative. A built-in that is not volatile need not know of the demotion.
  void add_demotion(Block& block) {
    const bool built_in = !builder_.is_old() && builder_.roll("helper-built-in");
    const std::string helper = built_in ? "gl_HelperInvocation" : "helperInvocationEXT()";
    block.push_back(statement("n0.x += int(" + helper + ");"));
    block.push_back(lose_fragments("demote"));
    block.push_back(statement("float rh = " + helper + " ? 0.75 : 0.25;"));
    block.push_back(statement(builder_.exact() ? "f1.x += dFdx(rh) + dFdy(rh);" : "f1.x += rh;"));
  }

  // The outputs start with constants, and what is written in the end depends on them.
  void start_outputs(Block& block) {
    initial_ = builder_.roll("initial-value");
    if (!initial_) return;
    Block first = {statement("c0 = vec4(0.75, 0.5, 0.25, 1.5);"), statement("c1 = ivec4(3, -5, 7, 1);")};
    for (Statement& store : first) store.pinned = true;
    block.insert(block.begin(), first.begin(), first.end());
  }

  void write_outputs(Block& block) {
    if (initial_) {
      for (const char* text : {"c0 = c0 * f0;", "c1 = c1 * 3 + n0;", "c2 = u0;", "c3 = f1;"}) {
        Statement write = statement(text);
        write.pinned = true;
        block.push_back(write);
      }
      return;
    }
    for (const char* text : {"c0 = f0;", "c1 = n0;", "c2 = u0;", "c3 = f1;"}) {
      Statement write = statement(text);
      write.pinned = true;
      block.push_back(write);
    }
  }
};

}  // namespace

StageModel build_fragment(Build& build, const Interface& inputs, bool has_geometry) {
  return FragmentStage(build, inputs, has_geometry).build();
}

}  // namespace varylink::fuzz
