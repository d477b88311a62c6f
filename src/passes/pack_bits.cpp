#include "passes/pack_bits.h"

#include "passes/bits/bits_plan.h"
#include "spirv/ir/code_edit.h"
#include "varyings/lift/varying_variable.h"
#include "varyings/reflect/pointer_access.h"

namespace varylink::passes {
namespace {

using link::find_varying;
using link::LinkedStage;
using spirv::Id;
using varyings::Direction;
using varyings::Slot;
using varyings::Varying;

// The variable of a word in one stage: like that of its first value, but for the type.
Varying declare_word(LinkedStage& stage, spirv::Globals& globals, const PackedWord& word,
                     const varyings::Interpolation& kind, Direction direction, bool interpolates) {
  const bool is_input = direction == Direction::input;
  const Varying& first = *find_varying(is_input ? stage.inputs : stage.outputs, word.slot());
  Varying varying;
  varying.slot = word.slot();
  varying.slots = {varying.slot};
  varying.scalar = {varyings::ScalarKind::uint, 32};
  varying.interpolation = kind;
  varying.patch = first.patch;
  varying.per_primitive = first.per_primitive;
  varying.name = "bits";
  varying.type = text(varying.scalar);
  const Id type = spirv::pointee_type(stage.module, stage.module.type_of(first.variable));
  const bool is_array = stage.module.def_op(type) == spv::Op::OpTypeArray;
  varyings::declare_scalar(stage.module, globals, stage.entry.inst, varying, direction, interpolates,
                           is_array ? spirv::element_count(stage.module, type) : 0);
  return varying;
}

// Stores the words where their values were stored.
void store_words(LinkedStage& producer, const std::vector<PackedWord>& words, const std::vector<Varying>& varyings,
                 spirv::Globals& globals, const BitsPlanner& planner) {
  spirv::Module& module = producer.module;
  spirv::Emitter emitter(module, globals);
  spirv::CodeEdit edit;
  SmallValueCode code(globals, emitter);
  for (std::size_t w = 0; w < words.size(); ++w) {
    const auto& sites = planner.producer().sites(words[w].sites);
    for (std::size_t site = 0; site < sites.size(); ++site) {
      emitter.write_to(edit.before(sites[site].last_store));
      Id bits = 0;
      for (const PackedValue& each : words[w].values) {
        const Id stored = module.operand(planner.stores(each.place.slot)[site].inst, 1).word;
        const Id encoded = code.encode(each.value, stored, each.place.offset);
        bits = bits == 0 ? encoded : code.combine(bits, encoded);
      }
      const Id type = globals.int_type(32, false);
      emitter.store(emitter.chain(spv::StorageClass::Output, type, varyings[w].variable, sites[site].indices), bits);
    }
  }
  edit.apply(module, producer.entry.function);
}

// Takes the values out of the words: at the start, or, where an index of a vertex is needed, where they are loaded.
class Unpacker {
 public:
  Unpacker(LinkedStage& consumer, spirv::Globals& globals)
      : consumer_(consumer),
        module_(consumer.module),
        globals_(globals),
        emitter_(module_, globals),
        code_(globals, emitter_),
        uses_(module_) {}

  void unpack(const PackedWord& word, Id variable) {
    Id loaded_at_start = 0;
    for (const PackedValue& each : word.values) {
      const Id old = find_varying(consumer_.inputs, each.place.slot)->variable;
      Id at_start = 0;
      for (const varyings::PointerAccess& access : varyings::accesses_of(module_, uses_, old).accesses) {
        const bool starts = access.indices.empty();
        emitter_.write_to(starts ? edit_.start() : edit_.before(access.inst));
        if (starts && loaded_at_start == 0) loaded_at_start = load(variable, {});
        Id value = at_start;
        if (value == 0)
          value = code_.decode(each.value, starts ? loaded_at_start : load(variable, access.indices), each.place.offset,
                               &each == &word.values.back());
        if (starts) at_start = value;
        edit_.replace(module_[access.inst].result, value);
        edit_.remove(access.inst);
      }
    }
  }

  void apply() { edit_.apply(module_, consumer_.entry.function); }

 private:
  Id load(Id variable, const std::vector<Id>& indices) {
    const Id type = globals_.int_type(32, false);
    return emitter_.load(type, emitter_.chain(spv::StorageClass::Input, type, variable, indices));
  }

  LinkedStage& consumer_;
  spirv::Module& module_;
  spirv::Globals& globals_;
  spirv::Emitter emitter_;
  SmallValueCode code_;
  spirv::Uses uses_;
  spirv::CodeEdit edit_;
};

void settle_packed(link::Link& link, const std::vector<PackedWord>& words) {
  for (const PackedWord& word : words)
    for (const PackedValue& each : word.values) {
      const std::string first = std::to_string(each.place.offset);
      const std::string last = std::to_string(each.place.offset + each.place.bits - 1);
      link.record_fate(*find_varying(link.producers.front()->outputs, each.place.slot), link::Fate::moved,
                       "it crosses as " + (first == last ? "bit " + first : "bits " + first + " to " + last) +
                           " of a word of " + std::to_string(word.values.size()) + " values");
    }
}

}  // namespace

Result<Progress> pack_bits(link::Link& link, PassContext& context) {
  if (link.producers.size() != 1 || link.consumers.size() != 1) return Progress::none;
  LinkedStage &producer = *link.producers.front(), &consumer = *link.consumers.front();
  BitsPlanner planner(link);
  std::vector<PackedWord> words = planner.run();
  std::erase_if(words, [&](const PackedWord&) { return !context.spend_fuel(); });
  if (words.empty()) return Progress::none;
  settle_packed(link, words);
  const bool interpolates = link.consumer_interpolates();
  spirv::Globals producer_globals(producer.module), consumer_globals(consumer.module);
  Unpacker unpacker(consumer, consumer_globals);
  std::vector<Varying> outputs, inputs;
  for (const PackedWord& word : words) {
    const varyings::Interpolation kind = find_varying(consumer.inputs, word.slot())->interpolation;
    outputs.push_back(declare_word(producer, producer_globals, word, kind, Direction::output, interpolates));
    inputs.push_back(declare_word(consumer, consumer_globals, word, kind, Direction::input, interpolates));
    unpacker.unpack(word, inputs.back().variable);
  }
  store_words(producer, words, outputs, producer_globals, planner);
  unpacker.apply();
  for (const PackedWord& word : words)
    for (const PackedValue& each : word.values) {
      remove_output(producer, each.place.slot);
      remove_input(consumer, each.place.slot);
    }
  producer.outputs.insert(producer.outputs.end(), outputs.begin(), outputs.end());
  consumer.inputs.insert(consumer.inputs.end(), inputs.begin(), inputs.end());
  return Progress::both;
}

}  // namespace varylink::passes
