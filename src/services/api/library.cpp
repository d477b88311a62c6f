// What the library says about itself and about the names of its enumerations.
#include <varylink/varylink.h>

#include <string>
#include <string_view>

#include "base/version.h"
#include "frontend/frontend.h"

namespace {

constexpr std::uint32_t packed(std::string_view version) {
  std::uint32_t parts[3] = {};
  std::size_t part = 0;
  for (const char c : version) {
    if (c == '.')
      ++part;
    else
      parts[part] = 10 * parts[part] + static_cast<std::uint32_t>(c - '0');
  }
  return VARYLINK_MAKE_VERSION(parts[0], parts[1], parts[2]);
}

// "VERSION (COMMIT)" with the terminating zero, put together by the compiler.
template <std::size_t kSize>
struct VersionText {
  char characters[kSize] = {};
  constexpr VersionText() {
    std::size_t at = 0;
    const auto add = [&](std::string_view text) {
      for (const char c : text) characters[at++] = c;
    };
    add(varylink::kVersion);
    add(" (");
    add(varylink::kGitHash);
    add(")");
  }
};
constexpr VersionText<varylink::kVersion.size() + varylink::kGitHash.size() + 4> kVersionText;

static_assert(packed(varylink::kVersion) == VARYLINK_VERSION, "varylink.h and CMakeLists.txt name different versions");

}  // namespace

uint32_t varylink_version(void) { return VARYLINK_VERSION; }

const char* varylink_version_string(void) { return kVersionText.characters; }

int varylink_has_glsl(void) { return varylink::frontend::can_compile_glsl() ? 1 : 0; }

const char* varylink_status_name(varylink_status status) {
  switch (status) {
    case VARYLINK_SUCCESS: return "success";
    case VARYLINK_ERROR_INVALID_ARGUMENT: return "invalid_argument";
    case VARYLINK_ERROR_OUT_OF_MEMORY: return "out_of_memory";
    case VARYLINK_ERROR_INTERNAL: return "internal";
    case VARYLINK_ERROR_NOT_SUPPORTED: return "not_supported";
    case VARYLINK_ERROR_INVALID_PIPELINE: return "invalid_pipeline";
    case VARYLINK_ERROR_GLSL: return "glsl";
    case VARYLINK_ERROR_INVALID_SPIRV: return "invalid_spirv";
    case VARYLINK_ERROR_INTERFACE_MISMATCH: return "interface_mismatch";
    case VARYLINK_ERROR_VERIFICATION_FAILED: return "verification_failed";
    case VARYLINK_ERROR_INTERRUPTED: return "interrupted";
    case VARYLINK_STATUS_MAX_ENUM: break;
  }
  return "unknown";
}

const char* varylink_stage_name(varylink_stage stage) {
  switch (stage) {
    case VARYLINK_STAGE_VERTEX: return "vert";
    case VARYLINK_STAGE_TESS_CONTROL: return "tesc";
    case VARYLINK_STAGE_TESS_EVAL: return "tese";
    case VARYLINK_STAGE_GEOMETRY: return "geom";
    case VARYLINK_STAGE_TASK: return "task";
    case VARYLINK_STAGE_MESH: return "mesh";
    case VARYLINK_STAGE_FRAGMENT: return "frag";
    case VARYLINK_STAGE_UNKNOWN:
    case VARYLINK_STAGE_MAX_ENUM: break;
  }
  return "unknown";
}
