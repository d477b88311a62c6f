#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>

#include <cerrno>

#include "platform/shared_file.h"
#include "platform/windows_text.h"

namespace varylink::platform {
namespace {

HANDLE shared_handle(std::intptr_t value) { return reinterpret_cast<HANDLE>(value); }

// Windows keeps everybody from bytes that are locked. No file has this one, so that it only says whose turn it is.
OVERLAPPED locked_byte() {
  OVERLAPPED place{};
  place.Offset = place.OffsetHigh = 0x7fffffff;
  return place;
}

int shorten(HANDLE file, std::uint64_t size) {
  LARGE_INTEGER end;
  end.QuadPart = static_cast<LONGLONG>(size);
  return SetFilePointerEx(file, end, nullptr, FILE_BEGIN) != 0 && SetEndOfFile(file) != 0 ? 0 : last_error();
}

}  // namespace

SharedFile::~SharedFile() {
  if (handle_ != kNone) CloseHandle(shared_handle(handle_));
}

int SharedFile::open(const std::string& name) {
  if (!can_name_new_file(name)) return EINVAL;
  const HANDLE file =
      CreateFileW(native(name).c_str(), GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr,
                  OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) return last_error();
  handle_ = reinterpret_cast<std::intptr_t>(file);
  return 0;
}

void SharedFile::lock() {
  OVERLAPPED place = locked_byte();
  LockFileEx(shared_handle(handle_), LOCKFILE_EXCLUSIVE_LOCK, 0, 1, 0, &place);
}

void SharedFile::unlock() {
  OVERLAPPED place = locked_byte();
  UnlockFileEx(shared_handle(handle_), 0, 1, 0, &place);
}

int SharedFile::read(std::uint64_t offset, std::string& to) const {
  LARGE_INTEGER from;
  from.QuadPart = static_cast<LONGLONG>(offset);
  if (SetFilePointerEx(shared_handle(handle_), from, nullptr, FILE_BEGIN) == 0) return last_error();
  char part[4096];
  for (DWORD count = 0;; to.append(part, count)) {
    if (ReadFile(shared_handle(handle_), part, sizeof part, &count, nullptr) == 0) return last_error();
    if (count == 0) return 0;
  }
}

int SharedFile::replace_end(std::uint64_t offset, std::string_view bytes) {
  const HANDLE file = shared_handle(handle_);
  if (const int error = shorten(file, offset); error != 0) return error;
  DWORD written = 0;
  const bool is_written = WriteFile(file, bytes.data(), static_cast<DWORD>(bytes.size()), &written, nullptr) != 0;
  if (is_written && written == bytes.size()) return 0;
  const int error = is_written ? ENOSPC : last_error();
  (void)shorten(file, offset);
  return error;
}

}  // namespace varylink::platform
