// Modules that are kept: varylink_module_*.
#include <memory>

#include "api/convert.h"
#include "api/guard.h"
#include "api/spirv_source.h"

namespace varylink::api {
namespace {

Result<varylink_status> make_module(varylink_context& context, const varylink_spirv_stage& stage,
                                    varylink_module** module) {
  Result<frontend::SourceText> source = spirv_source(stage, "");
  if (!source) return source.error();
  const Result<frontend::LoadedPipeline> read = frontend::load_texts({}, {&*source, 1}, {});
  if (!read) {
    context.error = read.error().message;
    return status_of(read.error().kind);
  }
  const std::vector<link::StageInput>& stages = read->pipeline.stages;
  if (stages.size() != 1)
    return misuse("varylink_spirv_stage: the module has entry points of several stages, and stage does not say which");
  if (source->file.path.empty()) source->file.path = short_name(stages.front().stage);
  source->file.stage = stages.front().stage;
  source->read = stages.front().read;
  *module = new varylink_module{std::move(*source), std::make_shared<spirv::KeptValidWords>()};
  return VARYLINK_SUCCESS;
}

Result<varylink_status> add_module(varylink_pipeline& pipeline, const varylink_module& module) {
  pipeline.sources.reserve(pipeline.sources.size() + 1);
  pipeline.kept.emplace_back(*module.source.file.stage, module.valid_words);
  try {
    pipeline.sources.push_back(module.source);
  } catch (...) {
    pipeline.kept.pop_back();
    throw;
  }
  return VARYLINK_SUCCESS;
}

}  // namespace
}  // namespace varylink::api

using namespace varylink;

varylink_status varylink_module_create(varylink_context* context, const varylink_spirv_stage* stage,
                                       varylink_module** module) {
  if (module != nullptr) *module = nullptr;
  if (context == nullptr) return VARYLINK_ERROR_INVALID_ARGUMENT;
  return api::guarded(*context, [&]() -> Result<varylink_status> {
    if (module == nullptr) return api::misuse("module is NULL");
    if (stage == nullptr) return api::misuse("stage is NULL");
    return api::make_module(*context, *stage, module);
  });
}

void varylink_module_destroy(varylink_module* module) { delete module; }

varylink_status varylink_pipeline_add_module(varylink_pipeline* pipeline, const varylink_module* module) {
  if (pipeline == nullptr) return VARYLINK_ERROR_INVALID_ARGUMENT;
  return api::guarded(*pipeline->context, [&]() -> Result<varylink_status> {
    if (module == nullptr) return api::misuse("module is NULL");
    return api::add_module(*pipeline, *module);
  });
}
