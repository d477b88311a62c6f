// A file that threads and processes read and add to in turn.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace varylink::platform {

// Errors are errno values, 0 for none. Closed when the object goes.
class SharedFile {
 public:
  SharedFile() = default;
  ~SharedFile();
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;

  // Makes the file if it is not there.
  int open(const std::string& name);
  // Between them no other object has the file locked, of whatever thread or process; for std::lock_guard. A process
  // that ends holds no lock any more. Where the file system has no locks, nothing is held.
  void lock();
  void unlock();
  // Appends what is there from `offset` on.
  int read(std::uint64_t offset, std::string& to) const;
  // Replaces what is there from `offset` on. Written bytes stay if the process is killed. Error: the file ends at
  // `offset`.
  int replace_end(std::uint64_t offset, std::string_view bytes);

 private:
  static constexpr std::intptr_t kNone = -1;
  std::intptr_t handle_ = kNone;  // a descriptor or a HANDLE
};

}  // namespace varylink::platform
