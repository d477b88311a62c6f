#include "passes/packing/bins.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace varylink::passes {
namespace {

using varyings::Slot;
using Form = varyings::Varying::Form;
using Items = PlacedItems;

// Items that should stay neighbours: scalars that shared a location and a key before.
struct Group {
  Items items;
  std::uint32_t size = 0;
};

std::vector<Group> groups_of(const Items& items) {
  std::vector<Group> groups;
  for (const PlacementItem* item : items) {
    const bool joins = !groups.empty() && groups.back().items.back()->slot.location == item->slot.location &&
                       groups.back().items.back()->relaxed == item->relaxed &&
                       groups.back().size + item->components <= kComponents;
    if (!joins) groups.emplace_back();
    groups.back().items.push_back(item);
    groups.back().size += item->components;
  }
  return groups;
}

// Puts each group into the first bin that has room for it. Bins only ever get fuller, so that for a size the search
// goes on where it found one before.
class FirstFit {
 public:
  explicit FirstFit(std::vector<Bin> bins) : bins_(std::move(bins)) {}

  void add(const Group& group) {
    std::size_t& bin = first_[group.size];
    while (bin < bins_.size() && bins_[bin].used + group.size > kComponents) ++bin;
    if (bin == bins_.size()) bins_.emplace_back();
    bins_[bin].items.insert(bins_[bin].items.end(), group.items.begin(), group.items.end());
    bins_[bin].used += group.size;
  }

  std::vector<Bin> take() { return std::move(bins_); }

 private:
  std::vector<Bin> bins_;
  std::map<std::uint32_t, std::size_t> first_;  // by size
};

// First fit, largest group first, behind what the bins hold already.
std::vector<Bin> fit_groups(std::vector<Group> groups, std::vector<Bin> bins) {
  std::stable_sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) { return a.size > b.size; });
  FirstFit fit(std::move(bins));
  for (const Group& group : groups) fit.add(group);
  return fit.take();
}

// First fit of single items, vectors that stay one variable in front: with sizes from 1 to 4 in bins of 4 nothing needs
// fewer bins. (A 3 takes a bin that only a 1 can join, 2s pair up, and 1s fill whatever is left.)
std::vector<Bin> fit_items(Items items, std::vector<Bin> bins) {
  std::stable_sort(items.begin(), items.end(), [](const auto* a, const auto* b) {
    const bool scalar_a = a->form == Form::scalar, scalar_b = b->form == Form::scalar;
    return scalar_a != scalar_b ? scalar_b
                                : std::tuple(b->components, a->relaxed) < std::tuple(a->components, b->relaxed);
  });
  FirstFit fit(std::move(bins));
  for (const PlacementItem* item : items) fit.add({{item}, item->components});
  return fit.take();
}

// Items of one key that should share a bin, and what it costs if they do not.
struct Bundle {
  Items items;
  std::uint32_t weight = 1;
  bool is_alone = false;  // in its bin
};

// The vectors of the options as far as their items are among these, then what was together in a location; the heaviest
// first, of these the largest.
std::vector<Bundle> bundles_of(const Items& items, const PlacementOptions& options) {
  std::map<Slot, const PlacementItem*> by_slot;
  for (const PlacementItem* item : items) by_slot.emplace(item->slot, item);
  std::vector<Bundle> bundles;
  for (const PlacementVector& vector : options.vectors) {
    Bundle bundle{{}, vector.weight, vector.is_coordinate && options.coordinates_alone};
    for (const Slot slot : vector.slots)
      if (const auto found = by_slot.find(slot); found != by_slot.end()) bundle.items.push_back(found->second);
    if (bundle.items.size() > 1) bundles.push_back(std::move(bundle));
  }
  for (const Group& group : groups_of(items)) bundles.push_back({group.items, 1, false});
  std::stable_sort(bundles.begin(), bundles.end(), [](const Bundle& a, const Bundle& b) {
    return std::pair(b.weight, b.items.size()) < std::pair(a.weight, a.items.size());
  });
  return bundles;
}

// Cost of bundles that are divided between bins.
std::uint32_t division_cost(const std::vector<Bin>& bins, const std::vector<Bundle>& bundles) {
  std::map<const PlacementItem*, std::size_t> bin_of;
  for (std::size_t i = 0; i < bins.size(); ++i)
    for (const PlacementItem* item : bins[i].items) bin_of.emplace(item, i);
  std::uint32_t cost = 0;
  for (const Bundle& bundle : bundles) {
    std::set<std::size_t> used;
    for (const PlacementItem* item : bundle.items) used.insert(bin_of.at(item));
    cost += bundle.weight * static_cast<std::uint32_t>(used.size() - 1);
  }
  return cost;
}

// Puts bundles whole into a given number of bins, those with the largest weight first, and divides what then fits
// nowhere.
class BundleFitter {
 public:
  BundleFitter(std::vector<Bin> holes, std::size_t new_bins) : bins_(std::move(holes)) {
    bins_.resize(bins_.size() + new_bins);
    pieces_.resize(bins_.size());
  }

  // None if a vector that stays one variable, or has to be alone, does not fit any more.
  std::optional<std::vector<Bin>> run(const std::vector<Bundle>& bundles) {
    std::vector<Items> divided;
    for (const Bundle& bundle : bundles) {
      Items items = not_placed(bundle.items);
      if (items.empty()) continue;
      const std::uint32_t size = bundle.is_alone ? kComponents : size_of(items);
      if (const std::size_t bin = tightest(size); bin < bins_.size())
        put(std::move(items), bin, size);
      else if (bundle.is_alone)
        return std::nullopt;
      else
        divided.push_back(std::move(items));
    }
    for (const Items& items : divided)
      if (!divide(items)) return std::nullopt;
    return take();
  }

 private:
  static std::uint32_t size_of(const Items& items) {
    std::uint32_t size = 0;
    for (const PlacementItem* item : items) size += item->components;
    return size;
  }

  Items not_placed(const Items& items) const {
    Items left;
    for (const PlacementItem* item : items)
      if (placed_.count(item) == 0) left.push_back(item);
    return left;
  }

  std::uint32_t free_in(std::size_t bin) const { return kComponents - bins_[bin].used; }

  // The bin with the least room that has that much; the number of bins if there is none.
  std::size_t tightest(std::uint32_t size) const {
    std::size_t best = bins_.size();
    for (std::size_t i = 0; i < bins_.size(); ++i)
      if (free_in(i) >= size && (best == bins_.size() || free_in(i) < free_in(best))) best = i;
    return best;
  }

  // `size`: room that they take.
  void put(Items items, std::size_t bin, std::uint32_t size) {
    placed_.insert(items.begin(), items.end());
    bins_[bin].used += size;
    pieces_[bin].push_back(std::move(items));
  }

  // As much as fits into the bin with the most room, again and again.
  bool divide(Items items) {
    items = not_placed(items);
    while (!items.empty()) {
      if (bins_.empty()) return false;
      std::size_t roomiest = 0;
      for (std::size_t i = 1; i < bins_.size(); ++i)
        if (free_in(i) > free_in(roomiest)) roomiest = i;
      std::size_t count = 0;
      for (std::uint32_t size = 0; count < items.size(); ++count)
        if ((size += items[count]->components) > free_in(roomiest)) break;
      if (count == 0) return false;
      const auto end = items.begin() + static_cast<std::ptrdiff_t>(count);
      put(Items(items.begin(), end), roomiest, size_of(Items(items.begin(), end)));
      items.erase(items.begin(), end);
    }
    return true;
  }

  // The largest pieces stand in front, so that pairs begin at an even component.
  std::vector<Bin> take() {
    for (std::size_t i = 0; i < bins_.size(); ++i) {
      std::stable_sort(pieces_[i].begin(), pieces_[i].end(),
                       [](const Items& a, const Items& b) { return size_of(a) > size_of(b); });
      for (const Items& items : pieces_[i]) bins_[i].items.insert(bins_[i].items.end(), items.begin(), items.end());
    }
    return std::move(bins_);
  }

  std::vector<Bin> bins_;
  std::vector<std::vector<Items>> pieces_;  // by bin
  std::set<const PlacementItem*> placed_;
};

}  // namespace

std::size_t new_bins(const std::vector<Bin>& bins) {
  return static_cast<std::size_t>(std::count_if(bins.begin(), bins.end(), [](const Bin& bin) { return bin.is_new(); }));
}

namespace {

// In as few bins as no bundle is divided for.
std::optional<std::vector<Bin>> whole_bundles(const std::vector<Bundle>& bundles, const std::vector<Bin>& holes,
                                              std::size_t fewest, std::size_t most) {
  for (std::size_t count = fewest; count <= most; ++count) {
    std::optional<std::vector<Bin>> bins = BundleFitter(holes, count).run(bundles);
    if (bins && division_cost(*bins, bundles) == 0) return bins;
  }
  return std::nullopt;
}

}  // namespace

std::vector<Bin> bins_of(const Items& items, const std::vector<Bin>& holes, const PlacementOptions& options) {
  const std::vector<Group> groups = groups_of(items);
  std::vector<Bin> best = options.keep_together ? fit_groups(groups, holes) : fit_items(items, holes);
  for (const std::vector<Bin>& start : {holes, std::vector<Bin>{}})
    if (std::vector<Bin> bins = fit_groups(groups, start); new_bins(bins) <= new_bins(best)) best = std::move(bins);
  const std::vector<Bundle> bundles = bundles_of(items, options);
  const std::size_t count = new_bins(best);
  if (options.never_divide)
    if (auto bins = whole_bundles(bundles, holes, count, items.size())) return std::move(*bins);
  for (const std::vector<Bin>& start : {std::vector<Bin>{}, holes}) {
    const std::uint32_t cost = division_cost(best, bundles);
    if (cost == 0 || options.keep_together) break;
    std::optional<std::vector<Bin>> bins = BundleFitter(start, count).run(bundles);
    if (bins && division_cost(*bins, bundles) < cost) best = std::move(*bins);
  }
  return best;
}

}  // namespace varylink::passes
