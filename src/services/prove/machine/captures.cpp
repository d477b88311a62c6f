// What transform feedback captures: components of outputs by the buffer and the byte that they go to.
#include <algorithm>

#include "prove/machine/machine.h"

namespace varylink::prove {
namespace {

// What decorations say about where the next component goes.
struct Capture {
  const std::uint32_t *buffer = nullptr, *stride = nullptr, *offset = nullptr;

  void take(const std::function<const std::uint32_t*(spv::Decoration)>& of) {
    if (const auto* own = of(spv::Decoration::XfbBuffer)) buffer = own;
    if (const auto* own = of(spv::Decoration::XfbStride)) stride = own;
    if (const auto* own = of(spv::Decoration::Offset)) offset = own;
  }
};

// Walks a variable in the order of its leaves. A member's own Offset replaces what it would have got from its place;
// the blocks of an array of blocks have a buffer each and the same offsets (rule ).
class CaptureWalk {
 public:
  using Visit = std::function<void(const std::string& place, std::uint32_t leaf)>;
  CaptureWalk(const Facts& facts, std::uint32_t stream, Visit visit)
      : facts_(facts), stream_(stream), visit_(std::move(visit)) {}

  void walk(Id type, const Capture& capture, std::uint32_t block) {
    switch (facts_.op(type)) {
      case spv::Op::OpTypeArray: return array(type, capture, block);
      case spv::Op::OpTypeStruct:
        align_wide(type);
        for (std::uint32_t member = 0; member < facts_.elements(type); ++member) {
          Capture own = capture;
          own.take([&](spv::Decoration what) { return facts_.member_decoration(type, member, what); });
          if (const auto* offset = facts_.member_decoration(type, member, spv::Decoration::Offset)) offset_ = *offset;
          walk(facts_.element(type, member), own, block);
        }
        return align_wide(type);
      default: return numbers(type, capture, block);
    }
  }

  void begin_at(std::uint32_t offset) { offset_ = offset; }

 private:
  bool holds_blocks(Id type) const {
    while (facts_.op(type) == spv::Op::OpTypeArray) type = facts_.element(type);
    return facts_.has(type, spv::Decoration::Block);
  }

  void array(Id type, const Capture& capture, std::uint32_t block) {
    align_wide(type);
    const bool blocks = holds_blocks(type);
    const std::uint32_t first = offset_, length = facts_.elements(type);
    for (std::uint32_t i = 0; i < length; ++i) {
      if (blocks) offset_ = first;
      walk(facts_.element(type), capture, blocks ? block * length + i : block);
    }
    align_wide(type);
  }

  // An aggregate that has components of 64 bits begins and ends at a multiple of 8 (GLSL 4.60, 4.4.2; ).
  void align_wide(Id type) {
    const std::vector<Sort> sorts = facts_.sorts(type);
    if (std::ranges::any_of(sorts, [](Sort sort) { return width_of(sort) == 64; })) align_to(8);
  }

  void align_to(std::uint32_t size) { offset_ = (offset_ + size - 1) / size * size; }

  void numbers(Id type, const Capture& capture, std::uint32_t block) {
    if (capture.offset != nullptr && (capture.buffer == nullptr || capture.stride == nullptr))
      throw Unsupported{"an incomplete capture"};
    for (const Sort sort : facts_.sorts(type)) {
      align_to(std::max(1u, width_of(sort) / 8));
      if (capture.offset != nullptr)
        visit_(std::string(kCaptured) + "buffer " + std::to_string(*capture.buffer + block) + ", byte " +
                   std::to_string(offset_) + " of " + std::to_string(*capture.stride) + ", stream " +
                   std::to_string(stream_),
               leaf_);
      offset_ += width_of(sort) / 8;
      ++leaf_;
    }
  }

  const Facts& facts_;
  std::uint32_t stream_;
  Visit visit_;
  std::uint32_t offset_ = 0;  // bytes
  std::uint32_t leaf_ = 0;    // of the variable
};

}  // namespace

std::map<std::string, Term> Machine::captured_now(const State& state) const {
  std::map<std::string, Term> result;
  if (!captures_) return result;
  for (const auto& [variable, slot] : slots_) {
    if (!is_output(variable)) continue;
    const Id type = output_type(variable);
    Capture capture;
    if (facts_.op(type) == spv::Op::OpTypeStruct)
      capture.take([&](spv::Decoration what) { return facts_.decoration(type, what); });
    capture.take([&, id = variable](spv::Decoration what) { return facts_.decoration(id, what); });
    CaptureWalk walk(facts_, stream_of(variable), [&, first = slot](const std::string& place, std::uint32_t leaf) {
      result[place] = state.leaves.at(first + leaf);
    });
    walk.begin_at(capture.offset != nullptr ? *capture.offset : 0);
    walk.walk(type, capture, 0);
  }
  return result;
}

}  // namespace varylink::prove
