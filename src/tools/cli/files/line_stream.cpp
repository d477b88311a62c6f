#include "cli/files/line_stream.h"

#include <cerrno>
#include <cstring>

#include "cli/files/output_files.h"
#include "platform/file_system.h"
#include "platform/path.h"

namespace varylink::cli {

Result<LineStream> LineStream::open(const std::string& path) {
  LineStream stream;
  stream.path_ = path;
  if (path == kStandardOutput) {
    stream.file_.reset(stdout);
    return stream;
  }
  // Opening the file will say what is wrong with its folder.
  if (const std::string folder = platform::folder_of(path); !folder.empty()) (void)platform::make_folders(folder);
  stream.file_.reset(platform::open_for_writing(path));
  if (!stream.file_) return make_error(ErrorKind::io, path, std::string("cannot write: ") + std::strerror(errno));
  return stream;
}

void LineStream::write(std::string_view lines) {
  const bool written = std::fwrite(lines.data(), 1, lines.size(), file_.get()) == lines.size();
  if (!written || std::fflush(file_.get()) != 0) failed_ = true;
}

}  // namespace varylink::cli
