#include "driver/attempts.h"

namespace varylink::driver {
namespace {

using link::Level;
using link::LinkOptions;

constexpr double kWhateverItCosts = 1e9;

// A varying is worth any amount of code.
void make_code_free(LinkOptions& options) {
  options.profile.uniform_limit = kWhateverItCosts;
  options.profile.fragments_per_vertex = kWhateverItCosts;
  for (analysis::ClassCost& each : options.profile.classes) each.cost = 0;
}

class List {
 public:
  explicit List(const LinkOptions& options) : options_(options), attempts_{{{}, options, 0}} {}

  // Each way does what those before it did.
  template <typename Change>
  void add(std::string name, Goals serves, Change change) {
    if (serves == 0) return;
    change(options_);
    attempts_.push_back({std::move(name), options_, serves});
  }
  void begin_again() { options_ = attempts_.front().options; }
  std::vector<Attempt> take() { return std::move(attempts_); }

 private:
  LinkOptions options_;
  std::vector<Attempt> attempts_;
};

std::string name_of(Level level) { return "-O" + std::to_string(static_cast<int>(level)); }

void add_harder(List& list, const LinkOptions& options) {
  const bool has_levels = options.passes.empty();
  if (has_levels && options.level < Level::motion)
    list.add(name_of(Level::motion), kFits, [](LinkOptions& each) { each.level = Level::motion; });
  if (!options.no_costlier_stage) list.add("code whatever it costs", kFits, make_code_free);
  if (has_levels && !options.moves_discontinuous())
    list.add(name_of(Level::discontinuous), kFits, [](LinkOptions& each) { each.level = Level::discontinuous; });
  if (!options.strip_unused_attributes)
    list.add("--strip-unused-attributes", kFits, [](LinkOptions& each) { each.strip_unused_attributes = true; });
  if (!options.pack_beside_arrays && !options.portable)
    list.add("--pack-beside-arrays", kFits, [](LinkOptions& each) { each.pack_beside_arrays = true; });
}

void add_gentler(List& list, const LinkOptions& options, Goals goals) {
  const Goals cheap = goals & kCheap, proved = goals & kProved;
  list.add("a quarter of the uniform expressions' limit", cheap,
           [](LinkOptions& each) { each.profile.uniform_limit /= 4; });
  list.add("no uniform expressions", cheap, [](LinkOptions& each) { each.profile.uniform_limit = 0; });
  for (auto level = static_cast<int>(options.level) - 1; level > static_cast<int>(Level::check); --level) {
    const bool is_exact = level == static_cast<int>(Level::exact);
    list.add(name_of(static_cast<Level>(level)), proved | (is_exact && options.passes.empty() ? cheap : 0),
             [&](LinkOptions& each) { each.level = static_cast<Level>(level); });
  }
  if (options.level == Level::check) return;
  list.add(name_of(Level::check), cheap | proved, [](LinkOptions& each) {
    each.level = Level::check;
    each.passes.clear();
  });
}

}  // namespace

std::vector<Attempt> attempts(const LinkOptions& options, Goals goals) {
  List list(options);
  if ((goals & kFits) != 0) add_harder(list, options);
  list.begin_again();
  add_gentler(list, options, goals);
  return list.take();
}

}  // namespace varylink::driver
