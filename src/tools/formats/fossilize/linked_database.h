// A database with linked pipelines in place of the original ones.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "formats/fossilize/recording.h"

namespace varylink::formats::fossilize {

class LinkedDatabase {
 public:
  // The recording must outlive this object.
  explicit LinkedDatabase(const Recording& recording) : recording_(recording) {}

  // The modules that linking has given the pipeline of that entry, which read_pipeline found to be for linking. Stages
  // that are not named keep their modules.
  void add(const Entry& entry, const std::map<Stage, std::span<const std::uint32_t>>& linked);

  // The entries of the recording, byte for byte and in their order, but: a pipeline of which a module changed refers to
  // its new modules, which stand in front of it, and has the hash that Fossilize gives it; links from applications to
  // it follow. Modules that nothing refers to any more stay. An entry that is cut off is gone. Equal calls give equal
  // bytes, whatever their order.
  std::string bytes() const;

 private:
  struct NewEntry {
    Tag tag{};
    std::uint64_t hash = 0;
    std::string bytes;
  };
  struct Pipeline {
    std::vector<NewEntry> entries;  // new modules and the pipeline itself
    std::uint64_t hash = 0;
    std::vector<std::uint64_t> modules;  // that are new
  };

  std::uint64_t free_hash(const ShaderModule& module) const;
  std::vector<NewEntry> linked_links(const Entry& entry) const;

  const Recording& recording_;
  std::map<std::uint64_t, Pipeline> pipelines_;  // by old hash
};

}  // namespace varylink::formats::fossilize
