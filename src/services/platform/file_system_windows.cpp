#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <fcntl.h>
#include <io.h>
#include <windows.h>

#include <cerrno>

#include "platform/file_system.h"
#include "platform/path.h"
#include "platform/program.h"
#include "platform/windows_text.h"

namespace varylink::platform {
namespace {

constexpr DWORD kShareAll = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

class Handle {
 public:
  explicit Handle(HANDLE handle) : handle_(handle) {}
  ~Handle() {
    if (*this) CloseHandle(handle_);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  explicit operator bool() const { return handle_ != INVALID_HANDLE_VALUE; }
  HANDLE get() const { return handle_; }

 private:
  HANDLE handle_;
};

bool is_link(const std::string& name) {
  const DWORD attributes = GetFileAttributesW(native(name).c_str());
  return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0;
}

// FILE_FLAG_BACKUP_SEMANTICS: folders, too.
HANDLE open_to_ask(const std::string& name, DWORD access) {
  return CreateFileW(native(name).c_str(), access, kShareAll, nullptr, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS,
                     nullptr);
}

// 100 ns since 1601, as Windows counts.
std::chrono::system_clock::time_point time_of_windows(const FILETIME& time) {
  constexpr std::int64_t kFrom1601To1970 = 116444736000000000;
  using Ticks = std::chrono::duration<std::int64_t, std::ratio<1, 10000000>>;
  const auto ticks = static_cast<std::int64_t>(std::uint64_t{time.dwHighDateTime} << 32 | time.dwLowDateTime);
  return std::chrono::system_clock::time_point(
      std::chrono::duration_cast<std::chrono::system_clock::duration>(Ticks(ticks - kFrom1601To1970)));
}

std::FILE* stream_of(HANDLE handle, int flags, const char* mode) {
  if (handle == INVALID_HANDLE_VALUE) {
    errno = last_error();
    return nullptr;
  }
  const int descriptor = _open_osfhandle(reinterpret_cast<std::intptr_t>(handle), flags | _O_BINARY | _O_NOINHERIT);
  if (descriptor >= 0) return _fdopen(descriptor, mode);
  CloseHandle(handle);
  errno = EMFILE;
  return nullptr;
}

std::wstring temporary_folder() {
  std::wstring folder(GetTempPathW(0, nullptr), L'\0');
  if (!folder.empty()) folder.resize(GetTempPathW(static_cast<DWORD>(folder.size()), folder.data()));
  return folder;
}

void list_into(const std::string& folder, bool recursive, std::vector<FileEntry>& entries) {
  WIN32_FIND_DATAW found;
  const HANDLE search = FindFirstFileW(native(joined(folder.empty() ? "." : folder, "*")).c_str(), &found);
  if (search == INVALID_HANDLE_VALUE) return;
  do {
    const std::string part = narrow(found.cFileName);
    if (part == "." || part == "..") continue;
    const std::string name = joined(folder, part);
    if ((found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) == 0)
      entries.push_back({name, time_of_windows(found.ftLastWriteTime),
                         std::uint64_t{found.nFileSizeHigh} << 32 | found.nFileSizeLow});
    else if (recursive && (found.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) == 0)
      list_into(name, recursive, entries);
  } while (FindNextFileW(search, &found) != 0);
  FindClose(search);
}

}  // namespace

FileKind kind_of(const std::string& name, Links links) {
  if (name.empty()) return FileKind::none;
  if (links == Links::seen && is_link(name)) return FileKind::other;
  const Handle file(open_to_ask(name, 0));
  if (!file) {
    // What others hold for themselves does not open, and is there.
    const DWORD attributes = GetFileAttributesW(native(name).c_str());
    if (attributes == INVALID_FILE_ATTRIBUTES) return FileKind::none;
    return (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0 ? FileKind::folder : FileKind::regular;
  }
  BY_HANDLE_FILE_INFORMATION information;
  if (GetFileType(file.get()) != FILE_TYPE_DISK || GetFileInformationByHandle(file.get(), &information) == 0)
    return FileKind::other;
  return (information.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0 ? FileKind::folder : FileKind::regular;
}

std::optional<FileIdentity> identity_of(const std::string& name) {
  if (name.empty()) return std::nullopt;
  const Handle file(open_to_ask(name, 0));
  BY_HANDLE_FILE_INFORMATION information;
  if (!file || GetFileType(file.get()) != FILE_TYPE_DISK || GetFileInformationByHandle(file.get(), &information) == 0)
    return std::nullopt;
  if ((information.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0) return std::nullopt;
  return FileIdentity(information.dwVolumeSerialNumber,
                      std::uint64_t{information.nFileIndexHigh} << 32 | information.nFileIndexLow);
}

std::optional<std::uint64_t> size_of(const std::string& name) {
  WIN32_FILE_ATTRIBUTE_DATA data;
  if (GetFileAttributesExW(native(name).c_str(), GetFileExInfoStandard, &data) == 0 ||
      (data.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0)
    return std::nullopt;
  return std::uint64_t{data.nFileSizeHigh} << 32 | data.nFileSizeLow;
}

std::string real_name(const std::string& name) {
  const Handle file(open_to_ask(name, 0));
  if (!file) return name;
  std::wstring real(GetFinalPathNameByHandleW(file.get(), nullptr, 0, FILE_NAME_NORMALIZED), L'\0');
  if (real.empty()) return name;
  real.resize(
      GetFinalPathNameByHandleW(file.get(), real.data(), static_cast<DWORD>(real.size()), FILE_NAME_NORMALIZED));
  if (real.starts_with(LR"(\\?\UNC\)")) return with_slashes(narrow(L"\\" + real.substr(7)));
  return with_slashes(narrow(real.starts_with(LR"(\\?\)") ? real.substr(4) : real));
}

std::FILE* open_for_reading(const std::string& name, Links links) {
  if (links == Links::seen && is_link(name)) {
    errno = EINVAL;
    return nullptr;
  }
  return stream_of(CreateFileW(native(name).c_str(), GENERIC_READ, kShareAll, nullptr, OPEN_EXISTING,
                               FILE_ATTRIBUTE_NORMAL, nullptr),
                   _O_RDONLY, "rb");
}

std::FILE* open_for_writing(const std::string& name) {
  if (!can_name_new_file(name)) {
    errno = EINVAL;
    return nullptr;
  }
  return stream_of(CreateFileW(native(name).c_str(), GENERIC_WRITE, kShareAll, nullptr, CREATE_ALWAYS,
                               FILE_ATTRIBUTE_NORMAL, nullptr),
                   _O_WRONLY, "wb");
}

int make_folder(const std::string& name) {
  if (!can_name_new_file(name)) return EINVAL;
  return CreateDirectoryW(native(name).c_str(), nullptr) != 0 ? 0 : last_error();
}

int make_folders(const std::string& name) {
  if (name.empty() || is_folder(name)) return 0;
  if (const std::string parent = folder_of(name); parent != name)
    if (const int error = make_folders(parent); error != 0) return error;
  const int error = make_folder(name);
  return error == EEXIST && is_folder(name) ? 0 : error;
}

int remove(const std::string& name) {
  const std::wstring path = native(name);
  const DWORD attributes = GetFileAttributesW(path.c_str());
  const bool folder = attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
  return (folder ? RemoveDirectoryW(path.c_str()) : DeleteFileW(path.c_str())) != 0 ? 0 : last_error();
}

void touch(const std::string& name) {
  const Handle file(open_to_ask(name, FILE_WRITE_ATTRIBUTES));
  FILETIME now;
  GetSystemTimeAsFileTime(&now);
  if (file) SetFileTime(file.get(), nullptr, nullptr, &now);
}

bool is_open_to_others(const std::string&) { return false; }

std::vector<FileEntry> files_in(const std::string& folder, bool recursive) {
  std::vector<FileEntry> entries;
  list_into(folder, recursive, entries);
  return entries;
}

std::string make_temporary_folder(const std::string& prefix) {
  const std::string start = with_slashes(narrow(temporary_folder())) + prefix + std::to_string(process_id()) + "-";
  for (int number = 0; number < 1000; ++number) {
    const std::string name = start + std::to_string(number);
    const int error = make_folder(name);
    if (error == 0) return name;
    if (error != EEXIST) return {};
  }
  return {};
}

std::FILE* make_unnamed_file() {
  std::wstring name(MAX_PATH, L'\0');
  if (GetTempFileNameW(temporary_folder().c_str(), L"vry", 0, name.data()) == 0) return nullptr;
  return stream_of(CreateFileW(name.c_str(), GENERIC_READ | GENERIC_WRITE | DELETE, FILE_SHARE_DELETE, nullptr,
                               CREATE_ALWAYS, FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, nullptr),
                   _O_RDWR, "w+b");
}

bool seek(std::FILE* file, std::uint64_t offset) {
  return _fseeki64(file, static_cast<std::int64_t>(offset), SEEK_SET) == 0;
}

}  // namespace varylink::platform
