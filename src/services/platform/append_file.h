// A file that grows by whole lines from any number of writers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace varylink::platform {

// Closed when the object goes. Any number of threads and processes may append to one file.
class AppendFile {
 public:
  AppendFile() = default;
  ~AppendFile();
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;

  // Makes the file if it is not there. An errno value, 0 for none.
  int open(const std::string& name);
  bool is_open() const { return handle_ != kNone; }
  // Appends lines in one piece, behind those that are there. They stay if the process is killed. Behind the part of a
  // line, which a full disk leaves, they begin a new one. An errno value.
  int append(std::string_view lines);

 private:
  bool ends_inside_line() const;

  static constexpr std::intptr_t kNone = -1;
  std::intptr_t handle_ = kNone;  // a descriptor or a HANDLE
};

}  // namespace varylink::platform
