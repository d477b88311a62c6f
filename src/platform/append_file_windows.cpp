#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>

#include "platform/append_file.h"
#include "platform/windows_text.h"

namespace varylink::platform {

AppendFile::~AppendFile() {
  if (is_open()) CloseHandle(reinterpret_cast<HANDLE>(handle_));
}

int AppendFile::open(const std::string& name) {
  const HANDLE file = CreateFileW(native(name).c_str(), FILE_APPEND_DATA, FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr,
                                  OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) return last_error();
  handle_ = reinterpret_cast<std::intptr_t>(file);
  return 0;
}

int AppendFile::append(std::string_view bytes) {
  DWORD written = 0;
  const HANDLE file = reinterpret_cast<HANDLE>(handle_);
  return WriteFile(file, bytes.data(), static_cast<DWORD>(bytes.size()), &written, nullptr) != 0 ? 0 : last_error();
}

}  // namespace varylink::platform
