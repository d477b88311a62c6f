#include "render/render_support.h"

#include <cstdio>
#include <optional>

#include "spirv/tools/binary.h"
#include "support/catch.h"
#include "support/catch_main.h"
#include "support/shader.h"
#include "verify/worker.h"

namespace varylink::test {
namespace {

// Workers start this program once more.
[[maybe_unused]] const OtherMain kServes = other_main() = verify::Worker::serve_parent;

class WorkerRenderer : public Renderer {
 public:
  explicit WorkerRenderer(verify::Worker worker) : worker_(std::move(worker)) {}
  verify::Comparison compare(const std::vector<link::StageInput>& original, const std::vector<link::StageInput>& linked,
                             const verify::VerifyOptions& options) override {
    verify::Comparison comparison = worker_.compare(original, linked, options);
    // Whoever runs the tests with VARYLINK_VK_VALIDATION=1 wants to know.
    for (const std::string& message : comparison.validation_messages) WARN(message);
    return comparison;
  }

 private:
  verify::Worker worker_;
};

std::unique_ptr<Renderer> start() {
  Result<verify::Worker> worker = verify::Worker::start();
  if (worker) {
    std::printf("drawing on %s\n", worker->description().c_str());
    return std::make_unique<WorkerRenderer>(std::move(*worker));
  }
  std::printf("skipped: %s\n", worker.error().message.c_str());
  return nullptr;
}

}  // namespace

Renderer* renderer() {
  static const std::unique_ptr<Renderer> the_renderer = start();
  return the_renderer.get();
}

std::vector<link::StageInput> compile(const Sources& sources) {
  std::vector<link::StageInput> result;
  for (const auto& [stage, text] : sources)
    result.push_back({stage, std::string("test.") + std::string(short_name(stage)),
                      spirv::write_module(module_from_glsl(stage, text)), ""});
  return result;
}

Sources with_stage(Sources sources, Stage stage, const std::string& text) {
  for (auto& [which, source] : sources)
    if (which == stage) source = text;
  return sources;
}

Sources with_edit(Sources sources, Stage stage, const std::string& from, const std::string& to) {
  for (auto& [which, source] : sources) {
    if (which != stage) continue;
    const std::size_t at = source.find(from);
    INFO("text to edit: " << from);
    REQUIRE(at != std::string::npos);
    source.replace(at, from.size(), to);
  }
  return sources;
}

}  // namespace varylink::test
