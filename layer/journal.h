// What became of the pipelines of a program, for whoever started it.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>

#include "outcome.h"
#include "platform/append_file.h"

namespace varylink::layer {

// Lines of JSON (docs/layer.md), whole ones whenever the program ends. For any number of threads. Where the file cannot
// be written, the program goes on without.
class Journal {
 public:
  explicit Journal(const std::string& file);

  // The program made an instance of this version.
  void instance(std::uint32_t api_version);
  void pipeline(const Outcome& outcome);
  // A pipeline over the budget is in the cache for the next run.
  void linked_later(const std::string& key);
  // Something that is not about one pipeline; also on standard error if there is no journal.
  void say(const std::string& sentence);

 private:
  void append(const std::string& line);

  std::mutex mutex_;
  platform::AppendFile file_;
};

}  // namespace varylink::layer
