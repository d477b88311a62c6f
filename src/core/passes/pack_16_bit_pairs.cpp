#include "passes/pack_16_bit_pairs.h"

#include <spirv/unified1/GLSL.std.450.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/seeded_fault.h"
#include "link/values/slot_values.h"
#include "passes/assign_locations.h"
#include "passes/packing/pairs_of_16_bits.h"
#include "spirv/ir/code_edit.h"
#include "spirv/ir/emitter.h"
#include "varyings/reflect/pointer_access.h"
#include "varyings/scalarize/varying_variable.h"

namespace varylink::passes {
namespace {

using link::find_varying;
using link::LinkedStage;
using spirv::Id;
using varyings::Direction;
using varyings::PointerAccess;
using varyings::ScalarKind;
using varyings::ScalarType;
using varyings::Slot;
using varyings::Varying;

// Code of one stage that takes two values as one, and one as two.
class PairCode {
 public:
  // `low`: the type of the low part.
  PairCode(const spirv::Module& module, spirv::Globals& globals, spirv::Emitter& emitter, spv::Op conversion,
           ScalarType low)
      : module_(module),
        globals_(globals),
        emitter_(emitter),
        form_(conversion),
        type_(conversion == spv::Op::OpNop ? varyings::type_id(globals, low)
              : is_of_integers()           ? globals.int_type(32, false)
                                           : globals.float_type(32)) {}

  Id joined(std::vector<Id> parts) {
    for (Id& part : parts) part = cast(type_, part);
    if (parts.size() == 1) parts.push_back(globals_.null_constant(type_));
    // The bits of the low part that are not of its number are replaced, too.
    if (is_of_integers())
      return emitter_.emit(spv::Op::OpBitFieldInsert, type_,
                           {spirv::id(parts[0]), spirv::id(parts[1]), number(16), number(16)});
    const Id both = emitter_.construct(globals_.vector_type(type_, 2), parts);
    return form_ == spv::Op::OpFConvert ? glsl(GLSLstd450PackHalf2x16, globals_.int_type(32, false), both)
                                        : cast(globals_.int_type(32, false), both);
  }

  // What part() takes: both parts as a vector, or the pair of integers itself.
  Id parts(Id joined) {
    if (is_of_integers()) return joined;
    const Id both = globals_.vector_type(type_, 2);
    return form_ == spv::Op::OpFConvert ? glsl(GLSLstd450UnpackHalf2x16, both, joined) : cast(both, joined);
  }
  // Part 0 is the low one.
  Id part(Id parts, std::uint32_t which, ScalarType type) {
    const Id value = is_of_integers() ? field(parts, which) : emitter_.extract(type_, parts, which);
    return cast(varyings::type_id(globals_, type), value);
  }

 private:
  bool is_of_integers() const { return form_ == spv::Op::OpUConvert || form_ == spv::Op::OpSConvert; }
  spirv::Operand number(std::uint32_t value) { return spirv::id(globals_.uint_constant(value)); }
  Id cast(Id type, Id value) {
    return module_.type_of(value) == type ? value : emitter_.emit(spv::Op::OpBitcast, type, {spirv::id(value)});
  }
  Id glsl(std::uint32_t function, Id type, Id operand) {
    return emitter_.emit(spv::Op::OpExtInst, type,
                         {spirv::id(globals_.glsl_std_450()), spirv::lit(function), spirv::id(operand)});
  }
  Id field(Id pair, std::uint32_t which) {
    const spv::Op op = form_ == spv::Op::OpUConvert ? spv::Op::OpBitFieldUExtract : spv::Op::OpBitFieldSExtract;
    return emitter_.emit(op, type_, {spirv::id(pair), number(16 * which), number(16)});
  }

  const spirv::Module& module_;
  spirv::Globals& globals_;
  spirv::Emitter& emitter_;
  const spv::Op form_;
  const Id type_;  // of a part
};

Varying packed(const std::vector<Varying>& varyings, const Pair& pair, bool interpolates) {
  Varying varying = *find_varying(varyings, pair.parts.front());
  const Slot slot = varying.slot = pair.slot;
  varying.slots = {slot};
  varying.scalar = {ScalarKind::uint, 32};
  varying.relaxed_precision = false;
  varying.interpolation.flat = interpolates;  // an integer, where halves of primitives need not say so
  if (pair.parts.size() == 2) varying.name += "_" + find_varying(varyings, pair.parts.back())->name;
  varying.semantic.clear();
  varying.type = text(varying.scalar);
  return varying;
}

Varying declare(LinkedStage& stage, spirv::Globals& globals, const std::vector<Varying>& varyings, const Pair& pair,
                Direction direction, bool interpolates) {
  const std::uint32_t vertices = varyings::vertices_of(stage.module, *find_varying(varyings, pair.parts.front()));
  Varying varying = packed(varyings, pair, interpolates);
  varyings::declare_scalar(stage.module, globals, stage.entry.inst, varying, direction, interpolates, vertices);
  return varying;
}

void store_pairs(LinkedStage& producer, const std::vector<Pair>& pairs, bool interpolates) {
  spirv::Module& module = producer.module;
  const link::StoreTable stores(producer);
  const std::vector<spirv::Place> places = spirv::places_of(module);
  spirv::Globals globals(module);
  spirv::Emitter emitter(module, globals);
  spirv::CodeEdit edit;
  std::vector<Varying> declared;
  std::set<Slot> gone;
  for (const Pair& pair : pairs) {
    PairCode code(module, globals, emitter, pair.conversion,
                  find_varying(producer.outputs, pair.parts.front())->scalar);
    declared.push_back(declare(producer, globals, producer.outputs, pair, Direction::output, interpolates));
    for (std::size_t i = 0; i < stores.find(pair.parts.front())->stores.size(); ++i) {
      spirv::InstRef last;
      std::vector<Id> values;
      for (const Slot part : pair.parts) {
        const spirv::InstRef store = stores.find(part)->stores[i].inst;
        if (!last || places[last.index].index < places[store.index].index) last = store;
        values.push_back(module.operand(store, 1).word);
      }
      emitter.write_to(edit.before(last));
      const Id value = code.joined(values);
      emitter.store(emitter.chain(spv::StorageClass::Output, globals.int_type(32, false), declared.back().variable,
                                  stores.find(pair.parts.front())->stores[i].indices),
                    value);
    }
    gone.insert(pair.parts.begin(), pair.parts.end());
  }
  edit.apply(module, producer.entry.function);
  remove_outputs(producer, gone);
  producer.outputs.insert(producer.outputs.end(), declared.begin(), declared.end());
}

// One load of one part of a pair.
struct PartLoad {
  std::tuple<std::uint32_t, std::uint32_t, std::uint32_t> place;  // function, block, position
  PointerAccess access;
  std::uint32_t which = 0;
};

// In order of their places, so that the first of those in one block, at one vertex, dominates the others.
std::vector<PartLoad> loads_of(const LinkedStage& consumer, const spirv::Uses& uses,
                               const std::vector<spirv::Place>& places, const Pair& pair) {
  std::vector<PartLoad> loads;
  for (std::uint32_t which = 0; which < pair.parts.size(); ++which) {
    const Id variable = find_varying(consumer.inputs, pair.parts[which])->variable;
    for (PointerAccess& access : varyings::accesses_of(consumer.module, uses, variable).accesses) {
      const spirv::Place& place = places[access.inst.index];
      loads.push_back({{place.function, place.block, place.index}, std::move(access), which});
    }
  }
  std::sort(loads.begin(), loads.end(), [](const PartLoad& a, const PartLoad& b) { return a.place < b.place; });
  return loads;
}

class PairLoader {
 public:
  PairLoader(LinkedStage& consumer, bool interpolates)
      : consumer_(consumer),
        module_(consumer.module),
        interpolates_(interpolates),
        uses_(module_),
        places_(spirv::places_of(module_)),
        globals_(module_),
        emitter_(module_, globals_) {}

  void run(const std::vector<Pair>& pairs) {
    std::vector<Varying> declared;
    std::set<Slot> gone;
    for (const Pair& pair : pairs) {
      declared.push_back(declare(consumer_, globals_, consumer_.inputs, pair, Direction::input, interpolates_));
      load(pair, declared.back().variable);
      gone.insert(pair.parts.begin(), pair.parts.end());
    }
    edit_.apply(module_, consumer_.entry.function);
    remove_inputs(consumer_, gone);
    consumer_.inputs.insert(consumer_.inputs.end(), declared.begin(), declared.end());
  }

 private:
  void load(const Pair& pair, Id variable) {
    PairCode code(module_, globals_, emitter_, pair.conversion,
                  find_varying(consumer_.inputs, pair.parts.front())->scalar);
    const Id uint = globals_.int_type(32, false);
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::vector<Id>>, Id> loaded;  // by function, block, vertex
    for (const PartLoad& each : loads_of(consumer_, uses_, places_, pair)) {
      emitter_.write_to(edit_.before(each.access.inst));
      Id& parts = loaded[{std::get<0>(each.place), std::get<1>(each.place), each.access.indices}];
      if (parts == 0) {
        const Id pointer = emitter_.chain(spv::StorageClass::Input, uint, variable, each.access.indices);
        parts = code.parts(emitter_.load(uint, pointer));
      }
      const ScalarType type = find_varying(consumer_.inputs, pair.parts[each.which])->scalar;
      const std::uint32_t wanted = seeded_fault("pairs-are-read-crosswise") ? 1 - each.which : each.which;
      module_.rewrite(each.access.inst, spv::Op::OpCopyObject, {spirv::id(code.part(parts, wanted, type))});
    }
  }

  LinkedStage& consumer_;
  spirv::Module& module_;
  const bool interpolates_;
  spirv::Uses uses_;
  std::vector<spirv::Place> places_;  // by instruction
  spirv::Globals globals_;
  spirv::Emitter emitter_;
  spirv::CodeEdit edit_;
};

void record_packed(link::Link& link, const std::vector<Pair>& pairs) {
  const std::vector<Varying>& outputs = link.producers.front()->outputs;
  for (const Pair& pair : pairs)
    for (const Slot slot : pair.parts)
      link.record_outcome(*find_varying(outputs, slot), link::Outcome::moved,
                          pair.parts.size() == 2 ? "two components of 16 bits are sent as one"
                                                 : "sent with 32 bits, beside pairs of 16-bit components");
}

}  // namespace

Result<Progress> pack_16_bit_pairs(link::Link& link, PassContext& context) {
  const std::vector<Pair> pairs = pairs_that_pay(link, context.options());
  if (pairs.empty() || !context.spend_fuel()) return Progress::none;  // some of them might take more locations
  record_packed(link, pairs);
  store_pairs(*link.producers.front(), pairs, link.consumer_interpolates());
  PairLoader(*link.consumers.front(), link.consumer_interpolates()).run(pairs);
  return Progress::both;
}

}  // namespace varylink::passes
