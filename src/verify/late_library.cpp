#include "verify/late_library.h"

#include <dlfcn.h>

namespace varylink::verify {

LateLibrary::LateLibrary(const char* name) : handle_(dlopen(name, RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ != nullptr) return;
  const char* reason = dlerror();
  error_ = reason == nullptr ? std::string(name) + " cannot be opened" : reason;
}

void* LateLibrary::address_of(const char* name) const { return handle_ == nullptr ? nullptr : dlsym(handle_, name); }

}  // namespace varylink::verify
