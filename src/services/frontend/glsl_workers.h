// GLSL compilers in processes of their own: one that crashes, finds no end or takes all memory takes the source with it
// that it was given, and no other.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <vector>

#include "base/result.h"
#include "frontend/glsl.h"
#include "platform/child_process.h"

namespace varylink::frontend {

// Starts a process when none of its own is free, so that there are as many as threads that compile. Thread safe.
class GlslWorkers {
 public:
  // `time_limit`: of one source; 0: none.
  explicit GlslWorkers(std::chrono::seconds time_limit) : time_limit_(time_limit) {}

  // Returns the result of compile_glsl. Error (glsl): also if the compiler crashed, with how it ended, or took longer
  // or more memory than it may. Where no process can be started, the calling process compiles, without limits.
  Result<CompiledGlsl> compile(const GlslSource& source, const CompileOptions& options, Diagnostics* messages);

 private:
  using Worker = std::unique_ptr<platform::ChildProcess>;
  platform::Receipt ask(platform::ChildProcess& worker, const platform::Bytes& request, platform::Bytes& answer) const;
  Worker take_free();
  void give_back(Worker worker);

  std::chrono::seconds time_limit_;
  std::mutex mutex_;
  std::vector<Worker> free_;
};

// The whole life of such a process. False if this one is none. To be called first thing in main(), whose arguments it
// takes.
bool serve_as_glsl_worker(int count, char** values);

}  // namespace varylink::frontend
