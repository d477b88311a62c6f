#include "passes/trim_payload.h"

#include <algorithm>
#include <map>

#include "base/seeded_fault.h"
#include "link/conformance/interface_model.h"
#include "link/values/slot_values.h"
#include "spirv/ir/code_edit.h"
#include "spirv/ir/emitter.h"
#include "spirv/ir/globals.h"
#include "varyings/reflect/pointer_access.h"

namespace varylink::passes {
namespace {

using link::LinkedStage;
using spirv::Id;
using spirv::InstRef;
using spirv::Module;
using varyings::PointerAccess;

using Bits = std::vector<std::uint32_t>;

Id payload_of(const Module& module) {
  for (const InstRef inst : module.types)
    if (module[inst].op == spv::Op::OpVariable &&
        static_cast<spv::StorageClass>(module.operand(inst, 0).word) == spv::StorageClass::TaskPayloadWorkgroupEXT)
      return module[inst].result;
  return 0;
}

// The payload of one stage and every access to it.
struct Side {
  LinkedStage* stage = nullptr;
  Id variable = 0;
  Id type = 0;
  varyings::VariableAccesses accesses;

  explicit Side(LinkedStage& s) : stage(&s), variable(payload_of(s.module)) {
    if (variable == 0) return;
    type = spirv::pointee_type(s.module, s.module.type_of(variable));
    accesses = varyings::accesses_of(s.module, spirv::Uses(s.module), variable);
  }

  // The member that an access is about; none if it is about the payload as a whole.
  std::optional<std::uint32_t> member(const PointerAccess& access) const {
    if (access.indices.empty()) return std::nullopt;
    const auto index = varyings::constant_int(stage->module, access.indices.front());
    return index ? std::optional(static_cast<std::uint32_t>(*index)) : std::nullopt;
  }

  bool has(std::uint32_t wanted, PointerAccess::Kind kind) const {
    return std::any_of(accesses.accesses.begin(), accesses.accesses.end(),
                       [&](const PointerAccess& access) { return access.kind == kind && member(access) == wanted; });
  }

  // Why the payload has to stay as it is; empty if it can be split.
  std::string obstacle() const {
    const Module& module = stage->module;
    if (accesses.obstacle) return *accesses.obstacle;
    if (module.def_op(type) != spv::Op::OpTypeStruct) return "it is no structure";
    for (const InstRef chain : accesses.chains)
      if (module[chain].op == spv::Op::OpCopyObject) return "pointers to it are copied";
    for (const PointerAccess& access : accesses.accesses)
      if (!member(access)) return "it is copied as a whole";
    return {};
  }
};

// What is known of one component of a member: the one constant that is stored to it.
struct Component {
  std::optional<Bits> bits;
  bool differs = false;

  void add(const link::ScalarValue& value) {
    if (value.kind == link::ScalarValue::Kind::undefined) return;
    if (bits && seeded_fault("payload-looks-at-first-store")) return;
    differs = differs || value.kind != link::ScalarValue::Kind::constant || (bits && *bits != value.bits);
    bits = value.bits;
  }
};

// The constants that a member always holds, one per component; none if it may hold anything else.
std::optional<std::vector<Bits>> constants_of(const Side& task, std::uint32_t member) {
  const Module& module = task.stage->module;
  const Id type = spirv::element_type(module, task.type, member);
  const std::uint32_t count = spirv::component_count(module, type);
  if (count == 0) return std::nullopt;
  std::vector<Component> components(count);
  for (const PointerAccess& access : task.accesses.accesses) {
    if (task.member(access) != member) continue;
    if (access.kind != PointerAccess::Kind::store) return std::nullopt;
    const Id value = module.operand(access.inst, 1).word;
    if (access.indices.size() == 1) {
      for (std::uint32_t c = 0; c < count; ++c) components[c].add(link::component_value(module, value, c, count));
      continue;
    }
    const auto index = varyings::constant_int(module, access.indices.back());
    if (!index || *index < 0 || *index >= count) return std::nullopt;
    components[static_cast<std::size_t>(*index)].add(link::scalar_value(module, value));
  }
  std::vector<Bits> constants;
  for (const Component& component : components) {
    if (component.differs || !component.bits) return std::nullopt;
    constants.push_back(*component.bits);
  }
  return constants;
}

// What goes: dead members, and members with the constants that take their place.
using PayloadPlan = std::map<std::uint32_t, std::optional<std::vector<Bits>>>;

PayloadPlan plan_payload(const Side& task, const Side& mesh) {
  PayloadPlan plan;
  const std::uint32_t count = spirv::element_count(task.stage->module, task.type);
  for (std::uint32_t member = 0; member < count; ++member) {
    if (task.has(member, PointerAccess::Kind::load)) continue;  // invocations of the task stage talk through it
    if (!mesh.has(member, PointerAccess::Kind::load))
      plan[member] = std::nullopt;
    else if (auto constants = constants_of(task, member))
      plan[member] = std::move(constants);
  }
  return plan;
}

// Declares the payload of one stage anew without the members in the plan.
class PayloadRewriter {
 public:
  PayloadRewriter(Side& side, const PayloadPlan& plan)
      : side_(side), plan_(plan), module_(side.stage->module), globals_(module_), emitter_(module_, globals_) {}

  void run() {
    for (const PointerAccess& access : side_.accesses.accesses)
      if (plan_.count(*side_.member(access)) != 0) remove(access);
    edit_.apply(module_, side_.stage->entry.function);
    const std::uint32_t count = spirv::element_count(module_, side_.type);
    for (std::uint32_t member = 0; member < count; ++member)
      if (plan_.count(member) == 0) kept_.push_back(member);
    const Id variable = kept_.empty() ? 0 : declare();
    for (const InstRef chain : side_.accesses.chains) redirect(chain, variable);
    hand_on(variable);
    const spirv::Uses uses(module_);
    for (const InstRef debug : uses.debug_uses_of(side_.variable)) module_.kill(debug);
    spirv::remove_global(module_, side_.variable);
    module_.sweep();
  }

 private:
  void remove(const PointerAccess& access) {
    if (access.kind == PointerAccess::Kind::load) {
      emitter_.write_to(edit_.before(access.inst));
      edit_.replace(module_[access.inst].result, constant(access));
    }
    edit_.remove(access.inst);
  }

  // What a load of a constant member becomes: the vector, or one component of it.
  Id constant(const PointerAccess& access) {
    const std::uint32_t member = *side_.member(access);
    const Id type = spirv::element_type(module_, side_.type, member);
    const Id scalar = spirv::component_count(module_, type) == 1 ? type : spirv::element_type(module_, type);
    std::vector<Id> parts;
    for (const Bits& bits : *plan_.at(member)) parts.push_back(globals_.scalar_constant(scalar, bits));
    const Id value = parts.size() == 1 ? parts.front() : emitter_.construct(type, parts);
    if (access.indices.size() == 1) return value;
    if (const auto index = varyings::constant_int(module_, access.indices.back()))
      return emitter_.extract(scalar, value, static_cast<std::uint32_t>(*index) % 4);
    return emitter_.emit(spv::Op::OpVectorExtractDynamic, scalar, {spirv::id(value), spirv::id(access.indices.back())});
  }

  Id declare() {
    std::vector<spirv::Operand> members;
    for (const std::uint32_t member : kept_)
      members.push_back(spirv::id(spirv::element_type(module_, side_.type, member)));
    const Id type = module_.new_id();
    module_.types.push_back(module_.create(spv::Op::OpTypeStruct, 0, type, members));
    copy_annotations(type);
    const Id variable =
        globals_.variable(spv::StorageClass::TaskPayloadWorkgroupEXT, type, module_.name(side_.variable));
    spirv::add_to_interface(module_, side_.stage->entry.inst, variable);
    return variable;
  }

  void copy_annotations(Id type) {
    for (auto* section : {&module_.debug_names, &module_.annotations}) {
      const std::vector<InstRef> before = *section;
      for (const InstRef inst : before) {
        const auto old = module_.operands(inst);
        if (module_.is_dead(inst) || old.empty() || !old[0].is_id || old[0].word != side_.type) continue;
        const spv::Op op = module_[inst].op;
        std::vector<spirv::Operand> operands(old.begin(), old.end());
        operands[0] = spirv::id(type);
        if (op == spv::Op::OpMemberName || op == spv::Op::OpMemberDecorate) {
          const auto place = std::find(kept_.begin(), kept_.end(), operands[1].word);
          if (place == kept_.end()) continue;
          operands[1] = spirv::lit(static_cast<std::uint32_t>(place - kept_.begin()));
        }
        section->push_back(module_.create(op, 0, 0, operands));
      }
    }
  }

  // A chain from the old variable starts at the new one, with the new number of its member; one that leads to a member
  // that went has no use any more.
  void redirect(InstRef chain, Id variable) {
    if (module_.is_dead(chain) || module_.operand(chain, 0).word != side_.variable) return;
    const auto member = varyings::constant_int(module_, module_.operand(chain, 1).word);
    const auto place = std::find(kept_.begin(), kept_.end(), static_cast<std::uint32_t>(*member));
    if (place == kept_.end()) return remove_chain(chain);
    module_.set_operand(chain, 0, spirv::id(variable));
    module_.set_operand(chain, 1, spirv::id(globals_.uint_constant(static_cast<std::uint32_t>(place - kept_.begin()))));
  }

  void remove_chain(InstRef chain) {
    const Id pointer = module_[chain].result;
    for (const InstRef user : side_.accesses.chains)
      if (!module_.is_dead(user) && user != chain && module_.operand(user, 0).word == pointer) remove_chain(user);
    spirv::remove_global(module_, pointer);
  }

  void hand_on(Id variable) {
    for (const spirv::Function& function : module_.functions)
      for (const spirv::Block& block : function.blocks)
        for (const InstRef inst : block.body) {
          if (module_[inst].op != spv::Op::OpEmitMeshTasksEXT || module_[inst].operand_count < 4) continue;
          std::vector<spirv::Operand> operands(module_.operands(inst).begin(), module_.operands(inst).end());
          operands.resize(3);
          if (variable != 0) operands.push_back(spirv::id(variable));
          module_.rewrite(inst, spv::Op::OpEmitMeshTasksEXT, operands);
        }
  }

  Side& side_;
  const PayloadPlan& plan_;
  Module& module_;
  spirv::Globals globals_;
  spirv::Emitter emitter_;
  spirv::CodeEdit edit_;
  std::vector<std::uint32_t> kept_;
};

std::string member_name(const Side& side, std::uint32_t member) {
  const std::string name = side.stage->module.member_name(side.type, member);
  return name.empty() ? "member " + std::to_string(member) : "'" + name + "'";
}

void say(link::Link& link, const std::string& message) {
  link.remarks.push_back({"trim-payload", "task->mesh", message});
}

}  // namespace

Result<Progress> trim_payload(link::Link& link, PassContext& context) {
  if (link.report.producer != Stage::task || !link.closed || link.is_shared() || link.consumers.empty())
    return Progress::none;
  Side task(*link.producers.front()), mesh(*link.consumers.front());
  if (task.variable == 0 || mesh.variable == 0) return Progress::none;
  const bool same_type = link::same_type(task.stage->module, task.type, mesh.stage->module, mesh.type);
  std::string obstacle = same_type ? task.obstacle() : "the stages declare it differently";
  if (obstacle.empty()) obstacle = mesh.obstacle();
  if (!obstacle.empty()) {
    if (link.remarks.empty()) say(link, "the task payload stays as it is: " + obstacle);
    return Progress::none;
  }
  PayloadPlan plan = plan_payload(task, mesh);
  for (auto entry = plan.begin(); entry != plan.end();)
    entry = context.spend_fuel() ? std::next(entry) : plan.erase(entry);
  if (plan.empty()) return Progress::none;
  for (const auto& [member, constants] : plan)
    say(link, "payload " + member_name(task, member) +
                  (constants ? " is a constant: the mesh stage has it itself" : " is removed: nobody reads it"));
  PayloadRewriter(task, plan).run();
  PayloadRewriter(mesh, plan).run();
  link.unrecorded_change = true;
  return Progress::both;
}

}  // namespace varylink::passes
