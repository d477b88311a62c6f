#include "cli/files/scratch_file.h"

#include <cerrno>
#include <cstring>

#include "platform/file_system.h"

namespace varylink::cli {

std::optional<ScratchFile::Place> ScratchFile::append(std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  const auto failed = [&](const char* what) {
    if (error_.empty()) error_ = std::string(what) + ": " + std::strerror(errno);
    return std::nullopt;
  };
  if (!file_) file_.reset(platform::make_unnamed_file());
  if (!file_) return failed("cannot make a temporary file");
  const Place place{size_, bytes.size()};
  if (!platform::seek(file_.get(), size_) || std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size() ||
      std::fflush(file_.get()) != 0)
    return failed("cannot write a temporary file");
  size_ += bytes.size();
  return place;
}

std::optional<std::string> ScratchFile::read(const Place& place) {
  const std::lock_guard lock(mutex_);
  std::string bytes(place.size, '\0');
  if (place.size == 0) return bytes;
  if (!file_ || !platform::seek(file_.get(), place.offset)) return std::nullopt;
  if (std::fread(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) return std::nullopt;
  return bytes;
}

}  // namespace varylink::cli
