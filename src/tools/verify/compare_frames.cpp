#include "verify/compare_frames.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace varylink::verify {
namespace {

constexpr double kTiny = 1e-37;  // below the smallest normal float, with room: drivers may flush these to zero

// What rounding leaves where two interpolated values of about one cancel: a constant that is interpolated with
// perspective need not come out as itself.
constexpr double kCancelled = 0x1p-23;

bool listed(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

double number(std::uint32_t word, varyings::ScalarKind kind) {
  if (kind == varyings::ScalarKind::floating) return static_cast<double>(std::bit_cast<float>(word));
  if (kind == varyings::ScalarKind::sint) return static_cast<double>(static_cast<std::int32_t>(word));
  return static_cast<double>(word);
}

// Allowed distance between two floats; no distance is allowed between integers.
double allowed(double a, double b, const Tolerance& tolerance, double magnitude) {
  return tolerance.relative * std::max(std::fabs(a), std::fabs(b)) + tolerance.scale * magnitude;
}

// Both are zero for a device that flushes denormals and does not keep the sign of zero. The interpolation of an input
// promises neither (rules ), so this is no difference in meaning even where bits must be equal.
bool both_vanish(double a, double b) { return std::fabs(a) < kTiny && std::fabs(b) < kTiny; }

// The values that a component has in some pictures. NaN is none.
struct SeenValues {
  double low = INFINITY, high = -INFINITY;
  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  double range() const { return high - low; }
  bool has(double value, double slack) const { return value >= low - slack && value <= high + slack; }
};

class PlaneComparison {
 public:
  PlaneComparison(const Plane& original, const Plane& linked, const Tolerance& tolerance, bool has_discontinuities,
                  std::vector<const Plane*> forms, RunResult& result)
      : original_(original),
        linked_(linked),
        tolerance_(tolerance),
        has_discontinuities_(has_discontinuities),
        forms_(std::move(forms)),
        result_(result) {
    for (std::uint32_t i = 0; i < original.components; ++i) magnitudes_.push_back(median_magnitude(i));
    if (!tolerance.strict && has_discontinuities && !forms_.empty()) note_scatter();
  }

  void run() {
    const std::uint32_t pixels_before = result_.pixels;
    for (std::uint32_t pixel = 0; pixel < original_.pixel_count(); ++pixel) {
      if (original_.covered(pixel))
        ++result_.pixels;
      else if (linked_.covered(pixel))
        ++result_.added_pixels;
      compare_pixel(pixel);
    }
    const auto share = static_cast<std::uint32_t>(kScatteredShare * (result_.pixels - pixels_before));
    const std::uint32_t most = std::min(std::max(kScatteredPixels, share), scattered_by_forms_);
    if (unexplained_ + at_discontinuity_ <= most) {
      result_.unstable_pixels += unexplained_ + at_discontinuity_;
    } else {
      result_.beyond_tolerance += unexplained_;
      result_.at_discontinuity += at_discontinuity_;
    }
  }

 private:
  // How many pixels the forms of the original move out of the tolerance, and what values there are.
  void note_scatter() {
    seen_.resize(original_.components);
    note_values(original_);
    for (const Plane* form : forms_) {
      for (std::uint32_t pixel = 0; pixel < original_.pixel_count(); ++pixel)
        if (is_moved(*form, pixel)) ++scattered_by_forms_;
      note_values(*form);
    }
  }

  bool is_moved(const Plane& form, std::uint32_t pixel) const {
    for (std::uint32_t component = 0; component < original_.components; ++component) {
      const double a = number(word(original_, pixel, component), original_.kind);
      const double b = number(word(form, pixel, component), original_.kind);
      if (a != b && !(std::isnan(a) && std::isnan(b)) && !is_close(a, b, component)) return true;
    }
    return false;
  }

  void note_values(const Plane& plane) {
    for (std::uint32_t pixel = 0; pixel < plane.pixel_count(); ++pixel)
      for (std::uint32_t component = 0; plane.covered(pixel) && component < plane.components; ++component)
        seen_[component].add(number(word(plane, pixel, component), plane.kind));
  }

  std::uint32_t word(const Plane& plane, std::uint32_t pixel, std::uint32_t component) const {
    return plane.words[static_cast<std::size_t>(pixel) * plane.components + component];
  }

  double median_magnitude(std::uint32_t component) const {
    if (original_.kind != varyings::ScalarKind::floating) return 0;
    std::vector<double> values;
    for (std::uint32_t pixel = 0; pixel < original_.pixel_count(); ++pixel) {
      const double value = std::fabs(number(word(original_, pixel, component), original_.kind));
      if (original_.covered(pixel) && std::isfinite(value)) values.push_back(value);
    }
    if (values.empty()) return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
  }

  void compare_pixel(std::uint32_t pixel) {
    bool bits_differ = false, beyond = false, unstable = false, excused = true, has_nan = false;
    bool perhaps_scattered = !seen_.empty();
    for (std::uint32_t component = 0; component < original_.components; ++component) {
      const std::uint32_t before = word(original_, pixel, component), after = word(linked_, pixel, component);
      const double a = number(before, original_.kind), b = number(after, original_.kind);
      if (std::isnan(a) && std::isnan(b)) {
        has_nan = true;
        continue;
      }
      if (before == after) continue;
      bits_differ = true;
      if (is_close(a, b, component)) {
        note_distance(a, b);
        continue;
      }
      beyond = true;
      if (is_unstable(a, b, pixel, component)) {
        unstable = true;
        continue;
      }
      if (tolerance_.strict || !has_discontinuities_ || !original_explains(b, pixel, component)) {
        excused = false;
        perhaps_scattered = perhaps_scattered && seen_[component].has(b, seen_[component].range());
        note_distance(a, b);
      }
    }
    if (has_nan) ++result_.nan_pixels;
    if (bits_differ) ++result_.differing_pixels;
    if (beyond && excused && unstable) ++result_.unstable_pixels;
    if (beyond && excused && !unstable) ++at_discontinuity_;
    if (beyond && !excused) ++(perhaps_scattered ? unexplained_ : result_.beyond_tolerance);
  }

  bool is_close(double a, double b, std::uint32_t component) const {
    if (both_vanish(a, b)) return true;
    if (tolerance_.strict || original_.kind != varyings::ScalarKind::floating) return false;
    if (!std::isfinite(a) || !std::isfinite(b)) return false;
    return std::fabs(a - b) <= std::max(margin(a, b, component), kCancelled);
  }

  // What the level allows, and a step of the attachment, since two values that are close may be rounded apart.
  double margin(double a, double b, std::uint32_t component) const {
    const Step& step = original_.steps[component];
    return allowed(a, b, tolerance_, magnitudes_[component]) + step.absolute +
           step.relative * std::max(std::fabs(a), std::fabs(b));
  }

  // True if another form of the original is, at this pixel or at one beside it, about as far from the original as `b`
  // is from `a`. One pixel does not tell: where large values cancel, what rounding leaves is of one size around a
  // pixel, and by chance nothing at it.
  bool is_unstable(double a, double b, std::uint32_t pixel, std::uint32_t component) const {
    constexpr double kSlack = 2;
    return std::any_of(forms_.begin(), forms_.end(), [&](const Plane* plane) {
      const double form = number(word(*plane, pixel, component), original_.kind);
      if (std::isnan(form) != std::isnan(a) || (std::isinf(a) && std::isfinite(form))) return true;
      double moved = 0;
      for_each_around(pixel, [&](std::uint32_t at) {
        const double distance = std::fabs(number(word(original_, at, component), original_.kind) -
                                          number(word(*plane, at, component), original_.kind));
        if (std::isfinite(distance)) moved = std::max(moved, distance);
      });
      return std::fabs(a - b) <= kSlack * moved;
    });
  }

  // Calls visit(pixel) for a pixel and those that touch it in the same layer.
  template <typename Visit>
  void for_each_around(std::uint32_t pixel, const Visit& visit) const {
    const auto x = static_cast<std::int64_t>(pixel % original_.width);
    const auto y = static_cast<std::int64_t>(pixel / original_.width % original_.height);
    const std::uint32_t layer = pixel / (original_.width * original_.height);
    for (std::int64_t near_y = std::max<std::int64_t>(0, y - 1); near_y <= y + 1; ++near_y)
      for (std::int64_t near_x = std::max<std::int64_t>(0, x - 1); near_x <= x + 1; ++near_x)
        if (near_x < original_.width && near_y < original_.height)
          visit(static_cast<std::uint32_t>((layer * original_.height + near_y) * original_.width + near_x));
  }

  // True if the original has a discontinuity around this pixel and the linked value lies between what is seen there.
  bool original_explains(double value, std::uint32_t pixel, std::uint32_t component) const {
    SeenValues seen;
    for_each_around(pixel, [&](std::uint32_t at) { seen.add(number(word(original_, at, component), original_.kind)); });
    const double slack = margin(seen.low, seen.high, component);
    return seen.range() > slack && seen.has(value, slack);
  }

  void note_distance(double a, double b) {
    // NaN on one side only is as far apart as can be.
    const double distance = std::isnan(a - b) ? INFINITY : std::fabs(a - b);
    result_.largest_absolute = std::max(result_.largest_absolute, distance);
    const double larger = std::max(std::fabs(a), std::fabs(b));
    if (larger > 0 && std::isfinite(larger))
      result_.largest_relative = std::max(result_.largest_relative, distance / larger);
  }

  const Plane& original_;
  const Plane& linked_;
  const Tolerance& tolerance_;
  bool has_discontinuities_;
  std::vector<const Plane*> forms_;
  RunResult& result_;
  std::vector<double> magnitudes_;                        // by component
  std::uint32_t scattered_by_forms_ = 0;                  // pixels that forms move, each for itself
  std::vector<SeenValues> seen_;                          // of all forms, by component; empty: nothing is scattered
  std::uint32_t unexplained_ = 0, at_discontinuity_ = 0;  // pixels; what is scattered may be among them
};

std::uint32_t load_word(const std::vector<std::byte>& bytes, std::size_t offset) {
  std::uint32_t word = 0;
  std::memcpy(&word, bytes.data() + offset, 4);
  return word;
}

// Words of a dump that hold a 32-bit float, by word number.
std::vector<bool> float_words(const Dump& dump) {
  std::vector<bool> result(dump.after.size() / 4, dump.holds_floats);
  for (const Field& field : dump.fields)
    if (field.type == varyings::ScalarType{varyings::ScalarKind::floating, 32} && field.offset / 4 < result.size())
      result[field.offset / 4] = true;
  return result;
}

// Compares two dumps word by word; true if something lies outside of the tolerance.
bool compare_dump(const Dump& original, const Dump& linked, const Tolerance& tolerance, RunResult& result,
                  bool& bits_differ) {
  const std::vector<bool> floats = float_words(original);
  std::size_t different = 0, outside = 0;
  for (std::size_t i = 0; i < floats.size(); ++i) {
    const std::uint32_t before = load_word(original.after, i * 4), after = load_word(linked.after, i * 4);
    if (before == after) continue;
    const double a = number(before, varyings::ScalarKind::floating), b = number(after, varyings::ScalarKind::floating);
    if (floats[i] && std::isnan(a) && std::isnan(b)) continue;
    ++different;
    const bool close =
        floats[i] && (both_vanish(a, b) || (!tolerance.strict && std::fabs(a - b) <= allowed(a, b, tolerance, 0)));
    if (!close) ++outside;
  }
  if (different == 0) return false;
  bits_differ = true;
  result.differing_buffers.push_back(original.name + ": " + std::to_string(different) + " words differ, " +
                                     std::to_string(outside) + " beyond the tolerance");
  return outside > 0;
}

bool is_constant(const Plane& plane) {
  const std::uint32_t* first = nullptr;
  for (std::uint32_t pixel = 0; pixel < plane.pixel_count(); ++pixel) {
    if (!plane.covered(pixel)) continue;
    const std::uint32_t* value = plane.words.data() + static_cast<std::size_t>(pixel) * plane.components;
    if (first == nullptr) first = value;
    if (!std::equal(first, first + plane.components, value)) return false;
  }
  return true;
}

bool changed(const std::vector<Dump>& dumps) {
  return std::any_of(dumps.begin(), dumps.end(), [](const Dump& dump) { return dump.before != dump.after; });
}

void add_unstable(const std::vector<Dump>& first, const std::vector<Dump>& second, std::vector<std::string>& names) {
  for (std::size_t i = 0; i < first.size(); ++i)
    if (first[i].after != second[i].after) names.push_back(first[i].name);
}

bool dumps_differ(const std::vector<Dump>& a, const std::vector<Dump>& b) {
  return !std::equal(a.begin(), a.end(), b.begin(), b.end(),
                     [](const Dump& x, const Dump& y) { return x.after == y.after; });
}

}  // namespace

Tolerance tolerance_for(link::Level level, std::optional<bool> affine) {
  if (level == link::Level::check || (level == link::Level::exact && affine.value_or(false))) return {true, 0, 0};
  if (level == link::Level::exact) return {false, 1e-3, 1e-4};
  return {false, 4e-3, 1e-3, level >= link::Level::discontinuous};
}

bool is_informative(const Frame& frame, bool colors_use_varyings) {
  if (changed(frame.buffers) || changed(frame.feedback)) return true;
  return std::any_of(frame.planes.begin(), frame.planes.end(), [&](const Plane& plane) {
    const bool counts = plane.components == 4 || !frame.has_color || !colors_use_varyings;
    return counts && !is_constant(plane);
  });
}

bool differs(const Frame& original, const Frame& linked) {
  for (std::size_t i = 0; i < original.planes.size(); ++i)
    if (original.planes[i].words != linked.planes[i].words) return true;
  return dumps_differ(original.buffers, linked.buffers) || dumps_differ(original.feedback, linked.feedback);
}

std::vector<std::string> unstable_parts(const Frame& first, const Frame& second) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < first.planes.size(); ++i)
    if (first.planes[i].words != second.planes[i].words) names.push_back(first.planes[i].name);
  add_unstable(first.buffers, second.buffers, names);
  add_unstable(first.feedback, second.feedback, names);
  return names;
}

void keep_finite(Frame& form, const Frame& original) {
  for (std::size_t i = 0; i < original.planes.size(); ++i) {
    const Plane& plane = original.planes[i];
    std::vector<std::uint32_t>& words = form.planes[i].words;
    for (std::size_t at = 0; at < words.size(); ++at) {
      const bool is_failure =
          !std::isfinite(number(plane.words[at], plane.kind)) && std::isfinite(number(words[at], plane.kind));
      if (!is_failure) words[at] = plane.words[at];
    }
  }
}

void compare_frames(const Frame& original, const Frame& linked, const Tolerance& tolerance, bool has_discontinuities,
                    const OtherForms& forms, RunResult& result) {
  for (std::size_t i = 0; i < original.planes.size(); ++i) {
    if (listed(result.nondeterministic, original.planes[i].name)) continue;
    std::vector<const Plane*> planes;
    for (const Frame& frame : forms) planes.push_back(&frame.planes[i]);
    PlaneComparison(original.planes[i], linked.planes[i], tolerance, has_discontinuities, std::move(planes), result)
        .run();
  }

  bool bits_differ = result.differing_pixels > 0, outside = false;
  for (std::size_t i = 0; i < original.buffers.size(); ++i)
    if (!listed(result.nondeterministic, original.buffers[i].name))
      outside |= compare_dump(original.buffers[i], linked.buffers[i], tolerance, result, bits_differ);
  // What is captured keeps its exact bits at every level (rule ), but for the sign of zero and the kind of NaN,
  // which drivers do not keep.
  const Tolerance exact{true, 0, 0};
  for (std::size_t i = 0; i < original.feedback.size(); ++i)
    if (!listed(result.nondeterministic, original.feedback[i].name))
      outside |= compare_dump(original.feedback[i], linked.feedback[i], exact, result, bits_differ);

  const auto excusable = static_cast<std::uint32_t>(kDiscontinuityShare * result.pixels);
  const auto stable_enough = static_cast<std::uint32_t>(kUnstableShare * result.pixels);
  const bool may_flicker = tolerance.may_flicker || !result.affine.value_or(false);
  const bool flickers = !may_flicker && result.unstable_pixels > stable_enough;
  if (result.unstable_pixels * 2 > result.pixels) result.informative = false;
  if (outside || flickers || result.beyond_tolerance > 0 || result.at_discontinuity > excusable)
    result.verdict = Verdict::different;
  else if (bits_differ)
    result.verdict = Verdict::within_tolerance;
  else
    result.verdict = Verdict::identical;
}

}  // namespace varylink::verify
