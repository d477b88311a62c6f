// What the generator can put into a pipeline, each with a probability that the command line can set.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/random.h"

namespace varylink::fuzz {

struct FeatureInfo {
  std::string_view name;
  double weight;  // default probability of each opportunity
  std::string_view help;
};

// All features, in the order of the help text.
const std::vector<FeatureInfo>& feature_table();

// The weights of one run, and which features one pipeline really used.
class Features {
 public:
  Features();

  // False if there is no feature of that name.
  bool set_weight(std::string_view name, double weight);

  // Draws whether to use the feature here, and remembers it if so. `name` must be in the table.
  bool roll(Random& random, std::string_view name);

  // As roll(), without remembering: for a decision that is only made good later.
  bool would(Random& random, std::string_view name) const;
  void mark(std::string_view name) { used_.insert(std::string(name)); }

  void clear_used() { used_.clear(); }
  std::vector<std::string> used() const { return {used_.begin(), used_.end()}; }

 private:
  std::map<std::string, double, std::less<>> weights_;
  std::set<std::string> used_;
};

}  // namespace varylink::fuzz
