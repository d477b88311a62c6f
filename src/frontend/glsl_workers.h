// GLSL compilers in processes of their own: one that crashes takes the source with it that it was given, and no other.
#pragma once

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
  // Returns the result of compile_glsl. Error (glsl): also if the compiler crashed, with how it ended. Where no process
  // can be started, the calling process compiles.
  Result<CompiledGlsl> compile(const GlslSource& source, const CompileOptions& options, Diagnostics* messages);

 private:
  using Worker = std::unique_ptr<platform::ChildProcess>;
  Worker take_free();
  void give_back(Worker worker);

  std::mutex mutex_;
  std::vector<Worker> free_;
};

// The whole life of such a process. False if this one is none. To be called first thing in main(), whose arguments it
// takes.
bool serve_as_glsl_worker(int count, char** values);

}  // namespace varylink::frontend
