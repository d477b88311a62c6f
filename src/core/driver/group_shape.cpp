#include "driver/group_shape.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace varylink::driver {
namespace {

// Disjoint sets of what modules write (2 * module) and what they read (2 * module + 1).
class Sides {
 public:
  explicit Sides(std::size_t modules) : parent_(2 * modules) { std::iota(parent_.begin(), parent_.end(), 0); }
  static std::size_t outputs(std::size_t module) { return 2 * module; }
  static std::size_t inputs(std::size_t module) { return 2 * module + 1; }

  std::size_t root(std::size_t side) {
    while (parent_[side] != side) side = parent_[side] = parent_[parent_[side]];
    return side;
  }
  void join(std::size_t a, std::size_t b) {
    const std::size_t one = root(a), other = root(b);
    parent_[std::max(one, other)] = std::min(one, other);
  }

 private:
  std::vector<std::size_t> parent_;
};

bool may_be_first(Stage stage) { return stage == Stage::vertex || stage == Stage::task || stage == Stage::mesh; }

std::vector<StagePair> stage_pairs_of(const link::GroupInput& group, const link::GroupPipeline& pipeline,
                                      const std::vector<std::size_t>& modules, GroupShape& shape) {
  std::vector<StagePair> stage_pairs;
  if (!modules.empty() && !may_be_first(group.modules[modules.front()].stage))
    shape.open_started.insert(modules.front());
  for (std::size_t i = 0; i < modules.size(); ++i) {
    const Stage stage = group.modules[modules[i]].stage;
    const bool last = i + 1 == modules.size();
    if (last && (stage == Stage::fragment || stage == Stage::task)) continue;
    // A pipeline whose last stage is missing is not a pipeline without a fragment shader unless the caller says so.
    if (last && !pipeline.state.no_fragment)
      shape.open_ended.insert(modules[i]);
    else
      stage_pairs.push_back({modules[i], last ? std::nullopt : std::optional(modules[i + 1]), 0});
  }
  return stage_pairs;
}

void insert_sorted(std::vector<std::size_t>& list, std::size_t value) {
  const auto place = std::lower_bound(list.begin(), list.end(), value);
  if (place == list.end() || *place != value) list.insert(place, value);
}

std::map<std::size_t, SharedInterface> interfaces_of(const GroupShape& shape, Sides& sides) {
  std::map<std::size_t, SharedInterface> by_root;
  for (const std::vector<StagePair>& pipeline : shape.pipelines)
    for (const StagePair& stage_pair : pipeline) {
      SharedInterface& interface = by_root[sides.root(Sides::outputs(stage_pair.producer))];
      insert_sorted(interface.producers, stage_pair.producer);
      interface.ends_here = interface.ends_here || !stage_pair.consumer;
      if (!stage_pair.consumer) continue;
      insert_sorted(interface.consumers, *stage_pair.consumer);
      interface.pairs.emplace(stage_pair.producer, *stage_pair.consumer);
    }
  return by_root;
}

}  // namespace

GroupShape shape_of(const link::GroupInput& group, const std::vector<std::vector<std::size_t>>& pipelines) {
  GroupShape shape;
  Sides sides(group.modules.size());
  for (std::size_t i = 0; i < pipelines.size(); ++i) {
    shape.pipelines.push_back(stage_pairs_of(group, group.pipelines[i], pipelines[i], shape));
    for (const StagePair& stage_pair : shape.pipelines.back())
      if (stage_pair.consumer) sides.join(Sides::outputs(stage_pair.producer), Sides::inputs(*stage_pair.consumer));
  }
  std::vector<std::pair<std::size_t, SharedInterface>> list;
  for (auto& [root, interface] : interfaces_of(shape, sides)) list.emplace_back(root, std::move(interface));
  std::stable_sort(list.begin(), list.end(), [&](const auto& a, const auto& b) {
    return group.modules[a.second.producers.front()].stage < group.modules[b.second.producers.front()].stage;
  });
  std::map<std::size_t, std::size_t> position;
  for (auto& [root, interface] : list) {
    position[root] = shape.interfaces.size();
    shape.interfaces.push_back(std::move(interface));
  }
  for (std::vector<StagePair>& pipeline : shape.pipelines)
    for (StagePair& stage_pair : pipeline)
      stage_pair.interface = position.at(sides.root(Sides::outputs(stage_pair.producer)));
  return shape;
}

}  // namespace varylink::driver
