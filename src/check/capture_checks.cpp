// Transform feedback (rules ); the SPIR-V validator checks none of this.
#include <algorithm>
#include <map>

#include "check/checks.h"
#include "varyings/reflect/capture.h"

namespace varylink::check {
namespace {

using io::Capture;

std::string describe(const Capture& capture) { return capture.name.empty() ? "an output" : "'" + capture.name + "'"; }

std::string bytes(const Capture& capture) {
  return "bytes " + std::to_string(capture.place.offset) + " to " + std::to_string(capture.end()) + " of buffer " +
         std::to_string(capture.place.buffer);
}

class CaptureCheck {
 public:
  CaptureCheck(const CheckedStage& stage, Reporter& reporter) : stage_(stage), reporter_(reporter) {}

  void run() {
    for (const Capture& capture : io::captures(*stage_.view.module, stage_.view.entry)) {
      check_alone(capture);
      check_buffer(capture);
      check_overlap(capture);
      seen_.push_back(capture);
    }
  }

 private:
  void report(Rule rule, const Capture& capture, std::string message) {
    reporter_.report(rule, {&stage_.view, capture.variable, nullptr, 0, std::nullopt}, std::move(message));
  }

  void check_alone(const Capture& capture);
  void check_buffer(const Capture& capture);
  void check_overlap(const Capture& capture);

  const CheckedStage& stage_;
  Reporter& reporter_;
  std::vector<Capture> seen_;
  std::map<std::uint32_t, Capture> first_of_buffer_;
};

void CaptureCheck::check_alone(const Capture& capture) {
  const Limits& limits = reporter_.options().limits;
  if (capture.place.stride == 0)
    report(Rule::xfb_no_buffer, capture, describe(capture) + " is captured without XfbStride");
  if (capture.scalar.width != 32 && capture.scalar.width != 64)
    report(Rule::xfb_component_width, capture,
           describe(capture) + " has components of " + std::to_string(capture.scalar.width) + " bits and is captured");
  if (capture.scalar.width == 32 && capture.place.offset % 4 != 0)
    report(Rule::xfb_alignment, capture, describe(capture) + " is captured at " + bytes(capture));
  if (capture.scalar.width == 64 && capture.place.offset % 8 != 0)
    report(Rule::xfb_alignment_64, capture, describe(capture) + " is captured at " + bytes(capture));
  if (capture.place.stride != 0 && capture.end() > capture.place.stride)
    report(Rule::xfb_beyond_stride, capture,
           describe(capture) + " is captured to " + bytes(capture) + ", behind the stride of " +
               std::to_string(capture.place.stride));
  if (capture.end() > limits.max_transform_feedback_buffer_data_size)
    report(Rule::xfb_limit_data_size, capture,
           describe(capture) + " is captured to " + bytes(capture) + ", above maxTransformFeedbackBufferDataSize (" +
               std::to_string(limits.max_transform_feedback_buffer_data_size) + ")");
}

// What all outputs of one buffer have in common.
void CaptureCheck::check_buffer(const Capture& capture) {
  const Limits& limits = reporter_.options().limits;
  const auto [place, is_first] = first_of_buffer_.emplace(capture.place.buffer, capture);
  const Capture& first = place->second;
  const std::string buffer = " into buffer " + std::to_string(capture.place.buffer);
  if (is_first && capture.place.stride > limits.max_transform_feedback_buffer_data_stride)
    report(Rule::xfb_limit_stride, capture,
           "the stride of buffer " + std::to_string(capture.place.buffer) + ", " +
               std::to_string(capture.place.stride) + ", is above maxTransformFeedbackBufferDataStride (" +
               std::to_string(limits.max_transform_feedback_buffer_data_stride) + ")");
  if (capture.place.stride != 0 && first.place.stride != 0 && capture.place.stride != first.place.stride)
    report(Rule::xfb_stride_differs, capture,
           describe(capture) + " is captured" + buffer + " with stride " + std::to_string(capture.place.stride) +
               " but " + describe(first) + " with " + std::to_string(first.place.stride));
  if (capture.stream != first.stream)
    report(Rule::xfb_stream_differs, capture,
           describe(capture) + " is captured" + buffer + " from stream " + std::to_string(capture.stream) + " but " +
               describe(first) + " from " + std::to_string(first.stream));
}

void CaptureCheck::check_overlap(const Capture& capture) {
  const auto overlaps = [&](const Capture& other) {
    return other.place.buffer == capture.place.buffer && other.place.offset < capture.end() &&
           capture.place.offset < other.end();
  };
  const auto other = std::find_if(seen_.begin(), seen_.end(), overlaps);
  if (other == seen_.end()) return;
  report(Rule::xfb_overlap, capture,
         describe(capture) + " and " + describe(*other) + " are both captured to " + bytes(capture));
}

}  // namespace

void check_capture(const CheckedStage& stage, Reporter& reporter) { CaptureCheck(stage, reporter).run(); }

}  // namespace varylink::check
