#include "passes/shrink_task_payload.h"

#include <algorithm>
#include <set>

#include "link/rules/interface_model.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/struct_members.h"
#include "varyings/reflect/pointer_access.h"

namespace varylink::passes {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;
using varyings::PointerAccess;

using Members = std::set<std::uint32_t>;

Id payload_of(const Module& module) {
  for (const InstRef inst : module.types)
    if (spirv::is_variable_in(module, module[inst].result, spv::StorageClass::TaskPayloadWorkgroupEXT))
      return module[inst].result;
  return 0;
}

// The payload of one stage and every access to it.
struct Side {
  Module& module;
  Id variable = payload_of(module);
  Id type = spirv::pointee_type(module, module.type_of(variable));
  varyings::VariableAccesses accesses = varyings::accesses_of(module, spirv::Uses(module), variable);

  // The member that an access is about; none if it is about the payload as a whole.
  std::optional<std::uint32_t> member(const PointerAccess& access) const {
    return access.indices.empty() ? std::nullopt : spirv::constant_index(module, access.indices.front());
  }

  Members loaded() const {
    Members members;
    for (const PointerAccess& access : accesses.accesses)
      if (access.kind != PointerAccess::Kind::store) members.insert(*member(access));
    return members;
  }

  // Why the payload has to stay as it is; empty if it can be split.
  std::string obstacle() const {
    if (accesses.obstacle) return *accesses.obstacle;
    if (module.def_op(type) != spv::Op::OpTypeStruct) return "it is no structure";
    for (const InstRef chain : accesses.chains)
      if (module[chain].op == spv::Op::OpCopyObject || module.operands(chain).size() == 1)
        return "pointers to it are copied";
    for (const PointerAccess& access : accesses.accesses)
      if (!member(access)) return "it is copied as a whole";
    return {};
  }
};

// Without a payload the meshes are emitted all the same.
void hand_on_nothing(Module& module, Id variable) {
  const spirv::Uses uses(module);
  for (const InstRef user : uses.of(variable))
    if (module[user].op == spv::Op::OpEmitMeshTasksEXT)
      module.rewrite(user, module[user].op,
                     {module.operand(user, 0), module.operand(user, 1), module.operand(user, 2)});
}

// Declares the payload without these members, which no code loads.
void remove_members(Side& side, const Members& dead) {
  Module& module = side.module;
  for (const PointerAccess& access : side.accesses.accesses)
    if (dead.count(*side.member(access)) != 0) module.kill(access.inst);
  std::vector<Id> gone;
  for (const InstRef chain : side.accesses.chains) {  // those that lead on come behind
    const Id from = module.operand(chain, 0).word;
    if (from == side.variable ? dead.count(*spirv::constant_index(module, module.operand(chain, 1).word)) != 0
                              : std::find(gone.begin(), gone.end(), from) != gone.end())
      gone.push_back(module[chain].result);
  }
  spirv::StructMembers kept;
  for (std::uint32_t member = 0; member < spirv::element_count(module, side.type); ++member)
    if (dead.count(member) == 0) kept.push_back({spirv::element_type(module, side.type, member), member});
  if (kept.empty()) {
    hand_on_nothing(module, side.variable);
    gone.push_back(side.variable);
  }
  spirv::remove_globals(module, std::move(gone));
  module.sweep();
  if (kept.empty()) return;
  spirv::Globals globals(module);
  spirv::set_members(module, globals, side.variable, kept);
}

}  // namespace

Result<Progress> shrink_task_payload(link::Link& link, PassContext& context) {
  if (link.report.producer != Stage::task || !link.closed || link.is_shared() || link.consumers.empty())
    return Progress::none;
  Module &task_module = link.producers.front()->module, &mesh_module = link.consumers.front()->module;
  if (payload_of(task_module) == 0 || payload_of(mesh_module) == 0) return Progress::none;
  Side task{task_module}, mesh{mesh_module};
  const auto say = [&](const std::string& what) {
    link.remarks.push_back({"shrink-task-payload", "task->mesh", what});
  };
  std::string obstacle = link::same_type(task.module, task.type, mesh.module, mesh.type)
                             ? task.obstacle()
                             : "the stages declare it differently";
  if (obstacle.empty()) obstacle = mesh.obstacle();
  if (!obstacle.empty()) {
    if (link.remarks.empty()) say("the task payload stays as it is: " + obstacle);
    return Progress::none;
  }
  const Members by_task = task.loaded(), by_mesh = mesh.loaded();  // invocations of the task stage talk through it
  Members dead;
  for (std::uint32_t member = 0; member < spirv::element_count(task.module, task.type); ++member) {
    if (by_task.count(member) + by_mesh.count(member) != 0 || !context.spend_fuel()) continue;
    dead.insert(member);
    const std::string name = task.module.member_name(task.type, member);
    say("payload " + (name.empty() ? "member " + std::to_string(member) : "'" + name + "'") +
        " is removed: nobody reads it");
  }
  if (dead.empty()) return Progress::none;
  remove_members(task, dead);
  remove_members(mesh, dead);
  link.unrecorded_change = true;
  return Progress::both;
}

}  // namespace varylink::passes
