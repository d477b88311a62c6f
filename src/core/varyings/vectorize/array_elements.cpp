#include "varyings/vectorize/array_elements.h"

#include <algorithm>

#include "spirv/ir/globals.h"
#include "varyings/reflect/pointer_access.h"
#include "varyings/vectorize/redeclare.h"

namespace varylink::varyings {
namespace {

using spirv::Id;
using spirv::Module;

class OtherComponents final : public Redeclaration {
 public:
  OtherComponents(Module& module, const Entry& entry, Id variable, const ComponentPlaces& places, std::uint32_t count)
      : Redeclaration(module, entry, variable), places_(places), count_(count) {
    Id type = spirv::pointee_type(module, module.type_of(variable));
    for (; module.def_op(type) == spv::Op::OpTypeArray; type = spirv::element_type(module, type))
      levels_.push_back(type);
    element_ = type;
    scalar_ = places.size() == 1 ? type : spirv::element_type(module, type);
    now_ = globals_.vector_type(scalar_, count);
  }

  Id run() {
    Id type = now_;
    for (auto level = levels_.rbegin(); level != levels_.rend(); ++level)
      type = globals_.array_type(type, spirv::element_count(module_, *level));
    return Redeclaration::run(type);
  }

 private:
  Id load(const std::vector<Id>& indices) override {
    if (indices.size() > levels_.size()) return emitter_.load(scalar_, component(indices));
    if (indices.size() == levels_.size()) return load_element(indices);
    std::vector<Id> parts;
    each_below(indices, [&](const std::vector<Id>& longer, std::uint32_t) { parts.push_back(load(longer)); });
    return emitter_.construct(levels_[indices.size()], parts);
  }

  Id load_element(const std::vector<Id>& indices) {
    const Id loaded = emitter_.load(now_, chain(now_, indices));
    std::vector<Id> parts;
    for (const auto& place : places_)
      parts.push_back(!place        ? globals_.null_constant(scalar_)
                      : count_ == 1 ? loaded
                                    : emitter_.extract(scalar_, loaded, *place));
    return parts.size() == 1 ? parts.front() : emitter_.construct(element_, parts);
  }

  void store(const std::vector<Id>& indices, Id value) override {
    if (indices.size() > levels_.size()) {
      if (const Id pointer = component(indices)) emitter_.store(pointer, value);
    } else if (indices.size() == levels_.size()) {
      store_element(indices, value);
    } else {
      const Id type = indices.size() + 1 == levels_.size() ? element_ : levels_[indices.size() + 1];
      each_below(indices, [&](const std::vector<Id>& longer, std::uint32_t i) {
        store(longer, emitter_.extract(type, value, i));
      });
    }
  }

  // Component by component where something else is stored beside them.
  void store_element(const std::vector<Id>& indices, Id value) {
    std::vector<Id> parts;
    for (std::uint32_t c = 0; c < places_.size(); ++c)
      if (places_[c]) parts.push_back(places_.size() == 1 ? value : emitter_.extract(scalar_, value, c));
    if (parts.size() == count_)
      return emitter_.store(chain(now_, indices), count_ == 1 ? parts.front() : emitter_.construct(now_, parts));
    for (std::uint32_t c = 0, next = 0; c < places_.size(); ++c)
      if (places_[c]) emitter_.store(place_in(indices, *places_[c]), parts[next++]);
  }

  template <typename Do>
  void each_below(const std::vector<Id>& indices, Do work) {
    for (std::uint32_t i = 0; i < spirv::element_count(module_, levels_[indices.size()]); ++i) {
      std::vector<Id> longer = indices;
      longer.push_back(globals_.uint_constant(i));
      work(longer, i);
    }
  }

  // Pointer to a component, 0 if it is gone.
  Id component(std::vector<Id> indices) {
    const auto number = constant_int(module_, indices.back());
    if (!number) return chain(scalar_, indices);
    indices.pop_back();
    const auto place = places_.at(static_cast<std::size_t>(*number));
    return place ? place_in(indices, *place) : 0;
  }

  Id place_in(std::vector<Id> indices, std::uint32_t place) {
    if (count_ > 1) indices.push_back(globals_.uint_constant(place));
    return chain(scalar_, indices);
  }

  const ComponentPlaces& places_;
  const std::uint32_t count_;
  std::vector<Id> levels_;  // array types, outermost first
  Id element_ = 0, scalar_ = 0, now_ = 0;
};

}  // namespace

std::optional<ArrayShape> shape_to_widen(const Module& module, const Varying& varying) {
  if (varying.form != Varying::Form::unsplit || varying.variable == 0) return std::nullopt;
  const Id array = spirv::pointee_type(module, module.type_of(varying.variable));
  const auto length = array_length(module, array);
  if (!length) return std::nullopt;
  const Id element = spirv::element_type(module, array);
  const bool is_vector = spirv::is_scalar_or_vector(module, element);
  if (!is_vector || scalar_type_of(module, element) != ScalarType{ScalarKind::floating, 32}) return std::nullopt;
  const VariableAccesses accesses = accesses_of(module, spirv::Uses(module), varying.variable);
  const bool are_plain = std::all_of(accesses.accesses.begin(), accesses.accesses.end(),
                                     [&](const PointerAccess& access) { return is_plain_access(module, access); });
  if (accesses.obstacle || !are_plain) return std::nullopt;
  return ArrayShape{*length, spirv::component_count(module, element)};
}

Id set_components(Module& module, const Entry& entry, Id variable, const ComponentPlaces& places, std::uint32_t count) {
  return OtherComponents(module, entry, variable, places, count).run();
}

}  // namespace varylink::varyings
