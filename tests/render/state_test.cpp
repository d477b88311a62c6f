// Pictures are drawn with the state that the application gives.
#include <algorithm>

#include "render/controls.h"
#include "support/catch.h"

namespace varylink::test {
namespace {

using verify::Comparison;
using verify::RunResult;
using verify::Verdict;

constexpr const char* kGiven = " (given formats)";

// The sum of the two varyings, up to rounding.
const char* const kOtherSum = "va + vb * 1.00001";

Comparison compare(const Sources& original, const Sources& linked, const std::string& state) {
  verify::VerifyOptions options;
  const Result<state::PipelineState> parsed = state::parse_pipeline_state(state, "state");
  REQUIRE(parsed);
  options.state = *parsed;
  Comparison result = renderer()->compare(compile(original), compile(linked), options);
  INFO(state << ": " << result.text());
  CHECK(result.verdict != Verdict::not_run);
  return result;
}

std::string with_color(const std::string& format) { return R"({"attachments": [{"format": ")" + format + R"("}]})"; }

bool is_given(const RunResult& run) { return run.strategy.find(kGiven) != std::string::npos; }

bool draws_given(const Comparison& comparison) {
  return std::any_of(comparison.runs.begin(), comparison.runs.end(), is_given);
}

std::uint32_t differing(const Comparison& comparison, bool given) {
  std::uint32_t sum = 0;
  for (const RunResult& run : comparison.runs)
    if (is_given(run) == given) sum += run.differing_pixels;
  return sum;
}

Sources with_output(const char* type, const char* value) {
  return with_edit(with_edit(kSum, Stage::fragment, "out vec4", std::string("out ") + type), Stage::fragment, "va + vb",
                   value);
}

}  // namespace

TEST_CASE("render: every run is drawn to 32-bit targets and to the formats that are given", "[render]") {
  if (renderer() == nullptr) return;
  const Sources other = with_edit(kSum, Stage::fragment, "va + vb", kOtherSum);
  const Comparison result = compare(kSum, other, with_color("R8G8B8A8_UNORM"));
  CHECK(result.verdict == Verdict::within_tolerance);
  CHECK(result.not_drawn.empty());
  const auto given = std::count_if(result.runs.begin(), result.runs.end(), is_given);
  CHECK(given * 2 == static_cast<std::ptrdiff_t>(result.runs.size()));
  // Eight bits show few of the differences in the last of 32.
  CHECK(differing(result, true) * 10 < differing(result, false));
  CHECK_FALSE(draws_given(compare(kSum, other, "{}")));
  CHECK_FALSE(draws_given(compare(kSum, other, with_color("R32G32B32A32_SFLOAT"))));
}

TEST_CASE("render: given formats of all kinds are drawn to, with a coverage of their own", "[render]") {
  if (renderer() == nullptr) return;
  const std::pair<const char*, Sources> kCases[] = {{"R8G8B8A8_SRGB", kSum},
                                                    {"B8G8R8A8_UNORM", kSum},
                                                    {"R16G16_SFLOAT", kSum},
                                                    {"B10G11R11_UFLOAT_PACK32", kSum},
                                                    {"R5G6B5_UNORM_PACK16", kSum},
                                                    {"R8G8B8A8_SNORM", kSum},
                                                    {"R8G8B8A8_UINT", with_output("uvec4", "uvec4(abs(va) * 100.0)")},
                                                    {"R16G16_SINT", with_output("ivec4", "ivec4(va * 100.0)")}};
  for (const auto& [format, sources] : kCases) {
    INFO(format);
    const Comparison result = compare(sources, sources, with_color(format));
    INFO(result.text());
    CHECK(result.verdict == Verdict::identical);
    CHECK(draws_given(result));
    for (const RunResult& run : result.runs) CHECK((run.pixels > 0) == run.informative);
    const Sources wrong = with_edit(sources, Stage::fragment, "void main() {", "void main() { vec4 va = va.yxwz;");
    CHECK(compare(sources, wrong, with_color(format)).verdict == Verdict::different);
  }
}

TEST_CASE("render: given formats go together with samples, layers and views", "[render]") {
  if (renderer() == nullptr) return;
  const std::string color = R"("attachments": [{"format": "R8G8B8A8_UNORM"}])";
  const Sources layered = with_edit(kSum, Stage::vertex, "va = a", "va = a; gl_Layer = gl_InstanceIndex");
  CHECK(draws_given(compare(kSum, kSum, "{" + color + R"(, "rasterizationSamples": 4})")));
  CHECK(draws_given(compare(kSum, kSum, "{" + color + R"(, "viewMask": 3})")));
  const Sources with_extension =
      with_edit(layered, Stage::vertex, "layout(location = 0) in",
                "#extension GL_ARB_shader_viewport_layer_array : require\nlayout(location = 0) in");
  CHECK(draws_given(compare(with_extension, with_extension, "{" + color + "}")));
}

TEST_CASE("render: given depth formats are used, none is none", "[render]") {
  if (renderer() == nullptr) return;
  for (const char* format : {"D16_UNORM", "D24_UNORM_S8_UINT", "D32_SFLOAT_S8_UINT", "UNDEFINED"}) {
    INFO(format);
    const std::string state = R"({"depthAttachmentFormat": ")" + std::string(format) +
                              R"(", "stencilAttachmentFormat": ")" +
                              (std::string(format).find("S8") == std::string::npos ? "UNDEFINED" : format) + R"("})";
    const Comparison result = compare(kSum, kSum, state);
    CHECK(result.verdict == Verdict::identical);
    CHECK(draws_given(result) == result.not_drawn.empty());
  }
  CHECK_FALSE(draws_given(compare(kSum, kSum, R"({"depthAttachmentFormat": "D32_SFLOAT"})")));
}

TEST_CASE("render: a format that the device does not draw to is said", "[render]") {
  if (renderer() == nullptr) return;
  const Comparison result = compare(kSum, kSum, with_color("R64G64B64A64_SFLOAT"));
  CHECK(result.verdict == Verdict::identical);
  CHECK_FALSE(draws_given(result));
}

TEST_CASE("render: polygons are lines or points where the state says so", "[render]") {
  if (renderer() == nullptr) return;
  const auto pixels = [](const std::string& state) {
    const Comparison result = compare(kSum, kSum, state);
    std::uint32_t most = 0;
    for (const RunResult& run : result.runs) most = std::max(most, run.pixels);
    return most;
  };
  const std::string triangles = R"({"topology": "TRIANGLE_LIST", "polygonMode": )";
  const std::uint32_t filled = pixels(triangles + R"("FILL"})");
  const std::uint32_t lines = pixels(triangles + R"("LINE"})");
  CHECK(lines < filled);
  CHECK(pixels(triangles + R"("POINT"})") < lines);
}

}  // namespace varylink::test
