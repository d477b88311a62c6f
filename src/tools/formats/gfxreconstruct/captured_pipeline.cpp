#include "formats/gfxreconstruct/captured_pipeline.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "formats/create_info.h"
#include "formats/vulkan_json.h"
#include "formats/vulkan_state_json.h"

namespace varylink::formats::gfxreconstruct {
namespace {

// The structure of the chain with that type, whatever suffix it has.
std::optional<StrictJson> chained(const StrictJson& json, std::string_view type) {
  for (const StrictJson& each : chain(json)) {
    const ChainedStructure* const known = chained_structure(structure_type(each));
    if (known != nullptr && known->name == type) return each;
  }
  return std::nullopt;
}

// 64 bits, as a number or "0x...".
std::uint64_t bits_of(const StrictJson& json) {
  return json.value().is_number_unsigned() ? json.value().get<std::uint64_t>() : number(json);
}

CreationFacts facts_of(const StrictJson& info) {
  CreationFacts facts;
  const auto flags2 = chained(info, "PIPELINE_CREATE_FLAGS_2_CREATE_INFO");
  if (const auto flags = member(flags2 ? *flags2 : info, "flags")) facts.flags = bits_of(*flags);
  if (const auto library = chained(info, "GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO"))
    if (const auto flags = library->need("flags")) facts.library_parts = number(*flags);
  if (const auto libraries = chained(info, "PIPELINE_LIBRARY_CREATE_INFO"))
    if (const auto count = libraries->need("libraryCount")) facts.library_count = number(*count);
  return facts;
}

class Reader {
 public:
  Reader(const StrictJson& info, const CapturedObjects& objects, CapturedPipeline& result)
      : info_(info), facts_(facts_of(info)), objects_(objects), result_(result), pipeline_(result.pipeline) {}

  void read() {
    pipeline_.only_if_known = facts_.only_if_known();
    pipeline_.why_not = facts_.why_not();
    if (is_for_linking()) understand_stages();
    if (is_for_linking())
      for (const StrictJson& each : list(info_, "pStages"))
        if (is_for_linking()) read_stage(each);
    if (is_for_linking()) pipeline_.why_not = why_not_linked(pipeline_);
    if (is_for_linking() && differ_in_robustness(list(info_, "pStages"))) pipeline_.why_not = kDifferingRobustness;
    if (is_for_linking()) read_state();
  }

 private:
  bool is_for_linking() const { return pipeline_.why_not.empty(); }

  void understand_stages() {
    understanding_.add({taken_away_by_flags(facts_.flags), {}});
    add_chain(info_, understanding_);
    for (const StrictJson& each : list(info_, "pStages")) add_chain(each, understanding_);
    pipeline_.why_not = understanding_.why_not;
  }

  void read_stage(const StrictJson& json) {
    const auto flag = json.need("stage"), name = json.need("pName");
    if (!flag || !name) return;
    const std::optional<Stage> stage = stage_of_flag(shader_stages(*flag));
    if (!stage || pipeline_.has(*stage)) {
      pipeline_.why_not = stage ? kStageTwice : kUnknownStage;
      return;
    }
    const Handle module = handle_in(json, "module");
    const auto code = objects_.modules.find(module);
    if (code == objects_.modules.end() || !code->second) {
      pipeline_.why_not = kUnknownCode;  // also that in the chain of a stage, which converters do not say
      return;
    }
    pipeline_.description.stages[*stage].entry_point = name->text();
    pipeline_.stages.push_back({*stage, name->text(), code->second});
    result_.stage_modules.push_back(module);
  }

  bool is_dynamic(std::string_view state) const {
    const auto& states = state_.dynamic_states;
    return std::any_of(states.begin(), states.end(),
                       [&](const std::string& each) { return each == state || each == std::string(state) + "_EXT"; });
  }

  void read_state() {
    read_dynamic_states(info_, state_);
    if (!pipeline_.has(Stage::mesh) && facts_.has(LibraryPart::vertex_input)) read_input();
    if (const auto tessellation = member(info_, "pTessellationState"); tessellation && has_patches())
      if (const auto points = tessellation->need("patchControlPoints")) state_.patch_control_points = number(*points);
    const auto rasterization = member(info_, "pRasterizationState");
    if (rasterization) {
      // rasterizerDiscardEnable would let linking leave a stage out, and a replay replaces modules only.
      add_chain(*rasterization, understanding_);
      read_provoking_vertex(*rasterization, state_);
    }
    if (rasterizes(rasterization) && facts_.has(LibraryPart::fragment_output)) read_rasterized();
    if (pipeline_.has(Stage::geometry) && is_dynamic("RASTERIZATION_STREAM")) understanding_.add({{}, kDynamicStream});
    state_.taken_away = understanding_.taken_away;
    pipeline_.why_not = understanding_.why_not;
    pipeline_.description.state = state_of(state_);
    pipeline_.description.state.no_fragment = !pipeline_.has(Stage::fragment);
    if (const auto layout = objects_.pipeline_layouts.find(handle_in(info_, "layout"));
        layout != objects_.pipeline_layouts.end())
      pipeline_.description.layout = layout->second;
  }

  bool has_patches() const { return pipeline_.has(Stage::tess_control); }

  // Without rasterization Vulkan ignores what comes behind it.
  bool rasterizes(const std::optional<StrictJson>& rasterization) const {
    const auto discard = rasterization ? member(*rasterization, "rasterizerDiscardEnable") : std::nullopt;
    return !discard || is_zero(*discard) || is_dynamic("RASTERIZER_DISCARD_ENABLE");
  }

  void read_input() {
    const bool is_set_later = is_dynamic("VERTEX_INPUT");
    const auto input = member(info_, "pVertexInputState");
    if (input && !is_set_later) add_chain(*input, understanding_);
    if (const auto assembly = member(info_, "pInputAssemblyState"))
      if (const auto topology = assembly->need("topology"))
        state_.topology = enumerant(*topology, "VK_PRIMITIVE_TOPOLOGY_");
    if (input && !is_set_later) read_vertex_input(*input, state_);
  }

  void read_rasterized() {
    if (const auto samples = member(info_, "pMultisampleState")) {
      read_samples(*samples, state_);
      add_chain(*samples, understanding_);
    }
    if (const auto viewport = member(info_, "pViewportState")) add_chain(*viewport, understanding_);
    read_attachments();
    const auto blend = member(info_, "pColorBlendState");
    if (!blend || !state_.color_formats || state_.color_formats->empty()) return;
    read_write_masks(*blend, state_);
    add_chain(*blend, understanding_);
  }

  void read_attachments() {
    if (const Handle pass = handle_in(info_, "renderPass"); pass != 0) return read_render_pass(pass);
    const auto rendering = chained(info_, "PIPELINE_RENDERING_CREATE_INFO");
    if (!rendering) return;
    read_dynamic_rendering(*rendering, state_);
    const auto map = chained(info_, "RENDERING_ATTACHMENT_LOCATION_INFO");
    if (!map || !member(*map, "pColorAttachmentLocations")) return;
    state_.attachment_locations.emplace();
    for (const StrictJson& each : list(*map, "pColorAttachmentLocations"))
      state_.attachment_locations->push_back(number(each));
  }

  void read_render_pass(Handle handle) {
    const auto found = objects_.render_passes.find(handle);
    if (found == objects_.render_passes.end()) return understanding_.add({{}, kUnknownRenderPass});
    JsonProblem problem;
    const StrictJson pass(found->second, problem);
    const auto index = member(info_, "subpass");
    const std::uint32_t subpass = index ? number(*index) : 0;
    read_subpass(pass, subpass, state_);
    add_chain(pass, understanding_);
    for (const StrictJson& each : list(pass, "pAttachments")) add_chain(each, understanding_);
    if (const auto subpasses = list(pass, "pSubpasses"); subpass < subpasses.size())
      add_chain(subpasses[subpass], understanding_);
    if (!problem.message.empty()) understanding_.add({{}, kUnknownRenderPass});
  }

  const StrictJson& info_;
  const CreationFacts facts_;
  const CapturedObjects& objects_;
  CapturedPipeline& result_;
  CreatedPipeline& pipeline_;
  CreateInfo state_;
  Understanding understanding_;
};

}  // namespace

std::set<Handle> modules_named_in(const nlohmann::json& info) {
  std::set<Handle> modules;
  std::vector<const nlohmann::json*> open = {&info};
  while (!open.empty()) {
    const nlohmann::json& each = *open.back();
    open.pop_back();
    if (!each.is_structured()) continue;
    if (const auto found = each.is_object() ? each.find("module") : each.end();
        found != each.end() && found->is_number_unsigned())
      modules.insert(found->get<Handle>());
    for (const nlohmann::json& member : each) open.push_back(&member);
  }
  return modules;
}

CapturedPipeline read_captured_pipeline(const nlohmann::json& info, const CapturedObjects& objects,
                                        const spirv::ValidatorOptions& target) {
  CapturedPipeline result;
  result.modules = modules_named_in(info);
  result.target = target;
  JsonProblem problem;
  Reader(StrictJson(info, problem), objects, result).read();
  if (result.pipeline.why_not.empty() && !problem.message.empty())
    result.pipeline.why_not = "its create info cannot be read: " + problem.message;
  if (result.pipeline.why_not.empty()) result.key = key_of(result.pipeline, target);
  return result;
}

}  // namespace varylink::formats::gfxreconstruct
