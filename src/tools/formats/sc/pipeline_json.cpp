#include "formats/sc/pipeline_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "formats/create_info.h"
#include "formats/created_pipeline.h"
#include "formats/vulkan_json.h"
#include "formats/vulkan_state_json.h"
#include "spirv/tools/binary.h"

namespace varylink::formats::sc {
namespace {

constexpr const char* kGraphics = "GraphicsPipelineState";
constexpr const char* kCompute = "ComputePipelineState";
const std::string kStageFlag = "VK_SHADER_STAGE_";

// The structures in pNext chains of the value, however deep.
std::vector<StrictJson> chained_below(const StrictJson& value) {
  std::vector<StrictJson> open = {value}, found;
  while (!open.empty()) {
    const StrictJson each = open.back();
    open.pop_back();
    if (!each.value().is_structured()) continue;
    if (each.is_object() && each.key() == "pNext") found.push_back(each);
    if (each.is_object())
      for (const auto& [key, member] : each.members()) open.push_back(member);
    else
      for (const StrictJson& element : each.elements()) open.push_back(element);
  }
  return found;
}

class Reader {
 public:
  Reader(const StrictJson& state, const ReadModule& read_module, PipelineJson& result)
      : state_(state), read_module_(read_module), result_(result) {}

  void read() {
    read_shaders();
    const auto pipeline = state_.need("GraphicsPipeline");
    if (!pipeline || !understand(*pipeline) || !read_stages(*pipeline)) return;
    read_fixed_state(*pipeline);
    read_attachments(*pipeline);
    read_dynamic_states(*pipeline, info_);
    result_.description.state = state_of(info_);
    read_layout();
  }

  void read_compute() {
    read_shaders();
    result_.why_not = "it is a compute pipeline";
  }

 private:
  // Notes what structures and flags say that is read nowhere else; false if the pipeline is not linked for it.
  bool understand(const StrictJson& pipeline) {
    if (const auto flags = member(pipeline, "flags")) info_.taken_away |= taken_away_by_flags(create_flags(*flags));
    if (info_.taken_away.has(Assumption::stages)) return refuse("it has flags that change what its stages mean");
    for (const char* part : {"GraphicsPipeline", "Renderpass", "Renderpass2", "PipelineLayout", "DescriptorSetLayouts"})
      if (const auto value = state_.find(part))
        for (const StrictJson& each : chained_below(*value))
          if (!understand_structure(each)) return false;
    return state_.is_sound();
  }

  bool understand_structure(const StrictJson& structure) {
    const std::string type = structure_type(structure);
    const ChainedStructure* const known = chained_structure(type);
    if (!known) return refuse("it has a structure that is not known here: " + type);
    if (!known->unless_0.empty())
      if (const auto value = structure.find(std::string(known->unless_0)); value && is_zero(*value)) return true;
    info_.taken_away |= known->takes_away;
    // Readers of this form do not know the map.
    if (type.starts_with("RENDERING_ATTACHMENT_LOCATION_INFO")) info_.taken_away |= Assumption::attachments;
    if (!known->takes_away.has(Assumption::stages)) return true;
    return refuse("it has a structure that changes what its stages mean: " + std::string(known->name));
  }

  bool refuse(const std::string& reason) {
    result_.why_not = reason;
    return false;
  }

  // The schema has one object for compute, and files have a list of one.
  void read_shaders() {
    const auto names = state_.need("ShaderFileNames");
    if (!names) return;
    if (names->is_object()) return read_shader(*names, {kCompute, "ShaderFileNames", "filename"});
    const std::string part = state_.key();
    for (const StrictJson& each : names->elements())
      read_shader(each, {part, "ShaderFileNames", each.key(), "filename"});
  }

  void read_shader(const StrictJson& json, JsonPath place) {
    const auto flag = json.need("stage"), name = json.need("filename");
    if (!flag || !name) return;
    ShaderFile shader = {stage_of_flag(shader_stages(*flag)), "comp", name->text(), std::move(place)};
    if (shader.stage) shader.short_name = short_name(*shader.stage);
    for (const ShaderFile& other : result_.shaders)
      if (other.short_name == shader.short_name) flag->complain("there are two files for one stage");
    result_.shaders.push_back(std::move(shader));
  }

  // False if the pipeline is not for linking.
  bool read_stages(const StrictJson& pipeline) {
    for (const StrictJson& each : list(pipeline, "pStages")) {
      const auto flag = each.need("stage");
      if (!flag) return false;
      const std::optional<Stage> stage = stage_of_flag(shader_stages(*flag));
      if (!stage) {
        return refuse("it has a stage that is not linked: " + flag->value().dump());
      }
      const auto file = std::find_if(result_.shaders.begin(), result_.shaders.end(),
                                     [&](const ShaderFile& shader) { return shader.stage == stage; });
      if (file == result_.shaders.end()) {
        flag->complain("ShaderFileNames has no file for this stage");
        return false;
      }
      link::StageDescription& description = result_.description.stages[*stage];
      if (!description.file.empty()) flag->complain("the stage stands twice");
      description.file = file->name;
      if (const auto entry = member(each, "pName")) description.entry_point = entry->text();
      if (const auto data = member(each, "pSpecializationInfo")) description.specialization = values(*data, file->name);
    }
    if (result_.description.stages.empty()) pipeline.complain("the pipeline has no stages");
    if (differ_in_robustness(list(pipeline, "pStages"))) return refuse(kDifferingRobustness);
    return pipeline.is_sound();
  }

  spirv::SpecializationValues values(const StrictJson& json, const std::string& file) {
    SpecializationData data = read_map_entries(json);
    if (const auto bytes = member(json, "pData")) data.bytes = read_bytes(*bytes);
    if (data.entries.empty() || !json.is_sound()) return {};
    const std::optional<std::string> module = read_module_(file);
    if (!module) return {};
    const auto words = spirv::words_from_bytes(*module, file);
    return words ? values_of(data, *words) : spirv::SpecializationValues();
  }

  static std::string read_bytes(const StrictJson& json) {
    std::string bytes;
    if (json.is_string()) {
      if (json.value() == "") return bytes;
      const auto decoded = decode_base64(json.text());
      if (!decoded) json.complain("\"pData\" is not base64");
      return decoded.value_or("");
    }
    for (const StrictJson& each : json.elements()) bytes += static_cast<char>(each.number(0, 0xff));
    return bytes;
  }

  void read_fixed_state(const StrictJson& pipeline) {
    if (const auto input = member(pipeline, "pVertexInputState")) read_vertex_input(*input, info_);
    if (const auto assembly = member(pipeline, "pInputAssemblyState"))
      if (const auto topology = member(*assembly, "topology"))
        info_.topology = enumerant(*topology, "VK_PRIMITIVE_TOPOLOGY_");
    if (const auto tessellation = member(pipeline, "pTessellationState"))
      if (const auto points = member(*tessellation, "patchControlPoints")) info_.patch_control_points = number(*points);
    if (const auto rasterization = member(pipeline, "pRasterizationState")) read_rasterization(*rasterization);
    if (const auto samples = member(pipeline, "pMultisampleState")) read_samples(*samples, info_);
    if (const auto blend = member(pipeline, "pColorBlendState")) read_write_masks(*blend, info_);
  }

  void read_rasterization(const StrictJson& rasterization) {
    if (const auto discard = member(rasterization, "rasterizerDiscardEnable"))
      info_.rasterizer_discard = flag(*discard);
    if (const auto mode = member(rasterization, "polygonMode"))
      info_.polygon_mode = enumerant(*mode, "VK_POLYGON_MODE_");
    read_provoking_vertex(rasterization, info_);
  }

  void read_attachments(const StrictJson& pipeline) {
    for (const StrictJson& each : chain(pipeline))
      if (structure_type(each).starts_with("PIPELINE_RENDERING_CREATE_INFO"))
        return read_dynamic_rendering(each, info_);
    const auto index = member(pipeline, "subpass");
    const std::uint32_t subpass = index ? number(*index) : 0;
    for (const char* key : {"Renderpass", "Renderpass2"})
      if (const auto pass = member(state_, key)) return read_subpass(*pass, subpass, info_);
  }

  void read_layout() {
    const auto layout = state_.need("PipelineLayout");
    if (!layout) return;
    link::PipelineLayout& result = result_.description.layout.emplace();
    const std::vector<StrictJson> sets = list(*layout, "pSetLayouts");
    for (std::uint32_t set = 0; set < sets.size(); ++set)
      if (const std::string key = handle(sets[set]); !key.empty()) read_set(sets[set], key, set, result);
    read_push_constants(*layout, result);
  }

  void read_set(const StrictJson& reference, const std::string& key, std::uint32_t set, link::PipelineLayout& result) {
    for (const StrictJson& each : list(state_, "DescriptorSetLayouts"))
      if (const auto found = each.find(key)) {
        read_bindings(*found, set, result);
        return;
      }
    reference.complain("DescriptorSetLayouts has no " + key);
  }

  const StrictJson& state_;
  const ReadModule& read_module_;
  PipelineJson& result_;
  CreateInfo info_;
};

}  // namespace

bool is_pipeline_json(std::string_view text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  return json.is_object() && (json.contains(kGraphics) || json.contains(kCompute));
}

Result<PipelineJson> parse_pipeline_json(std::string text, const std::string& file, const ReadModule& read_module) {
  PipelineJson result;
  JsonProblem problem;
  if (const std::optional<nlohmann::json> json = parse_json(text, problem)) {
    const StrictJson root(*json, problem);
    const auto graphics = root.find(kGraphics), compute = root.find(kCompute);
    if (graphics)
      Reader(*graphics, read_module, result).read();
    else if (compute)
      Reader(*compute, read_module, result).read_compute();
    else
      root.complain(std::string("is no pipeline of Vulkan SC: it has neither ") + kGraphics + " nor " + kCompute);
  }
  if (!problem.message.empty()) return json_error(text, file, problem);
  if (!result.why_not.empty()) result.description = {};
  result.text = std::move(text);
  return result;
}

std::string with_shader_names(const PipelineJson& pipeline, std::span<const std::string> names) {
  JsonEdits edits;
  for (std::size_t i = 0; i < names.size(); ++i) edits.values[pipeline.shaders[i].place] = names[i];
  return edited(pipeline.text, edits);
}

}  // namespace varylink::formats::sc
