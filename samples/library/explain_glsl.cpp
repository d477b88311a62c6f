// Links two GLSL shaders with the C++ interface and tells what became of each component that the vertex shader writes.
#include <cstdio>
#include <varylink/varylink.hpp>

namespace {

constexpr const char* kVertex = R"(#version 450
layout(location = 0) in vec3 position;
layout(location = 1) in vec4 paint;
out vec4 color;
out vec2 scale;
void main() {
  color = paint;
  scale = vec2(SCALE);
  gl_Position = vec4(position, 1.0);
}
)";

constexpr const char* kFragment = R"(#version 450
in vec4 color;
in vec2 scale;
layout(location = 0) out vec3 target;
void main() { target = color.rgb * scale.x; }
)";

constexpr const char* kFates[] = {"kept", "dead", "constant", "uniform", "duplicate", "moved"};

void print(const varylink::Component& component) {
  std::printf("%u.%c %-8s %s", component.old_location, "xyzw"[component.old_component],
              std::string(component.producer_name).c_str(), kFates[component.fate]);
  if (component.now) std::printf(", now %u.%c", component.now->first, "xyzw"[component.now->second]);
  std::printf("\n");
}

}  // namespace

int main() {
  try {
    varylink::Context context([](const varylink::Diagnostic& diagnostic) {
      std::fprintf(stderr, "%s:%u: %s\n", std::string(diagnostic.file).c_str(), diagnostic.line,
                   std::string(diagnostic.message).c_str());
    });
    varylink::Pipeline pipeline(context, {.name = "sample", .defines = {{"SCALE", "2.0"}}});
    pipeline.add_glsl({.source = kVertex, .name = "sample.vert"});
    pipeline.add_glsl({.source = kFragment, .name = "sample.frag"});
    const varylink::Outcome linked = pipeline.link();
    if (!linked) return 1;
    for (const varylink::Interface& between : linked.interfaces()) {
      for (const varylink::Component& component : between.components) print(component);
      std::printf("components: %u before, %u after\n", between.before.components, between.after.components);
    }
  } catch (const varylink::Error& error) {  // GLSL, and a library without a GLSL compiler, for instance
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
