// A shared library that is opened when it is needed.
#pragma once

#include <string>

namespace varylink::platform {

// Stays open for the life of the process: drivers do not bear to be unloaded.
class LateLibrary {
 public:
  // `name` as the dynamic linker takes it, which is the library's soname; on Windows the name of a DLL.
  explicit LateLibrary(const char* name);

  // Why it could not be opened; empty if it could.
  const std::string& error() const { return error_; }
  // Sets `function` to the function `name` of the library. False, and null, if there is none.
  template <typename Function>
  bool find(Function*& function, const char* name) const {
    function = reinterpret_cast<Function*>(address_of(name));
    return function != nullptr;
  }

 private:
  void* address_of(const char* name) const;

  void* handle_ = nullptr;
  std::string error_;
};

}  // namespace varylink::platform
