// Locations for varyings that the source gives none, through the front end as a whole.

#include "frontend/locations.h"

#include <filesystem>
#include <fstream>
#include <map>

#include "frontend/frontend.h"
#include "platform/program.h"
#include "spirv/tools/binary.h"
#include "support/catch.h"

using namespace varylink;
using namespace varylink::frontend;

namespace {

// Locations of one stage by key; inputs as "in KEY", outputs as "out KEY".
using Located = std::map<std::string, std::uint32_t>;

class Sources {
 public:
  Sources() { std::filesystem::create_directories(folder_); }
  ~Sources() { std::filesystem::remove_all(folder_); }

  void add(const std::string& name, const std::string& text) {
    const std::string path = (folder_ / name).string();
    std::ofstream(path) << "#version 450\n" << text;
    files_.push_back({path, {}, {}});
  }

  // Stage -> locations. Every variable must have one after loading.
  std::map<Stage, Located> load(const CompileOptions& options = {}) const {
    const Result<LoadedPipeline> loaded = load_pipeline("test", files_, options);
    if (!loaded) FAIL(render(loaded.error()));
    std::map<Stage, Located> result;
    for (const link::StageInput& stage : loaded->pipeline.stages) {
      const auto valid = spirv::validate(stage.words, {}, stage.file);
      if (!valid) FAIL(render(valid.error()));
      const Result<spirv::Module> module = spirv::read_module(stage.words, stage.file);
      REQUIRE(module);
      const Varyings varyings = varyings_of(*module, stage.stage);
      for (const Varying& varying : varyings.inputs) result[stage.stage]["in " + varying.key] = *varying.location;
      for (const Varying& varying : varyings.outputs) result[stage.stage]["out " + varying.key] = *varying.location;
    }
    return result;
  }

 private:
  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("varylink-" + std::to_string(platform::process_id()));
  std::vector<SourceFile> files_;
};

}  // namespace

TEST_CASE("the same name gets the same location in both stages", "[frontend]") {
  Sources sources;
  sources.add("a.vert", "out vec3 normal; out vec2 uv; void main() { uv = vec2(1); normal = vec3(1); }");
  sources.add("b.frag", "in vec2 uv; out vec4 o; void main() { o = uv.xyxy; }");
  auto located = sources.load();
  CHECK(located[Stage::vertex] == Located{{"out normal", 0}, {"out uv", 1}});
  CHECK(located[Stage::fragment] == Located{{"in uv", 1}, {"out o", 0}});
}

TEST_CASE("an explicit location is respected, also for the twin in the other stage", "[frontend]") {
  Sources sources;
  sources.add("a.vert",
              "out vec3 a; layout(location = 0) out vec2 b; out vec4 c; out mat3 d;"
              "void main() { a = vec3(1); b = vec2(1); c = vec4(1); d = mat3(1); }");
  sources.add("b.frag",
              "in vec2 b; layout(location = 2) in vec4 c; in vec3 a; in mat3 d; layout(location = 0) out vec4 o;"
              "void main() { o = c + vec4(a, b.x) + vec4(d[1], 0); }");
  auto located = sources.load();
  // 0 and 2 are taken; d needs three in a row.
  CHECK(located[Stage::vertex] == Located{{"out a", 1}, {"out b", 0}, {"out c", 2}, {"out d", 3}});
  CHECK(located[Stage::fragment] == Located{{"in a", 1}, {"in b", 0}, {"in c", 2}, {"in d", 3}, {"out o", 0}});
}

TEST_CASE("a location that only the consumer declares is kept free in the producer", "[frontend]") {
  Sources sources;
  sources.add("a.vert", "out float a; out float b; void main() { a = 1; b = 1; }");
  sources.add("b.frag",
              "layout(location = 0) in float b; in float a; out vec4 o; void main() { o = vec4(a, b, 0, 0); }");
  auto located = sources.load();
  CHECK(located[Stage::vertex] == Located{{"out a", 1}, {"out b", 0}});
}

TEST_CASE("arrays, structs and 64-bit vectors take as many locations as they need", "[frontend]") {
  Sources sources;
  sources.add(
      "a.vert",
      "struct S { float x; vec2 y[2]; }; out S s; flat out dvec3 d; flat out dvec2 e; out vec4 arr[3]; out float last;"
      "void main() { s.x = 1; d = dvec3(1); e = dvec2(1); arr[1] = vec4(1); last = 1; }");
  sources.add("b.frag", "in float last; out vec4 o; void main() { o = vec4(last); }");
  auto located = sources.load();
  CHECK(located[Stage::vertex] == Located{{"out s", 0}, {"out d", 3}, {"out e", 5}, {"out arr", 6}, {"out last", 9}});
  CHECK(located[Stage::fragment]["in last"] == 9);
}

TEST_CASE("blocks are matched by the name of the block", "[frontend]") {
  Sources sources;
  sources.add("a.vert",
              "out float first; out Block { vec4 a; vec2 b; } here; out Loose { float c; };"
              "void main() { first = 1; here.a = vec4(1); here.b = vec2(1); c = 1; }");
  sources.add("b.frag",
              "in Loose { float c; } there; in Block { vec4 a; vec2 b; }; out vec4 o;"
              "void main() { o = a + b.xyxy + there.c; }");
  auto located = sources.load();
  CHECK(located[Stage::vertex] == Located{{"out first", 0}, {"out block Block", 1}, {"out block Loose", 3}});
  CHECK(located[Stage::fragment] == Located{{"in block Block", 1}, {"in block Loose", 3}, {"out o", 0}});
}

TEST_CASE("attributes and render targets are numbered as declared, around explicit locations", "[frontend]") {
  Sources sources;
  sources.add("a.vert",
              "in vec2 first; in vec3 unused; layout(location = 1) in vec4 fixed_; in mat2 m; in float last;"
              "void main() { gl_Position = fixed_ + vec4(last) + vec4(m[0], first); }");
  sources.add("b.frag",
              "out vec4 x; layout(location = 0) out vec4 y; out vec4 z; void main() { z = y = x = vec4(1); }");
  auto located = sources.load();
  CHECK(located[Stage::vertex] ==
        Located{{"in first", 0}, {"in unused", 2}, {"in fixed_", 1}, {"in m", 3}, {"in last", 5}});
  CHECK(located[Stage::fragment] == Located{{"out x", 1}, {"out y", 0}, {"out z", 2}});
}

TEST_CASE("tessellation and geometry match through the per-vertex array level", "[frontend]") {
  Sources sources;
  sources.add("a.vert", "out vec3 a; out vec2 b; void main() { a = vec3(1); b = vec2(1); }");
  sources.add("b.tesc",
              "layout(vertices = 3) out; in vec3 a[]; in vec2 b[]; out vec2 b2[]; patch out vec4 p[2];"
              "void main() { b2[gl_InvocationID] = b[gl_InvocationID] + a[0].xy; p[0] = p[1] = vec4(1); }");
  sources.add("c.tese",
              "layout(triangles) in; patch in vec4 p[2]; in vec2 b2[]; out vec2 b;"
              "void main() { b = b2[0] + p[0].xy; }");
  sources.add("d.geom",
              "layout(triangles) in; layout(points, max_vertices = 1) out; in vec2 b[]; out vec2 c;"
              "void main() { c = b[0]; EmitVertex(); }");
  sources.add("e.frag", "in vec2 c; out vec4 o; void main() { o = c.xyxy; }");
  auto located = sources.load();
  CHECK(located[Stage::tess_control] == Located{{"in a", 0}, {"in b", 1}, {"out b2", 0}, {"out p", 1}});
  CHECK(located[Stage::tess_eval] == Located{{"in b2", 0}, {"in p", 1}, {"out b", 0}});
  CHECK(located[Stage::geometry] == Located{{"in b", 0}, {"out c", 0}});
}

TEST_CASE("debug information changes neither names nor locations", "[frontend]") {
  Sources sources;
  sources.add("a.vert", "out vec3 normal; out vec2 uv; void main() { uv = vec2(1); normal = vec3(1); }");
  sources.add("b.frag", "in vec2 uv; out vec4 o; void main() { o = uv.xyxy; }");
  CompileOptions with_debug;
  with_debug.debug_info = true;
  CHECK(sources.load() == sources.load(with_debug));
}
