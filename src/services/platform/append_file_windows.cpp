#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>

#include <cerrno>

#include "platform/append_file.h"
#include "platform/windows_text.h"

namespace varylink::platform {

AppendFile::~AppendFile() {
  if (is_open()) CloseHandle(reinterpret_cast<HANDLE>(handle_));
}

int AppendFile::open(const std::string& name) {
  const HANDLE file =
      CreateFileW(native(name).c_str(), FILE_APPEND_DATA | FILE_READ_DATA, FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr,
                  OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) return last_error();
  handle_ = reinterpret_cast<std::intptr_t>(file);
  return 0;
}

bool AppendFile::ends_inside_line() const {
  const HANDLE file = reinterpret_cast<HANDLE>(handle_);
  LARGE_INTEGER size{}, place{};
  if (GetFileSizeEx(file, &size) == 0 || size.QuadPart == 0) return false;
  place.QuadPart = size.QuadPart - 1;
  char last = '\n';
  DWORD count = 0;
  return SetFilePointerEx(file, place, nullptr, FILE_BEGIN) != 0 && ReadFile(file, &last, 1, &count, nullptr) != 0 &&
         last != '\n';
}

int AppendFile::append(std::string_view lines) {
  const std::string text = (ends_inside_line() ? "\n" : "") + std::string(lines);
  DWORD written = 0;
  const HANDLE file = reinterpret_cast<HANDLE>(handle_);
  if (WriteFile(file, text.data(), static_cast<DWORD>(text.size()), &written, nullptr) == 0) return last_error();
  return written == text.size() ? 0 : ENOSPC;
}

}  // namespace varylink::platform
