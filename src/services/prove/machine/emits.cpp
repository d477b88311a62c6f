// Vertices and primitives of geometry stages.
//
// What a primitive is made of is the list of all EmitVertex and EndPrimitive with the conditions under which they run;
// what a vertex has are values of the one invocation that emits it.
#include <algorithm>

#include "prove/machine/interface_leaves.h"
#include "prove/machine/machine.h"
#include "spirv/tools/names.h"

namespace varylink::prove {
namespace {

constexpr std::size_t kMostVertices = 256;  // as many as an invocation may emit on most devices

}  // namespace

std::uint32_t Machine::stream_of(Id variable) const {
  const auto* stream = decoration_of_block(facts_, variable, output_type(variable), spv::Decoration::Stream);
  return stream != nullptr ? *stream : 0;
}

std::map<Place, Term> Machine::outputs_now(const State& state) const {
  std::map<Place, Term> result;
  for (const auto& [variable, slot] : slots_) {
    if (!is_output(variable) || stream_of(variable) != 0) continue;
    const std::vector<InterfaceLeaf> leaves = interface_leaves(facts_, variable, output_type(variable));
    for (std::size_t i = 0; i < leaves.size(); ++i) result[leaves[i].place] = state.leaves[slot + i];
  }
  return result;
}

// Outputs are undefined behind it (SPIR-V 3.49.21). Shaders rely on drivers keeping the old value, so it is modelled as
// a function of the previous store, not as undefined.
void Machine::emit_vertex(std::uint32_t stream) {
  if (summarizing_ != 0) throw Unsupported{"vertices that a loop without a constant trip count emits"};
  if (emitted_.size() == kMostVertices) throw Unsupported{"more than 256 emitted vertices"};
  EmittedVertex vertex{stream, {}, captured_now(state_)};
  if (stream == 0) {
    vertex.outputs = outputs_now(state_);
    emits_ = emits_ == kNoTerm ? condition_ : terms_.logical_or(emits_, condition_);
  }
  for (auto& [place, value] : vertex.outputs) value = terms_.restrict_to(value, condition_);
  for (auto& [what, value] : vertex.captured) value = terms_.restrict_to(value, condition_);
  emitted_.push_back(std::move(vertex));
  for (const auto& [variable, slot] : slots_) {
    if (!is_output(variable)) continue;
    for (std::uint32_t i = 0; i < facts_.leaf_count(output_type(variable)); ++i) {
      Term& leaf = state_.leaves[slot + i];
      if (!terms_.is_undefined(leaf) && !terms_.is(leaf, "behind emit"))
        leaf = terms_.apply(terms_[leaf].sort, "behind emit", {leaf});
    }
  }
}

bool Machine::run_emit(spirv::InstRef ref) {
  const spv::Op op = module_[ref].op;
  const bool emits = op == spv::Op::OpEmitVertex || op == spv::Op::OpEmitStreamVertex;
  if (!emits && op != spv::Op::OpEndPrimitive && op != spv::Op::OpEndStreamPrimitive) return false;
  std::uint32_t stream = 0;
  if (!module_.operands(ref).empty()) {
    const Term number = scalar(module_.operands(ref)[0].word);
    if (!terms_.is_constant(number)) throw Unsupported{"a stream that is not a constant"};
    stream = static_cast<std::uint32_t>(terms_.bits(number));
  }
  const std::uint64_t literals[] = {emitted_.size(), stream};
  const Term before = state_.leaves[kPrimitivesLeaf];
  state_.leaves[kPrimitivesLeaf] =
      terms_.apply_varying(Sort::memory, emits ? "emit vertex" : "end primitive", {&before, 1}, literals, false);
  if (emits) emit_vertex(stream);
  return true;
}

// The outputs of the stage as those of the vertices of the stream that is drawn.
void Machine::gather_emitted(StageEffects& effects) {
  effects.emits = emits_ == kNoTerm ? terms_.boolean(false) : emits_;
  std::map<Place, std::vector<Term>> by_place;
  for (const EmittedVertex& vertex : emitted_)
    if (vertex.stream == 0)
      for (const auto& [place, value] : vertex.outputs) by_place[place].push_back(value);
  effects.outputs.clear();
  effects.captured.clear();
  for (const auto& [place, values] : by_place) effects.outputs[place] = emitted(terms_, values);
  effects.emitted = std::move(emitted_);
}

}  // namespace varylink::prove
