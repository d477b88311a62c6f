// The oracle: draws the original and the linked pipeline on a Vulkan driver with the same inputs and compares all
// results.
//
// All inputs are made here from the declarations of the modules: vertices, buffers, textures, targets. They depend on
// the original's declarations and the seed only, so that both pipelines see the same bits.
//
// This library is built only where Vulkan was found. It never prints and never throws for bad input.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "link/model/pipeline.h"

namespace varylink::verify {

enum class Verdict {
  identical,         // every compared bit is equal in every run
  within_tolerance,  // some bits differ, by no more than the level allows
  different,         // the linked pipeline draws something else
  not_covered,       // nothing differs, but the original drew nothing or only constants: equality proves nothing
  not_run,           // the driver cannot run this pipeline; `reason` says why
};

// "identical", "within tolerance", ...
std::string_view name_of(Verdict verdict);

struct VerifyOptions {
  std::uint64_t seed = 1;
  std::uint32_t runs = 6;    // pictures per pipeline, at least 1; each has its own inputs, some their own topology
  std::uint32_t turn = 0;    // which run comes first: many pipelines that are drawn once each see all kinds of runs
  std::uint32_t width = 64;  // pixels of every render target
  std::uint32_t height = 64;
  link::Level level = link::Level::motion;  // decides the tolerance: see docs/verification.md
  std::string name = "pipeline";            // names the picture files
  std::string png_folder;      // where to write pictures of runs that differ and of the first run; empty: nowhere
  double time_limit_s = 30;    // for the whole comparison; only Worker can enforce it
  state::PipelineState state;  // of both pipelines; it is drawn with that
  bool always_probe = false;   // find out RunResult::affine even if all bits are equal
};

// One draw of both pipelines.
struct RunResult {
  std::string strategy;  // how the inputs were made: "grid", "perspective", "points", ...
  Verdict verdict = Verdict::not_covered;
  bool informative = false;            // the original drew something that is not constant
  std::uint32_t pixels = 0;            // pixels of all targets that the original covered
  std::uint32_t added_pixels = 0;      // pixels of all targets that only the linked pipeline covered
  std::uint32_t differing_pixels = 0;  // of them (or beside them), pixels with at least one differing bit
  std::uint32_t beyond_tolerance = 0;  // of these, pixels outside of the tolerance that no discontinuity explains
  std::uint32_t at_discontinuity =
      0;  // of these, pixels outside of the tolerance where the original itself has a discontinuity
  std::uint32_t unstable_pixels = 0;  // of these, pixels outside of the tolerance that rounding or the driver decides:
                                      // another form of the original (verify/normalized_shader.h) changes as much
  std::uint32_t nan_pixels = 0;       // pixels with a NaN on both sides; two NaNs are equal
  double largest_absolute = 0;        // largest difference of a component, discontinuities left out
  double largest_relative = 0;
  std::vector<std::string> differing_buffers;  // "set 0 binding 2: 5 words", "transform feedback buffer 0: ..."
  std::vector<std::string> nondeterministic;   // results that the original does not repeat; not compared
  std::optional<bool> affine;                  // every vertex has w == 1 and nothing was clipped, if it could be told
};

struct Comparison {
  Verdict verdict = Verdict::not_run;
  std::string reason;  // one clause behind the verdict; empty for `identical`
  std::vector<RunResult> runs;
  std::vector<std::string> pictures;             // files written
  std::vector<std::string> not_drawn;            // facts of the state that the pictures do not have, with the reason
  std::vector<std::string> validation_messages;  // of the validation layer, if VARYLINK_VK_VALIDATION=1 is set

  // One line: verdict, worst figures, reason. No line break.
  std::string text() const;
};

struct Gpu;

// A Vulkan instance, device and queue, with the pools that comparisons reuse. Not thread safe: one per thread.
class Device {
 public:
  // The first device that can draw, or the one whose name contains VARYLINK_VK_DEVICE.
  // Error (ErrorKind::usage): no loader, no driver, no suitable device; the message says how to get one.
  static Result<Device> create();

  Device(Device&&) noexcept;
  Device& operator=(Device&&) noexcept;
  ~Device();

  // Name and driver version, for reports.
  const std::string& description() const;

  Gpu& gpu() { return *gpu_; }

 private:
  explicit Device(std::unique_ptr<Gpu> gpu);
  std::unique_ptr<Gpu> gpu_;
};

// Draws both pipelines in the process of the caller: fast, but a driver that crashes takes the process along. Worker
// (verify/worker.h) is the safe form. Stages may come in any order, at most one per stage.
// Never fails: pipelines that cannot be drawn get Verdict::not_run with the reason.
Comparison compare(Device& device, const std::vector<link::StageInput>& original,
                   const std::vector<link::StageInput>& linked, const VerifyOptions& options);

}  // namespace varylink::verify
