#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "platform/file_system.h"
#include "platform/output_file.h"
#include "platform/windows_text.h"

namespace varylink::platform {
namespace {

// Virus scanners and indexers hold new files open for a moment, and a file that is open cannot be replaced.
constexpr int kTries = 50;
constexpr DWORD kTryAgainMs = 20;

HANDLE handle_of(std::intptr_t value) { return reinterpret_cast<HANDLE>(value); }

// FileRenameInfoEx of Windows 10, which older headers lack, and its flags: also a file that others read is replaced.
constexpr auto kRenameAsPosix = static_cast<FILE_INFO_BY_HANDLE_CLASS>(22);
constexpr DWORD kReplaceAsPosix = 0x1 | 0x2;
constexpr DWORD kReplace = TRUE;

// FILE_RENAME_INFO with room for the name. Its first member is a truth value or a set of flags.
std::vector<std::byte> rename_request(const std::wstring& to, DWORD replace) {
  std::vector<std::byte> bytes(sizeof(FILE_RENAME_INFO) + to.size() * sizeof(wchar_t));
  std::memcpy(bytes.data(), &replace, sizeof replace);
  auto* request = reinterpret_cast<FILE_RENAME_INFO*>(bytes.data());
  request->FileNameLength = static_cast<DWORD>(to.size() * sizeof(wchar_t));
  std::copy(to.begin(), to.end(), request->FileName);
  return bytes;
}

bool rename_as(HANDLE file, FILE_INFO_BY_HANDLE_CLASS kind, std::vector<std::byte> request) {
  return SetFileInformationByHandle(file, kind, request.data(), static_cast<DWORD>(request.size())) != 0;
}

std::wstring whole_name(const std::string& name) {
  const std::wstring given = native(name);
  std::wstring full(GetFullPathNameW(given.c_str(), 0, nullptr, nullptr), L'\0');
  if (!full.empty())
    full.resize(GetFullPathNameW(given.c_str(), static_cast<DWORD>(full.size()), full.data(), nullptr));
  return full;
}

}  // namespace

// Others may read it, and not remove it: that is what tells them that this process lives.
int OutputFile::make_kept(const std::string& name) {
  if (!can_name_new_file(name)) return EINVAL;
  const HANDLE file = CreateFileW(native(name).c_str(), GENERIC_WRITE | DELETE, FILE_SHARE_READ, nullptr, CREATE_NEW,
                                  FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) return last_error();
  handle_ = reinterpret_cast<std::intptr_t>(file);
  return 0;
}

int OutputFile::open(const std::string& name, bool empty) {
  const HANDLE file = CreateFileW(native(name).c_str(), GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr,
                                  empty ? TRUNCATE_EXISTING : OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) return last_error();
  handle_ = reinterpret_cast<std::intptr_t>(file);
  return 0;
}

// A new file has the rights that its folder hands on, which is what replacing a file means on Windows.
void OutputFile::take_mode_of(const std::string&) {}

int OutputFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto part = static_cast<DWORD>(std::min<std::size_t>(bytes.size(), std::size_t{1} << 30));
    DWORD count = 0;
    if (WriteFile(handle_of(handle_), bytes.data(), part, &count, nullptr) == 0) return last_error();
    bytes.remove_prefix(count);
  }
  return 0;
}

// Windows tells failures when it writes.
int OutputFile::check_written() { return 0; }

int OutputFile::rename(const std::string&, const std::string& to) {
  if (!can_name_new_file(to)) return EINVAL;
  const std::wstring name = whole_name(to);
  const HANDLE file = handle_of(handle_);
  for (int tries = 1;; ++tries) {
    if (rename_as(file, kRenameAsPosix, rename_request(name, kReplaceAsPosix)) ||
        rename_as(file, FileRenameInfo, rename_request(name, kReplace)))
      return close();
    const DWORD reason = GetLastError();
    const bool passing = reason == ERROR_SHARING_VIOLATION || reason == ERROR_ACCESS_DENIED;
    if (!passing || tries == kTries) return SetLastError(reason), last_error();
    Sleep(kTryAgainMs);
  }
}

int OutputFile::close() {
  const std::intptr_t handle = std::exchange(handle_, kNone);
  return handle != kNone && CloseHandle(handle_of(handle)) == 0 ? last_error() : 0;
}

void remove_if_abandoned(const std::string& name) { (void)remove(name); }

}  // namespace varylink::platform
