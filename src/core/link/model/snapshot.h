// Links and their stages as they were, so that what is tried on them can be taken back.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "link/model/link.h"

namespace varylink::link {

class Snapshot {
 public:
  // Refers to the links and their stages, which have to outlive it and stay where they are.
  explicit Snapshot(const std::vector<link::Link*>& links);

  // A stage of the links as it was.
  const link::LinkedStage& of(link::LinkedStage* stage) const { return stages_.at(stage); }
  // In place: links point to the stages.
  void restore() const;

 private:
  std::vector<std::pair<link::Link*, link::Link>> links_;
  std::map<link::LinkedStage*, link::LinkedStage> stages_;
};

}  // namespace varylink::link
