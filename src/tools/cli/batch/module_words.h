// Words of the modules of a run, outside of memory while they are not in use.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "cli/files/scratch_file.h"

namespace varylink::cli {

class ModuleWords {
 public:
  // Modules are numbered by the caller. Not for two threads at once; a disk without room means that memory keeps them.
  void keep(std::size_t module, std::vector<std::uint32_t> words);
  // Of a module that is kept; any number of threads. Throws std::runtime_error if the disk fails.
  std::vector<std::uint32_t> words(std::size_t module) const;

 private:
  struct Kept {
    std::optional<ScratchFile::Place> place;
    std::vector<std::uint32_t> words;  // without a place
  };

  mutable ScratchFile file_;
  std::map<std::size_t, Kept> kept_;
};

}  // namespace varylink::cli
