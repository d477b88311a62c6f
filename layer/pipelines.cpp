#include "pipelines.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <exception>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "chain.h"
#include "platform/threads.h"

namespace varylink::layer {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds(Clock::duration duration) { return std::chrono::duration<double, std::milli>(duration).count(); }

// The create infos of one call, with linked modules where there are some. What the program handed in stays as it is,
// but for the structures that the driver fills: these are still in the chains.
class Request {
 public:
  Request(Device& device, std::uint32_t count, const VkGraphicsPipelineCreateInfo* infos)
      : device_(device), infos_(infos, infos + count), outcomes_(count) {}
  ~Request() {
    for (const VkShaderModule module : modules_) device_.next.destroy_module(device_.handle, module, nullptr);
  }
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;

  // Decides what becomes of each pipeline.
  void prepare();
  const VkGraphicsPipelineCreateInfo* infos() const { return infos_.data(); }
  bool changes_anything() const { return !modules_.empty(); }
  // Into the journal; `refused`: the driver did not take the linked modules.
  void report(bool refused, double driver_ms);

 private:
  void prepare(std::size_t index);
  std::shared_ptr<const LinkedModules> result_of(const Subject& subject, Outcome& outcome);
  std::optional<LinkedModules> link_or_load(const Subject& subject, Outcome& outcome);
  void link_later(const Subject& subject, const std::string& name, const std::string& key);
  LinkedModules use(const Subject& subject, const std::string& key) const;
  bool replace(VkGraphicsPipelineCreateInfo& info, const Subject& subject, const LinkedModules& linked);
  const void* chain_without_code(const void* chain);

  Device& device_;
  std::vector<VkGraphicsPipelineCreateInfo> infos_;
  std::vector<Outcome> outcomes_;
  std::list<std::vector<VkPipelineShaderStageCreateInfo>> stages_;
  std::list<std::vector<std::byte>> structures_;
  std::vector<VkShaderModule> modules_;
};

// Compilers recurse, and threads of a program may have little stack.
void on_deep_thread(const std::function<void()>& work) {
  std::exception_ptr failure;
  const std::function<void()> body = [&] {
    try {
      work();
    } catch (...) {
      failure = std::current_exception();
    }
  };
  {
    const platform::DeepThreads thread(1, body);
    if (thread.count() == 0) throw std::bad_alloc();
  }
  if (failure) std::rethrow_exception(failure);
}

void keep(const Instance& instance, const std::string& key, const LinkedModules& linked) {
  if (const std::string problem = instance.kept->keep(key, linked); !problem.empty()) instance.journal->say(problem);
}

void Request::prepare() {
  on_deep_thread([&] {
    for (std::size_t i = 0; i < infos_.size(); ++i) prepare(i);
  });
}

void Request::prepare(std::size_t index) {
  Outcome& outcome = outcomes_[index];
  const Subject subject = read_subject(infos_[index], device_.objects);
  for (const Subject::StageCode& stage : subject.stages)
    outcome.stages += (outcome.stages.empty() ? "" : " ") + std::string(short_name(stage.stage));
  outcome.reason = subject.why_not;
  if (!subject.why_not.empty()) return;
  const auto start = Clock::now();
  const std::shared_ptr<const LinkedModules> linked = result_of(subject, outcome);
  outcome.link_ms = milliseconds(Clock::now() - start);
  if (!linked) return;
  outcome.disposition = linked->disposition;
  outcome.reason = linked->reason;
  outcome.before = linked->before;
  outcome.after = linked->after;
  if (linked->disposition != Disposition::linked || replace(infos_[index], subject, *linked)) return;
  outcome.disposition = Disposition::passed_through;
  outcome.reason = "the driver does not take a linked module";
}

std::shared_ptr<const LinkedModules> Request::result_of(const Subject& subject, Outcome& outcome) {
  const Settings& settings = device_.instance->settings;
  outcome.key = key_of(subject, device_.target);
  if (settings.mode == Mode::off || settings.mode == Mode::record) {
    const std::string problem =
        settings.mode == Mode::record ? device_.instance->recorder->record(outcome.key, subject) : std::string();
    outcome.disposition =
        settings.mode == Mode::record && problem.empty() ? Disposition::recorded : Disposition::passed_through;
    outcome.reason = settings.mode == Mode::off ? "linking is off" : problem;
    return nullptr;
  }
  std::shared_ptr<const LinkedModules> known = device_.known.find(outcome.key);
  outcome.known = known != nullptr;
  if (known) return known;
  std::optional<LinkedModules> made =
      settings.mode == Mode::use ? use(subject, outcome.key) : link_or_load(subject, outcome);
  if (!made) return nullptr;
  outcome.steps = made->steps;
  if (settings.details) outcome.report = std::move(made->report);
  made->report.clear();  // said once
  const auto result = std::make_shared<const LinkedModules>(std::move(*made));
  device_.known.add(outcome.key, result);
  return result;
}

std::optional<LinkedModules> Request::link_or_load(const Subject& subject, Outcome& outcome) {
  const Settings& settings = device_.instance->settings;
  const KeptResults* kept = device_.instance->kept.get();
  const std::string key = kept != nullptr ? KeptResults::key_of(subject, device_.target, settings) : std::string();
  if (kept != nullptr)
    if (std::optional<LinkedModules> earlier = kept->load(key, subject)) {
      outcome.from_cache = true;
      return earlier;
    }
  if (subject.only_if_known) {
    outcome.reason = "the program wants it only if nothing has to be compiled";
    return std::nullopt;
  }
  LinkedModules linked = link(subject, device_.target, settings, {settings.budget});
  if (kept != nullptr && linked.over_budget) link_later(subject, outcome.key, key);
  if (kept != nullptr) keep(*device_.instance, key, linked);
  return linked;
}

// For the next run: in this one the pipeline stays as it came, whenever it is made again.
void Request::link_later(const Subject& subject, const std::string& name, const std::string& key) {
  device_.background->add([subject, name, key, target = device_.target,
                           instance = device_.instance](const std::atomic<bool>& is_abandoned) {
    const LinkedModules linked = link(subject, target, instance->settings, {std::nullopt, &is_abandoned});
    if (!linked.is_final) return;
    keep(*instance, key, linked);
    instance->journal->linked_later(name);
  });
}

LinkedModules Request::use(const Subject& subject, const std::string& key) const {
  const Settings& settings = device_.instance->settings;
  LinkedModules linked = load_linked(settings.folder, key, subject, device_.target);
  if (linked.disposition != Disposition::linked || settings.assume_single_pass) return linked;
  linked.reason = moved_positions(subject, linked, device_.target);
  if (!linked.reason.empty()) linked.disposition = Disposition::passed_through;
  return linked;
}

// False, and nothing changed, if the driver refuses a module.
bool Request::replace(VkGraphicsPipelineCreateInfo& info, const Subject& subject, const LinkedModules& linked) {
  std::vector<VkPipelineShaderStageCreateInfo> stages(info.pStages, info.pStages + info.stageCount);
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const Words& words = linked.modules.at(subject.stages[i].stage);
    const VkShaderModuleCreateInfo code = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, nullptr, 0,
                                           words.size() * sizeof(std::uint32_t), words.data()};
    modules_.reserve(modules_.size() + 1);
    VkShaderModule module = VK_NULL_HANDLE;
    if (device_.next.create_module(device_.handle, &code, nullptr, &module) != VK_SUCCESS) return false;
    modules_.push_back(module);
    stages[i].module = module;
    stages[i].pNext = chain_without_code(stages[i].pNext);
  }
  info.pStages = stages_.emplace_back(std::move(stages)).data();
  return true;
}

// Copies the structures in front of and behind the program's code; read_subject let no others in.
const void* Request::chain_without_code(const void* chain) {
  if (find_in_chain<VkBaseInStructure>(chain, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO) == nullptr) return chain;
  const void* first = nullptr;
  VkBaseInStructure* last = nullptr;
  for (const auto* each = static_cast<const VkBaseInStructure*>(chain); each != nullptr; each = each->pNext) {
    const std::uint32_t type = type_of(*each);
    if (type == VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO ||
        type == VK_STRUCTURE_TYPE_SHADER_MODULE_VALIDATION_CACHE_CREATE_INFO_EXT ||
        type == VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT)
      continue;  // about the code that was replaced
    std::vector<std::byte>& copy = structures_.emplace_back(size_in_stage_chain(type));
    std::memcpy(copy.data(), each, copy.size());
    auto* structure = reinterpret_cast<VkBaseInStructure*>(copy.data());
    structure->pNext = nullptr;
    if (last == nullptr)
      first = structure;
    else
      last->pNext = structure;
    last = structure;
  }
  return first;
}

void Request::report(bool refused, double driver_ms) {
  for (Outcome& outcome : outcomes_) {
    if (refused && outcome.disposition == Disposition::linked) {
      outcome.disposition = Disposition::passed_through;
      outcome.reason = "the driver does not take the linked pipeline";
    }
    outcome.driver_ms = driver_ms / static_cast<double>(outcomes_.size());
    device_.instance->journal->pipeline(outcome);
  }
}

void destroy_all(Device& device, std::uint32_t count, VkPipeline* pipelines, const VkAllocationCallbacks* allocator) {
  for (std::uint32_t i = 0; i < count; ++i) {
    if (pipelines[i] != VK_NULL_HANDLE) device.next.destroy_pipeline(device.handle, pipelines[i], allocator);
    pipelines[i] = VK_NULL_HANDLE;
  }
}

}  // namespace

VkResult create_graphics_pipelines(Device& device, VkPipelineCache cache, std::uint32_t count,
                                   const VkGraphicsPipelineCreateInfo* infos, const VkAllocationCallbacks* allocator,
                                   VkPipeline* pipelines) {
  const auto create = [&](const VkGraphicsPipelineCreateInfo* from) {
    return device.next.create_graphics_pipelines(device.handle, cache, count, from, allocator, pipelines);
  };
  std::unique_ptr<Request> request;
  try {
    request = std::make_unique<Request>(device, count, infos);
    request->prepare();
  } catch (...) {
    request.reset();  // no memory, no thread: the program need not know
  }
  if (!request) return create(infos);
  const auto start = Clock::now();
  VkResult result = create(request->infos());
  const bool refused = result < 0 && request->changes_anything();
  if (refused) {
    destroy_all(device, count, pipelines, allocator);
    result = create(infos);
  }
  try {
    request->report(refused, milliseconds(Clock::now() - start));
  } catch (...) {  // the summary lacks these
  }
  return result;
}

}  // namespace varylink::layer
