#include "frontend/glsl_workers.h"

#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/diagnostic_json.h"
#include "platform/program.h"
#include "spirv/tools/binary.h"

namespace varylink::frontend {
namespace {

using Json = nlohmann::json;
using platform::Bytes;

constexpr const char* kRole = "--glsl-worker";
constexpr std::uint64_t kMostMemory = std::uint64_t{4} << 30;  // of a process, in bytes

Bytes bytes_of(const Json& json) {
  std::vector<std::uint8_t> text = Json::to_cbor(json);
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

Json json_of(const Bytes& bytes) {
  const auto* first = reinterpret_cast<const std::uint8_t*>(bytes.data());
  return Json::from_cbor(first, first + bytes.size());
}

Json request_of(const GlslSource& source, const CompileOptions& options) {
  return {{"text", source.text},
          {"file", source.file},
          {"stage", static_cast<int>(source.stage)},
          {"entry_point", source.entry_point},
          {"env", static_cast<int>(options.env)},
          {"include_dirs", options.include_dirs},
          {"defines", options.defines},
          {"debug_info", options.debug_info},
          {"debug_records", static_cast<int>(options.debug_records)}};
}

Json list_json(const Diagnostics& diagnostics) {
  Json list = Json::array();
  for (const Diagnostic& diagnostic : diagnostics) list.push_back(kept_json(diagnostic));
  return list;
}
Diagnostics diagnostics_of(const Json& list) {
  Diagnostics diagnostics;
  for (const Json& each : list) diagnostics.push_back(diagnostic_of(each));
  return diagnostics;
}

// What a worker answers.
Json answer_to(const Json& request) {
  const GlslSource source = {request.at("text").get<std::string>(), request.at("file").get<std::string>(),
                             static_cast<Stage>(request.at("stage").get<int>()),
                             request.at("entry_point").get<std::string>()};
  CompileOptions options;
  options.env = static_cast<spirv::TargetEnv>(request.at("env").get<int>());
  options.include_dirs = request.at("include_dirs").get<std::vector<std::string>>();
  options.defines = request.at("defines").get<std::vector<std::pair<std::string, std::string>>>();
  options.debug_info = request.at("debug_info").get<bool>();
  options.debug_records = static_cast<DebugRecords>(request.at("debug_records").get<int>());
  Diagnostics messages;
  const Result<CompiledGlsl> compiled = compile_glsl(source, options, &messages);
  if (!compiled) return {{"error", kept_json(compiled.error())}, {"messages", list_json(messages)}};
  return {{"words", spirv::write_module(compiled->module)},
          {"inputs", compiled->inputs},
          {"outputs", compiled->outputs},
          {"includes", compiled->includes},
          {"warnings", list_json(compiled->warnings)},
          {"messages", list_json(messages)}};
}

// `limit`: of the worker, in bytes.
Json out_of_memory_answer(const Json& request, std::uint64_t limit) {
  const Diagnostic error = make_error(ErrorKind::glsl, request.at("file").get<std::string>(),
                                      "the GLSL compiler took more than " + std::to_string(limit >> 20) + " MiB");
  return {{"error", kept_json(error)}, {"messages", list_json(Diagnostics{error})}};
}

Result<CompiledGlsl> compiled_of(const Json& answer, const std::string& file, Diagnostics* messages) {
  if (messages)
    for (Diagnostic& each : diagnostics_of(answer.at("messages"))) messages->push_back(std::move(each));
  if (answer.contains("error")) return diagnostic_of(answer.at("error"));
  const auto words = answer.at("words").get<std::vector<std::uint32_t>>();
  Result<spirv::Module> module = spirv::read_module(words, file);
  if (!module) return module.error();
  return CompiledGlsl{std::move(*module), answer.at("inputs").get<std::vector<std::string>>(),
                      answer.at("outputs").get<std::vector<std::string>>(),
                      answer.at("includes").get<std::vector<std::string>>(), diagnostics_of(answer.at("warnings"))};
}

}  // namespace

GlslWorkers::Worker GlslWorkers::take_free() {
  const std::lock_guard lock(mutex_);
  if (free_.empty()) return nullptr;
  Worker worker = std::move(free_.back());
  free_.pop_back();
  return worker;
}

void GlslWorkers::give_back(Worker worker) {
  const std::lock_guard lock(mutex_);
  free_.push_back(std::move(worker));
}

platform::Receipt GlslWorkers::ask(platform::ChildProcess& worker, const Bytes& request, Bytes& answer) const {
  using Clock = platform::Channel::Clock;
  if (!platform::send_message(worker.channel(), request)) return platform::Receipt::closed;
  const auto deadline = time_limit_.count() == 0 ? std::nullopt : std::optional(Clock::now() + time_limit_);
  return platform::receive_message(worker.channel(), deadline, answer);
}

Result<CompiledGlsl> GlslWorkers::compile(const GlslSource& source, const CompileOptions& options,
                                          Diagnostics* messages) {
  const Bytes request = bytes_of(request_of(source, options));
  Bytes answer;
  // One from before may be gone with the thread that started it. What a new one does not survive is the source's fault.
  Worker worker = take_free();
  platform::Receipt receipt = worker ? ask(*worker, request, answer) : platform::Receipt::closed;
  if (receipt == platform::Receipt::closed) {
    worker = std::make_unique<platform::ChildProcess>();
    if (!worker->start(kRole)) return compile_glsl(source, options, messages);
    receipt = ask(*worker, request, answer);
  }
  if (receipt != platform::Receipt::complete) {
    const std::string problem = receipt == platform::Receipt::timed_out
                                    ? "took longer than " + std::to_string(time_limit_.count()) + " s"
                                    : "crashed: " + worker->end();
    const Diagnostic error = make_error(ErrorKind::glsl, source.file, "the GLSL compiler " + problem);
    if (messages) messages->push_back(error);
    return error;
  }
  give_back(std::move(worker));
  return compiled_of(json_of(answer), source.file, messages);
}

bool serve_as_glsl_worker(int count, char** values) {
  std::optional<platform::Channel> parent = platform::channel_to_parent(kRole, count, values);
  if (!parent) return false;
  const std::uint64_t limit = platform::limit_memory(kMostMemory);
  Bytes request;
  while (platform::receive_message(*parent, std::nullopt, request) == platform::Receipt::complete) {
    const Json asked = json_of(request);
    Json answer;
    bool is_whole = true;  // glslang has states that an exception leaves half changed
    try {
      answer = answer_to(asked);
    } catch (const std::bad_alloc&) {
      answer = out_of_memory_answer(asked, limit);
      is_whole = false;
    }
    if (!platform::send_message(*parent, bytes_of(answer)) || !is_whole) break;
  }
  return true;
}

}  // namespace varylink::frontend
