#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>

#include <system_error>

#include "platform/late_library.h"
#include "platform/windows_text.h"

namespace varylink::platform {

LateLibrary::LateLibrary(const char* name) : handle_(LoadLibraryW(wide(name).c_str())) {
  if (handle_ != nullptr) return;
  error_ =
      std::string(name) + ": " + std::error_code(static_cast<int>(GetLastError()), std::system_category()).message();
}

void* LateLibrary::address_of(const char* name) const {
  return handle_ == nullptr ? nullptr : reinterpret_cast<void*>(GetProcAddress(static_cast<HMODULE>(handle_), name));
}

}  // namespace varylink::platform
