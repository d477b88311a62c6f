// The manifest of recorded pipelines while threads and processes add to it.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "platform/shared_file.h"

namespace varylink::layer {

// Errors are errno values, 0 for none.
class ManifestFile {
 public:
  // Makes the file if it is not there.
  int open(const std::string& path) { return file_.open(path); }

  // Whoever adds a line has it locked from read_others on, so that each key is there once.
  void lock() { file_.lock(); }
  void unlock() { file_.unlock(); }

  // Learns of the lines that were added since the last call.
  int read_others();
  // Among the lines that were read or added.
  bool has(const std::string& key) const { return keys_.count(key) != 0; }
  // `line` has no end of line. A part of a line that a full disk or an end of the machine left goes. Error: nothing was
  // added.
  int add(const std::string& key, const std::string& line);

 private:
  bool learn(const std::string& line);

  platform::SharedFile file_;
  std::set<std::string> keys_;
  std::uint64_t known_bytes_ = 0;  // behind the last whole line that was read or added
  std::uint64_t open_line_ = 0;    // bytes behind these that are a pipeline, too, whose end of line is not there
};

}  // namespace varylink::layer
