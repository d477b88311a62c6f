// What transform feedback captures: components of outputs by the buffer and the byte that they go to.
#include "prove/machine/machine.h"

namespace varylink::prove {
namespace {

struct Capture {
  std::uint32_t buffer = 0, stride = 0;
};

}  // namespace

std::map<std::string, Term> Machine::captured_now(const State& state) const {
  std::map<std::string, Term> result;
  if (!captures_) return result;
  const auto append = [&](Id type, std::uint32_t leaf, const Capture& capture, std::uint32_t stream,
                          std::uint32_t offset) {
    for (const Sort sort : facts_.sorts(type)) {
      const std::string name = "captured by buffer " + std::to_string(capture.buffer) + ", byte " +
                               std::to_string(offset) + " of " + std::to_string(capture.stride) + ", stream " +
                               std::to_string(stream);
      result[name] = state.leaves.at(leaf++);
      offset += width_of(sort) / 8;
    }
  };
  for (const auto& entry : slots_) {
    const Id variable = entry.first;
    const std::uint32_t slot = entry.second;
    if (!is_output(variable)) continue;
    const Id type = output_type(variable);
    const std::uint32_t stream = stream_of(variable);
    const auto literal = [&](spv::Decoration what, std::uint32_t member) {
      const std::uint32_t* found = facts_.decoration(variable, what);
      if (found == nullptr && facts_.op(type) == spv::Op::OpTypeStruct) found = facts_.decoration(type, what);
      if (facts_.op(type) == spv::Op::OpTypeStruct)
        if (const auto* own = facts_.member_decoration(type, member, what)) found = own;
      return found;
    };
    const bool block = facts_.op(type) == spv::Op::OpTypeStruct && facts_.has(type, spv::Decoration::Block);
    for (std::uint32_t member = 0; member < (block ? facts_.elements(type) : 1); ++member) {
      const auto* offset = literal(spv::Decoration::Offset, member);
      if (offset == nullptr) continue;
      const auto *buffer = literal(spv::Decoration::XfbBuffer, member),
                 *stride = literal(spv::Decoration::XfbStride, member);
      if (buffer == nullptr || stride == nullptr) throw NotUnderstood{"an incomplete capture"};
      append(block ? facts_.element(type, member) : type, slot + (block ? facts_.leaf_offset(type, member) : 0),
             {*buffer, *stride}, stream, *offset);
    }
  }
  return result;
}

}  // namespace varylink::prove
