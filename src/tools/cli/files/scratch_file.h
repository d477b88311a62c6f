// Bytes that need not be in memory: a file without a name, which is gone when the process is, however that ends.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace varylink::cli {

// Any number of threads may use one.
class ScratchFile {
 public:
  struct Place {
    std::uint64_t offset = 0, size = 0;
  };

  // Where the bytes are now; none if the disk is full or there is no folder for temporary files.
  std::optional<Place> append(std::string_view bytes);
  // Reads bytes that append() wrote; none if the disk fails.
  std::optional<std::string> read(const Place& place);
  // Why the first append that failed did; empty if none has.
  const std::string& error() const { return error_; }
  // Bytes appended so far.
  std::uint64_t size() const { return size_; }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  std::mutex mutex_;
  std::unique_ptr<std::FILE, Close> file_;  // made by the first append
  std::uint64_t size_ = 0;
  std::string error_;
};

}  // namespace varylink::cli
