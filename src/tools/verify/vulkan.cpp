#include "verify/vulkan.h"

#include "platform/late_library.h"

namespace varylink::verify {

#define VARYLINK_DEFINE(name) PFN_##name name = nullptr;
VARYLINK_VULKAN_FUNCTIONS(VARYLINK_DEFINE)
#undef VARYLINK_DEFINE

Result<void> open_vulkan() {
#ifdef __APPLE__
  static const platform::LateLibrary loader("libvulkan.1.dylib");
#elif defined(_WIN32)
  static const platform::LateLibrary loader("vulkan-1.dll");
#else
  static const platform::LateLibrary loader("libvulkan.so.1");
#endif
  static const char* const missing = [] {
#define VARYLINK_FIND(name) \
  if (!loader.find(name, #name)) return #name;
    VARYLINK_VULKAN_FUNCTIONS(VARYLINK_FIND)
#undef VARYLINK_FIND
    return static_cast<const char*>(nullptr);
  }();
  if (!loader.error().empty())
    return make_error(ErrorKind::usage, {}, "no Vulkan loader (Debian: apt install libvulkan1): " + loader.error());
  if (missing != nullptr)
    return make_error(ErrorKind::usage, {},
                      std::string("the Vulkan loader is older than Vulkan 1.3: it has no ") + missing);
  return {};
}

}  // namespace varylink::verify
