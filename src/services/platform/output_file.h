// A file while it is written.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace varylink::platform {

// Errors are errno values, 0 for none. Closes the file when it goes.
class OutputFile {
 public:
  OutputFile() = default;
  OutputFile(OutputFile&& other) noexcept : handle_(std::exchange(other.handle_, kNone)) {}
  OutputFile& operator=(OutputFile&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile() { (void)close(); }

  bool is_open() const { return handle_ != kNone; }

  // A new file that this process keeps until it is closed: remove_if_abandoned of another process leaves it alone.
  // EEXIST if the name is taken.
  int make_kept(const std::string& name);
  // A file, pipe or device that is there; `empty`: without the contents of a file.
  int open(const std::string& name, bool empty);
  // Who may read and write it: as with the file `name`, if that is there.
  void take_mode_of(const std::string& name);
  // Writes everything.
  int write(std::string_view bytes);
  // Errors that some file systems find only when a file is closed.
  int check_written();
  // Gives the file that was made as `from` the name `to`, which it takes from a file that has it: readers see the one
  // file or the other. Closes the file.
  int rename(const std::string& from, const std::string& to);
  int close();

 private:
  static constexpr std::intptr_t kNone = -1;
  std::intptr_t handle_ = kNone;  // a descriptor or a HANDLE
};

// Removes a file that make_kept of a process left that has ended.
void remove_if_abandoned(const std::string& name);

}  // namespace varylink::platform
