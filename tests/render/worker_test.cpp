// A driver that hangs or dies costs one pipeline, not the run.
#include "verify/worker.h"

#ifdef __linux__
#include <signal.h>
#include <unistd.h>
#endif

#include <fstream>

#include "render/render_support.h"
#include "support/catch.h"

namespace varylink::test {
namespace {

using verify::Verdict;

const Sources kGood = {{Stage::vertex, R"(
layout(location = 0) in vec4 pos;
layout(location = 0) out vec4 v;
void main() { gl_Position = pos; v = pos; })"},
                       {Stage::fragment, R"(
layout(location = 0) in vec4 v;
layout(location = 0) out vec4 color;
void main() { color = v; })"}};

// The loops end, but not while anybody waits.
const Sources kEndless = with_stage(kGood, Stage::fragment, R"(
layout(location = 0) in vec4 v;
layout(location = 0) out vec4 color;
void main() {
  float sum = v.x;
  for (int i = 0; i < 60000; ++i)
    for (int j = 0; j < 60000; ++j) sum = sum * 0.999 + sin(sum + float(i ^ j));
  color = vec4(sum);
})");

#ifdef __linux__
// The process that `worker` draws in: the youngest child of this one.
pid_t youngest_child() {
  std::ifstream children("/proc/self/task/" + std::to_string(getpid()) + "/children");
  pid_t child = -1;
  for (pid_t next = 0; children >> next;) child = next;
  return child;
}
#endif

}  // namespace

TEST_CASE("render: a driver that hangs is stopped and the next pipeline is drawn", "[render]") {
  if (renderer() == nullptr) return;
  Result<verify::Worker> worker = verify::Worker::start();
  REQUIRE(worker);
  verify::VerifyOptions options;
  options.time_limit_s = 1;
  const verify::Comparison hung = worker->compare(compile(kEndless), compile(kEndless), options);
  CHECK(hung.verdict == Verdict::not_run);
  CHECK(hung.reason == "the driver gave no picture within 1 s");
  options.time_limit_s = 30;
  CHECK(worker->compare(compile(kGood), compile(kGood), options).verdict == Verdict::identical);
}

#ifdef __linux__  // elsewhere nothing tells which process to kill
TEST_CASE("render: a driver that dies is started again", "[render]") {
  if (renderer() == nullptr) return;
  Result<verify::Worker> worker = verify::Worker::start();
  REQUIRE(worker);
  const pid_t child = youngest_child();
  if (child <= 0) return;  // no /proc: nothing to kill
  kill(child, SIGSEGV);
  const verify::Comparison dead = worker->compare(compile(kGood), compile(kGood), {});
  CHECK(dead.verdict == Verdict::identical);
  CHECK(worker->compare(compile(kGood), compile(kGood), {}).verdict == Verdict::identical);
}
#endif

}  // namespace varylink::test
