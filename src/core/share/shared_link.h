// Pipelines that share modules: decides which are linked together, and links them. The caller, with pipelines in memory
// or in files, adds them one by one and then links bundle after bundle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "driver/attempts.h"
#include "link/model/group.h"
#include "share/clusters.h"
#include "share/few_variants.h"
#include "share/invariance_groups.h"

namespace varylink::share {

// Policies for modules that several pipelines use.
enum class Sharing : std::uint8_t {
  none,        // every pipeline has results of its own
  specialize,  // every pipeline is linked alone, equal results are one
  together,    // every module stays one module
  cluster,     // at most so many variants of a module
};

struct SharedRequest {
  Sharing sharing = Sharing::none;
  std::size_t max_variants = 2;                             // of a module, with Sharing::cluster
  std::vector<std::vector<std::string>> invariance_groups;  // names of pipelines whose positions stay the same
};

// Storage of the modules' words while they are not in use. Modules are numbered in the order in which they come.
class ModuleStore {
 public:
  virtual ~ModuleStore() = default;
  virtual void keep(std::size_t module, const std::vector<std::uint32_t>& words) = 0;
  // Asked from any number of threads.
  virtual std::vector<std::uint32_t> words(std::size_t module) const = 0;
};

// Groups with a say in each other's results: pipelines of one invariance group are among them.
using Bundle = std::vector<Cluster>;

// Pipelines that were linked together.
struct LinkedCluster {
  Cluster cluster;
  std::vector<std::size_t> places;  // by member of the cluster: its result in `linked`, which equal members share
  std::string key;                  // that equal groups share
  link::LinkedGroup linked;
  bool passed_through = false;  // as it came, for the sake of an invariance group

  const link::LinkedPipeline& of(std::size_t member) const { return linked.pipelines[places[member]]; }
};

class SharedLink {
 public:
  // Links a group, asked from any number of threads; `key`, if it is not null, gets a key that equal groups share.
  using LinkGroup =
      std::function<link::LinkedGroup(const link::GroupInput&, const link::LinkOptions&, std::string* key)>;
  // The attempt that a result is of, and the goals that it is made for; without an attempt the result is as it came,
  // for the sake of an invariance group.
  struct Trial {
    const driver::Attempt* attempt = nullptr;
    driver::Goals wanted = 0;
  };
  // The goals that the result of a pipeline misses, asked from any number of threads. The last answer counts.
  using Judge = std::function<driver::Goals(std::size_t pipeline, const link::LinkedPipeline&, const Trial&)>;
  // A pipeline of a bundle with its result, and the key of the group that it was linked in.
  using Take = std::function<void(std::size_t pipeline, link::LinkedPipeline&&, const std::string& key)>;

  // `options` and `store` must outlive the object. Pipelines that are linked together are so in one way after the other
  // (driver::attempts) until none of them misses one of the goals.
  SharedLink(SharedRequest request, const link::LinkOptions& options, ModuleStore& store, LinkGroup link_group,
             driver::Goals goals, Judge judge);

  // The next pipeline; nullptr: it could not be read and is never linked. The input, but not its words, must live
  // until its bundle is linked.
  void add(const link::PipelineInput* input);

  // All pipelines, in bundles that are linked at one time. Pipelines that could not be read are in bundles of their
  // own.
  std::vector<Bundle> bundles() const;
  // Of a stage of a pipeline that was added, by its number in the input.
  std::vector<std::uint32_t> words(std::size_t pipeline, std::size_t stage) const {
    return store_.words(pipelines_[pipeline].modules[stage]);
  }
  // Size of the bundle, in words of its distinct modules.
  std::uint64_t words_of(const Bundle& bundle) const;
  // Each pipeline of the bundle that could be read goes to `take`. Bundles may be linked at the same time.
  void link(const Bundle& bundle, const Take& take) const;
  // The input of a group; what link() hands to LinkGroup unless clusters are to be found.
  link::GroupInput input_of(const Cluster& cluster) const { return group_of(cluster).input; }

 private:
  // Pipelines that are linked together. Equal pipelines are one pipeline of it.
  struct Group {
    link::GroupInput input;
    std::vector<std::size_t> places;  // by member of the cluster: its pipeline in `input`
  };
  // Remarks about a pipeline besides the result of linking.
  using Notes = std::map<std::size_t, std::pair<std::vector<link::Remark>, Diagnostics>>;

  // Where the result of a pipeline is: the linked cluster, and the pipeline's position in it.
  struct MemberPlace {
    std::size_t cluster = 0, member = 0;
  };
  using MemberPlaces = std::map<std::size_t, MemberPlace>;

  std::vector<Cluster> groups() const;
  Group group_of(const Cluster& cluster) const;
  link::PipelineInput with_words(std::size_t pipeline) const;
  LinkedCluster link_together(const Cluster& cluster, const link::LinkOptions& options) const;
  LinkedCluster link_to_goals(const Cluster& cluster) const;
  driver::Goals judge(const LinkedCluster& linked, const Trial& trial) const;
  AloneResult link_alone(std::size_t pipeline) const;
  void link_clusters(const Cluster& group, std::vector<LinkedCluster>& linked) const;
  Notes keep_positions(std::vector<LinkedCluster>& linked) const;
  void hand_back(LinkedCluster& linked) const;
  static MemberPlaces places_of(const std::vector<LinkedCluster>& linked);
  InvarianceVerdict compare(const Cluster& members, const std::vector<LinkedCluster>& linked,
                            const MemberPlaces& places) const;
  void note(Notes& notes, std::size_t group, const InvarianceVerdict& verdict, const InvarianceVerdict* reason) const;

  SharedRequest request_;
  const link::LinkOptions& options_;
  ModuleStore& store_;
  LinkGroup link_group_;
  driver::Goals goals_;
  Judge judge_;
  std::vector<const link::PipelineInput*> inputs_;                            // by pipeline; nullptr: could not be read
  std::vector<link::GroupPipeline> pipelines_;                                // with numbers of modules
  std::map<std::tuple<Stage, std::string, std::string>, std::size_t> known_;  // modules, numbered
  std::vector<std::size_t> sizes_;                                            // in words, by module
  std::map<std::string, std::set<std::size_t>> groups_of_name_;               // invariance groups
  std::vector<Cluster> members_;                                              // by invariance group
};

}  // namespace varylink::share
