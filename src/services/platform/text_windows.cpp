#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

#include "platform/path.h"
#include "platform/windows_text.h"

namespace varylink::platform {
namespace {

// CreateDirectory wants room for a file name of the old kind behind a folder.
constexpr std::size_t kLongestPlain = MAX_PATH - 12;

std::wstring absolute(const std::wstring& path) {
  std::wstring full(GetFullPathNameW(path.c_str(), 0, nullptr, nullptr), L'\0');
  if (!full.empty()) full.resize(GetFullPathNameW(path.c_str(), static_cast<DWORD>(full.size()), full.data(), nullptr));
  return full;
}

std::string lower_case(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

bool is_device(const std::string& part) {
  constexpr std::array kNames = {"con", "prn", "aux", "nul"};
  const std::string stem = lower_case(part.substr(0, part.find('.')));
  if (std::find(kNames.begin(), kNames.end(), stem) != kNames.end()) return true;
  return stem.size() == 4 && (stem.starts_with("com") || stem.starts_with("lpt")) && stem[3] >= '1' && stem[3] <= '9';
}

bool can_name_part(const std::string& part) {
  if (part.empty() || part == "." || part == "..") return true;
  if (part.back() == '.' || part.back() == ' ' || is_device(part)) return false;
  return std::none_of(part.begin(), part.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || std::string_view("<>:\"|?*").find(c) != std::string_view::npos;
  });
}

}  // namespace

std::wstring wide(std::string_view utf8) {
  const int length = static_cast<int>(utf8.size());
  std::wstring text(static_cast<std::size_t>(MultiByteToWideChar(CP_UTF8, 0, utf8.data(), length, nullptr, 0)), L'\0');
  MultiByteToWideChar(CP_UTF8, 0, utf8.data(), length, text.data(), static_cast<int>(text.size()));
  return text;
}

std::string narrow(std::wstring_view utf16) {
  const int length = static_cast<int>(utf16.size());
  const int size = WideCharToMultiByte(CP_UTF8, 0, utf16.data(), length, nullptr, 0, nullptr, nullptr);
  std::string text(static_cast<std::size_t>(size), '\0');
  WideCharToMultiByte(CP_UTF8, 0, utf16.data(), length, text.data(), size, nullptr, nullptr);
  return text;
}

std::wstring native(const std::string& name) {
  std::wstring path = wide(name);
  std::replace(path.begin(), path.end(), L'/', L'\\');
  if (path.size() < kLongestPlain && GetFullPathNameW(path.c_str(), 0, nullptr, nullptr) < kLongestPlain) return path;
  const std::wstring full = absolute(path);
  if (full.starts_with(LR"(\\?\)") || full.starts_with(LR"(\\.\)")) return full;
  return full.starts_with(LR"(\\)") ? LR"(\\?\UNC)" + full.substr(1) : LR"(\\?\)" + full;
}

bool can_name_new_file(const std::string& name) {
  const std::string rest = name_of(path_of(name).relative_path());
  for (std::size_t start = 0; start <= rest.size();) {
    const std::size_t end = std::min(rest.find('/', start), rest.size());
    if (!can_name_part(rest.substr(start, end - start))) return false;
    start = end + 1;
  }
  return true;
}

int last_error() {
  const std::error_code code(static_cast<int>(GetLastError()), std::system_category());
  if (code.value() == ERROR_SHARING_VIOLATION || code.value() == ERROR_LOCK_VIOLATION) return EBUSY;
  if (code.value() == ERROR_NO_DATA || code.value() == ERROR_BROKEN_PIPE) return EPIPE;
  const std::error_condition plain = code.default_error_condition();
  return plain.category() == std::generic_category() ? plain.value() : EIO;
}

std::string with_slashes(std::string name) {
  std::replace(name.begin(), name.end(), '\\', '/');
  return name;
}

std::string comparable(const std::string& name) {
  std::wstring text = wide(with_slashes(name));
  CharLowerBuffW(text.data(), static_cast<DWORD>(text.size()));
  return narrow(text);
}

}  // namespace varylink::platform
