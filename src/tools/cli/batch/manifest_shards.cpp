#include "cli/batch/manifest_shards.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "cli/batch/shards.h"
#include "platform/file_system.h"

namespace varylink::cli {
namespace {

// What reading, compiling and writing a pipeline costs besides the size of its shaders, in bytes of shaders.
constexpr std::uint64_t kCostOfAny = 1024;

std::uint64_t size_of_file(const std::string& path) {
  return platform::size_of(path).value_or(0);  // reading it will say what is wrong
}

}  // namespace

std::vector<std::size_t> pipelines_of_shard(std::span<const PipelineSource> sources, const Shard& shard) {
  std::map<std::vector<std::string>, std::size_t> known;  // files -> bundle
  std::vector<std::uint64_t> costs;
  std::vector<std::size_t> bundle_of;
  for (const PipelineSource& source : sources) {
    std::vector<std::string> files;
    for (const frontend::SourceFile& file : source.files) files.push_back(file.path);
    const auto [place, is_new] = known.try_emplace(std::move(files), costs.size());
    bundle_of.push_back(place->second);
    if (is_new) {
      costs.push_back(0);
      for (const std::string& file : place->first) costs.back() += size_of_file(file);
    }
    costs[place->second] += kCostOfAny;
  }
  std::vector<bool> ours(costs.size(), false);
  for (const std::size_t bundle : items_of_shard(costs, shard.index, shard.count)) ours[bundle] = true;
  std::vector<std::size_t> positions;
  for (std::size_t position = 0; position < bundle_of.size(); ++position)
    if (ours[bundle_of[position]]) positions.push_back(position);
  return positions;
}

}  // namespace varylink::cli
