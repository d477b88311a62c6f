#include "varyings/reflect/capture.h"

#include <algorithm>

#include "spirv/ir/globals.h"
#include "varyings/reflect/built_ins.h"
#include "varyings/reflect/decoration_index.h"

namespace varylink::varyings {
namespace {

constexpr std::uint32_t kMaxScalars = 1024;  // more than any capture buffer holds

void add_built_ins(const spirv::Module& module, const Entry& entry, std::vector<Capture>& found) {
  const DecorationIndex decorations(module);
  for (const BuiltIn& built_in : built_ins(module, entry, Direction::output, decorations)) {
    const DecorationList own = decorations.of(built_in.variable);
    spirv::Id block = spirv::pointee_type(module, module.type_of(built_in.variable));
    if (module.def_op(block) == spv::Op::OpTypeArray) block = spirv::element_type(module, block);
    const DecorationList at = built_in.member ? decorations.of_member(block, *built_in.member) : own;
    const auto offset = at.value(spv::Decoration::Offset);
    if (!offset) continue;
    const auto inherited = [&](spv::Decoration d) { return at.value(d).value_or(own.value(d).value_or(0)); };
    const auto length = array_length(module, built_in.type);
    const spirv::Id element = length ? spirv::element_type(module, built_in.type) : built_in.type;
    const auto scalar = scalar_type_of(module, element);
    if (!scalar) continue;
    Capture capture;
    capture.variable = built_in.variable;
    capture.place = {inherited(spv::Decoration::XfbBuffer), inherited(spv::Decoration::XfbStride), *offset};
    capture.stream = inherited(spv::Decoration::Stream);
    capture.scalar = *scalar;
    capture.count = std::min(length.value_or(1), kMaxScalars) * spirv::component_count(module, element);
    capture.name = built_in.name;
    found.push_back(std::move(capture));
  }
}

}  // namespace

std::vector<Capture> captures(const spirv::Module& module, const Entry& entry) {
  std::vector<Capture> found;
  if (!entry.captures) return found;
  for (const InterfaceVariable& variable : interface_variables(module, entry, Direction::output))
    for (const Leaf& leaf : variable.leaves)
      if (leaf.captured) found.push_back({variable.id, leaf.xfb, leaf.stream, leaf.scalar, leaf.count, leaf.name});
  add_built_ins(module, entry, found);
  return found;
}

}  // namespace varylink::varyings
