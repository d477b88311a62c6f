// A file that others read while it is written: whole lines, as soon as they are known.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace varylink::cli {

class LineStream {
 public:
  // Begins an empty file at `path`, with the folders in front of it; kStandardOutput stands for standard output. Error:
  // io.
  static Result<LineStream> open(const std::string& path);

  // Lines with their line breaks. When this returns they are with the reader, or `failed` says so from then on.
  void write(std::string_view lines);
  bool failed() const { return failed_; }
  const std::string& path() const { return path_; }

 private:
  struct Close {
    void operator()(std::FILE* file) const {
      if (file != stdout) std::fclose(file);
    }
  };

  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
  bool failed_ = false;
};

}  // namespace varylink::cli
