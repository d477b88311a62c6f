// An interface that is being linked: its producers, its consumers, and the outcome of each component. One producer and
// one consumer is the simple case. Shared modules give sets, of which not each producer meets each consumer. A
// producer's value is dead if no consumer paired with it reads it; a slot is constant if every producer stores the same
// constant. A slot means the same in all stages: where their declarations differ it is fixed.
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "link/model/linked_stage.h"
#include "link/model/report_model.h"
#include "varyings/scalarize/proxy.h"
#include "varyings/vectorize/packed_variable.h"

namespace varylink::link {

struct Link {
  std::vector<LinkedStage*> producers;
  std::vector<LinkedStage*> consumers;
  // Which producer and consumer are a stage pair in some pipeline, as positions in the lists; empty: each with each.
  std::set<std::pair<std::size_t, std::size_t>> pairs;
  InterfaceReport report;                        // of all stages together; one producer and one consumer: of that pair
  std::vector<varyings::PackedVariable> packed;  // that placement makes of scalars; empty before
  std::map<varyings::Slot, varyings::Slot> placement;  // old slot -> new slot of all remaining varyings
  // Location now -> location as declared, for variables that were regrouped before they were scalarized
  // (varyings/scalarize/regroup.h). Until the results are written, slots are those of the regrouped variables
  // everywhere; declared() tells the user's names of them.
  std::map<std::uint32_t, std::uint32_t> regrouped;
  std::vector<varyings::Proxy> proxies;  // of both stages; none is left when varyings are placed
  bool unrecorded_change = false;        // a change that no record shows, such as removed undeclared inputs
  // All stages of both sides are known and may be written. Changes to anything but scalarized varyings need that;
  // without it, varyings that must not change are fixed, and built-ins and payload members are not marked.
  bool closed = true;
  bool ends_here = false;  // some pipeline ends behind a producer, without a fragment stage
  // Change of the pipeline layout, or promise, as text -> components that the consumers could then evaluate themselves.
  std::map<std::string, std::uint32_t> layout_gains;
  std::vector<Remark> remarks;
  Diagnostics warnings;

  // The producers' built-ins are read by the consumers only, and by no rasterizer.
  bool has_plain_built_ins() const;
  bool consumer_interpolates() const { return report.consumer == Stage::fragment; }
  bool is_shared() const { return producers.size() > 1 || consumers.size() > 1; }
  bool are_pair(std::size_t producer, std::size_t consumer) const {
    return pairs.empty() || pairs.count({producer, consumer}) != 0;
  }

  // The proxy that has this slot, nullptr if it is a varying.
  const varyings::Proxy* proxy_at(varyings::Slot slot) const;
  // The same if it stands for that, else nullptr.
  const varyings::Proxy* proxy_at(varyings::Slot slot, varyings::Proxy::Stands stands) const;
  bool has_proxies(varyings::Proxy::Stands stands) const;
  // The user's name of a place: "gl_Position.x", or the slot as declared; for a proxy that of the captured output.
  std::string name_of(varyings::Slot slot) const;

  varyings::Slot declared(varyings::Slot slot) const;
  // Restores declared slots in the records. `is_written`: the regrouped variables are in the result, too.
  void restore_declared_slots(bool is_written);

  // Record of an old component, nullptr if the producers did not declare it. Call forget_record_places() after changing
  // old slots of records.
  ComponentRecord* record(varyings::Slot slot);
  void forget_record_places() { record_places_.clear(); }
  // Records the outcome of a varying for all its components.
  void record_outcome(const varyings::Varying& varying, Outcome outcome, const std::string& reason,
                      std::optional<varyings::Slot> new_slot = std::nullopt);

 private:
  std::map<varyings::Slot, std::size_t> record_places_;  // of report.components; empty until the first look-up
};

// The varying at `slot`, nullptr if there is none (any more).
varyings::Varying* find_varying(std::vector<varyings::Varying>& varyings, varyings::Slot slot);
const varyings::Varying* find_varying(const std::vector<varyings::Varying>& varyings, varyings::Slot slot);

// No other input of the fragment shader has the Sample decoration. Without it the shader might run once per pixel
// instead of once per sample, so it stays even if its value is not needed (rule ).
bool is_last_sample_input(const LinkedStage& consumer, varyings::Slot slot);
// True for some consumer of the interface.
bool is_last_sample_input(const Link& link, varyings::Slot slot);

// Inputs of the consumer that are the proxy of a captured output while passes run, and the output itself in the end.
std::vector<varyings::Varying> reads_of(const LinkedStage& consumer, const varyings::Proxy& proxy);

// ---- edits that passes share. Each takes the varying out of the stage's list.

// Removes an output with all its stores. The caller guarantees that no stage reads it.
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
