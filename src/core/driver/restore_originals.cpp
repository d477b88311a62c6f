#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "driver/check_group.h"
#include "driver/group_steps.h"
#include "spirv/ir/code_size.h"
#include "spirv/ir/foreign.h"
#include "spirv/ir/globals.h"
#include "spirv/tools/binary.h"
#include "spirv/tools/foreign_reader.h"
#include "spirv/tools/tools.h"
#include "varyings/vectorize/unsplit_variables.h"

namespace varylink::driver {
namespace {

using link::ComponentRecord;
using link::LinkedStage;
using spirv::Module;
using varyings::Direction;
using varyings::InterfaceVariable;
using varyings::Slot;
using varyings::Varying;

bool may_return(const ModuleRecord& record, const link::LinkOptions& options) {
  const LinkedStage& stage = record.stage;
  if (!record.is_changed || record.error || !record.unwritable.empty() || !stage.original_module) return false;
  if (options.strip_unused_resources || options.strip_unused_attributes) return false;
  return stage.original_module->entry_points.size() == 1 && !spirv::has_foreign(*stage.original_module);
}

bool has_lost_functions(const LinkedStage& stage) {
  return stage.module.functions.size() < stage.original_module->functions.size() &&
         spirv::code_size(stage.module) > spirv::code_size(*stage.original_module);
}

// Some pipeline with the module says what its code may be made simpler by.
bool has_known_state(const GroupRecords& group, std::size_t position) {
  return !group.modules[position].input->specialization.empty() ||
         std::any_of(group.pipelines.begin(), group.pipelines.end(), [&](const PipelineRecord& pipeline) {
           const auto& modules = pipeline.modules;
           return std::find(modules.begin(), modules.end(), position) != modules.end() &&
                  pipeline.input->state != state::PipelineState{};
         });
}

bool is_placed(const ComponentRecord& record) {
  return record.outcome == link::Outcome::kept && record.new_slot.has_value();
}

// Where the variable is now, if all its components are, as one: those of a vector may be at other components.
std::optional<Slot> place_of(const InterfaceVariable& variable, link::Link& link) {
  std::optional<Slot> place;
  const bool is_vector = variable.leaves.size() == 1 && variable.leaves.front().path.empty();
  for (const varyings::Leaf& leaf : variable.leaves)
    for (std::uint32_t c = 0; c < leaf.count; ++c) {
      const Slot slot = leaf.slot_of(c);
      const ComponentRecord* record = link.record(slot);
      if (!record || !is_placed(*record) || record->new_slot->location + variable.location < slot.location)
        return std::nullopt;
      const Slot first = variable.leaves.front().slot;
      const std::uint32_t moved_by = record->new_slot->component + first.component - slot.component;
      const Slot own = {record->new_slot->location + variable.location - slot.location, moved_by};
      if ((place && *place != own) || (!is_vector && own.component != first.component)) return std::nullopt;
      place = own;
    }
  return place;
}

Slot slot_of(const InterfaceVariable& variable) { return {variable.location, variable.leaves.front().slot.component}; }

// Of the module as it came, none of this side's varyings went or is elsewhere.
bool is_untouched(const LinkedStage& stage, const varyings::Entry& entry, Direction direction, link::Link& link) {
  const auto variables = varyings::interface_variables(*stage.original_module, entry, direction);
  return std::all_of(variables.begin(), variables.end(), [&](const InterfaceVariable& variable) {
    return !variable.unsupported && !variable.leaves.empty() && place_of(variable, link) == slot_of(variable);
  });
}

bool relocate_side(Module& module, const varyings::Entry& entry, Direction direction, link::Link& link) {
  for (const InterfaceVariable& variable : varyings::interface_variables(module, entry, direction)) {
    if (variable.unsupported || variable.leaves.empty()) return false;
    const std::optional<Slot> place = place_of(variable, link);
    if (!place) return false;
    Varying varying;
    varying.variable = variable.id;
    varying.slot = slot_of(variable);
    if (*place != varying.slot) varyings::relocate(module, varying, *place);
  }
  return true;
}

// Variables of unlike numbers share a location: placement makes one variable of them (rule ).
bool mixes_numbers(const Module& module, const varyings::Entry& entry, Direction direction) {
  std::map<std::uint32_t, varyings::ScalarType> of_location;
  for (const InterfaceVariable& variable : varyings::interface_variables(module, entry, direction))
    for (const varyings::Leaf& leaf : variable.leaves)
      for (std::uint32_t c = 0; c < leaf.count; ++c) {
        const auto [known, is_new] = of_location.try_emplace(leaf.slot_of(c).location, leaf.scalar);
        if (!is_new && known->second != leaf.scalar) return true;
      }
  return false;
}

bool is_whole(const link::Link& link) {
  return !link.is_shared() && !link.unrecorded_change && !link.consumers.empty() && link.regrouped.empty();
}

// A module as it came, with the locations of the result.
struct Restored {
  Module module;
  std::vector<std::uint32_t> words;  // of it, or of the result while it stands in its place
};
using RestoredModules = std::map<std::size_t, Restored>;  // by position in the group

// Calls visit(interface, direction) for each interface of the module while it returns true. Whether it always did.
template <typename Visit>
bool each_side(GroupRecords& group, std::size_t position, const Visit& visit) {
  return std::all_of(group.interfaces.begin(), group.interfaces.end(), [&](InterfaceRecord& interface) {
    const auto has = [&](const std::vector<std::size_t>& side) {
      return std::find(side.begin(), side.end(), position) != side.end();
    };
    const bool writes = has(interface.modules.producers), reads = has(interface.modules.consumers);
    return (!writes && !reads) || visit(interface.link, writes ? Direction::output : Direction::input);
  });
}

// None if more than locations has changed.
std::optional<Restored> with_locations(GroupRecords& group, std::size_t position) {
  const LinkedStage& stage = group.modules[position].stage;
  Result<Module> module = spirv::read_module(stage.original, stage.file);
  if (!module) return std::nullopt;
  const Result<varyings::Entry> entry = varyings::find_entry(*module, stage.stage, stage.entry.name, stage.file);
  if (!entry) return std::nullopt;
  const bool is_relocated = each_side(group, position, [&](link::Link& link, Direction direction) {
    return is_whole(link) && relocate_side(*module, *entry, direction, link) &&
           !mixes_numbers(*module, *entry, direction);
  });
  if (!is_relocated) return std::nullopt;
  std::vector<std::uint32_t> words = spirv::write_module(*module);
  const auto valid =
      spirv::validate_known(*module, words, group.options->validator, stage.file, {stage.valid_words, stage.stage});
  if (!valid) return std::nullopt;
  return Restored{std::move(*module), std::move(words)};
}

std::optional<Restored> as_it_came(GroupRecords& group, std::size_t position) {
  const LinkedStage& stage = group.modules[position].stage;
  if (!may_return(group.modules[position], *group.options)) return std::nullopt;
  if (has_lost_functions(stage)) return with_locations(group, position);
  if (has_known_state(group, position)) return std::nullopt;
  const auto entry = varyings::find_entry(*stage.original_module, stage.stage, stage.entry.name, stage.file);
  const bool untouched = entry && each_side(group, position, [&](link::Link& link, Direction direction) {
                           return is_whole(link) && is_untouched(stage, *entry, direction, link);
                         });
  return untouched ? std::optional(Restored{*stage.original_module, stage.original}) : std::nullopt;
}

// Of each slot of one side, whether a block declares it.
std::map<Slot, bool> slots_in_blocks(const GroupRecords& group, const RestoredModules& restored, std::size_t position,
                                     Direction direction) {
  const ModuleRecord& record = group.modules[position];
  const LinkedStage& stage = record.stage;
  const auto found = restored.find(position);
  const Module& module = found != restored.end() ? found->second.module
                         : record.is_changed     ? stage.module
                                                 : *stage.original_module;
  const auto entry = varyings::find_entry(module, stage.stage, stage.entry.name, stage.file);
  std::map<Slot, bool> in_block;
  if (!entry) return in_block;
  for (const InterfaceVariable& variable : varyings::interface_variables(module, *entry, direction)) {
    const spirv::Id type = spirv::type_without_arrays(module, variable.type);
    const bool is_block = varyings::decorations_of(module, type).has(spv::Decoration::Block);
    for (const varyings::Leaf& leaf : variable.leaves)
      for (std::uint32_t c = 0; c < leaf.count; ++c) in_block[leaf.slot_of(c)] = is_block;
  }
  return in_block;
}

// Where one side declares a block, the other does as well (rule ).
bool has_equal_blocks(const GroupRecords& group, const RestoredModules& restored, std::size_t position) {
  for (const InterfaceRecord& interface : group.interfaces)
    for (const auto& [producer, consumer] : interface.modules.pairs) {
      if (producer != position && consumer != position) continue;
      const auto outputs = slots_in_blocks(group, restored, producer, Direction::output);
      for (const auto& [slot, in_block] : slots_in_blocks(group, restored, consumer, Direction::input))
        if (const auto output = outputs.find(slot); output != outputs.end() && output->second != in_block) return false;
    }
  return true;
}

bool is_right(const GroupRecords& group, std::size_t position) {
  ResultChecker checker(group.modules, *group.options);
  return std::all_of(group.pipelines.begin(), group.pipelines.end(), [&](const PipelineRecord& pipeline) {
    const auto& modules = pipeline.modules;
    if (std::find(modules.begin(), modules.end(), position) == modules.end()) return true;
    const Diagnostics found = checker.check(modules);
    return std::none_of(found.begin(), found.end(),
                        [](const Diagnostic& each) { return each.severity == Severity::error; });
  });
}

}  // namespace

void restore_originals(GroupRecords& group) {
  RestoredModules restored;
  for (std::size_t i = 0; i < group.modules.size(); ++i) {
    auto found = as_it_came(group, i);
    if (!found) continue;
    group.modules[i].result.swap(found->words);
    restored.emplace(i, std::move(*found));
  }
  // One that does not fit goes back, and with it those that fitted to that one only.
  const auto goes_back = [&](const RestoredModules::value_type& each) {
    return !has_equal_blocks(group, restored, each.first) || !is_right(group, each.first);
  };
  for (auto each = restored.begin(); each != restored.end();) {
    if (!goes_back(*each)) {
      ++each;
      continue;
    }
    group.modules[each->first].result.swap(each->second.words);
    restored.erase(each);
    each = restored.begin();
  }
  for (const auto& [position, module] : restored) group.modules[position].keeps_built_ins = false;  // nobody has looked
}

}  // namespace varylink::driver
