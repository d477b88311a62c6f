// The C interface for its tests: structs with their size set, handles that are destroyed.
#pragma once

#include <varylink/varylink.h>

#include <memory>

#include "shaders.h"
#include "support/catch.h"

namespace api_test {

template <typename T>
T sized() {
  T value = {};
  value.struct_size = sizeof(T);
  return value;
}

struct Destroy {
  void operator()(varylink_context* handle) const { varylink_context_destroy(handle); }
  void operator()(varylink_module* handle) const { varylink_module_destroy(handle); }
  void operator()(varylink_pipeline* handle) const { varylink_pipeline_destroy(handle); }
  void operator()(varylink_result* handle) const { varylink_result_destroy(handle); }
  void operator()(varylink_group* handle) const { varylink_group_destroy(handle); }
  void operator()(varylink_group_result* handle) const { varylink_group_result_destroy(handle); }
};
template <typename T>
using Handle = std::unique_ptr<T, Destroy>;

inline Handle<varylink_context> new_context(const varylink_context_info* info = nullptr) {
  varylink_context* context = nullptr;
  REQUIRE(varylink_context_create(info, &context) == VARYLINK_SUCCESS);
  return Handle<varylink_context>(context);
}

inline Handle<varylink_pipeline> new_pipeline(const Handle<varylink_context>& context,
                                              const varylink_pipeline_info* info = nullptr) {
  varylink_pipeline* pipeline = nullptr;
  REQUIRE(varylink_pipeline_create(context.get(), info, &pipeline) == VARYLINK_SUCCESS);
  return Handle<varylink_pipeline>(pipeline);
}

inline varylink_status add(const Handle<varylink_pipeline>& pipeline, const Words& words,
                           varylink_stage stage = VARYLINK_STAGE_UNKNOWN, const char* name = nullptr) {
  auto info = sized<varylink_spirv_stage>();
  info.stage = stage;
  info.words = words.data();
  info.word_count = words.size();
  info.name = name;
  return varylink_pipeline_add_spirv(pipeline.get(), &info);
}

struct Linked {
  varylink_status status = VARYLINK_SUCCESS;
  Handle<varylink_result> result;
};

inline Linked link(const Handle<varylink_pipeline>& pipeline, const varylink_link_options* options = nullptr) {
  varylink_result* result = nullptr;
  const varylink_status status = varylink_link(pipeline.get(), options, &result);
  return {status, Handle<varylink_result>(result)};
}

inline Linked check(const Handle<varylink_pipeline>& pipeline, const varylink_check_options* options = nullptr) {
  varylink_result* result = nullptr;
  const varylink_status status = varylink_check(pipeline.get(), options, &result);
  return {status, Handle<varylink_result>(result)};
}

inline Linked analyze(const Handle<varylink_pipeline>& pipeline, const varylink_link_options* options = nullptr) {
  varylink_result* result = nullptr;
  const varylink_status status = varylink_analyze(pipeline.get(), options, &result);
  return {status, Handle<varylink_result>(result)};
}

inline varylink_stage_output stage_of(const Linked& linked, std::size_t index) {
  auto stage = sized<varylink_stage_output>();
  REQUIRE(varylink_result_get_stage(linked.result.get(), index, &stage) == VARYLINK_SUCCESS);
  return stage;
}

inline varylink_diagnostic diagnostic_of(const Linked& linked, std::size_t index) {
  auto diagnostic = sized<varylink_diagnostic>();
  REQUIRE(varylink_result_get_diagnostic(linked.result.get(), index, &diagnostic) == VARYLINK_SUCCESS);
  return diagnostic;
}

inline Words words_of(const varylink_stage_output& stage) { return {stage.words, stage.words + stage.word_count}; }

}  // namespace api_test
