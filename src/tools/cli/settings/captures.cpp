#include "cli/settings/captures.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/read_file.h"
#include "platform/captured_program.h"
#include "platform/file_system.h"
#include "platform/path.h"
#include "platform/temporary_folder.h"
#include "spirv/tools/binary.h"

namespace varylink::cli {
namespace {

using formats::Words;
using formats::gfxreconstruct::Capture;
using formats::gfxreconstruct::CaptureReader;
using formats::gfxreconstruct::Handle;

using ToolVersion = std::array<int, 3>;
constexpr ToolVersion kOldest = {0, 9, 18};  // that writes JSON

Diagnostic cannot_run(const std::string& program, int error) {
  if (error == ENOENT)
    return make_error(ErrorKind::usage, "",
                      program + " is not there: install the package gfxreconstruct, or add its folder to PATH");
  return make_error(ErrorKind::io, "", program + " cannot be run: " + std::strerror(error));
}

// Error: the program is not there, or does not say a version that is new enough.
Result<void> check_version(const std::string& program) {
  const platform::CapturedEnd end = platform::run_captured({program, "--version"});
  if (end.error != 0) return cannot_run(program, end.error);
  constexpr std::string_view kWords = "GFXReconstruct Version ";
  const std::size_t at = end.output.find(kWords);
  ToolVersion version = {};
  if (at == std::string::npos ||
      std::sscanf(end.output.c_str() + at + kWords.size(), "%d.%d.%d", &version[0], &version[1], &version[2]) != 3)
    return make_error(ErrorKind::usage, "", program + " does not say its version");
  if (version >= kOldest) return {};
  return make_error(ErrorKind::usage, "", program + " is too old: version 0.9.18 or newer is needed");
}

// Lines in which the programs complain, as warnings. They end with 0 nevertheless.
void add_complaints(const std::string& program, const std::string& output, const std::string& path,
                    Diagnostics& warnings) {
  std::set<std::string> said;
  for (std::size_t at = 0; at < output.size();) {
    const std::size_t end = std::min(output.find('\n', at), output.size());
    const std::string line = output.substr(at, end - at);
    at = end + 1;
    for (const std::string_view kind : {"WARNING - ", "ERROR - "})
      if (const std::size_t word = line.find(kind); word != std::string::npos && said.insert(line).second)
        warnings.push_back(make_warning(path, program + ": " + line.substr(word + kind.size())));
  }
}

Result<void> run(const std::vector<std::string>& words, const std::string& path, Diagnostics& warnings) {
  const platform::CapturedEnd end = platform::run_captured(words);
  if (end.error != 0) return cannot_run(words.front(), end.error);
  add_complaints(words.front(), end.output, path, warnings);
  if (end.status == 0) return {};
  return make_error(ErrorKind::usage, path, words.front() + " ends with status " + std::to_string(end.status));
}

// Newer versions write one indented text unless they are told otherwise; 0.9.18 does not know the option.
std::vector<std::string> convert_words(const std::string& path, const std::string& output) {
  std::vector<std::string> words = {"gfxrecon-convert", "--output", output};
  if (platform::run_captured({words.front(), "--help"}).output.find("--format") != std::string::npos)
    words.insert(words.end(), {"--format", "jsonl"});
  words.push_back(path);
  return words;
}

std::shared_ptr<const Words> read_code(const std::string& folder, Handle handle, std::uint64_t size) {
  const std::string file = platform::joined(folder, "sh" + std::to_string(handle));
  const Result<std::string> bytes = frontend::read_file(file);
  if (!bytes || bytes->size() != size) return nullptr;
  Result<Words> words = spirv::words_from_bytes(*bytes, file);
  return words ? std::make_shared<const Words>(std::move(*words)) : nullptr;
}

// The whole would not fit in memory.
Result<Capture> read_lines(const std::string& file, CaptureReader& reader) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> opened(platform::open_for_reading(file), std::fclose);
  if (!opened) return reader.finish();
  std::string pending;
  std::vector<char> part(std::size_t{1} << 20);
  for (std::size_t size = 0; (size = std::fread(part.data(), 1, part.size(), opened.get())) != 0;) {
    pending.append(part.data(), size);
    std::size_t start = 0;
    for (std::size_t end = 0; (end = pending.find('\n', start)) != std::string::npos; start = end + 1)
      if (const Result<void> added = reader.add(std::string_view(pending).substr(start, end - start)); !added)
        return added.error();
    pending.erase(0, start);
  }
  if (const Result<void> added = reader.add(pending); !added) return added.error();
  return reader.finish();
}

}  // namespace

bool looks_like_capture(const std::string& path) { return path.ends_with(".gfxr"); }

Result<ReadCapture> read_capture(const std::string& path) {
  if (std::FILE* const file = platform::open_for_reading(path))
    std::fclose(file);
  else
    return make_error(ErrorKind::io, path, std::string("cannot be read: ") + std::strerror(errno));
  for (const char* program : {"gfxrecon-convert", "gfxrecon-extract"})
    if (const Result<void> checked = check_version(program); !checked) return checked.error();
  const platform::TemporaryFolder folder("varylink-capture-");
  if (!folder.is_there()) return make_error(ErrorKind::io, "", "no temporary folder can be made");
  const std::string shaders = folder.path_of("shaders"), calls = folder.path_of("calls.jsonl");
  const std::string capture = platform::real_name(path);
  ReadCapture result;
  if (const Result<void> ran = run({"gfxrecon-extract", "--dir", shaders, capture}, path, result.warnings); !ran)
    return ran.error();
  result.warnings.clear();  // the converter says the same
  if (const Result<void> ran = run(convert_words(capture, calls), path, result.warnings); !ran) return ran.error();
  CaptureReader reader(path, [&](Handle handle, std::uint64_t size) { return read_code(shaders, handle, size); });
  Result<Capture> read = read_lines(calls, reader);
  if (!read && !result.warnings.empty()) return make_error(ErrorKind::usage, path, result.warnings.back().message);
  if (!read) return read.error();
  result.capture = std::move(*read);
  return result;
}

}  // namespace varylink::cli
