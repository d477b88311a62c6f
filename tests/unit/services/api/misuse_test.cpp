// Mistakes of the program that uses the C interface: each is a status with a reason, and nothing else happens.
#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "c_api.h"

using namespace api_test;

namespace {

constexpr varylink_status kInvalid = VARYLINK_ERROR_INVALID_ARGUMENT;

Handle<varylink_pipeline> vertex_pipeline(const Handle<varylink_context>& context) {
  Handle<varylink_pipeline> pipeline = new_pipeline(context);
  REQUIRE(add(pipeline, vertex_words()) == VARYLINK_SUCCESS);
  return pipeline;
}

// A struct as a program of another time has it: `size` bytes of the value, and zero bytes or `rest` behind it.
template <typename T>
struct Resized {
  Resized(T value, std::size_t size, unsigned char rest = 0) {
    bytes.fill(rest);
    value.struct_size = size;
    std::memcpy(bytes.data(), &value, std::min(size, sizeof(T)));
    std::memcpy(bytes.data(), &size, sizeof(size));
  }
  T* get() { return reinterpret_cast<T*>(bytes.data()); }
  alignas(T) std::array<unsigned char, sizeof(T) + 16> bytes;
};

}  // namespace

TEST_CASE("more words than memory holds are refused", "[api]") {
  const Handle<varylink_context> context = new_context();
  const Handle<varylink_pipeline> pipeline = new_pipeline(context);
  const Words words = vertex_words();
  auto info = sized<varylink_spirv_stage>();
  info.words = words.data();
  for (const std::size_t count : {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / sizeof(std::uint32_t) + 3}) {
    info.word_count = count;
    CHECK(varylink_pipeline_add_spirv(pipeline.get(), &info) == kInvalid);
  }
}

TEST_CASE("NULL is refused everywhere and harmless to destroy", "[api]") {
  varylink_context_destroy(nullptr);
  varylink_pipeline_destroy(nullptr);
  varylink_result_destroy(nullptr);
  CHECK(varylink_context_create(nullptr, nullptr) == kInvalid);
  CHECK(varylink_context_error(nullptr) == std::string());

  auto* pipeline = reinterpret_cast<varylink_pipeline*>(1);
  CHECK(varylink_pipeline_create(nullptr, nullptr, &pipeline) == kInvalid);
  CHECK(pipeline == nullptr);
  auto* result = reinterpret_cast<varylink_result*>(1);
  CHECK(varylink_link(nullptr, nullptr, &result) == kInvalid);
  CHECK(result == nullptr);
  CHECK(varylink_check(nullptr, nullptr, &result) == kInvalid);
  CHECK(varylink_pipeline_add_spirv(nullptr, nullptr) == kInvalid);
  CHECK(varylink_pipeline_add_glsl(nullptr, nullptr) == kInvalid);

  CHECK(varylink_result_status(nullptr) == kInvalid);
  CHECK(varylink_result_stage_count(nullptr) == 0);
  CHECK(varylink_result_diagnostic_count(nullptr) == 0);
  CHECK(varylink_result_interface_count(nullptr) == 0);
  CHECK(varylink_result_report(nullptr) == nullptr);
  CHECK(varylink_result_has_proof(nullptr) == 0);
  auto proof = sized<varylink_proof>();
  CHECK(varylink_result_get_proof(nullptr, &proof) == kInvalid);
  auto finding = sized<varylink_finding>();
  CHECK(varylink_result_get_finding(nullptr, 0, &finding) == kInvalid);
  auto stage = sized<varylink_stage_output>();
  CHECK(varylink_result_get_stage(nullptr, 0, &stage) == kInvalid);
  auto component = sized<varylink_component>();
  CHECK(varylink_result_get_component(nullptr, 0, 0, &component) == kInvalid);

  const auto context = new_context();
  CHECK(varylink_pipeline_create(context.get(), nullptr, nullptr) == kInvalid);
  const auto good = vertex_pipeline(context);
  CHECK(varylink_link(good.get(), nullptr, nullptr) == kInvalid);
  CHECK(varylink_context_error(context.get()) == std::string("result is NULL"));
  CHECK(varylink_pipeline_add_spirv(good.get(), nullptr) == kInvalid);
  CHECK(varylink_pipeline_add_glsl(good.get(), nullptr) == kInvalid);
}

TEST_CASE("an error is forgotten with the next call that works", "[api]") {
  const auto context = new_context();
  const auto pipeline = new_pipeline(context);
  CHECK(add(pipeline, {}) == kInvalid);
  CHECK(contains(varylink_context_error(context.get()), "no words"));
  CHECK(add(pipeline, vertex_words()) == VARYLINK_SUCCESS);
  CHECK(varylink_context_error(context.get()) == std::string());
}

TEST_CASE("input structs of other sizes", "[api]") {
  const auto context = new_context();
  const auto pipeline = vertex_pipeline(context);
  auto options = sized<varylink_link_options>();
  options.level = VARYLINK_LEVEL_EXACT;
  constexpr std::size_t kSize = sizeof(options);
  using Options = Resized<varylink_link_options>;

  CHECK(link(pipeline, Options(options, 0).get()).status == kInvalid);
  CHECK(link(pipeline, Options(options, sizeof(std::size_t)).get()).status == kInvalid);
  CHECK(link(pipeline, Options(options, kSize - 1).get()).status == kInvalid);
  CHECK(contains(varylink_context_error(context.get()), "struct_size"));
  CHECK(link(pipeline, Options(options, ~std::size_t{0}).get()).status == kInvalid);
  // A newer program: what it does not use is no harm, what it uses cannot be ignored.
  CHECK(link(pipeline, Options(options, kSize + 16).get()).status == VARYLINK_SUCCESS);
  CHECK(link(pipeline, Options(options, kSize + 16, 1).get()).status == kInvalid);

  auto check_options = sized<varylink_check_options>();
  CHECK(check(pipeline, Resized<varylink_check_options>(check_options, 4).get()).status == kInvalid);
  auto pipeline_info = sized<varylink_pipeline_info>();
  varylink_pipeline* made = nullptr;
  CHECK(varylink_pipeline_create(context.get(), Resized<varylink_pipeline_info>(pipeline_info, 4).get(), &made) ==
        kInvalid);
  varylink_context* other = nullptr;
  auto context_info = sized<varylink_context_info>();
  CHECK(varylink_context_create(Resized<varylink_context_info>(context_info, 4).get(), &other) == kInvalid);
  CHECK(other == nullptr);
}

TEST_CASE("output structs of other sizes", "[api]") {
  const auto context = new_context();
  const auto pipeline = vertex_pipeline(context);
  const Linked linked = link(pipeline);
  auto stage = sized<varylink_stage_output>();
  constexpr std::size_t kSize = sizeof(stage);
  using Output = Resized<varylink_stage_output>;

  Output small(stage, kSize - 1, 0xee);
  const auto untouched = small.bytes;
  CHECK(varylink_result_get_stage(linked.result.get(), 0, small.get()) == kInvalid);
  CHECK(small.bytes == untouched);
  Output large(stage, kSize + 16, 0xee);
  CHECK(varylink_result_get_stage(linked.result.get(), 0, large.get()) == VARYLINK_SUCCESS);
  CHECK(large.get()->struct_size == kSize + 16);
  CHECK(large.get()->stage == VARYLINK_STAGE_VERTEX);
  CHECK(std::all_of(large.bytes.begin() + kSize, large.bytes.end(), [](unsigned char byte) { return byte == 0; }));

  CHECK(varylink_result_get_stage(linked.result.get(), 1, &stage) == kInvalid);
  CHECK(varylink_result_get_stage(linked.result.get(), 0, nullptr) == kInvalid);
  auto component = sized<varylink_component>();
  CHECK(varylink_result_get_component(linked.result.get(), 7, 0, &component) == kInvalid);
}

TEST_CASE("values outside of the enumerations and flags that do not exist", "[api]") {
  const auto context = new_context();
  const auto pipeline = vertex_pipeline(context);
  const auto refused = [&](const varylink_link_options& options) {
    const Linked linked = link(pipeline, &options);
    return linked.status == kInvalid && linked.result == nullptr &&
           !std::string(varylink_context_error(context.get())).empty();
  };
  auto options = sized<varylink_link_options>();
  options.level = static_cast<varylink_level>(99);
  CHECK(refused(options));
  options = sized<varylink_link_options>();
  options.prove = static_cast<varylink_prove>(4);
  CHECK(refused(options));
  options = sized<varylink_link_options>();
  options.target_env = static_cast<varylink_target_env>(7);
  CHECK(refused(options));
  options = sized<varylink_link_options>();
  options.flags = 0x80000000u;
  CHECK(refused(options));
  options = sized<varylink_link_options>();
  options.layout_flags = 0x10u;
  CHECK(refused(options));
  options = sized<varylink_link_options>();
  options.pass_count = 1;
  CHECK(refused(options));
  const char* const passes[] = {"no-such-pass", nullptr};
  options.passes = passes;
  CHECK(refused(options));
  options.passes = passes + 1;  // NULL among the names
  CHECK(refused(options));

  options = sized<varylink_link_options>();
  options.cost_profile = "no-such-gpu";
  CHECK(refused(options));

  auto checking = sized<varylink_check_options>();
  checking.flags = 4;
  CHECK(check(pipeline, &checking).status == kInvalid);
  checking = sized<varylink_check_options>();
  checking.limits_json = "[1]";
  CHECK(check(pipeline, &checking).status == kInvalid);

  CHECK(add(pipeline, vertex_words(), static_cast<varylink_stage>(8)) == kInvalid);
  auto glsl = sized<varylink_glsl_stage>();
  glsl.source = "void main() {}";
  CHECK(varylink_pipeline_add_glsl(pipeline.get(), &glsl) == kInvalid);  // nothing says which stage
  glsl.source = nullptr;
  glsl.stage = VARYLINK_STAGE_VERTEX;
  CHECK(varylink_pipeline_add_glsl(pipeline.get(), &glsl) == kInvalid);

  auto info = sized<varylink_pipeline_info>();
  varylink_pipeline* made = nullptr;
  info.define_count = 1;
  CHECK(varylink_pipeline_create(context.get(), &info, &made) == kInvalid);
  const varylink_define defines[] = {{"A", "1\n#error"}};
  info.defines = defines;
  CHECK(varylink_pipeline_create(context.get(), &info, &made) == kInvalid);
  info.define_count = 0;
  info.state = R"({"topology": "dots"})";
  CHECK(varylink_pipeline_create(context.get(), &info, &made) == kInvalid);
  CHECK(contains(varylink_context_error(context.get()), "topology"));
  CHECK(made == nullptr);
}

TEST_CASE("what the library says about itself", "[api]") {
  CHECK(varylink_version() == VARYLINK_VERSION);
  const std::string version = std::to_string(VARYLINK_VERSION_MAJOR) + "." + std::to_string(VARYLINK_VERSION_MINOR) +
                              "." + std::to_string(VARYLINK_VERSION_PATCH);
  CHECK(std::string_view(varylink_version_string()).starts_with(version + " ("));
  CHECK(varylink_status_name(VARYLINK_ERROR_INVALID_SPIRV) == std::string("invalid_spirv"));
  CHECK(varylink_status_name(VARYLINK_STATUS_MAX_ENUM) == std::string("unknown"));
  CHECK(varylink_stage_name(VARYLINK_STAGE_TESS_EVAL) == std::string("tese"));
  CHECK(varylink_stage_name(VARYLINK_STAGE_MAX_ENUM) == std::string("unknown"));
}
