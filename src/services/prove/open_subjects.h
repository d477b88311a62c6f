// Subjects that several attempts at one proof leave open together. Each attempt is right by itself, so that a subject
// that one of them shows is shown; but only subjects to which all of them give the same name can be combined.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "prove/prove.h"

namespace varylink::prove {

// Results that the outside sees, by stage and name. The names of two attempts mean the same if both have the same
// names: an attempt that knows of a branch that it is never taken may count the vertices behind it otherwise.
using Subjects = std::set<std::pair<Stage, std::string>>;

class OpenSubjects {
 public:
  void add(const Subjects& subjects, const std::vector<Finding>& findings);

  // Nothing is open. False as long as there was no attempt.
  bool none() const { return subjects_ && values_.empty() && !reads_; }
  bool has(const Finding& finding) const;

 private:
  std::optional<Subjects> subjects_;  // of the first attempt
  Subjects values_;
  bool reads_ = false;  // names of reads are terms, which attempts build differently: they are shown all at once
};

}  // namespace varylink::prove
