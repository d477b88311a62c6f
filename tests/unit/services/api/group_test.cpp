// Pipelines that share modules through the C interface, and what ends a link early.
#include <string>
#include <varylink/varylink.hpp>

#include "c_api.h"

using namespace api_test;
namespace vl = varylink::cpp;

namespace {

// Two pipelines with one vertex shader; the second has a fragment shader that is another module.
struct TwoPipelines {
  Handle<varylink_context> context = new_context();
  Handle<varylink_group> group;

  explicit TwoPipelines(varylink_sharing sharing) {
    auto info = sized<varylink_group_info>();
    info.sharing = sharing;
    varylink_group* made = nullptr;
    REQUIRE(varylink_group_create(context.get(), &info, &made) == VARYLINK_SUCCESS);
    group.reset(made);
    for (const char* name : {"one", "two"}) {
      auto named = sized<varylink_pipeline_info>();
      named.name = name;
      const auto pipeline = new_pipeline(context, &named);
      REQUIRE(add(pipeline, vertex_words()) == VARYLINK_SUCCESS);
      REQUIRE(add(pipeline, fragment_words()) == VARYLINK_SUCCESS);
      REQUIRE(varylink_group_add_pipeline(group.get(), pipeline.get()) == VARYLINK_SUCCESS);
    }
  }

  Handle<varylink_group_result> link(varylink_status expected = VARYLINK_SUCCESS,
                                     const varylink_link_options* options = nullptr) {
    varylink_group_result* result = nullptr;
    CHECK(varylink_group_link(group.get(), options, &result) == expected);
    return Handle<varylink_group_result>(result);
  }
};

Words words_of(const varylink_result* result, std::size_t stage) {
  auto output = sized<varylink_stage_output>();
  REQUIRE(varylink_result_get_stage(result, stage, &output) == VARYLINK_SUCCESS);
  return Words(output.words, output.words + output.word_count);
}

int end_at_once(void*) { return 1; }

}  // namespace

TEST_CASE("pipelines of a group share their modules", "[api]") {
  for (const varylink_sharing sharing :
       {VARYLINK_SHARING_NOTHING, VARYLINK_SHARING_SPECIALIZE, VARYLINK_SHARING_UNION, VARYLINK_SHARING_CLUSTER}) {
    TwoPipelines two(sharing);
    const auto result = two.link();
    REQUIRE(varylink_group_result_count(result.get()) == 2);
    CHECK(varylink_group_result_status(result.get()) == VARYLINK_SUCCESS);
    const varylink_result* one = varylink_group_result_get(result.get(), 0);
    const varylink_result* other = varylink_group_result_get(result.get(), 1);
    CHECK(words_of(one, 0) == words_of(other, 0));
    const std::string report = varylink_group_result_report(result.get());
    CHECK((report.find("--share") != std::string::npos) == (sharing != VARYLINK_SHARING_NOTHING));
    CHECK(report.find("\"two\"") != std::string::npos);
    CHECK(varylink_group_result_get(result.get(), 2) == nullptr);
  }
}

TEST_CASE("an invariance group is about pipelines of its group", "[api]") {
  TwoPipelines two(VARYLINK_SHARING_NOTHING);
  const char* names[] = {"one", "two"};
  CHECK(varylink_group_add_invariance(two.group.get(), names, 1) == VARYLINK_ERROR_INVALID_ARGUMENT);
  REQUIRE(varylink_group_add_invariance(two.group.get(), names, 2) == VARYLINK_SUCCESS);
  const auto result = two.link();
  CHECK(std::string(varylink_group_result_report(result.get())).find("position code is the same") != std::string::npos);
  names[1] = "three";
  REQUIRE(varylink_group_add_invariance(two.group.get(), names, 2) == VARYLINK_SUCCESS);
  CHECK(two.link(VARYLINK_ERROR_INVALID_ARGUMENT) == nullptr);
  CHECK(std::string(varylink_context_error(two.context.get())).find("'three'") != std::string::npos);
}

TEST_CASE("a pipeline of a group that cannot be linked fails alone", "[api]") {
  TwoPipelines two(VARYLINK_SHARING_UNION);
  const auto bad = new_pipeline(two.context);
  REQUIRE(add(bad, Words{1, 2, 3}, VARYLINK_STAGE_VERTEX) == VARYLINK_SUCCESS);
  REQUIRE(varylink_group_add_pipeline(two.group.get(), bad.get()) == VARYLINK_SUCCESS);
  const auto result = two.link(VARYLINK_ERROR_INVALID_SPIRV);
  REQUIRE(varylink_group_result_count(result.get()) == 3);
  CHECK(varylink_result_status(varylink_group_result_get(result.get(), 0)) == VARYLINK_SUCCESS);
  CHECK(varylink_result_status(varylink_group_result_get(result.get(), 2)) == VARYLINK_ERROR_INVALID_SPIRV);
}

TEST_CASE("pipelines of a group are proved, at lower levels if need be", "[api]") {
  TwoPipelines two(VARYLINK_SHARING_UNION);
  auto options = sized<varylink_link_options>();
  options.prove = VARYLINK_PROVE_FALLBACK;
  const auto result = two.link(VARYLINK_SUCCESS, &options);
  REQUIRE(varylink_group_result_count(result.get()) == 2);
  const std::string report = varylink_group_result_report(result.get());
  CHECK(report.find("\"verdict\": \"proved\"") != std::string::npos);
}

TEST_CASE("mistakes with groups", "[api]") {
  TwoPipelines two(VARYLINK_SHARING_UNION);
  auto info = sized<varylink_group_info>();
  info.sharing = static_cast<varylink_sharing>(9);
  varylink_group* made = nullptr;
  CHECK(varylink_group_create(two.context.get(), &info, &made) == VARYLINK_ERROR_INVALID_ARGUMENT);
  CHECK(made == nullptr);
  const auto other = new_context();
  CHECK(varylink_group_add_pipeline(two.group.get(), new_pipeline(other).get()) == VARYLINK_ERROR_INVALID_ARGUMENT);
  CHECK(varylink_group_add_pipeline(two.group.get(), nullptr) == VARYLINK_ERROR_INVALID_ARGUMENT);
  CHECK(varylink_group_add_pipeline(nullptr, nullptr) == VARYLINK_ERROR_INVALID_ARGUMENT);
  CHECK(varylink_group_link(nullptr, nullptr, nullptr) == VARYLINK_ERROR_INVALID_ARGUMENT);
  CHECK(varylink_group_result_status(nullptr) == VARYLINK_ERROR_INVALID_ARGUMENT);
  CHECK(varylink_group_result_count(nullptr) == 0);
  CHECK(varylink_group_result_get(nullptr, 0) == nullptr);
  CHECK(varylink_group_result_report(nullptr) == nullptr);
  varylink_group_destroy(nullptr);
  varylink_group_result_destroy(nullptr);
}

TEST_CASE("the program can end a link", "[api]") {
  const auto context = new_context();
  const auto pipeline = new_pipeline(context);
  REQUIRE(add(pipeline, vertex_words()) == VARYLINK_SUCCESS);
  REQUIRE(add(pipeline, fragment_words()) == VARYLINK_SUCCESS);
  auto options = sized<varylink_link_options>();
  options.interrupted = end_at_once;
  const Linked linked = link(pipeline, &options);
  CHECK(linked.status == VARYLINK_ERROR_INTERRUPTED);
  CHECK(varylink_result_stage_count(linked.result.get()) == 0);
  CHECK(std::string(varylink_result_report(linked.result.get())).find("interrupted") != std::string::npos);
  CHECK(link(pipeline).status == VARYLINK_SUCCESS);
}

TEST_CASE("groups in C++", "[api]") {
  vl::Context context;
  vl::Group group(context, {.sharing = VARYLINK_SHARING_UNION});
  const Words vertex = vertex_words(), fragment = fragment_words();
  for (const char* name : {"one", "two"}) {
    vl::Pipeline pipeline(context, {.name = name});
    pipeline.add_spirv({.words = vertex});
    pipeline.add_spirv({.words = fragment});
    group.add(pipeline);
  }
  std::string report;
  const std::vector<vl::Outcome> outcomes = group.link({}, &report);
  REQUIRE(outcomes.size() == 2);
  CHECK(outcomes[0]);
  CHECK(outcomes[0].modules().size() == 2);
  CHECK(report.find("--share") != std::string::npos);
  int asked = 0;
  CHECK(group.link({.interrupted = [&] { return ++asked > 3; }})[0].status() == VARYLINK_ERROR_INTERRUPTED);
  CHECK(asked > 3);
}

TEST_CASE("stages are analyzed without partners", "[api]") {
  vl::Context context;
  vl::Pipeline pipeline(context);
  const Words vertex = vertex_words(), fragment = fragment_words();
  pipeline.add_spirv({.words = vertex});
  pipeline.add_spirv({.words = fragment});
  const vl::Outcome found = pipeline.analyze();
  REQUIRE(found);
  REQUIRE(found.interfaces().size() == 2);
  CHECK(found.interfaces()[0].before.components == kComponentsBefore);
  CHECK(found.interfaces()[1].after.components == kComponentsAfter);
  REQUIRE(found.bounds().size() == 2);
  CHECK(found.bounds()[0].components == 0);
  CHECK(found.bounds()[1].components == 0);
  CHECK(found.modules().empty());
  varylink_interface_size bound = {};
  CHECK(varylink_result_get_bound(nullptr, 0, &bound) == VARYLINK_ERROR_INVALID_ARGUMENT);
  CHECK(pipeline.link().bounds().empty());
}
