#include "cli/settings/pipeline_names.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "platform/path.h"
#include "spirv/ir/stage.h"

namespace varylink::cli {
namespace {

// A name becomes a path below the output folder, so every part of it must be a plain file name.
std::string wrong_as_path(const std::string& name) {
  if (name.empty()) return "the name is empty";
  for (const char c : name)
    if (static_cast<unsigned char>(c) < 0x20 || c == '\\') return "the name has a control character or a backslash";
  std::size_t start = 0;
  while (start <= name.size()) {
    const std::size_t end = std::min(name.find('/', start), name.size());
    const std::string part = name.substr(start, end - start);
    if (part.empty() || part == "." || part == "..")
      return "the name '" + name + "' does not stay in the output folder";
    start = end + 1;
  }
  return {};
}

// True for names of a pipeline's files: vert.spv, vert.spv.d.
bool is_result_name(std::string part) {
  constexpr std::string_view kRule = ".d", kModule = ".spv";
  if (part.ends_with(kRule)) part.resize(part.size() - kRule.size());
  if (!part.ends_with(kModule)) return false;
  return stage_from_short_name(part.substr(0, part.size() - kModule.size())).has_value();
}

// The pipelines whose files would be folders of the pipeline `name`: "a/b" for "a/b/vert.spv/c".
std::vector<std::string> pipelines_in_the_way(const std::string& name) {
  std::vector<std::string> pipelines;
  for (std::size_t slash = name.find('/'); slash != std::string::npos; slash = name.find('/', slash + 1))
    if (is_result_name(name.substr(slash + 1, name.find('/', slash + 1) - slash - 1)))
      pipelines.push_back(name.substr(0, slash));
  return pipelines;
}

}  // namespace

std::string PipelineNames::take(const std::string& name, const std::string& place, const std::string& own_file) {
  if (std::string wrong = wrong_as_path(name); !wrong.empty()) return wrong;
  const std::string own = platform::comparable(name), file = platform::comparable(own_file);
  const auto through = [&](const std::string& other) {
    return "the name '" + name + "' leads through a result of the pipeline " + other;
  };
  const auto stands_where = [&](const std::string& other) {
    return "a result of '" + name + "' would stand where the pipeline " + other + " needs a folder";
  };
  if (const auto [before, fresh] = taken_.emplace(own, place); !fresh)
    return "the name '" + name + "' is used before, " + before->second;
  if (const auto other = in_the_way_.find(own); other != in_the_way_.end()) return stands_where(other->second);
  if (const auto other = taken_.find(file); other != taken_.end()) return stands_where(other->second);
  if (const auto other = own_files_.find(own); other != own_files_.end()) return through(other->second);
  for (const std::string& pipeline : pipelines_in_the_way(own)) {
    if (const auto other = taken_.find(pipeline); other != taken_.end()) return through(other->second);
    in_the_way_.emplace(pipeline, place);
  }
  if (!file.empty()) own_files_.emplace(file, place);
  return {};
}

}  // namespace varylink::cli
