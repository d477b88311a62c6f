// Pipelines are linked here, by the C library.
#pragma once

#include <atomic>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "outcome.h"
#include "settings.h"
#include "spirv/tools/tools.h"
#include "subject.h"
#include "target.h"

namespace varylink::layer {

// What a device takes, as the validator has it.
spirv::ValidatorOptions validator_of(const Target& target);

// The name of the pipeline in manifests (formats/created_pipeline.h).
std::string key_of(const Subject& subject, const Target& target);

// When linking is given up. A step is a pass over a thousand words of the pipeline: equal pipelines take equal steps.
struct Bounds {
  std::optional<std::uint64_t> most_steps;
  const std::atomic<bool>* is_abandoned = nullptr;
};

// Modules that the validator accepted before; for any number of threads.
using ValidWords = std::shared_ptr<spirv::KeptValidWords>;

// Links on the calling thread, which needs a deep stack. What cannot be linked is passed through, with the reason.
LinkedModules link(const Subject& subject, const Target& target, const Settings& settings, const Bounds& bounds,
                   const ValidWords& valid_words);

// Why the positions of the linked pipeline may not be those of the original, to the last bit; empty if they are. Other
// pipelines may draw the same triangles, and a layer cannot know which.
std::string moved_positions(const Subject& subject, const LinkedModules& linked, const Target& target,
                            spirv::ValidWords* valid_words);

// Results of the pipelines that this program made, by key: many are made again. The oldest go when there are too many.
class KnownResults {
 public:
  std::shared_ptr<const LinkedModules> find(const std::string& key) const;
  void add(const std::string& key, std::shared_ptr<const LinkedModules> result);

 private:
  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<const LinkedModules>> results_;
  std::list<std::string> order_;
  std::size_t bytes_ = 0;
};

}  // namespace varylink::layer
