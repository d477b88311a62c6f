// Pipelines: varylink_pipeline_*.
#include <memory>

#include "api/convert.h"
#include "api/described_pipeline.h"
#include "api/guard.h"
#include "api/sized_struct.h"
#include "api/spirv_source.h"
#include "link/model/pipeline_description.h"

namespace varylink::api {

Result<void> take_description(const link::PipelineDescription& given, varylink_pipeline& pipeline) {
  if (!given.layout_file.empty()) return misuse("varylink_pipeline_info: state: \"layout\" names a file");
  pipeline.state = given.state;
  pipeline.layout = given.layout;
  for (const auto& [stage, own] : given.stages) {
    if (!own.file.empty() || !own.include_dirs.empty())
      return misuse("varylink_pipeline_info: state: stage \"" + std::string(short_name(stage)) + "\" names files");
    if (!own.entry_point.empty()) pipeline.compile.entry_points[stage] = own.entry_point;
    pipeline.compile.stages[stage] = {{}, own.defines, own.specialization};
  }
  return {};
}

namespace {

Result<void> read_defines(const varylink_pipeline_info& info, frontend::CompileOptions& compile) {
  if (info.define_count != 0 && info.defines == nullptr)
    return misuse("varylink_pipeline_info: defines is NULL and define_count is not 0");
  for (std::uint32_t i = 0; i < info.define_count; ++i) {
    const std::string name = text_of(info.defines[i].name), value = text_of(info.defines[i].value);
    if (name.empty()) return misuse("varylink_pipeline_info: a macro without a name");
    if ((name + value).find_first_of("\r\n") != std::string::npos)
      return misuse("varylink_pipeline_info: macro " + name + " has a line break");
    compile.defines.emplace_back(name, value);
  }
  return {};
}

// Without a callback nothing can be included: an empty function would mean the file system.
auto include_reader(const varylink_pipeline_info& info) {
  return [include = info.include, user = info.include_user](const std::string& path) -> std::optional<std::string> {
    if (include == nullptr) return std::nullopt;
    std::size_t length = 0;
    const char* text = include(user, path.c_str(), &length);
    return text == nullptr ? std::nullopt : std::optional(std::string(text, length));
  };
}

Result<void> read_info(const varylink_pipeline_info* given, varylink_pipeline& pipeline) {
  constexpr std::uint32_t kAll =
      VARYLINK_PIPELINE_NO_FRAGMENT | VARYLINK_PIPELINE_DEBUG_INFO | VARYLINK_PIPELINE_SHARED_SPEC_CONSTANTS;
  varylink_pipeline_info info = {};
  if (given != nullptr && !read_sized(*given, info)) return misuse("varylink_pipeline_info: bad struct_size");
  if ((info.flags & ~kAll) != 0) return misuse("varylink_pipeline_info: flags has bits that mean nothing");
  pipeline.name = text_of(info.name);
  if (info.state != nullptr) {
    const Result<link::PipelineDescription> description = link::parse_description(info.state, {});
    if (!description)
      return misuse("varylink_pipeline_info: state: line " + std::to_string(description.error().line) + ": " +
                    description.error().message);
    if (const Result<void> taken = take_description(*description, pipeline); !taken) return taken;
  }
  if ((info.flags & VARYLINK_PIPELINE_NO_FRAGMENT) != 0) pipeline.state.no_fragment = true;
  if ((info.flags & VARYLINK_PIPELINE_SHARED_SPEC_CONSTANTS) != 0) pipeline.state.shared_spec_constants = true;
  pipeline.compile.debug_info = (info.flags & VARYLINK_PIPELINE_DEBUG_INFO) != 0;
  pipeline.compile.include_dirs = {""};  // the callback sees names in <> as they stand
  pipeline.compile.read_include = include_reader(info);
  return read_defines(info, pipeline.compile);
}

// What the next stage is called if nobody says which it is.
std::string unknown_stage(const varylink_pipeline& pipeline) {
  return "stage" + std::to_string(pipeline.sources.size());
}

Result<varylink_status> add_spirv(varylink_pipeline& pipeline, const varylink_spirv_stage& given) {
  Result<frontend::SourceText> source = spirv_source(given, unknown_stage(pipeline));
  if (!source) return source.error();
  pipeline.sources.push_back(std::move(*source));
  return VARYLINK_SUCCESS;
}

Result<varylink_status> add_glsl(varylink_pipeline& pipeline, const varylink_glsl_stage& given) {
  varylink_glsl_stage stage = {};
  if (!read_sized(given, stage)) return misuse("varylink_glsl_stage: bad struct_size");
  if (stage.source == nullptr) return misuse("varylink_glsl_stage: there is no source");
  Result<frontend::SourceText> source = new_source(stage.stage, stage.name, stage.entry_point, unknown_stage(pipeline));
  if (!source) return source.error();
  if (!source->file.stage) source->file.stage = frontend::stage_from_path(source->file.path);
  if (!source->file.stage) return misuse("varylink_glsl_stage: neither stage nor name says which stage it is");
  if (!frontend::can_compile_glsl()) {
    pipeline.context->error = "this build of varylink has no GLSL compiler";
    return VARYLINK_ERROR_NOT_SUPPORTED;
  }
  source->kind = frontend::SourceKind::glsl;
  source->bytes = stage.source_length == 0 ? std::string(stage.source) : std::string(stage.source, stage.source_length);
  pipeline.sources.push_back(std::move(*source));
  return VARYLINK_SUCCESS;
}

}  // namespace
}  // namespace varylink::api

using namespace varylink;

varylink_status varylink_pipeline_create(varylink_context* context, const varylink_pipeline_info* info,
                                         varylink_pipeline** pipeline) {
  if (pipeline != nullptr) *pipeline = nullptr;
  if (context == nullptr) return VARYLINK_ERROR_INVALID_ARGUMENT;
  return api::guarded(*context, [&]() -> Result<varylink_status> {
    if (pipeline == nullptr) return api::misuse("pipeline is NULL");
    auto made = std::make_unique<varylink_pipeline>();
    made->context = context;
    if (const Result<void> read = api::read_info(info, *made); !read) return read.error();
    *pipeline = made.release();
    return VARYLINK_SUCCESS;
  });
}

void varylink_pipeline_destroy(varylink_pipeline* pipeline) { delete pipeline; }

varylink_status varylink_pipeline_add_spirv(varylink_pipeline* pipeline, const varylink_spirv_stage* stage) {
  if (pipeline == nullptr) return VARYLINK_ERROR_INVALID_ARGUMENT;
  return api::guarded(*pipeline->context, [&]() -> Result<varylink_status> {
    if (stage == nullptr) return api::misuse("stage is NULL");
    return api::add_spirv(*pipeline, *stage);
  });
}

varylink_status varylink_pipeline_add_glsl(varylink_pipeline* pipeline, const varylink_glsl_stage* stage) {
  if (pipeline == nullptr) return VARYLINK_ERROR_INVALID_ARGUMENT;
  return api::guarded(*pipeline->context, [&]() -> Result<varylink_status> {
    if (stage == nullptr) return api::misuse("stage is NULL");
    return api::add_glsl(*pipeline, *stage);
  });
}
