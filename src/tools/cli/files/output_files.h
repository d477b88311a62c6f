// Writes results: all files of a set or none, never half a file, and no new time stamp for the same bytes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/files/scratch_file.h"

namespace varylink::cli {

// Name that stands for standard output, as a file.
constexpr const char* kStandardOutput = "-";

struct OutputFile {
  std::string path;
  std::string bytes;
  // A body too large for memory: it follows `bytes`, and `end` follows it. Such a file is the last one of its set,
  // since its previous content is not kept.
  ScratchFile* body = nullptr;
  std::string end = {};
};

// Writes the files, creating folders as needed. Each is written beside its place under a temporary name and then
// renamed; a file that already holds these bytes is left alone, its time stamp too. A path that leads to something
// other than a regular file (a pipe, /dev/stdout, kStandardOutput) is written to directly.
// A run that is ended by SIGINT, SIGTERM or SIGHUP leaves all of the files in their places or none; the temporary ones
// that it leaves are removed by the next run that writes to the folder. Error (io): on any failure the files that were
// there before are as they were, and new ones are gone.
Result<void> write_files(std::span<const OutputFile> files);

// The words as the bytes of a SPIR-V file in host byte order.
std::string bytes_of(std::span<const std::uint32_t> words);

}  // namespace varylink::cli
