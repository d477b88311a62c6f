// Graphics pipelines of a recording, with what they refer to.
#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "base/strict_json.h"
#include "formats/create_info.h"
#include "formats/created_pipeline.h"
#include "formats/fossilize/recording.h"
#include "formats/fossilize/vulkan_numbers.h"
#include "state/format_names.h"

namespace varylink::formats::fossilize {
namespace {

// VkStructureType
constexpr std::uint32_t kRendering = 1000044002, kMultiview = 1000053000, kProvokingVertex = 1000254001;
constexpr std::uint32_t kLibraries = 1000290000, kLibraryPart = 1000320002;
constexpr std::uint32_t kCreateFlags2 = 1000470005, kAttachmentLocations = 1000232001;
constexpr std::uint32_t kRobustness = 1000068000;

bool is_null(const std::string& hash) { return hash.find_first_not_of('0') == std::string::npos; }

std::vector<StrictJson> list(const StrictJson& json, const char* key) {
  const auto found = json.find(key);
  return found && !found->is_null() ? found->elements() : std::vector<StrictJson>();
}

std::uint32_t number(const StrictJson& json, const char* key) {
  const auto found = json.need(key);
  return found ? found->number() : 0;
}

// A VkBool32.
std::optional<bool> flag(const StrictJson& json, const char* key) {
  const auto found = json.find(key);
  return found ? std::optional(found->number() != 0) : std::nullopt;
}

// The structure of a pNext chain with that type.
std::optional<StrictJson> chained(const StrictJson& json, std::uint32_t type) {
  for (const StrictJson& each : list(json, "pNext"))
    if (number(each, "sType") == type) return each;
  return std::nullopt;
}

bool stages_differ_in_robustness(const StrictJson& pipeline) {
  std::set<std::string> found;
  for (const StrictJson& each : list(pipeline, "stages")) {
    const auto robustness = chained(each, kRobustness);
    found.insert(robustness ? robustness->value().dump() : std::string());
  }
  return found.size() > 1;
}

class Reader {
 public:
  Reader(const Recording& recording, RecordedPipeline& result) : recording_(recording), result_(result) {}

  void read(const StrictJson& pipeline) {
    if (!is_linkable(pipeline) || !understand(pipeline) || !read_stages(pipeline)) return;
    if (stages_differ_in_robustness(pipeline)) return void(refuse(kDifferingRobustness));
    read_vertex_input(pipeline);
    read_fixed_state(pipeline);
    read_attachments(pipeline);
    if (const auto dynamic = pipeline.find("dynamicState"))
      for (const StrictJson& each : list(*dynamic, "dynamicState"))
        info_.dynamic_states.push_back(dynamic_state_name(each.number()));
    const bool has_geometry = result_.modules.count(Stage::geometry) != 0;
    const auto& states = info_.dynamic_states;
    if (has_geometry && std::find(states.begin(), states.end(), "RASTERIZATION_STREAM_EXT") != states.end())
      return void(refuse("the stream that it rasterizes is a dynamic state"));
    result_.description.state = state_of(info_);
    read_layout(pipeline);
  }

 private:
  // Those in the chain stand for the others (Vulkan, VkPipelineCreateFlags2CreateInfo).
  static std::uint64_t flags_of(const StrictJson& pipeline) {
    const auto flags2 = chained(pipeline, kCreateFlags2);
    const auto flags = (flags2 ? *flags2 : pipeline).find("flags");
    if (!flags) return 0;
    return flags->value().is_number_unsigned() ? flags->value().get<std::uint64_t>() : flags->number();
  }

  // Notes what structures and flags say that is read nowhere else; false if the pipeline is not linked for it.
  bool understand(const StrictJson& pipeline) {
    info_.taken_away |= taken_away_by_flags(flags_of(pipeline));
    if (info_.taken_away.has(Assumption::stages)) return refuse("it has flags that change what its stages mean");
    bool is_understood = understand_chain(pipeline);
    for (const StrictJson& each : list(pipeline, "stages")) is_understood = is_understood && understand_chain(each);
    for (const auto& [key, value] : pipeline.members())
      if (value.is_object()) is_understood = is_understood && understand_chain(value);
    return is_understood;
  }

  bool understand_chain(const StrictJson& json) {
    for (const StrictJson& each : list(json, "pNext")) {
      const std::uint32_t type = number(each, "sType");
      const ChainedStructure* const known = chained_structure(type);
      if (!known) return refuse("it has a structure that is not known here, of type " + std::to_string(type));
      if (!known->unless_0.empty())
        if (const auto value = each.find(std::string(known->unless_0)); value && value->number() == 0) continue;
      info_.taken_away |= known->takes_away;
      if (known->takes_away.has(Assumption::stages))
        return refuse("it has a structure that changes what its stages mean: " + std::string(known->name));
    }
    return true;
  }

  bool is_linkable(const StrictJson& pipeline) {
    const std::uint64_t bits = flags_of(pipeline);
    const auto base = pipeline.find("basePipelineHandle");
    if ((bits & kPipelineLibraryBit) != 0 || chained(pipeline, kLibraryPart))
      result_.why_not = "it is a pipeline library, whose other stages are not known";
    else if (chained(pipeline, kLibraries))
      result_.why_not = "it is made of pipeline libraries";
    else if ((bits & kPipelineDerivativeBit) != 0 && base && !is_null(base->text())) {
      result_.why_not = "it derives from another pipeline";
      result_.base = hash_from_text(base->text());
    }
    return result_.why_not.empty();
  }

  bool read_stages(const StrictJson& pipeline) {
    const auto stages = pipeline.need("stages");
    if (!stages) return false;
    for (const StrictJson& each : stages->elements()) {
      const std::optional<Stage> stage = stage_of_flag(number(each, "stage"));
      const auto module = each.need("module");
      const std::string hash = module ? module->text() : std::string();
      if (!pipeline.is_sound()) return false;
      if (!stage) return refuse("it has a stage that is not linked");
      if (is_null(hash))
        return refuse("stage " + std::string(short_name(*stage)) + " has no module, only its identifier");
      const auto number = hash_from_text(hash);
      if (!number) return refuse("'" + hash + "' is no hash of a module");
      if (result_.modules.count(*stage) != 0)
        return refuse("stage " + std::string(short_name(*stage)) + " stands twice");
      const Result<ShaderModule> words = recording_.module(*number);
      if (!words) return refuse(words.error().message);
      link::StageDescription& description = result_.description.stages[*stage];
      description.file = hash_text(*number);
      if (const auto entry = each.find("name")) description.entry_point = entry->text();
      if (const auto data = each.find("specializationInfo"))
        description.specialization = specialization(*data, words->words);
      result_.modules[*stage] = {"graphicsPipelines", pipeline.key(), "stages", each.key(), "module"};
    }
    return !result_.modules.empty() || refuse("it has no stages");
  }

  bool refuse(const std::string& reason) {
    result_.why_not = reason;
    return false;
  }

  static spirv::SpecializationValues specialization(const StrictJson& json, const std::vector<std::uint32_t>& words) {
    SpecializationData data;
    for (const StrictJson& each : list(json, "mapEntries"))
      data.entries.push_back({number(each, "constantID"), number(each, "offset"), number(each, "size")});
    const auto text = json.find("data");
    if (text && text->is_string()) {
      const auto bytes = decode_base64(text->value().get_ref<const std::string&>());
      if (!bytes) text->complain("\"data\" is not base64");
      data.bytes = bytes.value_or("");
    }
    return json.is_sound() ? values_of(data, words) : spirv::SpecializationValues();
  }

  void read_vertex_input(const StrictJson& pipeline) {
    const auto input = pipeline.find("vertexInputState");
    if (!input) return;
    for (const StrictJson& each : list(*input, "bindings"))
      info_.binding_is_per_instance[number(each, "binding")] = number(each, "inputRate") == 1;
    for (const StrictJson& each : list(*input, "attributes"))
      info_.attributes.push_back(
          {number(each, "location"), number(each, "binding"), state::format_name(number(each, "format"))});
  }

  void read_fixed_state(const StrictJson& pipeline) {
    if (const auto assembly = pipeline.find("inputAssemblyState"))
      info_.topology = topology_name(number(*assembly, "topology"));
    if (const auto tessellation = pipeline.find("tessellationState"))
      info_.patch_control_points = number(*tessellation, "patchControlPoints");
    if (const auto rasterization = pipeline.find("rasterizationState")) {
      // rasterizerDiscardEnable would let linking leave a stage out, which the database keeps.
      if (const auto mode = rasterization->find("polygonMode")) info_.polygon_mode = polygon_mode_name(mode->number());
      const auto mode = chained(*rasterization, kProvokingVertex);
      const bool is_last = mode && number(*mode, "provokingVertexMode") == 1;
      info_.provoking_vertex = is_last ? "LAST_VERTEX_EXT" : "FIRST_VERTEX_EXT";
    }
    if (const auto samples = pipeline.find("multisampleState")) {
      info_.samples = number(*samples, "rasterizationSamples");
      if (*info_.samples == 0 || *info_.samples > 64 || (*info_.samples & (*info_.samples - 1)) != 0)
        samples->complain("\"rasterizationSamples\" is no sample count");
      info_.sample_shading = flag(*samples, "sampleShadingEnable");
      info_.alpha_to_coverage = flag(*samples, "alphaToCoverageEnable");
    }
    if (const auto blend = pipeline.find("colorBlendState"))
      for (const StrictJson& each : list(*blend, "attachments"))
        info_.write_masks.push_back(number(each, "colorWriteMask"));
  }

  void read_attachments(const StrictJson& pipeline) {
    const auto pass = pipeline.find("renderPass");
    const std::string hash = pass ? pass->text() : std::string();
    if (is_null(hash)) {
      if (const auto rendering = chained(pipeline, kRendering)) read_dynamic_rendering(*rendering);
      if (const auto map = chained(pipeline, kAttachmentLocations)) read_attachment_locations(*map);
      return;
    }
    const auto subpass = pipeline.find("subpass");
    const std::uint32_t index = subpass ? subpass->number() : 0;
    const bool is_known = read_object(hash, Tag::render_pass, {"renderPasses", "renderPasses2"},
                                      [&](const StrictJson& object) { read_subpass(object, index); });
    // It may have views and a density map.
    if (!is_known)
      for (const Assumption each : {Assumption::samples, Assumption::views, Assumption::attachments})
        info_.taken_away |= each;
  }

  void read_dynamic_rendering(const StrictJson& rendering) {
    info_.color_formats.emplace();
    for (const StrictJson& each : list(rendering, "colorAttachmentFormats"))
      info_.color_formats->push_back(state::format_name(each.number()));
    info_.depth_format = state::format_name(number(rendering, "depthAttachmentFormat"));
    info_.stencil_format = state::format_name(number(rendering, "stencilAttachmentFormat"));
    info_.view_mask = number(rendering, "viewMask");
  }

  // Without a list each attachment has the location of its number.
  void read_attachment_locations(const StrictJson& map) {
    const auto locations = map.find("colorAttachmentLocations");
    if (!locations || locations->is_null()) return;
    info_.attachment_locations.emplace();
    for (const StrictJson& each : locations->elements()) info_.attachment_locations->push_back(each.number());
  }

  void read_subpass(const StrictJson& pass, std::uint32_t index) {
    std::vector<std::string> formats;
    if (!understand_chain(pass)) return;
    for (const StrictJson& each : list(pass, "attachments")) {
      if (!understand_chain(each)) return;
      formats.push_back(state::format_name(number(each, "format")));
    }
    const std::vector<StrictJson> subpasses = list(pass, "subpasses");
    if (index >= subpasses.size()) return pass.complain("there is no subpass " + std::to_string(index));
    const StrictJson& subpass = subpasses[index];
    info_.color_formats.emplace();
    for (const StrictJson& each : list(subpass, "colorAttachments"))
      info_.color_formats->push_back(format_of(each, formats));
    const auto depth = subpass.find("depthStencilAttachment");
    const std::string format = depth ? format_of(*depth, formats) : "UNDEFINED";
    info_.depth_format = depth_part(format);
    info_.stencil_format = stencil_part(format);
    if (!understand_chain(subpass)) return;
    info_.view_mask = 0;
    if (const auto views = subpass.find("viewMask")) info_.view_mask = views->number();
    if (const auto multiview = chained(pass, kMultiview))
      if (const std::vector<StrictJson> masks = list(*multiview, "viewMasks"); index < masks.size())
        info_.view_mask = masks[index].number();
  }

  static std::string format_of(const StrictJson& reference, const std::vector<std::string>& formats) {
    const std::uint32_t index = number(reference, "attachment");
    if (index == ~0u) return "UNDEFINED";
    if (index < formats.size()) return formats[index];
    reference.complain("there is no attachment " + std::to_string(index));
    return {};
  }

  void read_layout(const StrictJson& pipeline) {
    const auto reference = pipeline.find("layout");
    if (!reference || is_null(reference->text())) return;
    read_object(reference->text(), Tag::pipeline_layout, {"pipelineLayouts"}, [&](const StrictJson& object) {
      link::PipelineLayout layout;
      bool is_whole = understand_chain(object);
      const std::vector<StrictJson> sets = list(object, "setLayouts");
      for (std::uint32_t set = 0; set < sets.size(); ++set)
        is_whole = (is_null(sets[set].text()) || read_set(sets[set].text(), set, layout)) && is_whole;
      for (const StrictJson& each : list(object, "pushConstantRanges"))
        layout.push_constants.push_back(
            {number(each, "offset"), number(each, "size"), stages_of_mask(number(each, "stageFlags"))});
      if (is_whole) result_.description.layout = std::move(layout);
    });
  }

  bool read_set(const std::string& hash, std::uint32_t set, link::PipelineLayout& layout) {
    return read_object(hash, Tag::descriptor_set_layout, {"setLayouts"}, [&](const StrictJson& object) {
      if (!understand_chain(object)) return;
      for (const StrictJson& each : list(object, "bindings"))
        layout.bindings.push_back({set, number(each, "binding"), stages_of_mask(number(each, "stageFlags"))});
    });
  }

  // False if the database lacks the object, which may be in another one: then nothing is known about it. A damaged
  // object is a reason not to link.
  template <typename Read>
  bool read_object(const std::string& hash, Tag tag, std::initializer_list<const char*> sections, const Read& read) {
    const auto value = hash_from_text(hash);
    const Entry* const entry = value ? recording_.find(tag, *value) : nullptr;
    if (!entry) return false;
    const Result<std::string> text = recording_.text_of(*entry);
    JsonProblem problem;
    const auto json = text ? parse_json(*text, problem) : std::nullopt;
    bool is_found = false;
    if (json)
      for (const char* section : sections) {
        const StrictJson root(*json, problem);
        const auto objects = root.find(section);
        const auto object = objects ? objects->find(hash_text(*value)) : std::nullopt;
        if (!object) continue;
        is_found = true;
        read(*object);
      }
    if (!text) refuse(text.error().message);
    if (!problem.message.empty()) refuse(recording_.name_of(*entry) + ": " + problem.message);
    return is_found;
  }

  const Recording& recording_;
  RecordedPipeline& result_;
  CreateInfo info_;
};

}  // namespace

RecordedPipeline read_pipeline(const Recording& recording, const Entry& entry) {
  RecordedPipeline result;
  Result<std::string> text = recording.text_of(entry);
  if (!text) {
    result.why_not = text.error().message;
    return result;
  }
  JsonProblem problem;
  if (const std::optional<nlohmann::json> json = parse_json(*text, problem)) {
    const auto pipelines = StrictJson(*json, problem).need("graphicsPipelines");
    const auto own = pipelines ? pipelines->need(hash_text(entry.hash)) : std::nullopt;
    if (own) Reader(recording, result).read(*own);
  }
  if (!problem.message.empty()) result.why_not = json_error(*text, recording.name_of(entry), problem).message;
  if (!result.why_not.empty()) result.description = {};
  result.text = std::move(*text);
  return result;
}

}  // namespace varylink::formats::fossilize
