// Transform feedback (rules ); the SPIR-V validator checks none of this.
#include <algorithm>
#include <map>
#include <set>

#include "check/checks.h"
#include "varyings/reflect/capture.h"

namespace varylink::check {
namespace {

using varyings::Capture;

std::string describe(const Capture& capture) { return capture.name.empty() ? "an output" : "'" + capture.name + "'"; }

std::string bytes(const Capture& capture) {
  return "bytes " + std::to_string(capture.place.offset) + " to " + std::to_string(capture.end()) + " of buffer " +
         std::to_string(capture.place.buffer);
}

class CaptureCheck {
 public:
  CaptureCheck(const CheckedStage& stage, Reporter& reporter) : stage_(stage), reporter_(reporter) {}

  void run() {
    for (const Capture& capture : varyings::captures(*stage_.view.module, stage_.view.entry)) {
      check_alone(capture);
      check_buffer(capture);
      check_overlap(capture);
      seen_.push_back(capture);
    }
    check_stream_data();
  }

 private:
  void report(Rule rule, const Capture& capture, std::string message) {
    reporter_.report(rule, {&stage_.view, capture.variable, nullptr, 0, std::nullopt}, std::move(message));
  }

  void check_alone(const Capture& capture);
  void check_buffer(const Capture& capture);
  void check_overlap(const Capture& capture);
  void check_stream_data();

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
  const Capture& first = first_of_buffer_.emplace(capture.place.buffer, capture).first->second;
  const std::string buffer = " into buffer " + std::to_string(capture.place.buffer);
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

// What a stream takes in all its buffers, each up to the end of what is captured last.
void CaptureCheck::check_stream_data() {
  std::map<std::uint32_t, std::map<std::uint32_t, std::uint32_t>> ends;  // by stream and buffer
  for (const Capture& capture : seen_) {
    std::uint32_t& end = ends[capture.stream][capture.place.buffer];
    end = std::max(end, capture.end());
  }
  const std::uint32_t limit = reporter_.options().limits.max_transform_feedback_stream_data_size;
  for (const auto& [stream, buffers] : ends) {
    std::uint64_t bytes = 0;
    for (const auto& [buffer, end] : buffers) bytes += end;
    if (bytes <= limit) continue;
    reporter_.report(Rule::xfb_limit_stream_data, {&stage_.view, 0, nullptr, 0, std::nullopt},
                     "captures " + std::to_string(bytes) + " bytes from stream " + std::to_string(stream) +
                         ", above maxTransformFeedbackStreamDataSize (" + std::to_string(limit) + ")");
  }
}

// The decorations themselves, whether or not anything is captured with them.
void check_decorations(const CheckedStage& stage, Reporter& reporter) {
  const spirv::Module& module = *stage.view.module;
  const Limits& limits = reporter.options().limits;
  std::set<std::pair<Rule, std::uint32_t>> told;
  const auto check = [&](Rule rule, std::uint32_t value, bool fits, const std::string& message) {
    if (!fits && told.emplace(rule, value).second)
      reporter.report(rule, {&stage.view, 0, nullptr, 0, std::nullopt}, message);
  };
  for (const spirv::InstRef inst : module.annotations) {
    const bool member = module[inst].op == spv::Op::OpMemberDecorate;
    if (!member && module[inst].op != spv::Op::OpDecorate) continue;
    const auto operands = module.operands(inst).subspan(member ? 2 : 1);
    if (operands.size() < 2) continue;
    const auto decoration = static_cast<spv::Decoration>(operands[0].word);
    const std::uint32_t value = operands[1].word;
    if (decoration == spv::Decoration::XfbStride)
      check(Rule::xfb_limit_stride, value, value <= limits.max_transform_feedback_buffer_data_stride,
            "the XfbStride " + std::to_string(value) + " is above maxTransformFeedbackBufferDataStride (" +
                std::to_string(limits.max_transform_feedback_buffer_data_stride) + ")");
    if (decoration == spv::Decoration::Stream)
      check(Rule::xfb_limit_streams, value, value < limits.max_transform_feedback_streams,
            "an output belongs to stream " + std::to_string(value) + ", maxTransformFeedbackStreams is " +
                std::to_string(limits.max_transform_feedback_streams));
  }
}

}  // namespace

void check_capture(const CheckedStage& stage, Reporter& reporter) {
  CaptureCheck(stage, reporter).run();
  check_decorations(stage, reporter);
}

}  // namespace varylink::check
