#include "share/shared_link.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>

#include "base/sha256.h"

namespace varylink::share {

SharedLink::SharedLink(SharedRequest request, const link::LinkOptions& options, ModuleStore& store,
                       LinkGroup link_group, driver::Goals goals, Judge judge)
    : request_(std::move(request)),
      options_(options),
      store_(store),
      link_group_(std::move(link_group)),
      goals_(goals),
      judge_(std::move(judge)),
      members_(request_.invariance_groups.size()) {
  for (std::size_t group = 0; group < members_.size(); ++group)
    for (const std::string& name : request_.invariance_groups[group]) groups_of_name_[name].insert(group);
}

// Modules are the same if their words, stage and entry point are, whatever their files are called.
void SharedLink::add(const link::PipelineInput* input) {
  inputs_.push_back(input);
  link::GroupPipeline& pipeline = pipelines_.emplace_back();
  if (input == nullptr) return;
  pipeline.name = input->name;
  if (const auto found = groups_of_name_.find(input->name); found != groups_of_name_.end())
    for (const std::size_t group : found->second) members_[group].push_back(inputs_.size() - 1);
  pipeline.state = input->state;
  pipeline.layout = input->layout;
  for (const link::StageInput& stage : input->stages) {
    const auto identity = std::tuple(stage.stage, stage.entry_point, content_hash(stage.words));
    const auto [place, is_new] = known_.emplace(identity, known_.size());
    pipeline.modules.push_back(place->second);
    if (!is_new) continue;
    store_.keep(place->second, stage.words);
    sizes_.push_back(stage.words.size());
  }
}

std::vector<Cluster> SharedLink::groups() const {
  if (request_.sharing == Sharing::specialize) return equal_pipelines(pipelines_);
  if (request_.sharing != Sharing::none) return connected_pipelines(pipelines_);
  std::vector<Cluster> single;
  for (std::size_t i = 0; i < pipelines_.size(); ++i) single.push_back({i});
  return single;
}

std::vector<Bundle> SharedLink::bundles() const {
  std::vector<Cluster> groups = this->groups();
  std::vector<std::size_t> group_of(inputs_.size());
  for (std::size_t i = 0; i < groups.size(); ++i)
    for (const std::size_t pipeline : groups[i]) group_of[pipeline] = i;
  std::vector<std::vector<std::size_t>> together;  // groups, by invariance group
  for (const Cluster& members : members_) {
    std::vector<std::size_t>& set = together.emplace_back();
    for (const std::size_t member : members) set.push_back(group_of[member]);
  }
  std::vector<Bundle> bundles;
  for (const Cluster& connected : connected_by(groups.size(), together)) {
    Bundle& bundle = bundles.emplace_back();
    for (const std::size_t group : connected) bundle.push_back(std::move(groups[group]));
  }
  return bundles;
}

std::uint64_t SharedLink::words_of(const Bundle& bundle) const {
  std::set<std::size_t> modules;
  for (const Cluster& group : bundle)
    for (const std::size_t pipeline : group)
      modules.insert(pipelines_[pipeline].modules.begin(), pipelines_[pipeline].modules.end());
  return std::accumulate(modules.begin(), modules.end(), std::uint64_t{0},
                         [&](std::uint64_t sum, std::size_t module) { return sum + sizes_[module]; });
}

SharedLink::Group SharedLink::group_of(const Cluster& cluster) const {
  Group group;
  std::map<std::size_t, std::size_t> modules;  // module -> position in the group
  // Modules, state and layout of a pipeline -> its position in the group.
  std::map<std::tuple<std::vector<std::size_t>, state::PipelineState, std::string>, std::size_t> same;
  for (const std::size_t index : cluster) {
    link::GroupPipeline pipeline{pipelines_[index].name, {}, pipelines_[index].state, pipelines_[index].layout};
    for (std::size_t i = 0; i < pipelines_[index].modules.size(); ++i) {
      const auto [place, is_new] = modules.emplace(pipelines_[index].modules[i], group.input.modules.size());
      if (is_new) {
        link::StageInput& module = group.input.modules.emplace_back(inputs_[index]->stages[i]);
        module.words = store_.words(pipelines_[index].modules[i]);
      }
      pipeline.modules.push_back(place->second);
    }
    const auto [place, is_new] = same.emplace(std::tuple(pipeline.modules, pipeline.state, link::text(pipeline.layout)),
                                              group.input.pipelines.size());
    group.places.push_back(place->second);
    if (is_new) group.input.pipelines.push_back(std::move(pipeline));
  }
  return group;
}

link::PipelineInput SharedLink::with_words(std::size_t pipeline) const {
  link::PipelineInput input = *inputs_[pipeline];
  for (std::size_t i = 0; i < input.stages.size(); ++i)
    input.stages[i].words = store_.words(pipelines_[pipeline].modules[i]);
  return input;
}

LinkedCluster SharedLink::link_together(const Cluster& cluster, const link::LinkOptions& options) const {
  Group group = group_of(cluster);
  LinkedCluster result{cluster, std::move(group.places), {}, {}};
  result.linked = link_group_(group.input, options, &result.key);
  return result;
}

LinkedCluster SharedLink::link_to_goals(const Cluster& cluster) const {
  LinkedCluster linked;
  driver::try_until_reached(driver::attempts(options_, goals_),
                            [&](const driver::Attempt& attempt, driver::Goals wanted) {
                              linked = link_together(cluster, attempt.options);
                              return judge(linked, {&attempt, wanted});
                            });
  return linked;
}

// Those that any pipeline of the cluster misses.
driver::Goals SharedLink::judge(const LinkedCluster& linked, const Trial& trial) const {
  driver::Goals missed = 0;
  for (std::size_t i = 0; i < linked.cluster.size(); ++i) missed |= judge_(linked.cluster[i], linked.of(i), trial);
  return missed;
}

void SharedLink::link(const Bundle& bundle, const Take& take) const {
  std::vector<LinkedCluster> linked;
  for (const Cluster& group : bundle) {
    if (inputs_[group.front()] == nullptr) continue;
    if (request_.sharing == Sharing::cluster)
      link_clusters(group, linked);
    else
      linked.push_back(link_to_goals(group));
  }
  const Notes notes = request_.invariance_groups.empty() ? Notes() : keep_positions(linked);
  for (const LinkedCluster& each : linked)
    for (std::size_t i = 0; i < each.cluster.size(); ++i) {
      link::LinkedPipeline pipeline = each.of(i);
      if (const auto found = notes.find(each.cluster[i]); found != notes.end()) {
        const auto& [remarks, warnings] = found->second;
        pipeline.remarks.insert(pipeline.remarks.end(), remarks.begin(), remarks.end());
        pipeline.diagnostics.insert(pipeline.diagnostics.end(), warnings.begin(), warnings.end());
      }
      take(each.cluster[i], std::move(pipeline), each.key);
    }
}

// Passes through as they came the pipelines of invariance groups whose position code linking changed in different
// ways. A pipeline that was passed through for one group may be in another one, so all are looked at again.
SharedLink::Notes SharedLink::keep_positions(std::vector<LinkedCluster>& linked) const {
  const MemberPlaces places = places_of(linked);
  std::map<std::size_t, InvarianceVerdict> verdicts, passed_through;  // by group
  for (std::size_t group = 0; group < members_.size(); ++group)
    if (!members_[group].empty() && places.count(members_[group].front()) != 0) verdicts[group];
  for (bool again = true; again;) {
    again = false;
    for (auto& [group, verdict] : verdicts) {
      verdict = compare(members_[group], linked, places);
      if (verdict.kind != InvarianceVerdict::Kind::changed || passed_through.count(group) != 0) continue;
      passed_through[group] = verdict;
      again = true;
      for (const std::size_t member : members_[group]) hand_back(linked[places.at(member).cluster]);
    }
  }
  Notes notes;
  for (const auto& [group, verdict] : verdicts) {
    const auto back = passed_through.find(group);
    note(notes, group, verdict, back == passed_through.end() ? nullptr : &back->second);
  }
  return notes;
}

SharedLink::MemberPlaces SharedLink::places_of(const std::vector<LinkedCluster>& linked) {
  MemberPlaces places;
  for (std::size_t cluster = 0; cluster < linked.size(); ++cluster)
    for (std::size_t i = 0; i < linked[cluster].cluster.size(); ++i) places[linked[cluster].cluster[i]] = {cluster, i};
  return places;
}

void SharedLink::hand_back(LinkedCluster& linked) const {
  if (linked.passed_through) return;
  link::LinkOptions options = options_;
  options.level = link::Level::check;
  linked = link_together(linked.cluster, options);
  linked.passed_through = true;
  judge(linked, {});
}

InvarianceVerdict SharedLink::compare(const Cluster& members, const std::vector<LinkedCluster>& linked,
                                      const MemberPlaces& places) const {
  std::vector<link::PipelineInput> inputs;
  inputs.reserve(members.size());
  std::vector<InvarianceMember> list;
  for (const std::size_t pipeline : members) {
    const MemberPlace place = places.at(pipeline);
    const LinkedCluster& each = linked[place.cluster];
    inputs.push_back(with_words(pipeline));
    list.push_back({pipelines_[pipeline].name, &inputs.back(), &each.of(place.member)});
  }
  return compare_positions(list, options_.validator, options_.valid_words);
}

// `reason` is why the group was passed through, nullptr if it was not.
void SharedLink::note(Notes& notes, std::size_t group, const InvarianceVerdict& verdict,
                      const InvarianceVerdict* reason) const {
  std::string list;
  for (const std::string& name : request_.invariance_groups[group]) list += (list.empty() ? "" : ", ") + name;
  for (const std::size_t member : members_[group]) {
    auto& [remarks, warnings] = notes[member];
    if (verdict.kind != InvarianceVerdict::Kind::kept)
      warnings.push_back(make_warning("", "positions are not kept equal (" + list + "): " + verdict.reason));
    else if (reason)
      warnings.push_back(make_warning("", reason->reason + "; the pipelines are passed through as they came"));
    else
      remarks.push_back({"invariance-group", "vert", "the position code is the same in " + list});
  }
}

AloneResult SharedLink::link_alone(std::size_t index) const {
  AloneResult result;
  const link::LinkedGroup linked = link_together({index}, options_).linked;
  const link::LinkedPipeline& pipeline = linked.pipelines.front();
  const auto module_of = [&](Stage stage) {
    const auto& stages = inputs_[index]->stages;
    const auto found = std::find_if(stages.begin(), stages.end(), [&](const auto& s) { return s.stage == stage; });
    return pipelines_[index].modules[static_cast<std::size_t>(found - stages.begin())];
  };
  for (const link::StageOutput& stage : pipeline.stages)
    result.result[module_of(stage.stage)] = content_hash(stage.words);
  for (const link::InterfaceReport& interface : pipeline.interfaces) {
    Places& kept = result.kept[module_of(interface.producer)];
    for (const link::ComponentRecord& record : interface.components) {
      const std::size_t place = record.old_slot.location * 4 + record.old_slot.component;
      if (record.outcome == link::Outcome::kept && place < kept.size()) kept.set(place);
    }
  }
  return result;
}

void SharedLink::link_clusters(const Cluster& group, std::vector<LinkedCluster>& linked) const {
  std::vector<link::GroupPipeline> pipelines;
  for (const std::size_t index : group) pipelines.push_back(pipelines_[index]);
  std::vector<AloneResult> alone(group.size());
  for (const Cluster& equals : equal_pipelines(pipelines)) {
    const AloneResult result = link_alone(group[equals.front()]);
    for (const std::size_t position : equals) alone[position] = result;
  }
  for (const Cluster& local : clusters_of_few_variants(pipelines, alone, request_.max_variants)) {
    Cluster cluster;
    for (const std::size_t position : local) cluster.push_back(group[position]);
    linked.push_back(link_to_goals(cluster));
  }
}

}  // namespace varylink::share
