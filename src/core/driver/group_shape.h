// Which modules of a group are stage pairs, and the interfaces that they share.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "link/model/group.h"

namespace varylink::driver {

// Two consecutive stages of a pipeline, as positions of modules; no consumer: the pipeline ends there, and the outputs
// are not read.
struct StagePair {
  std::size_t producer = 0;
  std::optional<std::size_t> consumer;
  std::size_t interface = 0;  // position in GroupShape::interfaces
};

// Everything that is connected by stage pairs.
struct SharedInterface {
  std::vector<std::size_t> producers, consumers;  // modules, ascending
  bool ends_here = false;                         // some pipeline does, behind one of the producers
  std::set<std::pair<std::size_t, std::size_t>> pairs;
};

struct GroupShape {
  std::vector<SharedInterface> interfaces;        // by stage of the first producer
  std::vector<std::vector<StagePair>> pipelines;  // in pipeline order; empty for pipelines that take no part
  std::set<std::size_t> open_ended;               // modules whose next stage some pipeline does not say
  std::set<std::size_t> open_started;             // modules whose stage in front some pipeline does not say
};

// `pipelines`: the modules of each pipeline in pipeline order; an empty list takes no part.
GroupShape shape_of(const link::GroupInput& group, const std::vector<std::vector<std::size_t>>& pipelines);

}  // namespace varylink::driver
