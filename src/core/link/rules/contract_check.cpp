#include "link/rules/contract_check.h"

#include <algorithm>
#include <set>

#include "link/rules/contract_effects.h"
#include "link/rules/contract_facts.h"

namespace varylink::link {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;

constexpr std::uint32_t kVersion14 = 0x00010400;

class Contract {
 public:
  Contract(const StageView& original, const StageView& linked, const ContractOptions& options)
      : original_(original), linked_(linked), options_(options) {}

  Diagnostics run();

 private:
  enum class Allow { nothing, less };

  void check_header();
  void check_locations(varyings::Direction direction);
  void check_interface_list();
  void check_outside();
  void check_descriptors();
  void check_specialization(Allow allow);
  bool may_have(const std::string& resource) const;
  void check_fragment();
  void check_effects();
  void compare(const Facts& before, const Facts& after, Allow allow, const std::string& what);
  void fail(std::string message) {
    diagnostics_.push_back(make_error(ErrorKind::verification_failed, linked_.file, std::move(message)));
  }

  const StageView& original_;
  const StageView& linked_;
  const ContractOptions& options_;
  Diagnostics diagnostics_;
};

void Contract::compare(const Facts& before, const Facts& after, Allow allow, const std::string& what) {
  for (const std::string& fact : missing_in(after, before)) fail("linking added " + what + " " + fact);
  if (allow == Allow::less) return;
  for (const std::string& fact : missing_in(before, after)) fail("linking lost " + what + " " + fact);
}

std::vector<std::uint32_t> memory_model(const Module& module) {
  std::vector<std::uint32_t> words;
  for (const InstRef inst : module.memory_model)
    for (const spirv::Operand& operand : module.operands(inst)) words.push_back(operand.word);
  return words;
}

void Contract::check_header() {
  if (original_.module->version != linked_.module->version) fail("linking changed the SPIR-V version");
  if (memory_model(*original_.module) != memory_model(*linked_.module)) fail("linking changed the memory model");
  if (original_.entry.name != linked_.entry.name) fail("linking renamed the entry point");
  if (entry_points(original_) != entry_points(linked_)) fail("linking changed the set of entry points");
  compare(capabilities(original_), capabilities(linked_), Allow::less, "capability");
  compare(extensions(original_), extensions(linked_), Allow::less, "extension");
  compare(execution_modes(original_), execution_modes(linked_), Allow::nothing, "execution mode");
}

struct Extent {
  std::set<std::uint32_t> locations;
  std::uint32_t end() const { return locations.empty() ? 0 : *locations.rbegin() + 1; }
};

Extent extent_of(const StageView& stage, varyings::Direction direction) {
  Extent extent;
  for (const auto& variable : stage.variables(direction))
    for (const varyings::Leaf& leaf : variable.leaves)
      for (std::uint32_t i = 0; i < leaf.count; ++i) extent.locations.insert(leaf.slot_of(i).location);
  return extent;
}

// Rule: with it no device limit can be newly exceeded.
void Contract::check_locations(varyings::Direction direction) {
  if (options_.one_variable_each) return;
  const Extent before = extent_of(original_, direction);
  const Extent after = extent_of(linked_, direction);
  const std::string what = direction == varyings::Direction::input ? "inputs" : "outputs";
  if (after.end() > before.end())
    fail("linking raised the highest location of the " + what + " from " + std::to_string(before.end()) + " to " +
         std::to_string(after.end()) + " (exclusive)");
  if (after.locations.size() > before.locations.size())
    fail("linking raised the number of locations of the " + what + " from " + std::to_string(before.locations.size()) +
         " to " + std::to_string(after.locations.size()));
}

void Contract::check_interface_list() {
  const Module& module = *linked_.module;
  const bool lists_all = module.version >= kVersion14;
  const auto storage_of = [&](Id id) { return static_cast<spv::StorageClass>(module.operand(module.def(id), 0).word); };
  const auto is_io = [&](Id id) {
    return storage_of(id) == spv::StorageClass::Input || storage_of(id) == spv::StorageClass::Output;
  };
  // What declares a variable in a newer SPIR-V, such as OpUntypedVariableKHR, is listed as it came (rule ).
  const auto is_as_it_came = [&](Id id) {
    const std::vector<Id>& before = original_.entry.interface;
    return std::find(before.begin(), before.end(), id) != before.end() &&
           original_.module->def_op(id) == module.def_op(id);
  };
  std::set<Id> listed;
  for (const Id id : linked_.entry.interface) {
    const bool is_variable = module.def_op(id) == spv::Op::OpVariable;
    if (!is_variable && !is_as_it_came(id))
      fail("the interface list names id " + std::to_string(id) + ", which is no variable");
    else if (is_variable && !lists_all && !is_io(id))
      fail("the interface list names id " + std::to_string(id) + ", which is no input or output (SPIR-V before 1.4)");
    if (!listed.insert(id).second) fail("the interface list names id " + std::to_string(id) + " twice");
  }
  for (const Id id : used_globals(linked_))
    if (listed.count(id) == 0 && (lists_all || is_io(id)))
      fail("the interface list lacks id " + std::to_string(id) + ", which the code uses");
}

// The code uses the resource, or the layout allows it.
bool Contract::may_have(const std::string& resource) const {
  const Facts used = resources(original_, true);
  if (std::binary_search(used.begin(), used.end(), resource)) return true;
  if (!options_.layout) return false;
  const Facts given = resources_given(*options_.layout, linked_.entry.stage);
  return std::binary_search(given.begin(), given.end(), resource);
}

void Contract::check_outside() {
  const Stage stage = linked_.entry.stage;
  if (stage == Stage::vertex)
    compare(outside_interface(original_, varyings::Direction::input),
            outside_interface(linked_, varyings::Direction::input),
            options_.strip_unused_attributes ? Allow::less : Allow::nothing, "the vertex input at");
  if (stage == Stage::fragment)
    compare(outside_interface(original_, varyings::Direction::output),
            outside_interface(linked_, varyings::Direction::output), Allow::nothing, "the fragment output at");
  // Of a module with several entry points only what the linked one uses is ours to keep.
  const bool alone = original_.module->entries().size() == 1;
  const Allow resources_may = options_.strip_unused_resources ? Allow::less : Allow::nothing;
  const Facts kept = resources(linked_, false);
  const Facts declared = resources(original_, false);
  // Entry points of one module may each have a variable for the same resource.
  for (const std::string& fact : missing_in(resources(linked_, !alone), declared)) {
    if (!may_have(fact)) fail("linking added the resource " + fact);
    // Rule.
    if (std::binary_search(declared.begin(), declared.end(), fact))
      fail("linking declared the resource " + fact + " once more");
  }
  if (resources_may == Allow::nothing)
    for (const std::string& fact : missing_in(resources(original_, !alone), kept))
      fail("linking lost the resource " + fact);
  check_descriptors();
  check_specialization(alone ? resources_may : Allow::less);
  compare(captures(original_), captures(linked_), Allow::nothing, "the transform feedback capture of");
  if (!options_.last_pre_rasterization) return;
  // A store behind a branch may be dead code, so only the certain ones have to be there.
  const Facts written = written_built_ins(linked_);
  compare(written_built_ins(original_), written, Allow::less, "a write of built-in");
  if (!can_end(linked_)) return;
  for (const std::string& fact : missing_in(certainly_written_built_ins(original_), written))
    fail("linking lost the write of built-in " + fact);
}

// Rule. Unrolled loops may choose by constants, behind a branch, what an index did not choose.
void Contract::check_descriptors() {
  const Facts missing = missing_descriptors(linked_);
  if (missing.empty()) return;
  const Facts indexed = indexed_descriptor_arrays(original_);
  for (const std::string& fact : missing_in(missing, missing_descriptors(original_)))
    if (std::ranges::none_of(indexed, [&](const std::string& binding) { return fact.starts_with(binding + " "); }))
      fail("linking added a read of " + fact + ", behind the end of the array");
}

void Contract::check_specialization(Allow allow) {
  const Facts before = specialization_constants(original_), after = specialization_constants(linked_);
  for (const std::string& fact : missing_in(after, before))
    if (std::find(options_.shared_spec_constants.begin(), options_.shared_spec_constants.end(), fact) ==
        options_.shared_spec_constants.end())
      fail("linking added specialization id " + fact);
  if (allow == Allow::less) return;
  for (const std::string& fact : missing_in(before, after)) fail("linking lost specialization id " + fact);
}

bool has_sample_input(const StageView& stage) {
  for (const auto& variable : stage.variables(varyings::Direction::input))
    for (const varyings::Leaf& leaf : variable.leaves)
      if (leaf.interpolation.sample) return true;
  return false;
}

// Rule: declarations of a fragment stage decide the rate it runs at.
void Contract::check_fragment() {
  compare(built_ins(original_, varyings::Direction::input), built_ins(linked_, varyings::Direction::input),
          Allow::nothing, "the fragment built-in input");
  compare(built_ins(original_, varyings::Direction::output), built_ins(linked_, varyings::Direction::output),
          Allow::nothing, "the fragment built-in output");
  if (has_sample_input(original_) != has_sample_input(linked_))
    fail("linking changed whether the fragment stage has a Sample input");
}

// Code that has effects is inlined and unrolled, dies behind decided branches, and never changes otherwise (rules
//
void Contract::check_effects() {
  const bool with_resources = names_all_resources(original_);
  const Effects before = effects_with_copies(original_, with_resources);
  const Effects after = effects_as_written(linked_, with_resources);
  const auto number = [](const Effects& effects, const std::string& effect) {
    const auto found = effects.find(effect);
    return found == effects.end() ? 0 : found->second;
  };
  for (const auto& [effect, count] : after) {
    std::uint64_t most = number(before, effect);
    // An instruction that is merged with a NonUniform one becomes NonUniform.
    const auto uniform = without_non_uniform(effect);
    if (uniform && most != kAnyNumber) most = std::max(most, most + number(before, *uniform));
    if (uniform && number(before, *uniform) == kAnyNumber) most = kAnyNumber;
    if (count > most)
      fail("linking made " + std::to_string(count) + " of " + std::to_string(most) + " instructions " + effect);
  }
  for (const auto& [effect, count] : certain_effects(original_, with_resources)) {
    const bool is_there = std::any_of(after.begin(), after.end(), [&, effect = effect](const auto& each) {
      return each.first == effect || without_non_uniform(each.first) == effect;
    });
    if (!is_there) fail("linking lost an instruction that always runs: " + effect);
  }
}

Diagnostics Contract::run() {
  check_header();
  if (linked_.entry.stage != Stage::vertex) check_locations(varyings::Direction::input);
  if (linked_.entry.stage != Stage::fragment) check_locations(varyings::Direction::output);
  check_interface_list();
  check_outside();
  if (linked_.entry.stage == Stage::fragment) check_fragment();
  check_effects();
  return std::move(diagnostics_);
}

}  // namespace

Diagnostics check_contract(const StageView& original, const StageView& linked, const ContractOptions& options) {
  return Contract(original, linked, options).run();
}

}  // namespace varylink::link
