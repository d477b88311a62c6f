#include "varyings/vectorize/vectorize_io.h"

#include <algorithm>
#include <set>

#include "base/seeded_fault.h"
#include "spirv/ir/code_edit.h"
#include "spirv/ir/emitter.h"
#include "varyings/reflect/interpolate_at.h"
#include "varyings/reflect/output_owner.h"
#include "varyings/reflect/pointer_access.h"
#include "varyings/reflect/semantics.h"
#include "varyings/scalarize/varying_variable.h"
#include "varyings/vectorize/array_elements.h"
#include "varyings/vectorize/unsplit_variables.h"
#include "varyings/vectorize/whole_accesses.h"

namespace varylink::varyings {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;
using Kind = PointerAccess::Kind;

// A load or an InterpolateAt instruction of a member.
struct Read {
  const PackedMember* member = nullptr;
  InstRef inst;
};

class Vectorizer {
 public:
  // `widened`: variables that have taken the place of unsplit ones, by their slots.
  Vectorizer(Module& module, const Entry& entry, const VectorizeRequest& request, const std::map<Slot, Id>& widened)
      : module_(module),
        entry_(entry),
        request_(request),
        widened_(widened),
        has_semantics_(may_have_semantics(module)),
        globals_(module),
        emitter_(module, globals_) {}

  void run() {
    const spirv::Uses uses(module_);
    places_ = number_code(module_);
    for (const PackedVariable& packed : *request_.packed) vectorize_variable(packed, uses);
    edit_.apply(module_, entry_.function);
    remove_finished();
    for (Varying varying : *request_.varyings)
      if (varying.form == Varying::Form::unsplit) {
        if (widened_.count(varying.slot) != 0) varying.variable = widened_.at(varying.slot);
        if (const Varying* reader = reader_of(varying)) adopt_interpolation(module_, varying, *reader);
        if (const auto place = request_.placement->find(varying.slot); place != request_.placement->end())
          relocate(module_, varying, place->second);
      }
    module_.sweep();
  }

 private:
  spv::StorageClass storage() const { return storage_class_of(request_.direction); }

  // Of an output whose reader is interpolated, if it keeps its type as well.
  const Varying* reader_of(const Varying& output) const {
    if (!request_.readers || !request_.interpolates || request_.direction != Direction::output) return nullptr;
    const auto reader = std::find_if(request_.readers->begin(), request_.readers->end(),
                                     [&](const Varying& other) { return other.slot == output.slot; });
    return reader != request_.readers->end() && reader->form == Varying::Form::unsplit ? &*reader : nullptr;
  }

  const Varying* varying_at(Slot slot) const {
    for (const Varying& varying : *request_.varyings)
      if (varying.slot == slot && varying.form == Varying::Form::scalar) return &varying;
    return nullptr;
  }

  void vectorize_variable(const PackedVariable& packed, const spirv::Uses& uses) {
    std::vector<PackedMember> members;
    for (std::uint32_t i = 0; i < packed.members.size(); ++i)
      if (const Varying* varying = varying_at(packed.members[i]))
        members.push_back({varying, i, accesses_of(module_, uses, varying->variable)});
    if (members.empty()) return;
    finished_.insert(finished_.end(), members.begin(), members.end());
    if (packed.array) return access_array_components(packed, members);
    const Id vertex_array = array_type_of(*members.front().varying);
    const Id vector =
        globals_.vector_type(type_id(globals_, packed.scalar), static_cast<std::uint32_t>(packed.members.size()));
    const Id type =
        vertex_array == 0 ? vector : globals_.array_type(vector, spirv::element_count(module_, vertex_array));
    const Id variable = globals_.variable(storage(), type, packed.name);
    spirv::add_to_interface(module_, entry_.inst, variable);
    decorate(variable, packed);
    if (has_semantics_) decorate_semantic(module_, variable, packed.qualifiers.semantic);
    if (vertex_array == 0 && is_only_read(members))
      read_whole(packed, members, variable, vector);
    else if (vertex_array == 0 && stores_at_exits() && stores_match(members))
      store_at_exits(packed, members, variable, vector);
    else
      access_in_place(packed, members, variable, vector);
  }

  // The per-vertex array type of a scalarized scalar variable, 0 if it is not arrayed.
  Id array_type_of(const Varying& varying) const {
    const Id type = spirv::pointee_type(module_, module_.type_of(varying.variable));
    return module_.def_op(type) == spv::Op::OpTypeArray ? type : 0;
  }

  void decorate(Id variable, const PackedVariable& packed) {
    const bool is_off = seeded_fault("lower-location-off-by-one") && request_.direction == Direction::output;
    if (packed.built_in)
      spirv::decorate(module_, variable, spv::Decoration::BuiltIn, static_cast<std::uint32_t>(*packed.built_in));
    else
      spirv::decorate(module_, variable, spv::Decoration::Location, packed.slot.location + (is_off ? 1 : 0));
    if (packed.slot.component != 0)
      spirv::decorate(module_, variable, spv::Decoration::Component, packed.slot.component);
    decorate_qualifiers(module_, variable, packed.qualifiers, request_.direction, request_.interpolates);
  }

  static bool is_only_read(const std::vector<PackedMember>& members) {
    return std::all_of(members.begin(), members.end(), [](const PackedMember& member) {
      return std::all_of(member.accesses.accesses.begin(), member.accesses.accesses.end(),
                         [](const PointerAccess& access) { return access.kind != Kind::store; });
    });
  }

  // Outputs of control and mesh stages are memory: each is stored where its code stood, not at the exits together with
  // its neighbours, even if it happens to be stored equally often (rule ).
  bool stores_at_exits() const { return has_private_outputs(entry_.stage); }

  // Every member is only stored, and equally often: at every exit.
  static bool stores_match(const std::vector<PackedMember>& members) {
    return std::all_of(members.begin(), members.end(), [&](const PackedMember& member) {
      return member.accesses.accesses.size() == members.front().accesses.accesses.size() &&
             std::all_of(member.accesses.accesses.begin(), member.accesses.accesses.end(),
                         [](const PointerAccess& access) { return access.kind == Kind::store; });
    });
  }

  Id cast(Id value, ScalarType from, ScalarType to) {
    if (seeded_fault("lower-converts-instead-of-casting") && from.kind != to.kind) {
      const bool to_float = to.kind == ScalarKind::floating, is_float = from.kind == ScalarKind::floating;
      const spv::Op op = to_float ? spv::Op::OpConvertUToF : is_float ? spv::Op::OpConvertFToU : spv::Op::OpBitcast;
      return emitter_.emit(op, type_id(globals_, to), {spirv::id(value)});
    }
    return from == to ? value : emitter_.emit(spv::Op::OpBitcast, type_id(globals_, to), {spirv::id(value)});
  }

  // All loads are one at the start: drivers of Mesa 22.3 give what an InterpolateAt instruction read to loads behind
  // it.
  void read_whole(const PackedVariable& packed, const std::vector<PackedMember>& members, Id variable, Id vector) {
    std::vector<Read> loads, interpolations;
    for (const PackedMember& member : members)
      for (const PointerAccess& access : member.accesses.accesses) {
        // An input that became flat is the same anywhere in the pixel.
        const bool at = access.kind == Kind::interpolate && !packed.qualifiers.interpolation.flat;
        (at ? interpolations : loads).push_back({&member, access.inst});
      }
    if (!loads.empty()) {
      emitter_.write_to(edit_.start());
      extract_components(packed, emitter_.load(vector, variable), loads);
    }
    for (const auto& [place, reads] : by_block_and_place(interpolations)) {
      emitter_.write_to(edit_.before(reads.front().inst));
      extract_components(packed, emit_interpolate_at(emitter_, place.second, vector, variable), reads);
    }
  }

  // In each list, the instruction that is first in the block comes first.
  std::map<std::pair<std::uint32_t, InterpolateAt>, std::vector<Read>> by_block_and_place(
      std::vector<Read> reads) const {
    std::sort(reads.begin(), reads.end(), [this](const Read& a, const Read& b) {
      return places_.order[a.inst.index] < places_.order[b.inst.index];
    });
    std::map<std::pair<std::uint32_t, InterpolateAt>, std::vector<Read>> groups;
    for (const Read& read : reads)
      groups[{places_.block[read.inst.index], interpolate_at(module_, read.inst)}].push_back(read);
    return groups;
  }

  // Gives the components of `whole` to what read them one by one.
  void extract_components(const PackedVariable& packed, Id whole, const std::vector<Read>& reads) {
    std::map<const PackedMember*, Id> values;
    for (const Read& read : reads) {
      Id& value = values[read.member];
      if (value == 0) value = component_of(packed, whole, *read.member);
      edit_.replace(module_[read.inst].result, value);
      edit_.remove(read.inst);
    }
  }

  Id component_of(const PackedVariable& packed, Id whole, const PackedMember& member) {
    const bool is_swapped = seeded_fault("lower-swaps-components") && member.index < 2;
    const std::uint32_t index = is_swapped ? 1 - member.index : member.index;
    const bool single = packed.members.size() == 1;
    const Id part = single ? whole : emitter_.extract(type_id(globals_, packed.scalar), whole, index);
    return cast(part, packed.scalar, member.varying->scalar);
  }

  Id defined(Id value, ScalarType type) {
    return module_.def_op(value) == spv::Op::OpUndef ? globals_.null_constant(type_id(globals_, type)) : value;
  }

  void store_at_exits(const PackedVariable& packed, std::vector<PackedMember>& members, Id variable, Id vector) {
    const auto by_order = [this](const PointerAccess& a, const PointerAccess& b) {
      return places_.order[a.inst.index] < places_.order[b.inst.index];
    };
    for (PackedMember& member : members)
      std::sort(member.accesses.accesses.begin(), member.accesses.accesses.end(), by_order);
    const Id null = globals_.null_constant(type_id(globals_, packed.scalar));
    for (std::size_t at = 0; at < members.front().accesses.accesses.size(); ++at) {
      InstRef last = members.front().accesses.accesses[at].inst;
      for (const PackedMember& member : members)
        if (places_.order[member.accesses.accesses[at].inst.index] > places_.order[last.index])
          last = member.accesses.accesses[at].inst;
      emitter_.write_to(edit_.before(last));
      std::vector<Id> parts(packed.members.size(), null);
      for (const PackedMember& member : members) {
        const InstRef store = member.accesses.accesses[at].inst;
        const Id value = defined(module_.operand(store, 1).word, member.varying->scalar);
        parts[member.index] = cast(value, member.varying->scalar, packed.scalar);
        edit_.remove(store);
      }
      if (seeded_fault("vectorize-drops-last-store") && at > 0) continue;
      emitter_.store(variable, parts.size() == 1 ? parts.front() : emitter_.construct(vector, parts));
    }
  }

  // Each access where its code stands; one to the whole vector stands for those that reach most of it there.
  void access_in_place(const PackedVariable& packed, const std::vector<PackedMember>& members, Id variable, Id vector) {
    const bool is_vector = packed.members.size() > 1;
    for (const auto& group : group_accesses(module_, places_, members, request_.direction)) {
      const bool is_store = group.front().access->kind == Kind::store;
      if (is_vector && is_store && stores_all(group, members))
        store_group(packed, group, variable, vector);
      else if (is_vector && !is_store && is_most(group, packed.members.size()))
        load_group(packed, group, variable, vector);
      else
        for (const MemberAccess& access : group) access_component(packed, access, variable);
    }
  }

  static bool is_most(const std::vector<MemberAccess>& group, std::size_t width) {
    std::set<const PackedMember*> read;
    for (const MemberAccess& access : group) read.insert(access.member);
    return 2 * read.size() > width;
  }

  void store_group(const PackedVariable& packed, const std::vector<MemberAccess>& group, Id variable, Id vector) {
    emitter_.write_to(edit_.before(group.back().access->inst));
    std::vector<Id> parts(packed.members.size(), globals_.null_constant(type_id(globals_, packed.scalar)));
    for (const auto& [member, access] : group) {
      const Id value = defined(module_.operand(access->inst, 1).word, member->varying->scalar);
      const bool is_wrong = seeded_fault("lower-stores-first-component-twice") && member->index == 1;
      parts[is_wrong ? 0 : member->index] = cast(value, member->varying->scalar, packed.scalar);
      edit_.remove(access->inst);
    }
    const Id whole = emitter_.construct(vector, parts);
    emitter_.store(emitter_.chain(storage(), vector, variable, group.back().access->indices), whole);
  }

  void load_group(const PackedVariable& packed, const std::vector<MemberAccess>& group, Id variable, Id vector) {
    const PointerAccess& first = *group.front().access;
    emitter_.write_to(edit_.before(first.inst));
    const Id whole = emitter_.load(vector, emitter_.chain(storage(), vector, variable, first.indices));
    std::vector<Read> reads;
    for (const auto& [member, access] : group) reads.push_back({member, access->inst});
    extract_components(packed, whole, reads);
  }

  void access_component(const PackedVariable& packed, const MemberAccess& one, Id variable) {
    emitter_.write_to(edit_.before(one.access->inst));
    std::vector<Id> indices = one.access->indices;
    const bool is_wrong = seeded_fault("lower-accesses-first-component");
    if (packed.members.size() > 1) indices.push_back(globals_.uint_constant(is_wrong ? 0 : one.member->index));
    const Id pointer = emitter_.chain(storage(), type_id(globals_, packed.scalar), variable, indices);
    access_at(packed, *one.member, *one.access, pointer);
  }

  void access_array_components(const PackedVariable& packed, const std::vector<PackedMember>& members) {
    const Id variable = widened_.at(*packed.array), scalar = type_id(globals_, packed.scalar);
    const std::uint32_t element = packed.slot.location - request_.placement->at(*packed.array).location;
    for (const PackedMember& member : members)
      for (const PointerAccess& access : member.accesses.accesses) {
        emitter_.write_to(edit_.before(access.inst));
        const Id indices[] = {globals_.uint_constant(seeded_fault("lower-takes-first-element") ? 0 : element),
                              globals_.uint_constant(packed.slot.component + member.index)};
        access_at(packed, member, access, emitter_.chain(storage(), scalar, variable, indices));
      }
  }

  void access_at(const PackedVariable& packed, const PackedMember& member, const PointerAccess& access, Id pointer) {
    if (access.kind == Kind::load)
      edit_.replace(module_[access.inst].result, cast(emitter_.load(type_id(globals_, packed.scalar), pointer),
                                                      packed.scalar, member.varying->scalar));
    else
      emitter_.store(pointer, cast(module_.operand(access.inst, 1).word, member.varying->scalar, packed.scalar));
    edit_.remove(access.inst);
  }

  void remove_finished() {
    std::vector<Id> gone;
    for (const PackedMember& member : finished_) {
      for (const InstRef chain : member.accesses.chains) gone.push_back(module_[chain].result);
      gone.push_back(member.varying->variable);
    }
    spirv::remove_globals(module_, std::move(gone));
  }

  Module& module_;
  const Entry& entry_;
  const VectorizeRequest& request_;
  const std::map<Slot, Id>& widened_;
  const bool has_semantics_;
  spirv::Globals globals_;
  spirv::Emitter emitter_;
  CodePlaces places_;
  spirv::CodeEdit edit_;
  std::vector<PackedMember> finished_;
};

// Slot of each array that others become components of -> its new variable.
std::map<Slot, Id> widen_arrays(Module& module, const Entry& entry, const VectorizeRequest& request) {
  std::map<Slot, std::uint32_t> widths;
  for (const PackedVariable& packed : *request.packed)
    if (packed.array) {
      std::uint32_t& width = widths[*packed.array];
      width = std::max(width, packed.slot.component + static_cast<std::uint32_t>(packed.members.size()));
    }
  std::map<Slot, Id> widened;
  for (const Varying& varying : *request.varyings)
    if (const auto found = widths.find(varying.slot); found != widths.end()) {
      ComponentPlaces as_before(shape_to_widen(module, varying).value_or(ArrayShape{}).components);
      for (std::uint32_t i = 0; i < as_before.size(); ++i) as_before[i] = i;
      widened.emplace(varying.slot, set_components(module, entry, varying.variable, as_before, found->second));
    }
  return widened;
}

}  // namespace

void vectorize_io(Module& module, const Entry& entry, const VectorizeRequest& request) {
  const std::map<Slot, Id> widened = widen_arrays(module, entry, request);
  Vectorizer(module, entry, request, widened).run();
}

}  // namespace varylink::varyings
