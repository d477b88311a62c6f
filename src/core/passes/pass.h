// The interface of a pass. tests/unit/core/passes/first_pass_test.cpp is one to copy.
//
// A pass is a free function over one Link. It plans first (reading only), then applies its plan, asking for fuel before
// each rewrite. It returns the sides that it changed; run_pass() verifies that.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "link/model/link.h"
#include "link/model/pipeline.h"
#include "link/values/read_producers.h"

namespace varylink::passes {

enum class Progress : std::uint8_t { none = 0, producer = 1, consumer = 2, both = 3 };

inline Progress operator|(Progress a, Progress b) {
  return static_cast<Progress>(static_cast<std::uint8_t>(a) | static_cast<std::uint8_t>(b));
}
inline bool touches(Progress progress, Progress side) {
  return (static_cast<std::uint8_t>(progress) & static_cast<std::uint8_t>(side)) != 0;
}

struct PassInfo;

class PassContext {
 public:
  explicit PassContext(const link::LinkOptions& options) : options_(options), fuel_(options.fuel) {}

  const link::LinkOptions& options() const { return options_; }

  // A copy with other options, which must outlive it: the remaining fuel is kept, the memory of idle passes is not.
  PassContext with_options(const link::LinkOptions& options) const {
    PassContext context(options);
    context.fuel_ = fuel_;
    return context;
  }

  // A copy for another level, with options that differ in nothing else: the memory of idle passes of -O1 is kept.
  PassContext with_level_of(const link::LinkOptions& options) const;

  // Spends fuel for one rewrite; false if none is left. Every rewrite asks, so that `--fuel N` finds a bad one by
  // bisection.
  bool spend_fuel() {
    if (!fuel_) return true;
    if (*fuel_ == 0) return false;
    --*fuel_;
    return true;
  }

  // The producers of the link as they are, as one pass may use them: the next one that asks takes its additions away.
  link::ReadProducers& producers_of(const link::Link& link);

  // Memory of idle passes: a pass that changed nothing would change nothing again, while stages and fuel are the same.
  void note_nothing_found(const PassInfo& pass, const link::Link& link);
  bool found_nothing_before(const PassInfo& pass, const link::Link& link) const;

 private:
  struct State {
    std::vector<std::uint64_t> revisions;  // of the producers, then of the consumers
    std::optional<std::uint64_t> fuel;
    friend bool operator==(const State&, const State&) = default;
  };
  State state_of(const link::Link& link) const;

  // Not copied: stages may be put back to what they were, and then are at other places in memory.
  struct Readings {
    Readings() = default;
    Readings(const Readings&) {}
    Readings& operator=(const Readings&) { return by_link.clear(), *this; }
    std::map<const link::Link*, std::unique_ptr<link::ReadProducers>> by_link;
  };

  const link::LinkOptions& options_;
  std::optional<std::uint64_t> fuel_;
  std::map<std::pair<const PassInfo*, const link::Link*>, State> nothing_found_;  // in this state
  Readings readings_;
};

// Held by the stages on both sides when a pass runs, but for those that stay as they came, and when it is done.
inline constexpr link::Properties kPassNeeds = {link::Property::volatile_explicit, link::Property::no_initializers,
                                                link::Property::calls_inlined, link::Property::locals_in_ssa,
                                                link::Property::io_scalarized};

using PassFunction = Result<Progress> (*)(link::Link&, PassContext&);

struct PassInfo {
  std::string_view name;  // as in --passes
  PassFunction run;
  std::string_view summary;      // one line for --help-passes
  link::Level level;             // lowest level that runs it
  link::Properties breaks = {};  // of consumers that it changes
  bool places = false;           // runs once, after the fixed point
  std::uint8_t phase = 0;        // runs when a round of all lower phases changed nothing
  bool only_removes = false;     // no stage does more than before
  bool takes_sets = false;  // also works on interfaces with several producers or consumers; else it is not run there
  std::string_view former_name = {};  // which find_pass() takes, too, until version 0.2; empty: none
};

// All passes in the order in which they run.
std::span<const PassInfo> registry();
// The pass with this name or former name, nullptr if there is none.
const PassInfo* find_pass(std::string_view name);

// Whether the pass of this name runs with these options: their list names it or, without one, their level has it.
bool is_chosen(const link::LinkOptions& options, std::string_view name);

// Runs one pass on one interface, then clean-up of the changed sides, dump, validation, and the check that it changed
// exactly the sides it returned. The only caller of passes. Error: ErrorKind::verification_failed, naming the pass.
Result<Progress> run_pass(const PassInfo& pass, link::Link& link, PassContext& context);

}  // namespace varylink::passes
