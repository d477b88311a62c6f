#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>

// after windows.h, which it needs
#include <fcntl.h>
#include <io.h>
#include <shellapi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "platform/path.h"
#include "platform/program.h"
#include "platform/windows_text.h"

namespace varylink::platform {

std::uint64_t process_id() { return GetCurrentProcessId(); }

// What main() gets has lost every character that the system's code page lacks.
std::vector<std::string> command_line(int count, char** values) {
  int wide_count = 0;
  wchar_t** words = CommandLineToArgvW(GetCommandLineW(), &wide_count);
  if (words == nullptr) return std::vector<std::string>(values + std::min(count, 1), values + count);
  std::vector<std::string> result;
  for (int i = 1; i < wide_count; ++i) result.push_back(narrow(words[i]));
  LocalFree(words);
  return result;
}

std::string program_folder() {
  std::wstring name(32768, L'\0');
  name.resize(GetModuleFileNameW(nullptr, name.data(), static_cast<DWORD>(name.size())));
  return folder_of(with_slashes(narrow(name)));
}

void prepare_standard_streams() {
  for (std::FILE* stream : {stdin, stdout, stderr}) _setmode(_fileno(stream), _O_BINARY);
  static const UINT before = GetConsoleOutputCP();
  if (before == 0 || before == CP_UTF8) return;  // no console, or nothing to do
  SetConsoleOutputCP(CP_UTF8);
  std::atexit([] { SetConsoleOutputCP(before); });
}

std::uint64_t limit_memory(std::uint64_t bytes) {
  const HANDLE job = CreateJobObjectW(nullptr, nullptr);  // lives as long as the process
  if (job == nullptr) return bytes;
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
  limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_PROCESS_MEMORY;
  limits.ProcessMemoryLimit = static_cast<SIZE_T>(bytes);
  if (SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits) != FALSE)
    AssignProcessToJobObject(job, GetCurrentProcess());
  return bytes;
}

void set_default(const char* variable, const char* value) {
  if (std::getenv(variable) == nullptr) _putenv_s(variable, value);
}

}  // namespace varylink::platform
