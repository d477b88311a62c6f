// Modules that are kept: results are what they are without, and nothing is lost with a handle.
#include <string>
#include <thread>
#include <varylink/varylink.hpp>

#include "c_api.h"

using namespace api_test;
namespace vl = varylink::cpp;

namespace {

Handle<varylink_module> new_module(const Handle<varylink_context>& context, const Words& words,
                                   const char* name = nullptr) {
  auto info = sized<varylink_spirv_stage>();
  info.words = words.data();
  info.word_count = words.size();
  info.name = name;
  varylink_module* module = nullptr;
  REQUIRE(varylink_module_create(context.get(), &info, &module) == VARYLINK_SUCCESS);
  return Handle<varylink_module>(module);
}

Handle<varylink_pipeline> pipeline_of(const Handle<varylink_context>& context, const Handle<varylink_module>& first,
                                      const Handle<varylink_module>& second) {
  Handle<varylink_pipeline> pipeline = new_pipeline(context);
  REQUIRE(varylink_pipeline_add_module(pipeline.get(), first.get()) == VARYLINK_SUCCESS);
  REQUIRE(varylink_pipeline_add_module(pipeline.get(), second.get()) == VARYLINK_SUCCESS);
  return pipeline;
}

void check_same(const Linked& one, const Linked& other) {
  CHECK(one.status == other.status);
  CHECK(std::string(varylink_result_report(one.result.get())) == varylink_result_report(other.result.get()));
  const std::size_t count = varylink_result_stage_count(one.result.get());
  REQUIRE(count == varylink_result_stage_count(other.result.get()));
  for (std::size_t i = 0; i < count; ++i) CHECK(words_of(stage_of(one, i)) == words_of(stage_of(other, i)));
}

}  // namespace

TEST_CASE("a kept module links to the same as its words, with one partner after the other", "[api]") {
  const auto context = new_context();
  const auto vertex = new_module(context, vertex_words(), "a.vert");
  for (const Words& words : {fragment_words(), strange_fragment_words(), fragment_words()}) {
    const auto plain = new_pipeline(context);
    REQUIRE(add(plain, vertex_words(), VARYLINK_STAGE_UNKNOWN, "a.vert") == VARYLINK_SUCCESS);
    REQUIRE(add(plain, words, VARYLINK_STAGE_UNKNOWN, "a.frag") == VARYLINK_SUCCESS);
    const auto kept = pipeline_of(context, vertex, new_module(context, words, "a.frag"));
    for (const varylink_level level : {VARYLINK_LEVEL_CHECK, VARYLINK_LEVEL_EXACT, VARYLINK_LEVEL_FULL}) {
      auto options = sized<varylink_link_options>();
      options.level = level;
      for (int i = 0; i < 2; ++i) check_same(link(kept, &options), link(plain, &options));
    }
    check_same(check(kept), check(plain));
  }
}

TEST_CASE("pipelines outlive the modules that they were made of", "[api]") {
  const auto context = new_context();
  auto vertex = new_module(context, vertex_words(), "a.vert");
  auto fragment = new_module(context, fragment_words());
  const auto pipeline = pipeline_of(context, vertex, fragment);
  vertex.reset();
  fragment.reset();
  const Linked linked = link(pipeline);
  REQUIRE(linked.status == VARYLINK_SUCCESS);
  CHECK(std::string(stage_of(linked, 0).name) == "a.vert");
  CHECK(std::string(stage_of(linked, 1).name) == "frag");
}

TEST_CASE("threads link one kept module at the same time", "[api]") {
  const auto context = new_context();
  const auto vertex = new_module(context, vertex_words()), fragment = new_module(context, fragment_words());
  Words results[4];
  std::vector<std::thread> threads;
  for (Words& result : results)
    threads.emplace_back([&] {
      varylink_context* own = nullptr;
      varylink_pipeline* pipeline = nullptr;
      varylink_result* linked = nullptr;
      varylink_context_create(nullptr, &own);
      varylink_pipeline_create(own, nullptr, &pipeline);
      varylink_pipeline_add_module(pipeline, vertex.get());
      varylink_pipeline_add_module(pipeline, fragment.get());
      varylink_link(pipeline, nullptr, &linked);
      auto stage = sized<varylink_stage_output>();
      if (varylink_result_get_stage(linked, 0, &stage) == VARYLINK_SUCCESS) result = words_of(stage);
      varylink_result_destroy(linked);
      varylink_pipeline_destroy(pipeline);
      varylink_context_destroy(own);
    });
  for (std::thread& thread : threads) thread.join();
  CHECK_FALSE(results[0].empty());
  for (const Words& result : results) CHECK(result == results[0]);
}

TEST_CASE("a module that cannot be read is not kept", "[api]") {
  const auto context = new_context();
  const Words nonsense = {1, 2, 3};
  auto info = sized<varylink_spirv_stage>();
  info.words = nonsense.data();
  info.word_count = nonsense.size();
  auto* module = reinterpret_cast<varylink_module*>(&info);
  CHECK(varylink_module_create(context.get(), &info, &module) == VARYLINK_ERROR_INVALID_SPIRV);
  CHECK(module == nullptr);
  CHECK_FALSE(std::string(varylink_context_error(context.get())).empty());
  info.words = nullptr;
  CHECK(varylink_module_create(context.get(), &info, &module) == VARYLINK_ERROR_INVALID_ARGUMENT);
  CHECK(varylink_module_create(context.get(), nullptr, &module) == VARYLINK_ERROR_INVALID_ARGUMENT);
  CHECK(varylink_module_create(nullptr, &info, &module) == VARYLINK_ERROR_INVALID_ARGUMENT);
  const auto pipeline = new_pipeline(context);
  CHECK(varylink_pipeline_add_module(pipeline.get(), nullptr) == VARYLINK_ERROR_INVALID_ARGUMENT);
  CHECK(varylink_pipeline_add_module(nullptr, nullptr) == VARYLINK_ERROR_INVALID_ARGUMENT);
}

TEST_CASE("kept modules as objects", "[api]") {
  vl::Context context, other;
  const vl::KeptModule vertex(context, {.words = vertex_words(), .name = "a.vert"});
  for (vl::Context* each : {&context, &other}) {
    vl::Pipeline pipeline(*each);
    pipeline.add(vertex);
    pipeline.add_spirv({.words = fragment_words()});
    const vl::Outcome linked = pipeline.link();
    REQUIRE(linked);
    CHECK(linked.modules()[0].name == "a.vert");
  }
  CHECK_THROWS_AS(vl::KeptModule(context, {}), vl::Error);
}
