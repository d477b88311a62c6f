#include "link/values/interpolated_reads.h"

#include <algorithm>

#include "base/seeded_fault.h"
#include "varyings/reflect/interpolate_at.h"
#include "varyings/reflect/pointer_access.h"

namespace varylink::link {
namespace {

bool has_interpolate_at(const spirv::Module& module) {
  for (const spirv::Function& function : module.functions)
    for (const spirv::Block& block : function.blocks)
      if (std::any_of(block.body.begin(), block.body.end(),
                      [&](spirv::InstRef inst) { return varyings::is_interpolate_at(module, inst); }))
        return true;
  return false;
}

void add_reads(const LinkedStage& consumer, InterpolatedReads& reads) {
  const spirv::Uses uses(consumer.module);
  for (const varyings::Varying& input : consumer.inputs)
    for (const varyings::PointerAccess& access :
         varyings::accesses_of(consumer.module, uses, input.variable).accesses) {
      if (access.kind != varyings::PointerAccess::Kind::interpolate) continue;
      reads.anywhere.insert(input.slot);
      if (varyings::interpolate_at(consumer.module, access.inst).at_offset()) reads.at_offset.insert(input.slot);
    }
}

}  // namespace

InterpolatedReads find_interpolated_reads(const Link& link) {
  InterpolatedReads reads;
  if (!link.consumer_interpolates()) return reads;
  for (const LinkedStage* consumer : link.consumers)
    if (has_interpolate_at(consumer->module)) add_reads(*consumer, reads);
  return reads;
}

std::set<varyings::Slot> slots_read_at_offset(const Link& link) {
  if (seeded_fault("interpolate-at-offset-of-a-constant")) return {};
  return find_interpolated_reads(link).at_offset;
}

}  // namespace varylink::link
