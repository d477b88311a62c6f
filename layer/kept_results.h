// Results of earlier runs, in a folder.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "outcome.h"
#include "settings.h"
#include "store/link_cache.h"
#include "subject.h"
#include "target.h"

namespace varylink::layer {

// The store of `varylink link --cache`, with entries of its own beside those. For any number of threads and processes.
// A folder that cannot be read or written, and entries that are not whole or not of this pipeline, are no results.
class KeptResults {
 public:
  explicit KeptResults(std::string folder) : cache_(std::move(folder), store::Signals::left_alone) {}

  // 64 hexadecimal digits for all that decides the result: words, state, target, settings and version.
  static std::string key_of(const Subject& subject, const Target& target, const Settings& settings);

  std::optional<LinkedModules> load(const std::string& key, const Subject& subject) const;
  // Keeps what a later run would come to as well. Why the first result that could not be kept was not, once; else
  // empty.
  std::string keep(const std::string& key, const LinkedModules& linked) const;

 private:
  store::LinkCache cache_;
};

}  // namespace varylink::layer
