#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

#include <algorithm>

#include "platform/file_system.h"
#include "platform/path.h"
#include "platform/program.h"

#if defined(__SANITIZE_ADDRESS__)
#define VARYLINK_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#define VARYLINK_ADDRESS_SANITIZER __has_feature(address_sanitizer)
#else
#define VARYLINK_ADDRESS_SANITIZER 0
#endif

namespace varylink::platform {

std::uint64_t process_id() { return static_cast<std::uint64_t>(::getpid()); }

std::vector<std::string> command_line(int count, char** values) {
  return std::vector<std::string>(values + std::min(count, 1), values + count);
}

std::string program_folder() {
#ifdef __APPLE__
  std::string path(4096, '\0');
  auto size = static_cast<std::uint32_t>(path.size());
  if (_NSGetExecutablePath(path.data(), &size) != 0) return {};
  const std::string program = path.c_str();
#else
  const std::string program = "/proc/self/exe";
#endif
  const std::string real = real_name(program);
  return real == program ? std::string() : folder_of(real);
}

void prepare_standard_streams() {}

std::uint64_t limit_memory(std::uint64_t bytes) {
#if !VARYLINK_ADDRESS_SANITIZER
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0) return bytes;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_cur, bytes);
  ::setrlimit(RLIMIT_AS, &limit);
  return limit.rlim_cur;
#else
  return bytes;
#endif
}

void set_default(const char* variable, const char* value) { ::setenv(variable, value, 0); }

}  // namespace varylink::platform
