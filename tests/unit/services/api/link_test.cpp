// What the C interface does with pipelines that make sense, and with those that do not.
#include <algorithm>
#include <cstring>
#include <string>
#include <thread>

#include "c_api.h"

using namespace api_test;

namespace {

Handle<varylink_pipeline> usual_pipeline(const Handle<varylink_context>& context) {
  auto info = sized<varylink_pipeline_info>();
  info.name = "usual";
  Handle<varylink_pipeline> pipeline = new_pipeline(context, &info);
  REQUIRE(add(pipeline, fragment_words(), VARYLINK_STAGE_UNKNOWN, "b.frag") == VARYLINK_SUCCESS);
  REQUIRE(add(pipeline, vertex_words(), VARYLINK_STAGE_VERTEX, "a.vert") == VARYLINK_SUCCESS);
  return pipeline;
}

}  // namespace

TEST_CASE("a pipeline is linked: modules, interface, components, report", "[api]") {
  const auto context = new_context();
  const auto pipeline = usual_pipeline(context);
  const Linked linked = link(pipeline);
  REQUIRE(linked.status == VARYLINK_SUCCESS);
  CHECK(varylink_result_status(linked.result.get()) == VARYLINK_SUCCESS);
  CHECK(varylink_result_diagnostic_count(linked.result.get()) == 0);
  REQUIRE(varylink_result_stage_count(linked.result.get()) == 2);
  const varylink_stage_output vertex = stage_of(linked, 0), fragment = stage_of(linked, 1);
  CHECK(vertex.stage == VARYLINK_STAGE_VERTEX);
  CHECK(fragment.stage == VARYLINK_STAGE_FRAGMENT);
  CHECK(vertex.name == std::string("a.vert"));
  CHECK(fragment.entry_point == std::string("main"));
  CHECK(words_of(vertex) != vertex_words());
  CHECK(vertex.words[0] == 0x07230203u);

  REQUIRE(varylink_result_interface_count(linked.result.get()) == 1);
  auto interface = sized<varylink_interface>();
  REQUIRE(varylink_result_get_interface(linked.result.get(), 0, &interface) == VARYLINK_SUCCESS);
  CHECK(interface.producer == VARYLINK_STAGE_VERTEX);
  CHECK(interface.consumer == VARYLINK_STAGE_FRAGMENT);
  CHECK(interface.before.components == kComponentsBefore);
  CHECK(interface.after.components == kComponentsAfter);
  CHECK(interface.after.highest_location == 1);
  REQUIRE(interface.component_count == kComponentsBefore);
  auto component = sized<varylink_component>();
  REQUIRE(varylink_result_get_component(linked.result.get(), 0, 1, &component) == VARYLINK_SUCCESS);
  CHECK(component.old_component == 1);
  CHECK(component.fate == VARYLINK_FATE_KEPT);
  CHECK(component.has_new == 1);
  CHECK(component.producer_name == std::string("color.y"));
  CHECK(component.type == std::string("float"));
  REQUIRE(varylink_result_get_component(linked.result.get(), 0, 4, &component) == VARYLINK_SUCCESS);
  CHECK(component.old_location == 1);
  CHECK(component.fate == VARYLINK_FATE_DEAD);
  CHECK(component.has_new == 0);

  const std::string report = varylink_result_report(linked.result.get());
  CHECK(contains(report, "\"name\": \"usual\""));
  CHECK(contains(report, "\"status\": \"linked\""));
}

TEST_CASE("a result outlives pipeline and context, and linking again gives the same", "[api]") {
  Linked first, second;
  {
    const auto context = new_context();
    const auto pipeline = usual_pipeline(context);
    first = link(pipeline);
    second = link(pipeline);
  }
  CHECK(words_of(stage_of(first, 0)) == words_of(stage_of(second, 0)));
  CHECK(std::string(varylink_result_report(first.result.get())) == varylink_result_report(second.result.get()));
}

TEST_CASE("options reach the linker", "[api]") {
  const auto context = new_context();
  const auto pipeline = usual_pipeline(context);
  auto options = sized<varylink_link_options>();

  SECTION("a level that changes nothing") {
    options.level = VARYLINK_LEVEL_CHECK;
    const Linked linked = link(pipeline, &options);
    CHECK(words_of(stage_of(linked, 0)) == vertex_words());
    CHECK(contains(varylink_result_report(linked.result.get()), "\"-O\": \"0\""));
    options.level = VARYLINK_LEVEL_DISCONTINUOUS;
    CHECK(contains(varylink_result_report(link(pipeline, &options).result.get()), "\"-O\": \"3\""));
  }
  SECTION("fuel is only a limit if the flag says so") {
    const Linked all = link(pipeline, &options);
    options.flags = VARYLINK_LINK_LIMIT_FUEL;
    const Linked none = link(pipeline, &options);
    CHECK(words_of(stage_of(all, 1)) != words_of(stage_of(none, 1)));
  }
  SECTION("passes by name, and dumps") {
    const char* const passes[] = {"assign-locations", "remove-dead-varyings"};
    std::vector<std::string> seen;
    options.dump = [](void* user, const char* pass, varylink_stage, const std::uint32_t* words, std::size_t count) {
      if (count > 5 && words[0] == 0x07230203u) static_cast<std::vector<std::string>*>(user)->push_back(pass);
    };
    options.dump_user = &seen;
    options.passes = passes;
    options.pass_count = 2;
    const Linked linked = link(pipeline, &options);
    REQUIRE(linked.status == VARYLINK_SUCCESS);
    CHECK(contains(varylink_result_report(linked.result.get()), "\"--passes\": \"assign-locations,remove-dead"));
    CHECK(std::count(seen.begin(), seen.end(), "remove-dead-varyings") > 0);
  }
  SECTION("costs on a GPU, built in or as JSON") {
    CHECK_FALSE(contains(varylink_result_report(link(pipeline, &options).result.get()), "peak_live"));
    for (const char* profile : {"tiler", "{\"name\": \"tiler\", \"based_on\": \"tiler\"}"}) {
      options.cost_profile = profile;
      const Linked linked = link(pipeline, &options);
      CHECK(contains(varylink_result_report(linked.result.get()), "peak_live"));
      CHECK(contains(varylink_result_report(linked.result.get()), "\"--profile\": \"tiler\""));
    }
  }
  SECTION("flags") {
    const std::pair<std::uint32_t, const char*> flags[] = {
        {VARYLINK_LINK_STRIP_UNUSED_RESOURCES, "--strip-unused-resources"},
        {VARYLINK_LINK_STRIP_UNUSED_ATTRIBUTES, "--strip-unused-attributes"},
        {VARYLINK_LINK_PACK_BESIDE_ARRAYS, "--pack-beside-arrays"},
        {VARYLINK_LINK_PORTABLE, "--portable"},
        {VARYLINK_LINK_ALLOW_DISCONTINUOUS, "--allow-discontinuous"},
        {VARYLINK_LINK_STRICT, "--strict"},
        {VARYLINK_LINK_KEEP_SPEC_IDS, "--keep-spec-ids"},
        {VARYLINK_LINK_NO_DEARER_STAGE, "--no-costlier-stage"},
        {VARYLINK_LINK_VALIDATE_EACH_PASS, "--target-env"}};  // does not change results, so that the report is silent
    for (const auto& [flag, name] : flags) {
      options.flags = flag;
      const Linked linked = link(pipeline, &options);
      CHECK(linked.status == VARYLINK_SUCCESS);
      CHECK(contains(varylink_result_report(linked.result.get()), name));
    }
  }
  SECTION("without a report the modules are the same") {
    const Linked reported = link(pipeline, &options);
    options.flags = VARYLINK_LINK_NO_REPORT;
    const Linked linked = link(pipeline, &options);
    for (const std::size_t stage : {0, 1})
      CHECK(words_of(stage_of(linked, stage)) == words_of(stage_of(reported, stage)));
    CHECK(varylink_result_interface_count(linked.result.get()) == 1);
    CHECK(std::string(varylink_result_report(linked.result.get())).empty());
  }
  SECTION("layout flags") {
    const std::pair<std::uint32_t, const char*> flags[] = {
        {VARYLINK_LAYOUT_SCALAR_BLOCK, "--scalar-block-layout"},
        {VARYLINK_LAYOUT_UNIFORM_BUFFER_STANDARD, "--uniform-buffer-standard-layout"},
        {VARYLINK_LAYOUT_RELAX_BLOCK, "--relax-block-layout"},
        {VARYLINK_LAYOUT_ALLOW_LOCALSIZEID, "--allow-localsizeid"}};
    for (const auto& [flag, name] : flags) {
      options.layout_flags = flag;
      CHECK(contains(varylink_result_report(link(pipeline, &options).result.get()), name));
    }
  }
  SECTION("the target environment") {
    options.target_env = VARYLINK_TARGET_ENV_VULKAN_1_1;
    CHECK(contains(varylink_result_report(link(pipeline, &options).result.get()), "vulkan1.1"));
  }
}

TEST_CASE("what is wrong with the stages is in the result and goes to the callback", "[api]") {
  std::vector<std::string> told;
  auto info = sized<varylink_context_info>();
  info.message_user = &told;
  info.message = [](void* user, const varylink_diagnostic* d) {
    static_cast<std::vector<std::string>*>(user)->push_back(std::string(d->file) + ": " + d->message);
  };
  const auto context = new_context(&info);
  const auto pipeline = new_pipeline(context);

  SECTION("stages that do not fit") {
    REQUIRE(add(pipeline, vertex_words(), VARYLINK_STAGE_UNKNOWN, "a.vert") == VARYLINK_SUCCESS);
    REQUIRE(add(pipeline, strange_fragment_words(), VARYLINK_STAGE_UNKNOWN, "b.frag") == VARYLINK_SUCCESS);
    const Linked linked = link(pipeline);
    CHECK(linked.status == VARYLINK_ERROR_INTERFACE_MISMATCH);
    CHECK(varylink_result_stage_count(linked.result.get()) == 0);
    REQUIRE(varylink_result_diagnostic_count(linked.result.get()) == 1);
    const varylink_diagnostic found = diagnostic_of(linked, 0);
    CHECK(found.severity == VARYLINK_SEVERITY_ERROR);
    CHECK(found.stage == VARYLINK_STAGE_FRAGMENT);
    CHECK(found.vuid == std::string("VUID-RuntimeSpirv-OpEntryPoint-08743"));
    CHECK(contains(found.location, "5"));
    CHECK(told.size() == 1);
  }
  SECTION("words that are no module") {
    REQUIRE(add(pipeline, {1, 2, 3, 4, 5, 6}, VARYLINK_STAGE_VERTEX) == VARYLINK_SUCCESS);
    const Linked linked = link(pipeline);
    CHECK(linked.status == VARYLINK_ERROR_INVALID_SPIRV);
    const varylink_diagnostic found = diagnostic_of(linked, 0);
    CHECK(found.file == std::string("vert"));
    CHECK(found.stage == VARYLINK_STAGE_VERTEX);
    CHECK_FALSE(std::string(varylink_result_report(linked.result.get())).empty());
  }
  SECTION("a module that ends too early, at every word") {
    const Words whole = vertex_words();
    for (std::size_t size = 1; size < whole.size(); ++size) {
      const auto cut = new_pipeline(context);
      REQUIRE(add(cut, Words(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size))) == VARYLINK_SUCCESS);
      const varylink_status status = link(cut).status;
      CHECK((status == VARYLINK_ERROR_INVALID_SPIRV || status == VARYLINK_ERROR_INVALID_PIPELINE));
    }
  }
  SECTION("the same stage twice, and no stage at all") {
    for (const Linked& empty : {link(pipeline), check(pipeline), analyze(pipeline)}) {
      CHECK(empty.status == VARYLINK_ERROR_INVALID_PIPELINE);
      REQUIRE(varylink_result_diagnostic_count(empty.result.get()) == 1);
      CHECK(contains(diagnostic_of(empty, 0).message, "has no stages"));
    }
    REQUIRE(add(pipeline, vertex_words()) == VARYLINK_SUCCESS);
    REQUIRE(add(pipeline, vertex_words()) == VARYLINK_SUCCESS);
    const Linked linked = link(pipeline);
    CHECK(linked.status == VARYLINK_ERROR_INVALID_PIPELINE);
    CHECK(contains(diagnostic_of(linked, 0).message, "second"));
  }
  SECTION("an entry point that is not there") {
    const Words words = vertex_words();
    auto stage = sized<varylink_spirv_stage>();
    stage.words = words.data();
    stage.word_count = words.size();
    stage.entry_point = "other";
    REQUIRE(varylink_pipeline_add_spirv(pipeline.get(), &stage) == VARYLINK_SUCCESS);
    CHECK(link(pipeline).status == VARYLINK_ERROR_INVALID_PIPELINE);
  }
  CHECK_FALSE(told.empty());
}

TEST_CASE("check names the rule and leaves the stages alone", "[api]") {
  const auto context = new_context();
  const auto pipeline = new_pipeline(context);
  REQUIRE(add(pipeline, vertex_words()) == VARYLINK_SUCCESS);
  SECTION("clean") {
    REQUIRE(add(pipeline, fragment_words()) == VARYLINK_SUCCESS);
    const Linked checked = check(pipeline);
    CHECK(checked.status == VARYLINK_SUCCESS);
    CHECK(varylink_result_stage_count(checked.result.get()) == 0);
  }
  SECTION("an input that nobody writes") {
    REQUIRE(add(pipeline, strange_fragment_words()) == VARYLINK_SUCCESS);
    const Linked checked = check(pipeline);
    CHECK(checked.status == VARYLINK_ERROR_INTERFACE_MISMATCH);
    CHECK(diagnostic_of(checked, 0).rule == std::string("missing-output"));
    CHECK(contains(varylink_result_report(checked.result.get()), "\"rule\": \"missing-output\""));
  }
  SECTION("limits of a device") {
    REQUIRE(add(pipeline, fragment_words()) == VARYLINK_SUCCESS);
    auto options = sized<varylink_check_options>();
    options.limits_json = "{\"maxVertexOutputComponents\": 4}";
    CHECK(check(pipeline, &options).status == VARYLINK_ERROR_INTERFACE_MISMATCH);
  }
}

TEST_CASE("contexts on different threads do not disturb each other", "[api]") {
  std::vector<Words> results(4);
  std::vector<std::thread> threads;
  const Words vertex = vertex_words(), fragment = fragment_words();
  for (Words& result : results)
    threads.emplace_back([&] {
      varylink_context* context = nullptr;
      varylink_pipeline* pipeline = nullptr;
      varylink_result* linked = nullptr;
      varylink_context_create(nullptr, &context);
      varylink_pipeline_create(context, nullptr, &pipeline);
      for (const Words* words : {&vertex, &fragment}) {
        auto stage = sized<varylink_spirv_stage>();
        stage.words = words->data();
        stage.word_count = words->size();
        varylink_pipeline_add_spirv(pipeline, &stage);
      }
      varylink_link(pipeline, nullptr, &linked);
      auto output = sized<varylink_stage_output>();
      if (varylink_result_get_stage(linked, 0, &output) == VARYLINK_SUCCESS) result = words_of(output);
      varylink_result_destroy(linked);
      varylink_pipeline_destroy(pipeline);
      varylink_context_destroy(context);
    });
  for (std::thread& thread : threads) thread.join();
  CHECK_FALSE(results[0].empty());
  CHECK(std::all_of(results.begin(), results.end(), [&](const Words& words) { return words == results[0]; }));
}
