#include "prove/stage_inputs.h"

#include <algorithm>

#include "prove/machine/owned_elements.h"
#include "prove/machine/records.h"
#include "prove/terms/unsupported.h"

namespace varylink::prove {
namespace {

// Built-ins that all vertices of a primitive and all its fragments agree on, in every stage that has them.
bool is_shared(std::uint32_t built_in) {
  switch (static_cast<spv::BuiltIn>(built_in)) {
    case spv::BuiltIn::InstanceIndex:
    case spv::BuiltIn::BaseInstance:
    case spv::BuiltIn::BaseVertex:
    case spv::BuiltIn::DrawIndex:
    case spv::BuiltIn::ViewIndex:
    case spv::BuiltIn::DeviceIndex: return true;
    default: return false;
  }
}

// What fragments of a primitive see of an output of primitives: that of the element which their primitive is. Which one
// that is decide symbols that all outputs share.
Term of_primitive(Terms& terms, const std::vector<Term>& values) {
  Term result = values.back();
  for (std::uint64_t i = values.size() - 1; i-- > 0;)
    result = terms.choose(terms.symbol(Sort::boolean, "primitive of store", {&i, 1}, true), values[i], result);
  return result;
}

}  // namespace

// Of a stage whose producer is in another part of the pipeline, as it is interpolated.
Term StageInputs::unknown(const Place& place, Sort sort, const std::string& interpolation) {
  const std::uint64_t literals[] = {place.number, place.component};
  return terms_.symbol(sort, "input " + interpolation, literals, false);
}

InterfaceLoad StageInputs::input(const Place& place, Sort sort, const std::string& interpolation) {
  if (interpolation == "patch") return {stored(place, sort), kNoTerm, true};
  if (place.built_in && !is_written_before(place)) return {built_in(place, sort, interpolation), kNoTerm, true};
  if (producer_ == nullptr)
    return {stage_ == Stage::vertex ? attribute(place, sort) : unknown(place, sort, interpolation), kNoTerm, true};
  const bool per_primitive = interpolation == "primitive";
  const bool interpolates = is_float(sort) && width_of(sort) <= 32 && interpolation != "flat" && !per_primitive;
  std::string name = interpolates || per_primitive ? interpolation : "flat";
  if (interpolates && facts_.one_sample) name = name.substr(0, name.find('.'));
  const std::optional<Term> of_mesh_stage = of_mesh(place, sort, per_primitive);
  InterfaceLoad read;
  if (of_mesh_stage && terms_[*of_mesh_stage].sort == Sort::memory) {  // as a whole, which equals only itself
    read.value = terms_.apply_across(sort, name, {&*of_mesh_stage, 1});
    return read;
  }
  const Term value = of_mesh_stage ? *of_mesh_stage : stored(place, sort);
  const bool one_vertex = facts_.points && stage_ == Stage::fragment && producer_->stage == Stage::vertex;
  // A point has the values of its one vertex, whatever class they are of.
  read.value = one_vertex ? value : interpolator(producer_->makes_points ? "flat" : name)(value);
  if (interpolates) read.sent = value;
  read.is_flat = name == "flat";
  read.perspective = !interpolation.starts_with("noperspective");
  return read;
}

// What the rasterizer takes of each vertex or primitive a fragment stage reads as it was written.
bool StageInputs::is_written_before(const Place& place) const {
  if (stage_ != Stage::fragment || producer_ == nullptr || producer_->records) return false;
  switch (static_cast<spv::BuiltIn>(place.number)) {
    case spv::BuiltIn::ClipDistance:
    case spv::BuiltIn::CullDistance:
    case spv::BuiltIn::Layer:
    case spv::BuiltIn::ViewportIndex:
    case spv::BuiltIn::PrimitiveId: return found(place).has_value();
    default: return false;
  }
}

//
Term StageInputs::built_in(const Place& place, Sort sort, const std::string& interpolation) {
  const auto number = static_cast<spv::BuiltIn>(place.number);
  if (number == spv::BuiltIn::ViewIndex && facts_.view) return terms_.constant(sort, *facts_.view);
  if (number == spv::BuiltIn::PatchVertices && stage_ == Stage::tess_control && facts_.patch_vertices)
    return terms_.constant(sort, *facts_.patch_vertices);
  const bool shared = is_shared(place.number);
  const std::uint64_t literals[] = {place.number, place.component, shared ? 0 : static_cast<std::uint64_t>(stage_)};
  const bool as_usual = !is_float(sort) || interpolation == "smooth";
  return terms_.symbol(sort, as_usual ? "built-in" : "built-in " + interpolation, literals,
                       shared || is_of_primitive(place.number));
}

Term StageInputs::attribute(const Place& place, Sort sort) {
  if (width_of(sort) == 32 && facts_.missing_attributes.contains({place.number, place.component})) {
    const unsigned value = place.component == 3 ? 1 : 0;
    return is_float(sort) ? terms_.real(sort, value) : terms_.constant(sort, value);
  }
  const std::uint64_t literals[] = {place.number, place.component, static_cast<std::uint64_t>(stage_)};
  const Term symbol = terms_.symbol(sort, "attribute", literals, facts_.instance_attributes.contains(place.number));
  const auto range = facts_.attribute_ranges.find({place.number, place.component});
  if (width_of(sort) == 32 && range != facts_.attribute_ranges.end())
    ranges_.know(symbol, {range->second.first, range->second.second});
  return symbol;
}

// What the producer has there; none if nothing. A place that is one value per patch or primitive on one side only is no
// interface that Vulkan gives a meaning to.
std::optional<Term> StageInputs::found(const Place& place) const {
  const auto found = producer_->outputs.find(place);
  if (found != producer_->outputs.end()) return found->second;
  for (const Rate rate : {Rate::vertex, Rate::patch, Rate::primitive}) {
    Place other = place;
    other.rate = rate;
    if (producer_->outputs.contains(other))
      throw Unsupported{"output " + text_of(other) + " is read as input " + text_of(place)};
  }
  return std::nullopt;
}

// What the producer has there, as its own invocations have it.
Term StageInputs::stored(const Place& place, Sort sort) {
  if (producer_ == nullptr) throw Unsupported{std::string(short_name(stage_)) + " inputs without a stage before it"};
  const Term value = found(place).value_or(terms_.undefined(sort));
  if (terms_[value].sort != sort)
    throw Unsupported{"location " + text_of(place) + " has another type where it is read"};
  return value;
}

// The stores that make vertices or primitives exist: of positions, or of indices.
std::optional<Term> StageInputs::existing(bool per_primitive) const {
  for (const auto& [place, record] : producer_->outputs) {
    const auto number = static_cast<spv::BuiltIn>(place.number);
    const bool indices = number == spv::BuiltIn::PrimitiveTriangleIndicesEXT ||
                         number == spv::BuiltIn::PrimitiveLineIndicesEXT ||
                         number == spv::BuiltIn::PrimitivePointIndicesEXT;
    if (place.built_in && place.component == 0 && (per_primitive ? indices : number == spv::BuiltIn::Position))
      return record;
  }
  return std::nullopt;
}

// What the invocation stores to an element that exists; where it stores to both under one condition, that is known.
std::optional<Term> StageInputs::at_element(Term record, Term existing, std::span<const Term> element, Sort sort) {
  const std::optional<Term> value = stored_value(terms_, record, element, sort);
  const std::optional<Term> condition = stored_condition(terms_, record, element);
  if (!value || !condition) return std::nullopt;
  return condition == stored_condition(terms_, existing, element) ? terms_.restrict_to(*value, *condition) : *value;
}

// What a mesh stage stores there: the record of all stores, of sort memory, or what is known of it by the stores that
// make vertices or primitives exist. If all of these are to one element, it is what the invocation has that makes it;
// if they are to several, what all invocations have for each of them. Nothing is known where one invocation may store
// to the element of another. None if the producer is no mesh stage.
std::optional<Term> StageInputs::of_mesh(const Place& place, Sort sort, bool per_primitive) {
  if (!producer_->records) return std::nullopt;
  const std::optional<Term> stored = found(place);
  if (!stored) return terms_.undefined(sort);
  const Term record = *stored;
  const std::optional<Term> existing = this->existing(per_primitive);
  const auto own = stored_elements(terms_, record);
  const auto elements = existing ? stored_elements(terms_, *existing) : std::nullopt;
  if (!own || !elements || elements->empty()) return record;
  std::vector<std::vector<Term>> all = *own;
  all.insert(all.end(), elements->begin(), elements->end());
  const bool is_owned = have_one_owner_each(terms_, all, producer_->is_row);
  if (!is_owned && !are_constant(terms_, all)) return record;
  if (is_owned && elements->size() == 1 && *own == *elements)
    return at_element(record, *existing, elements->front(), sort).value_or(record);
  std::vector<Term> values;
  for (const std::vector<Term>& element : *elements) {
    const std::optional<Term> value = at_element(record, *existing, element, sort);
    if (!value || !terms_[*value].convergent) return record;
    values.push_back(*value);
  }
  return per_primitive ? of_primitive(terms_, values) : emitted(terms_, values);
}

Term StageInputs::payload(std::uint32_t part) {
  if (producer_ == nullptr) throw Unsupported{"a payload that no task stage makes"};
  if (part >= producer_->payload.size()) return terms_.symbol(Sort::memory, "no payload", {}, false);
  return producer_->payload[part];
}

// What an invocation of this stage has is the same for everything that the fragments of one primitive come from.
bool StageInputs::is_of_primitive(std::uint32_t built_in) const {
  const auto number = static_cast<spv::BuiltIn>(built_in);
  switch (stage_) {
    case Stage::geometry: return true;
    case Stage::tess_control:
    case Stage::tess_eval: return number == spv::BuiltIn::PrimitiveId || number == spv::BuiltIn::PatchVertices;
    case Stage::task:
    case Stage::mesh:
      return number == spv::BuiltIn::WorkgroupId || number == spv::BuiltIn::NumWorkgroups ||
             number == spv::BuiltIn::NumSubgroups || number == spv::BuiltIn::SubgroupSize;
    default: return false;
  }
}

Interpolator& StageInputs::interpolator(const std::string& name) {
  return interpolators_.try_emplace(name, Interpolator(terms_, {name, {}}, semantics_)).first->second;
}

}  // namespace varylink::prove
