// An interface that is being linked: the stages that write it, the stages that read it, and the record of what becomes
// of every component. One producer and one consumer is the simple case; a shared shader gives sets of them, of which
// not each is a stage pair with each in a pipeline. A value of a producer is dead if no consumer paired with it reads
// it, and a slot is constant if every producer stores the same constant to it. A slot means the same thing in all
// stages: where their declarations differ it is fixed.
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "link/model/linked_stage.h"
#include "link/model/report_model.h"
#include "varyings/lift/captured_twins.h"
#include "varyings/lift/loose_built_ins.h"
#include "varyings/lower/packed_variable.h"

namespace varylink::link {

struct Link {
  std::vector<LinkedStage*> producers;
  std::vector<LinkedStage*> consumers;
  // Which producer and consumer are a stage pair in some pipeline, as positions in the lists; empty: each with each.
  std::set<std::pair<std::size_t, std::size_t>> pairs;
  InterfaceReport report;                        // of all stages together; one producer and one consumer: of that pair
  std::vector<varyings::PackedVariable> packed;  // what pack_slots decided about scalars; empty before it ran
  std::map<varyings::Slot, varyings::Slot> placement;  // old slot -> new slot of everything that is left
  // Location now -> location as declared, for what was regrouped before it was lifted (varyings/lift/regroup.h). Until
  // the results are written, slots are those of the regrouped variables everywhere; declared() tells what a user calls
  // them.
  std::map<std::uint32_t, std::uint32_t> regrouped;
  // Built-ins that take part as varyings for a while.
  std::vector<varyings::LooseBuiltIn> loose_built_ins;
  // And captured outputs whose reads do.
  std::vector<varyings::CapturedTwin> captured_twins;
  bool unrecorded_change = false;  // a stage lost what no record shows, such as undeclared inputs
  // All stages of both sides are known and may be written. What is done beyond lifted varyings needs that: a varying
  // that must not change is fixed, a built-in or a payload member is not marked.
  bool closed = true;
  // Change of the pipeline layout, or promise, in words -> components that the consumers would then evaluate
  // themselves.
  std::map<std::string, std::uint32_t> layout_gains;
  std::vector<Remark> remarks;
  Diagnostics warnings;

  bool consumer_interpolates() const { return report.consumer == Stage::fragment; }
  bool is_shared() const { return producers.size() > 1 || consumers.size() > 1; }
  bool are_pair(std::size_t producer, std::size_t consumer) const {
    return pairs.empty() || pairs.count({producer, consumer}) != 0;
  }

  // The built-in that has this slot for a while, nullptr if it is a varying.
  const varyings::LooseBuiltIn* loose_at(varyings::Slot slot) const;
  // The twin of a captured output that has it, nullptr if there is none.
  const varyings::CapturedTwin* twin_at(varyings::Slot slot) const;
  bool is_stand_in(varyings::Slot slot) const { return loose_at(slot) || twin_at(slot); }
  // What users call a place: "gl_Position.x", or the slot as declared, of a twin that of the captured output.
  std::string name_of(varyings::Slot slot) const;

  varyings::Slot declared(varyings::Slot slot) const;
  // Makes the records speak of the slots as declared. `is_written`: the regrouped variables are in the result, too.
  void restore_declared_slots(bool is_written);

  // Record of an old component, nullptr if the producers did not declare it. Whoever changes the old slots of records
  // calls forget_record_places().
  ComponentRecord* record(varyings::Slot slot);
  void forget_record_places() { record_places_.clear(); }
  // Writes what became of a varying into the records of all its components.
  void record_fate(const varyings::Varying& varying, Fate fate, const std::string& reason,
                   std::optional<varyings::Slot> new_slot = std::nullopt);

 private:
  std::map<varyings::Slot, std::size_t> record_places_;  // of report.components; empty until somebody asks
};

// The varying at `slot`, nullptr if there is none (any more).
varyings::Varying* find_varying(std::vector<varyings::Varying>& varyings, varyings::Slot slot);
const varyings::Varying* find_varying(const std::vector<varyings::Varying>& varyings, varyings::Slot slot);

// The fragment shader has no other input with the Sample decoration than this one. Without it the shader might run once
// per pixel instead of once per sample, so it has to stay whatever becomes of its value (rule ).
bool is_last_sample_input(const LinkedStage& consumer, varyings::Slot slot);
// True for some consumer of the interface.
bool is_last_sample_input(const Link& link, varyings::Slot slot);

// ---- edits that passes share. Each takes the varying out of the stage's list.

// Removes an output with all its stores. The caller guarantees that nobody reads it.
void remove_output(LinkedStage& stage, varyings::Slot slot);
void remove_outputs(LinkedStage& stage, const std::set<varyings::Slot>& slots);
// Removes an input that no code reads any more.
void remove_input(LinkedStage& stage, varyings::Slot slot);
void remove_inputs(LinkedStage& stage, const std::set<varyings::Slot>& slots);
// Makes every load of a scalar input the constant with these bits (low word first), and removes the input.
void replace_input(LinkedStage& stage, varyings::Slot slot, const std::vector<std::uint32_t>& bits);
// Makes every load of a scalar output by the stage itself the constant with these bits.
void replace_loads(LinkedStage& stage, const varyings::Varying& output, const std::vector<std::uint32_t>& bits);
// Makes every load of the scalar input `from` a load of `to`, and removes `from`.
void redirect_input(LinkedStage& stage, varyings::Slot from, varyings::Slot to);

}  // namespace varylink::link
