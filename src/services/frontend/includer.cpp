#include "frontend/includer.h"

#include <algorithm>

#include "frontend/read_file.h"
#include "platform/path.h"

namespace varylink::frontend {
namespace {

constexpr std::size_t kMaxDepth = 64;

// Folder and file joined without a leading "./", so that messages show paths as the user would write them.
std::string include_path(const std::string& folder, const std::string& file) {
  return folder.empty() ? file : platform::normal(platform::joined(folder, file));
}

std::optional<std::string> content_of(const std::string& path, const CompileOptions& options) {
  if (options.read_include) return options.read_include(path);
  if (!is_readable_file(path)) return std::nullopt;
  Result<std::string> content = read_file(path);
  return content ? std::optional(std::move(*content)) : std::nullopt;
}

}  // namespace

Includer::IncludeResult* Includer::open(const std::string& path) {
  std::optional<std::string> content = content_of(path, options_);
  if (!content) return nullptr;
  if (std::find(files_.begin(), files_.end(), path) == files_.end()) files_.push_back(path);
  auto text = std::make_unique<std::string>(without_byte_order_mark(*content));
  auto result = std::make_unique<IncludeResult>(path, text->data(), text->size(), text.get());
  text.release();  // owned by the result from here on: releaseInclude frees both
  return result.release();
}

Includer::IncludeResult* Includer::includeLocal(const char* header, const char* includer, size_t depth) {
  if (depth > kMaxDepth) return nullptr;
  const std::string name = includer == nullptr ? std::string() : includer;
  return open(include_path(platform::folder_of(name), header));
}

Includer::IncludeResult* Includer::includeSystem(const char* header, const char*, size_t depth) {
  if (depth > kMaxDepth) return nullptr;
  for (const std::string& folder : options_.include_dirs)
    if (IncludeResult* result = open(include_path(folder, header))) return result;
  return nullptr;
}

void Includer::releaseInclude(IncludeResult* result) {
  if (result == nullptr) return;
  delete static_cast<std::string*>(result->userData);
  delete result;
}

}  // namespace varylink::frontend
