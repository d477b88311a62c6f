#include "passes/remove_dead_built_ins.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "spirv/ir/globals.h"
#include "varyings/reflect/built_ins.h"
#include "varyings/reflect/capture.h"
#include "varyings/reflect/pointer_access.h"
#include "varyings/scalarize/proxy.h"

namespace varylink::passes {
namespace {

using link::LinkedStage;
using spirv::Id;
using spirv::Module;
using varyings::PointerAccess;

constexpr spv::BuiltIn kPlainData[] = {spv::BuiltIn::Position,     spv::BuiltIn::PointSize,
                                       spv::BuiltIn::ClipDistance, spv::BuiltIn::CullDistance,
                                       spv::BuiltIn::Layer,        spv::BuiltIn::ViewportIndex};

bool is_plain_data(const varyings::BuiltIn& built_in) {
  return std::find(std::begin(kPlainData), std::end(kPlainData), built_in.kind) != std::end(kPlainData);
}

// Element of an array of distances; kAll is the whole built-in.
constexpr std::int64_t kAll = -1;

struct Part {
  spv::BuiltIn kind = spv::BuiltIn::Position;
  std::int64_t element = kAll;
  friend auto operator<=>(const Part&, const Part&) = default;
};

// One variable with built-ins, and every access to it with the parts that it touches.
struct Holder {
  struct Access {
    PointerAccess access;
    std::vector<Part> parts;
  };
  Id variable = 0;
  bool understood = true;  // all uses are loads and stores, all built-ins plain data
  std::vector<Access> accesses;
};

bool is_arrayed(const LinkedStage& stage, varyings::Direction direction) {
  return direction == varyings::Direction::input || stage.stage == Stage::tess_control;
}

// Parts that the indices behind the per-vertex one select: [member][element] in a block, [element] of one alone.
std::vector<Part> parts_of(const Module& module, const std::vector<varyings::BuiltIn>& members, std::vector<Id> indices,
                           bool arrayed) {
  if (arrayed && !indices.empty()) indices.erase(indices.begin());
  std::vector<Part> parts;
  for (const varyings::BuiltIn& member : members) {
    std::size_t next = 0;
    if (member.member && !indices.empty()) {
      if (spirv::constant_int(module, indices[0]) != std::int64_t{*member.member}) continue;
      next = 1;
    }
    Part part{member.kind, kAll};
    if (indices.size() > next && module.def_op(member.type) == spv::Op::OpTypeArray)
      part.element = spirv::constant_int(module, indices[next]).value_or(kAll);
    parts.push_back(part);
  }
  return parts;
}

std::vector<Holder> holders_of(const LinkedStage& stage, varyings::Direction direction) {
  const Module& module = stage.module;
  const spirv::Uses uses(module);
  std::set<Id> captured;
  for (const varyings::Capture& capture : varyings::captures(module, stage.entry)) captured.insert(capture.variable);
  std::map<Id, std::vector<varyings::BuiltIn>> by_variable;
  for (const varyings::BuiltIn& found : varyings::built_ins(module, stage.entry, direction))
    by_variable[found.variable].push_back(found);
  std::vector<Holder> holders;
  for (const auto& [variable, members] : by_variable) {
    if (std::none_of(members.begin(), members.end(), is_plain_data)) continue;
    Holder holder;
    holder.variable = variable;
    const varyings::VariableAccesses found = varyings::accesses_of(module, uses, variable);
    holder.understood =
        !found.obstacle && captured.count(variable) == 0 && std::all_of(members.begin(), members.end(), is_plain_data);
    for (const PointerAccess& access : found.accesses)
      holder.accesses.push_back({access, parts_of(module, members, access.indices, is_arrayed(stage, direction))});
    holders.push_back(std::move(holder));
  }
  return holders;
}

// Parts of the built-ins that are read; `everything` if some use is not understood.
struct Reads {
  std::set<Part> parts;
  bool everything = false;

  void add(const std::vector<Holder>& holders) {
    for (const Holder& holder : holders) {
      everything = everything || !holder.understood;
      for (const Holder::Access& access : holder.accesses)
        if (access.access.kind != PointerAccess::Kind::store) parts.insert(access.parts.begin(), access.parts.end());
    }
  }

  bool contains(const Part& part) const {
    return std::any_of(parts.begin(), parts.end(), [&](const Part& read) {
      return read.kind == part.kind && (read.element == part.element || read.element == kAll || part.element == kAll);
    });
  }
};

bool is_dead(const Holder::Access& access, const Reads& reads) {
  return access.access.kind == PointerAccess::Kind::store &&
         std::none_of(access.parts.begin(), access.parts.end(), [&](const Part& part) { return reads.contains(part); });
}

std::string text(const Part& part) {
  const std::string element = part.element == kAll ? "" : "[" + std::to_string(part.element) + "]";
  return varyings::built_in_name(part.kind) + element;
}

// Removes the stores of one producer that nobody needs. Returns whether there were any.
bool remove_stores(LinkedStage& producer, const std::vector<Holder>& holders, const Reads& reads, link::Link& link,
                   PassContext& context) {
  std::set<Part> removed;
  for (const Holder& holder : holders)
    for (const Holder::Access& access : holder.accesses) {
      if (!is_dead(access, reads) || !context.spend_fuel()) continue;
      producer.module.kill(access.access.inst);
      removed.insert(access.parts.begin(), access.parts.end());
    }
  producer.module.sweep();
  for (const Part& part : removed)
    link.remarks.push_back({"remove-dead-built-ins", std::string(short_name(producer.stage)),
                            text(part) + " is not written any more: the " +
                                std::string(short_name(link.report.consumer)) + " stage does not read it"});
  return !removed.empty();
}

// Removes built-in variables that no code touches. Returns whether there were any.
bool remove_untouched(LinkedStage& stage, varyings::Direction direction, PassContext& context) {
  bool any = false;
  for (const Holder& holder : holders_of(stage, direction)) {
    if (!holder.understood || !holder.accesses.empty() || !context.spend_fuel()) continue;
    const spirv::Uses uses(stage.module);
    for (const spirv::InstRef debug : uses.debug_uses_of(holder.variable)) stage.module.kill(debug);
    const varyings::VariableAccesses rest = varyings::accesses_of(stage.module, uses, holder.variable);
    for (const spirv::InstRef chain : rest.chains) spirv::remove_global(stage.module, stage.module[chain].result);
    spirv::remove_global(stage.module, holder.variable);
    stage.module.sweep();
    any = true;
  }
  return any;
}

}  // namespace

Result<Progress> remove_dead_built_ins(link::Link& link, PassContext& context) {
  if (!link.has_plain_built_ins()) return Progress::none;
  Reads reads;
  for (const LinkedStage* consumer : link.consumers) reads.add(holders_of(*consumer, varyings::Direction::input));
  for (const LinkedStage* producer : link.producers) reads.add(holders_of(*producer, varyings::Direction::output));
  if (reads.everything) return Progress::none;
  Progress progress = Progress::none;
  bool stores_went = false;
  for (LinkedStage* producer : link.producers)
    if (remove_stores(*producer, holders_of(*producer, varyings::Direction::output), reads, link, context))
      stores_went = true;
  if (stores_went) progress = Progress::producer;
  for (LinkedStage* producer : link.producers)
    if (remove_untouched(*producer, varyings::Direction::output, context)) progress = progress | Progress::producer;
  for (LinkedStage* consumer : link.consumers)
    if (remove_untouched(*consumer, varyings::Direction::input, context)) progress = progress | Progress::consumer;
  link.unrecorded_change = link.unrecorded_change || progress != Progress::none;
  return progress;
}

}  // namespace varylink::passes
