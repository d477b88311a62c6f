#include "base/out_of_memory.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

namespace varylink {
namespace {

constexpr const char* kMessage = "out of memory";
constexpr std::size_t kLittle = std::size_t{64} << 10;

// Where there is no memory for an exception either, there is none.
bool is_out_of_memory() {
  const std::exception_ptr thrown = std::current_exception();
  if (!thrown) {
    void* const little = std::malloc(kLittle);
    std::free(little);
    return little == nullptr;
  }
  try {
    std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    return true;
  } catch (...) {
    return false;
  }
}

// An exception has left a function that lets none out: there is no memory for more than this.
[[noreturn]] void end() {
  if (!is_out_of_memory()) std::abort();
  for (const char* text : {"varylink: error: ", kMessage, "\n"}) std::fputs(text, stderr);
  std::fflush(stdout);
  std::_Exit(exit_status(ErrorKind::io));
}

}  // namespace

void say_when_out_of_memory() { std::set_terminate(end); }

Diagnostic out_of_memory() { return make_error(ErrorKind::io, "", kMessage); }

}  // namespace varylink
