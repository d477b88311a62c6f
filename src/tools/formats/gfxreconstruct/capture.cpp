#include "formats/gfxreconstruct/capture.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "formats/vulkan_json.h"

namespace varylink::formats::gfxreconstruct {
namespace {

constexpr std::uint32_t kVulkan10 = 1u << 22;

// Calls that are read. Others are not even parsed: a capture has millions.
constexpr std::string_view kCalls[] = {"vkCreateInstance",
                                       "vkEnumeratePhysicalDevices",
                                       "vkGetPhysicalDeviceProperties",
                                       "vkGetPhysicalDeviceProperties2",
                                       "vkGetPhysicalDeviceProperties2KHR",
                                       "vkCreateDevice",
                                       "vkCreateShaderModule",
                                       "vkCreateDescriptorSetLayout",
                                       "vkCreatePipelineLayout",
                                       "vkCreateRenderPass",
                                       "vkCreateRenderPass2",
                                       "vkCreateRenderPass2KHR",
                                       "vkCreateGraphicsPipelines",
                                       "vkCreateComputePipelines",
                                       "vkCreateRayTracingPipelinesKHR",
                                       "vkCreateRayTracingPipelinesNV",
                                       "vkGetShaderModuleIdentifierEXT"};

// The name of the call on the line; empty if it has none.
std::string_view name_on(std::string_view line) {
  constexpr std::string_view kKey = "\"name\":\"";
  const std::size_t key = line.find(kKey);
  if (key == std::string_view::npos) return {};
  const std::string_view behind = line.substr(key + kKey.size());
  return behind.substr(0, behind.find('"'));
}

bool is_read(std::string_view name) {
  return std::find(std::begin(kCalls), std::end(kCalls), name) != std::end(kCalls);
}

// The line as JSON: version 0.9.18 writes "nan" and "inf" as numbers, which become null, and any bytes in strings.
std::string repaired(std::string_view line) {
  std::string text;
  bool is_in_string = false;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char c = line[at];
    const auto is_letter = [&](std::size_t i) { return i < line.size() && line[i] >= 'a' && line[i] <= 'z'; };
    const bool is_exponent = at > 0 && ((line[at - 1] >= '0' && line[at - 1] <= '9') || line[at - 1] == '.');
    if (is_in_string) {
      const auto byte = static_cast<unsigned char>(c);
      text += byte < 0x20 || byte >= 0x7f ? '?' : c;
      if (c == '\\' && at + 1 < line.size()) text += line[++at];
      is_in_string = c != '"';
    } else if ((is_letter(at) && !is_exponent) || (c == '-' && is_letter(at + 1))) {
      std::size_t end = at + 1;
      while (is_letter(end)) ++end;
      const std::string_view word = line.substr(at, end - at);
      text += word == "true" || word == "false" ? word : "null";
      at = end - 1;
    } else {
      text += c;
      is_in_string = c == '"';
    }
  }
  return text;
}

std::optional<nlohmann::json> parse_line(std::string_view line, JsonProblem& problem) {
  std::optional<nlohmann::json> json = parse_json(line, problem);
  if (json) return json;
  problem = {};
  return parse_json(repaired(line), problem);
}

// None if it could not be read.
template <typename Value, typename Read>
std::optional<Value> read_or_none(const StrictJson& arguments, const Read& read) {
  const auto info = member(arguments, "pCreateInfo");
  if (!info) return std::nullopt;
  JsonProblem problem;
  std::optional<Value> value = read(StrictJson(info->value(), problem));
  return problem.message.empty() ? value : std::nullopt;
}

}  // namespace

Result<void> CaptureReader::add(std::string_view line) {
  ++line_;
  has_header_ |= line.starts_with("{\"header\":");
  if (!is_read(name_on(line))) return {};
  JsonProblem problem;
  if (const auto json = parse_line(line, problem)) {
    const StrictJson root(*json, problem);
    const auto call = root.find("vkFunc") ? root.find("vkFunc") : root.find("function");
    const auto name = call ? call->need("name") : std::nullopt;
    const auto arguments = call ? call->need("args") : std::nullopt;
    if (name && arguments) read_call(name->text(), *arguments);
  }
  if (problem.message.empty()) return {};
  return make_error(ErrorKind::usage, file_,
                    "line " + std::to_string(line_) + " of what gfxrecon-convert made of it: " + problem.message);
}

Result<Capture> CaptureReader::finish() {
  if (!has_header_)
    return make_error(ErrorKind::usage, file_, "gfxrecon-convert does not make of it what is known here: no capture?");
  capture_.modules = std::move(objects_.modules);
  return std::move(capture_);
}

void CaptureReader::read_call(const std::string& name, const StrictJson& arguments) {
  if (name == "vkCreateInstance") return read_instance(arguments);
  if (name == "vkEnumeratePhysicalDevices") {
    for (const StrictJson& each : list(arguments, "pPhysicalDevices"))
      if (each.value().is_number_unsigned()) instance_versions_[each.value().get<Handle>()] = instance_version_;
    return;
  }
  if (name.starts_with("vkGetPhysicalDeviceProperties")) return read_version(arguments);
  if (name == "vkCreateDevice") return read_device(arguments);
  if (name == "vkCreateShaderModule") return read_module(arguments);
  if (name == "vkCreateGraphicsPipelines") return read_pipelines(arguments);
  if (name == "vkCreateDescriptorSetLayout") {
    objects_.set_layouts[handle_in(arguments, "pSetLayout")] =
        read_or_none<link::PipelineLayout>(arguments, read_set_layout);
    return;
  }
  if (name == "vkCreatePipelineLayout") {
    objects_.pipeline_layouts[handle_in(arguments, "pPipelineLayout")] = read_or_none<link::PipelineLayout>(
        arguments, [&](const StrictJson& info) { return read_pipeline_layout(info, objects_); });
    return;
  }
  if (name.starts_with("vkCreateRenderPass")) {
    if (const auto info = member(arguments, "pCreateInfo"))
      objects_.render_passes[handle_in(arguments, "pRenderPass")] = info->value();
    return;
  }
  capture_.used_otherwise.merge(modules_named_in(arguments.value()));
  if (const Handle module = handle_in(arguments, "shaderModule"); module != 0) capture_.used_otherwise.insert(module);
}

void CaptureReader::read_instance(const StrictJson& arguments) {
  const auto info = member(arguments, "pCreateInfo");
  const auto application = info ? member(*info, "pApplicationInfo") : std::nullopt;
  const auto version = application ? member(*application, "apiVersion") : std::nullopt;
  instance_version_ = version ? number(*version) : 0;
  if (instance_version_ == 0) instance_version_ = kVulkan10;
}

void CaptureReader::read_version(const StrictJson& arguments) {
  auto properties = member(arguments, "pProperties");
  if (properties && properties->find("properties")) properties.emplace(*properties->find("properties"));
  const auto version = properties ? member(*properties, "apiVersion") : std::nullopt;
  if (version) device_versions_[handle_in(arguments, "physicalDevice")] = number(*version);
}

// A program that asks for no properties takes the device to have the version of its instance.
void CaptureReader::read_device(const StrictJson& arguments) {
  const auto info = arguments.need("pCreateInfo");
  const Handle physical = handle_in(arguments, "physicalDevice"), device = handle_in(arguments, "pDevice");
  if (!info || device == 0) return;
  const auto of_instance = instance_versions_.find(physical), of_device = device_versions_.find(physical);
  std::uint32_t version = of_instance == instance_versions_.end() ? instance_version_ : of_instance->second;
  if (of_device != device_versions_.end()) version = std::min(version, of_device->second);
  capture_.last_target = targets_[device] = read_target(*info, version);
}

// Of a number that comes twice the tools keep one code, and which one is not known.
void CaptureReader::read_module(const StrictJson& arguments) {
  const Handle module = handle_in(arguments, "pShaderModule");
  const auto info = member(arguments, "pCreateInfo");
  const auto size = info ? info->need("codeSize") : std::nullopt;
  if (module == 0 || !size) return;
  const bool is_new = objects_.modules.count(module) == 0;
  objects_.modules[module] = is_new ? read_code_(module, number(*size)) : nullptr;
}

void CaptureReader::read_pipelines(const StrictJson& arguments) {
  const spirv::ValidatorOptions target = targets_[handle_in(arguments, "device")];
  for (const StrictJson& each : list(arguments, "pCreateInfos"))
    capture_.pipelines.push_back(read_captured_pipeline(each.value(), objects_, target));
}

}  // namespace varylink::formats::gfxreconstruct
