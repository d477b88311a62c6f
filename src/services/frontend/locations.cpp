#include "frontend/locations.h"

#include <algorithm>
#include <map>
#include <set>

#include "frontend/varying_facts.h"

namespace varylink::frontend {
namespace {

// Occupied locations of one interface.
class LocationSet {
 public:
  void take(std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) taken_.insert(first + i);
  }

  // Takes the lowest `count` consecutive free locations.
  std::uint32_t allocate(std::uint32_t count) {
    std::uint32_t first = 0;
    for (std::uint32_t free = 0; free < count;) {
      free = taken_.count(first + free) == 0 ? free + 1 : 0;
      if (free == 0) ++first;
    }
    take(first, count);
    return first;
  }

 private:
  std::set<std::uint32_t> taken_;
};

// One interface while its locations are chosen: the outputs of one stage and the inputs of the next. Either side may be
// missing (vertex attributes, fragment outputs).
struct Interface {
  std::vector<Varying> outputs, inputs;
  std::vector<std::string> output_order, input_order;
};

const Varying* find(const std::vector<Varying>& varyings, const std::string& key) {
  const auto found = std::find_if(varyings.begin(), varyings.end(), [&](const Varying& v) { return v.key == key; });
  return found == varyings.end() ? nullptr : &*found;
}

// Location of every key of the interface that one side leaves open.
std::map<std::string, std::uint32_t> choose(const Interface& interface) {
  LocationSet occupied;
  std::map<std::string, std::uint32_t> chosen;
  for (const auto* side : {&interface.outputs, &interface.inputs})
    for (const Varying& varying : *side) {
      for (const auto& [first, count] : varying.taken) occupied.take(first, count);
      if (varying.located()) chosen.emplace(varying.key, *varying.location);
    }
  const auto allocate = [&](const std::string& key) {
    if (chosen.count(key) != 0) return;
    const Varying* output = find(interface.outputs, key);
    const Varying* input = find(interface.inputs, key);
    const std::uint32_t count = std::max(output ? output->count : 1, input ? input->count : 1);
    chosen.emplace(key, occupied.allocate(count));
  };
  for (const std::string& key : interface.output_order) allocate(key);
  for (const std::string& key : interface.input_order) allocate(key);
  return chosen;
}

void decorate(spirv::Module& module, const std::vector<Varying>& varyings,
              const std::map<std::string, std::uint32_t>& chosen) {
  for (const Varying& varying : varyings) {
    const auto found = chosen.find(varying.key);
    if (varying.located() || found == chosen.end()) continue;
    module.annotations.push_back(
        module.create(spv::Op::OpDecorate, 0, 0,
                      {spirv::id(varying.id), spirv::lit(static_cast<std::uint32_t>(spv::Decoration::Location)),
                       spirv::lit(found->second)}));
  }
}

void locate(StageToLocate* producer, StageToLocate* consumer) {
  Interface interface;
  if (producer != nullptr) {
    interface.outputs = varyings_of(*producer->module, producer->stage, producer->entry_point).outputs;
    interface.output_order = producer->outputs;
  }
  if (consumer != nullptr) {
    interface.inputs = varyings_of(*consumer->module, consumer->stage, consumer->entry_point).inputs;
    interface.input_order = consumer->inputs;
  }
  if (interface.output_order.empty() && interface.input_order.empty()) return;
  const auto chosen = choose(interface);
  if (producer != nullptr) decorate(*producer->module, interface.outputs, chosen);
  if (consumer != nullptr) decorate(*consumer->module, interface.inputs, chosen);
}

}  // namespace

Varyings varyings_of(const spirv::Module& module, Stage stage, const std::string& entry_point) {
  Varyings result;
  for (const spirv::EntryPoint& entry : module.entries()) {
    if (static_cast<std::uint32_t>(entry.model) != execution_model(stage)) continue;
    if (!entry_point.empty() && entry.name != entry_point) continue;
    const VaryingFacts facts(module, stage);
    for (const spirv::Id variable : entry.interface) {
      if (facts.is_varying(variable, spv::StorageClass::Input)) result.inputs.push_back(facts.describe(variable, true));
      if (facts.is_varying(variable, spv::StorageClass::Output))
        result.outputs.push_back(facts.describe(variable, false));
    }
    break;
  }
  return result;
}

void assign_locations(std::span<StageToLocate> stages) {
  StageToLocate* previous = nullptr;
  for (StageToLocate& stage : stages) {
    locate(previous, &stage);
    previous = &stage;
  }
  locate(previous, nullptr);
}

}  // namespace varylink::frontend
