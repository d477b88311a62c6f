// Draws pipelines while RenderDoc captures the frame, once each and with the modules as they are in the files.
//
//   capture_frame CAPTURE VERT.spv FRAG.spv [VERT.spv FRAG.spv]...    CAPTURE: path of the capture without its ending
//
// Prints the fragment stage of each pipeline that is drawn, in order; what the device lacks features for is not. Run it
// with RenderDoc's layer (ENABLE_VULKAN_RENDERDOC_CAPTURE=1). Exit status 77: there is none, or nothing that draws.
#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "verify/renderer.h"

namespace varylink::test {
namespace {

constexpr int kSkip = 77;
constexpr VkExtent2D kExtent = {32, 32};
constexpr std::uint64_t kSeed = 1;

[[noreturn]] void end(int status, const std::string& why) {
  std::fprintf(stderr, "capture_frame: %s\n", why.c_str());
  std::exit(status);
}

// RenderDoc's interface for programs is a table of functions, to which later versions only add
// (renderdoc_app.h, RENDERDOC_API_1_1_2). These are their places.
class RenderDoc {
 public:
  RenderDoc() {
    void* library = dlopen("librenderdoc.so", RTLD_NOW | RTLD_NOLOAD);
    if (library == nullptr) end(kSkip, "RenderDoc's layer is not there");
    using GetApi = int (*)(int version, void** table);
    const auto get = reinterpret_cast<GetApi>(dlsym(library, "RENDERDOC_GetAPI"));
    void* table = nullptr;
    if (get == nullptr || get(kVersion, &table) != 1) end(kSkip, "RenderDoc has another interface");
    functions_ = static_cast<void**>(table);
  }
  void name_captures(const char* path) { function<void (*)(const char*)>(kSetCaptureFilePathTemplate)(path); }
  void start() { function<void (*)(void*, void*)>(kStartFrameCapture)(nullptr, nullptr); }
  bool finish() { return function<std::uint32_t (*)(void*, void*)>(kEndFrameCapture)(nullptr, nullptr) == 1; }

 private:
  static constexpr int kVersion = 10102;
  static constexpr std::size_t kSetCaptureFilePathTemplate = 11, kStartFrameCapture = 19, kEndFrameCapture = 21;

  template <typename Function>
  Function function(std::size_t place) const {
    return reinterpret_cast<Function>(functions_[place]);
  }
  void** functions_ = nullptr;
};

verify::Shader shader_of(Stage stage, const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  link::StageInput input;
  input.stage = stage;
  input.file = name;
  input.words.resize(bytes.size() / sizeof(std::uint32_t));
  std::memcpy(input.words.data(), bytes.data(), input.words.size() * sizeof(std::uint32_t));
  Result<verify::Shader> shader = verify::reflect_shader(input);
  if (!shader) end(1, render(shader.error()));
  shader->words = input.words;
  return std::move(*shader);
}

// A pipeline with everything that it is drawn with.
struct Scene {
  std::vector<verify::Shader> shaders;
  verify::Needs needs;
  std::unique_ptr<verify::Renderer> renderer;
  std::unique_ptr<verify::Pipelines> pipelines;
  verify::Strategy strategy;
};

// None if the device cannot draw it.
std::unique_ptr<Scene> scene_of(verify::Gpu& gpu, const std::string& vertex, const std::string& fragment) {
  auto scene = std::make_unique<Scene>();
  scene->shaders.push_back(shader_of(Stage::vertex, vertex));
  scene->shaders.push_back(shader_of(Stage::fragment, fragment));
  Result<verify::Needs> needs = verify::collect_needs(gpu, scene->shaders, scene->shaders, {});
  if (!needs) return nullptr;
  scene->needs = std::move(*needs);
  Result<std::unique_ptr<verify::Renderer>> renderer = verify::Renderer::create(gpu, scene->needs, kSeed, kExtent);
  if (!renderer) return nullptr;
  scene->renderer = std::move(*renderer);
  scene->pipelines =
      std::make_unique<verify::Pipelines>(gpu, scene->needs, scene->shaders, scene->renderer->pipeline_target());
  scene->strategy = verify::strategies_for(scene->needs, 1).front();
  return scene->pipelines->get(scene->strategy) ? std::move(scene) : nullptr;
}

int run(int count, char** arguments) {
  if (count < 4 || count % 2 != 0) end(1, "usage: capture_frame CAPTURE VERT.spv FRAG.spv [VERT.spv FRAG.spv]...");
  const Result<std::unique_ptr<verify::Gpu>> gpu = verify::create_gpu(verify::Purpose::drawing);
  if (!gpu) end(kSkip, render(gpu.error()));
  RenderDoc renderdoc;
  std::vector<std::unique_ptr<Scene>> scenes;
  for (int i = 2; i < count; i += 2)
    if (auto scene = scene_of(**gpu, arguments[i], arguments[i + 1])) scenes.push_back(std::move(scene));
  renderdoc.name_captures(arguments[1]);
  renderdoc.start();
  for (const auto& scene : scenes) {
    const auto drawn = scene->renderer->draw(*scene->pipelines, scene->strategy);
    if (!drawn) end(1, scene->shaders.back().file + ": " + render(drawn.error()));
    std::puts(scene->shaders.back().file.c_str());
  }
  if (!renderdoc.finish()) end(1, "the frame is not captured");
  return 0;
}

}  // namespace
}  // namespace varylink::test

int main(int count, char** arguments) { return varylink::test::run(count, arguments); }
