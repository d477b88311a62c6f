#include "passes/packing/pairs_of_16_bits.h"

#include <spirv/unified1/GLSL.std.450.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "base/seeded_fault.h"
#include "link/values/float_environment.h"
#include "link/values/slot_values.h"
#include "passes/packing/interface_items.h"
#include "spirv/ir/op_info.h"
#include "varyings/reflect/pointer_access.h"
#include "varyings/scalarize/varying_variable.h"

namespace varylink::passes {
namespace {

using link::find_varying;
using link::LinkedStage;
using spirv::Id;
using varyings::PointerAccess;
using varyings::Slot;
using varyings::Varying;

// Where a store stands among those that happen together.
struct StorePlace {
  std::uint32_t function = 0, block = 0, segment = 0;
  std::vector<Id> indices;
  friend auto operator<=>(const StorePlace&, const StorePlace&) = default;
};

// unpackHalf2x16(), or 16 bits of an integer.
bool is_part_of_pair(const spirv::Module& module, spirv::InstRef inst) {
  const spv::Op op = module[inst].op;
  if (op == spv::Op::OpExtInst)
    return spirv::is_glsl_inst(module, inst) && module.operand(inst, 1).word == GLSLstd450UnpackHalf2x16;
  return (op == spv::Op::OpBitFieldUExtract || op == spv::Op::OpBitFieldSExtract) &&
         spirv::constant_int(module, module.operand(inst, 2).word) == 16;
}

class PairPlanner {
 public:
  explicit PairPlanner(const link::Link& link)
      : link_(link),
        producer_(*link.producers.front()),
        consumer_(*link.consumers.front()),
        stores_(producer_),
        uses_(consumer_.module),
        places_(spirv::places_of(producer_.module)),
        segments_(link::segments_of(producer_.module)),
        converts_(link::may_convert_halves(producer_, consumer_)) {
    for (const PlacementItem& item : placement_items(link, all_varyings(link)))
      if (item.convergent) convergent_.insert(item.slot);
  }

  std::vector<Pair> run() const {
    using Key =
        std::tuple<spv::Op, varyings::Interpolation, bool, bool, std::uint32_t, std::uint32_t, std::vector<StorePlace>>;
    std::map<Key, std::vector<Slot>> alike;
    for (const Varying& output : producer_.outputs) {
      const Varying* input = find_varying(consumer_.inputs, output.slot);
      const auto conversion = input ? conversion_of(output) : std::nullopt;
      if (!conversion || !is_read_whole(output, *input)) continue;
      Key key{*conversion,
              {.flat = link_.consumer_interpolates()},
              output.patch,
              output.per_primitive,
              varyings::vertices_of(producer_.module, output),
              varyings::vertices_of(consumer_.module, *input),
              places_of(*stores_.find(output.slot))};
      if (seeded_fault("pairs-are-stored-anywhere"))
        for (StorePlace& place : std::get<std::vector<StorePlace>>(key)) place = {};
      alike[std::move(key)].push_back(output.slot);
    }
    std::vector<Pair> pairs;
    for (auto& [key, slots] : alike) add_pairs(std::move(slots), std::get<spv::Op>(key), pairs);
    std::sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) { return a.slot < b.slot; });
    while (drop_one_beside_16_bits(pairs)) {
    }
    return pairs;
  }

 private:
  static void add_pairs(std::vector<Slot> slots, spv::Op conversion, std::vector<Pair>& pairs) {
    std::sort(slots.begin(), slots.end());
    if (conversion != spv::Op::OpNop && slots.size() % 2 != 0) slots.pop_back();  // alone it crosses as it is
    if (slots.size() < 2) return;
    for (std::size_t i = 0; i < slots.size(); i += 2) {
      const auto first = slots.begin() + static_cast<std::ptrdiff_t>(i);
      pairs.push_back({{first, i + 1 < slots.size() ? first + 2 : first + 1}, *first, conversion});
    }
  }

  // A location has one width (Vulkan, "Location Assignment"): what stays in that of a pair would have to move.
  bool drop_one_beside_16_bits(std::vector<Pair>& pairs) const {
    std::set<Slot> gone;
    for (const Pair& pair : pairs) gone.insert(pair.parts.begin(), pair.parts.end());
    const auto stays_beside = [&](const Pair& pair, const Varying& varying) {
      return varying.slot.location <= pair.slot.location &&
             pair.slot.location < varying.slot.location + varying.location_count && gone.count(varying.slot) == 0 &&
             (varying.form != Varying::Form::scalar || varying.scalar.width == 16);
    };
    const auto found = std::find_if(pairs.begin(), pairs.end(), [&](const Pair& pair) {
      const auto stays = [&](const Varying& varying) { return stays_beside(pair, varying); };
      return std::any_of(producer_.outputs.begin(), producer_.outputs.end(), stays) ||
             std::any_of(consumer_.inputs.begin(), consumer_.inputs.end(), stays);
    });
    if (found == pairs.end() || seeded_fault("pairs-beside-16-bits")) return false;
    pairs.erase(found);
    return true;
  }

  // How its 32 bits are made out of 16, OpNop if it has 16 bits; none if it cannot be in a pair.
  std::optional<spv::Op> conversion_of(const Varying& output) const {
    if (output.form != Varying::Form::scalar || output.captured || output.proxy || output.stream != 0) return {};
    if (output.scalar.width != 16 && (output.scalar.width != 32 || !converts_)) return {};
    const link::SlotStores* stores = stores_.find(output.slot);
    if (!stores || stores->stores.empty() || stores->read_back) return {};
    std::set<spv::Op> conversions;
    for (const link::SlotStore& store : stores->stores) {
      if (store.value.kind == link::ScalarValue::Kind::undefined) return {};
      if (output.scalar.width != 16) conversions.insert(conversion_from_16_bits(store.value));
    }
    if (output.scalar.width == 16) return spv::Op::OpNop;
    if (conversions.size() != 1 || *conversions.begin() == spv::Op::OpNop) return {};
    return *conversions.begin();
  }

  // Bit casts may stand between the conversion and the store. What comes out of a pair is as good as converted.
  spv::Op conversion_from_16_bits(const link::ScalarValue& value) const {
    if (value.kind != link::ScalarValue::Kind::computed) return spv::Op::OpNop;
    const spirv::Module& module = producer_.module;
    const spirv::InstRef def = module.def(value.id);
    const spv::Op op = module[def].op;
    if (is_part_of_pair(module, def)) {
      if (op == spv::Op::OpExtInst) return spv::Op::OpFConvert;
      return op == spv::Op::OpBitFieldUExtract ? spv::Op::OpUConvert : spv::Op::OpSConvert;
    }
    if (op != spv::Op::OpFConvert && op != spv::Op::OpUConvert && op != spv::Op::OpSConvert) return spv::Op::OpNop;
    const auto from = varyings::scalar_type_of(module, module.type_of(module.operand(def, 0).word));
    return from && from->width == 16 ? op : spv::Op::OpNop;
  }

  bool is_read_whole(const Varying& output, const Varying& input) const {
    if (input.form != Varying::Form::scalar || input.scalar != output.scalar || input.proxy) return false;
    if (link_.consumer_interpolates() && !crosses_flat(input)) return false;
    const varyings::VariableAccesses accesses = varyings::accesses_of(consumer_.module, uses_, input.variable);
    if (accesses.obstacle) return false;
    for (const PointerAccess& access : accesses.accesses)
      if (access.kind != PointerAccess::Kind::load || !varyings::is_plain_access(consumer_.module, access))
        return false;
    return true;
  }

  // Placement sends flat what is equal at all vertices (passes/packing/interpolation_choice.h).
  bool crosses_flat(const Varying& input) const {
    if (input.interpolation.per_vertex) return false;
    return input.interpolation.flat || input.per_primitive ||
           (convergent_.count(input.slot) != 0 && !input.interpolation.sample);
  }

  std::vector<StorePlace> places_of(const link::SlotStores& stores) const {
    std::vector<StorePlace> places;
    for (const link::SlotStore& store : stores.stores) {
      const spirv::Place& place = places_[store.inst.index];
      places.push_back({place.function, place.block, segments_[store.inst.index], store.indices});
    }
    return places;
  }

  const link::Link& link_;
  const LinkedStage &producer_, &consumer_;
  link::StoreTable stores_;
  spirv::Uses uses_;
  std::vector<spirv::Place> places_;     // by instruction of the producer
  std::vector<std::uint32_t> segments_;  // likewise
  std::set<Slot> convergent_;
  const bool converts_;  // numbers of 16 bits may be converted, joined and taken apart
};

bool has_16_bits(const spirv::Module& module) {
  for (const spirv::Function& function : module.functions)
    for (const spirv::Block& block : function.blocks)
      for (const spirv::InstRef inst : block.body)
        if (is_part_of_pair(module, inst)) return true;
  return std::any_of(module.types.begin(), module.types.end(), [&](spirv::InstRef type) {
    const spv::Op op = module[type].op;
    return (op == spv::Op::OpTypeFloat || op == spv::Op::OpTypeInt) && module.operand(type, 0).word == 16;
  });
}

}  // namespace

std::vector<Pair> pairs_of_16_bits(const link::Link& link) {
  if (link.producers.size() != 1 || link.consumers.size() != 1 || !has_16_bits(link.producers.front()->module))
    return {};
  return PairPlanner(link).run();
}

}  // namespace varylink::passes
