// Two frames -> how far they are apart. The rules stand in docs/verification.md.
#pragma once

#include "verify/frame.h"
#include "verify/verify.h"

namespace varylink::verify {

struct Tolerance {
  bool strict = false;  // every bit must be equal; discontinuities excuse nothing
  double relative = 0;  // of the larger of the two values
  double scale = 0;     // of the median magnitude of the component in the picture
  // Any number of pixels may be unstable even where interpolation is exact: the level lets rounding decide comparisons.
  bool may_flicker = false;
};

// Differences that the level allows. `affine` is RunResult::affine.
Tolerance tolerance_for(link::Level level, std::optional<bool> affine);

// Share of the covered pixels that may lie at discontinuities of the original.
constexpr double kDiscontinuityShare = 0.005;

// Share of the covered pixels that may have changed by chance, here and there, where other forms of the original
// scatter as many; and so many pixels of small pictures.
constexpr double kScatteredShare = 0.01;
constexpr std::uint32_t kScatteredPixels = 4;

// Whether the frame shows something that a wrong pipeline would have drawn differently: a covered picture that is not
// constant, or a buffer that changed. Depth counts only where colors cannot tell more: without color targets, or if
// `colors_use_varyings` is false.
bool is_informative(const Frame& frame, bool colors_use_varyings);

// Any bit differs.
bool differs(const Frame& original, const Frame& linked);

// Names of the planes and buffers that differ between two draws of the same pipeline.
std::vector<std::string> unstable_parts(const Frame& first, const Frame& second);

// Share of the covered pixels that may be unstable where interpolation is exact, unless they may_flicker. Elsewhere the
// driver's interpolation alone makes them flicker, and their number has no limit; but see RunResult::informative.
constexpr double kUnstableShare = 0.02;

// Makes a picture of the original in another form that picture itself, but where only the form has a finite value.
void keep_finite(Frame& form, const Frame& original);

// Pictures of the original in forms that mean the same or nearly so (reshaped_form, nudged_form), or do where the
// driver fails (perspective_form); empty if not drawn.
using OtherForms = std::vector<Frame>;

// Fills the figures and the verdict of `result`. `has_discontinuities`: the original has discontinuous operations.
// Parts named in result.nondeterministic are left out.
void compare_frames(const Frame& original, const Frame& linked, const Tolerance& tolerance, bool has_discontinuities,
                    const OtherForms& forms, RunResult& result);

}  // namespace varylink::verify
