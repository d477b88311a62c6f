#include <dlfcn.h>

#include "platform/late_library.h"

namespace varylink::platform {

LateLibrary::LateLibrary(const char* name) : handle_(dlopen(name, RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ != nullptr) return;
  const char* reason = dlerror();
  error_ = reason == nullptr ? std::string(name) + " cannot be opened" : reason;
}

void* LateLibrary::address_of(const char* name) const { return handle_ == nullptr ? nullptr : dlsym(handle_, name); }

}  // namespace varylink::platform
