#include "prove/stage_inputs.h"

#include <algorithm>

#include "prove/terms/not_understood.h"

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

// One store of a mesh stage to a component of its vertices or primitives.
struct Site {
  Term condition = kNoTerm, element = kNoTerm, value = kNoTerm;
  bool same_place(const Site& other) const { return condition == other.condition && element == other.element; }
};

// The stores that a record is made of, if each of them happens under one condition.
std::optional<std::vector<Site>> sites_of(Terms& terms, Term record) {
  std::vector<Site> result;
  while (terms[record].kind != Kind::symbol) {
    Term condition = terms.boolean(true), stored = record, before = kNoTerm;
    if (terms[record].kind == Kind::choice) {
      const auto parts = terms.children(record);
      const bool first = terms.is(parts[1], "store element") && terms.children(parts[1])[0] == parts[2];
      const bool second = terms.is(parts[2], "store element") && terms.children(parts[2])[0] == parts[1];
      if (!first && !second) return std::nullopt;
      condition = first ? parts[0] : kNoTerm;
      stored = first ? parts[1] : parts[2];
      if (second) condition = terms.logical_not(terms.children(record)[0]);
    }
    if (!terms.is(stored, "store element")) return std::nullopt;
    before = terms.children(stored)[0];
    result.push_back({condition, terms.children(stored)[1], terms.children(stored)[2]});
    record = before;
  }
  std::ranges::reverse(result);
  return result;
}

}  // namespace

CrossingRead StageInputs::input(const Place& place, Sort sort, const std::string& interpolation) {
  if (interpolation == "patch") return {stored(place, sort), kNoTerm, true};
  if (place.built_in) return {built_in(place, sort), kNoTerm, true};
  if (producer_ == nullptr) return {attribute(place, sort), kNoTerm, true};
  const bool per_primitive = interpolation == "primitive";
  const bool interpolates = is_float(sort) && width_of(sort) <= 32 && interpolation != "flat" && !per_primitive;
  std::string name = interpolates || per_primitive ? interpolation : "flat";
  if (interpolates && facts_.one_sample) name = name.substr(0, name.find('.'));
  const std::optional<Term> of_mesh_stage = of_mesh(place, sort, per_primitive);
  CrossingRead read;
  if (of_mesh_stage && terms_[*of_mesh_stage].sort == Sort::memory) {  // as a whole, which equals only itself
    read.value = terms_.apply_across(sort, name, {&*of_mesh_stage, 1});
    return read;
  }
  const Term value = of_mesh_stage ? *of_mesh_stage : stored(place, sort);
  const bool one_vertex = facts_.points && stage_ == Stage::fragment && producer_->stage == Stage::vertex;
  read.value = one_vertex ? value : crossing(name)(value);
  if (interpolates) read.crossing = value;
  read.perspective = !interpolation.starts_with("noperspective");
  return read;
}

//
Term StageInputs::built_in(const Place& place, Sort sort) {
  const auto number = static_cast<spv::BuiltIn>(place.number);
  if (number == spv::BuiltIn::ViewIndex && facts_.view) return terms_.constant(sort, *facts_.view);
  if (number == spv::BuiltIn::PatchVertices && stage_ == Stage::tess_control && facts_.patch_vertices)
    return terms_.constant(sort, *facts_.patch_vertices);
  const bool shared = is_shared(place.number);
  const std::uint64_t literals[] = {place.number, place.component, shared ? 0 : static_cast<std::uint64_t>(stage_)};
  return terms_.symbol(sort, "built-in", literals, shared || is_of_primitive(place.number));
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

// What the producer has there, as its own invocations have it.
Term StageInputs::stored(const Place& place, Sort sort) {
  if (producer_ == nullptr) throw NotUnderstood{std::string(short_name(stage_)) + " inputs without a stage before it"};
  const auto found = producer_->outputs.find(place);
  const Term value = found == producer_->outputs.end() ? terms_.undefined(sort) : found->second;
  if (terms_[value].sort != sort)
    throw NotUnderstood{"location " + text_of(place) + " has another type where it is read"};
  return value;
}

// What a mesh stage stores there. Where that happens at the same elements and under the same conditions as with what
// makes a vertex or primitive exist (its position, or its indices), it is what the invocation has that makes it; else
// it is the record of all stores, of sort memory. None if the producer is no mesh stage.
std::optional<Term> StageInputs::of_mesh(const Place& place, Sort sort, bool per_primitive) {
  if (!producer_->records) return std::nullopt;
  const auto found = producer_->outputs.find(place);
  if (found == producer_->outputs.end()) return terms_.undefined(sort);
  const auto own = sites_of(terms_, found->second);
  if (!own) return found->second;
  for (const Site& site : *own)
    if (terms_[site.value].sort != sort)
      throw NotUnderstood{"location " + text_of(place) + " has another type where it is read"};
  std::optional<std::vector<Site>> existing;
  for (const auto& [other, record] : producer_->outputs) {
    const auto number = static_cast<spv::BuiltIn>(other.number);
    const bool indices = number == spv::BuiltIn::PrimitiveTriangleIndicesEXT ||
                         number == spv::BuiltIn::PrimitiveLineIndicesEXT ||
                         number == spv::BuiltIn::PrimitivePointIndicesEXT;
    if (other.built_in && other.component == 0 && (per_primitive ? indices : number == spv::BuiltIn::Position))
      existing = sites_of(terms_, record);
  }
  const bool together =
      existing && !own->empty() && own->size() == existing->size() &&
      std::ranges::equal(*own, *existing, [](const Site& a, const Site& b) { return a.same_place(b); });
  if (!together) return found->second;
  if (own->size() == 1) return own->front().value;
  std::vector<Term> values;
  for (const Site& site : *own) {
    // Only what one invocation has for all vertices can be told apart by the store alone.
    if (!terms_[site.value].convergent) return found->second;
    values.push_back(site.value);
  }
  return per_primitive ? found->second : emitted(terms_, values);
}

Term StageInputs::payload(std::uint32_t part) {
  if (producer_ == nullptr || part >= producer_->payload.size())
    throw NotUnderstood{"a payload that no task stage makes"};
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

Crossing& StageInputs::crossing(const std::string& name) {
  return crossings_.try_emplace(name, Crossing(terms_, {name, {}}, semantics_)).first->second;
}

}  // namespace varylink::prove
