#include "passes/inter_stage_code_motion.h"

#include <algorithm>
#include <set>

#include "base/seeded_fault.h"
#include "link/values/float_environment.h"
#include "passes/motion/move_plan.h"
#include "spirv/ir/code_edit.h"
#include "spirv/ir/op_info.h"
#include "varyings/reflect/interpolate_at.h"
#include "varyings/reflect/pointer_access.h"
#include "varyings/scalarize/varying_variable.h"

namespace varylink::passes {
namespace {

using graph::InterfaceValue;
using graph::ValueId;
using link::find_varying;
using link::LinkedStage;
using spirv::Id;
using spirv::InstRef;
using varyings::Direction;
using varyings::Slot;
using varyings::Varying;

// Booleans cross as 0 and 1.
varyings::ScalarType carried_as(varyings::ScalarType type) {
  return type.kind == varyings::ScalarKind::boolean ? varyings::ScalarType{varyings::ScalarKind::uint, 32} : type;
}

Varying new_varying(const graph::ValueGraph& graph, const MovedValue& moved) {
  Varying varying;
  varying.slot = moved.slot;
  varying.slots = {moved.slot};
  varying.scalar = carried_as(graph[moved.what.value].type);
  if (varying.scalar.width == 64) {
    varying.component_count = 2;
    varying.slots.push_back({moved.slot.location, moved.slot.component + 1});
  }
  varying.interpolation = moved.interpolation;
  varying.patch = moved.patch;
  varying.per_primitive = moved.per_primitive;
  varying.name = "moved";
  varying.type = text(varying.scalar);
  return varying;
}

// Computes at every place that stores what is to cross now, and stores it.
class ProducerEdit {
 public:
  ProducerEdit(LinkedStage& stage, const MovePlanner& planner, const MovePlan& plan, bool interpolates)
      : stage_(stage),
        module_(stage.module),
        planner_(planner),
        resources_(with_declared(stage, planner.resources_to_send(plan))),
        globals_(stage.module),
        emitter_(stage.module, globals_) {
    for (const Motion& motion : plan.motions)
      for (const MovedValue& moved : motion.moved) {
        varyings_.push_back(new_varying(planner.graph(), moved));
        values_.push_back(moved.what);
        varyings::declare_scalar(module_, globals_, stage.entry.inst, varyings_.back(), Direction::output, interpolates,
                                 vertices_of(module_, *find_varying(stage.outputs, moved.slot)));
      }
  }

  // False: a value could not be computed, and the stage is of no use any more.
  bool run(const MovePlan& plan) {
    std::set<graph::StorePointSetId> sets;
    for (const InterfaceValue& what : values_) sets.insert(what.store_points);
    for (const graph::StorePointSetId set : sets)
      for (std::size_t point = 0; point < planner_.producer().store_points(set).size(); ++point) store_at(set, point);
    edit_.apply(module_, stage_.entry.function);
    for (const Motion& motion : plan.motions)
      for (const Slot slot : motion.gone) remove_output(stage_, slot);
    stage_.outputs.insert(stage_.outputs.end(), varyings_.begin(), varyings_.end());
    return complete_;
  }

 private:
  void store_at(graph::StorePointSetId set, std::size_t point) {
    const auto& [place, indices] = planner_.producer().store_points(set)[point];
    emitter_.write_to(edit_.before(place));
    graph::ValueWriter writer(
        planner_.graph(), module_, globals_, emitter_, resources_,
        [&, place = place](ValueId value) { return existing(value, place); }, static_cast<std::uint32_t>(point));
    for (std::size_t i = 0; i < varyings_.size(); ++i) {
      if (values_[i].store_points != set || (point > 0 && seeded_fault("move-forgets-later-emits"))) continue;
      Id value = writer.write(values_[i].value);
      if (planner_.graph()[values_[i].value].type.kind == varyings::ScalarKind::boolean)
        value = emitter_.emit(
            spv::Op::OpSelect, writer.type_id(varyings_[i].scalar),
            {spirv::id(value), spirv::id(globals_.uint_constant(1)), spirv::id(globals_.uint_constant(0))});
      const Id type = writer.type_id(varyings_[i].scalar);
      emitter_.store(emitter_.chain(spv::StorageClass::Output, type, varyings_[i].variable, indices), value);
    }
    complete_ = complete_ && writer.is_complete();
  }

  // Loads of resources and constants are written by the writer, which needs nobody to dominate anything.
  Id existing(ValueId value, InstRef place) {
    const graph::Value& node = planner_.graph()[value];
    if (node.kind == graph::ValueKind::constant || node.kind == graph::ValueKind::per_store_point) return 0;
    const auto origin = planner_.producer().origin(value, place);
    if (!origin) return 0;
    const auto& [id, component] = *origin;
    const Id type = module_.type_of(id);
    if (module_.def_op(type) == spv::Op::OpTypeVector)
      return emitter_.extract(spirv::element_type(module_, type), id, component);
    if (module_.def_op(type) != spv::Op::OpTypeMatrix) return id;
    const Id column = spirv::element_type(module_, type);
    const std::uint32_t rows = spirv::component_count(module_, column);
    return emitter_.emit(spv::Op::OpCompositeExtract, spirv::element_type(module_, column),
                         {spirv::id(id), spirv::lit(component / rows), spirv::lit(component % rows)});
  }

  LinkedStage& stage_;
  spirv::Module& module_;
  const MovePlanner& planner_;
  graph::Resources resources_;
  spirv::Globals globals_;
  spirv::Emitter emitter_;
  spirv::CodeEdit edit_;
  std::vector<Varying> varyings_;
  std::vector<InterfaceValue> values_;
  bool complete_ = true;
};

// Loads what crosses now, and computes what the rest of the code wants from it: at the start, or, where that depends on
// an index which is not constant, in place.
class ConsumerEdit {
 public:
  ConsumerEdit(LinkedStage& stage, MovePlanner& planner, const MovePlan& plan, bool interpolates)
      : stage_(stage),
        module_(stage.module),
        planner_(planner),
        resources_(with_declared(stage, planner.resources_to_receive(plan))),
        globals_(stage.module),
        emitter_(stage.module, globals_),
        no_contraction_(spirv::no_contraction_ids(stage.module)) {
    for (const auto& [slot, what] : planner.staying(plan))
      variables_[what] = find_varying(stage.inputs, slot)->variable;
    for (const Motion& motion : plan.motions)
      for (const MovedValue& moved : motion.moved) {
        Varying varying = new_varying(planner.graph(), moved);
        varyings::declare_scalar(module_, globals_, stage.entry.inst, varying, Direction::input, interpolates,
                                 vertices_of(module_, *find_varying(stage.inputs, moved.slot)));
        variables_[moved.what] = varying.variable;
        varyings_.push_back(varying);
      }
  }

  // False: as above.
  bool run(const MovePlan& plan) {
    find_rounded(plan);
    for (const std::size_t index : plan.rewritten) rewrite(planner_.consumer().sinks()[index]);
    edit_.apply(module_, stage_.entry.function);
    for (const Motion& motion : plan.motions)
      for (const Slot slot : motion.gone) {
        const bool is_wide = find_varying(stage_.inputs, slot)->scalar.width == 64;
        replace_input(stage_, slot, std::vector<std::uint32_t>(is_wide ? 2 : 1, 0));
      }
    stage_.inputs.insert(stage_.inputs.end(), varyings_.begin(), varyings_.end());
    forget_written();
    return complete_;
  }

 private:
  // Values that crossed until now, in front of code that shows how they were rounded.
  void find_rounded(const MovePlan& plan) {
    std::vector<ValueId> shown;
    for (const std::size_t index : plan.rewritten) {
      const link::Sink& sink = planner_.consumer().sinks()[index];
      if (!planner_.consumer().keeps_rounding(sink.id)) continue;
      for (const link::InterfaceLoad& read : sink.components) shown.push_back(read.what.value);
    }
    const std::set<ValueId> parts = parts_of(planner_.graph(), shown);
    for (const auto& [slot, what] : planner_.consumer().inputs())
      if (parts.count(what.value) != 0) rounded_.insert(what.value);
  }

  void rewrite(const link::Sink& sink) {
    const InstRef def = module_.def(sink.id);
    const Id type = module_[def].type;
    const bool in_place =
        std::any_of(sink.components.begin(), sink.components.end(), [](const link::InterfaceLoad& interface_load) {
          return interface_load.block != link::InterfaceLoad::kAnywhere;
        });
    if (in_place) forget_written();
    emitter_.write_to(in_place ? edit_.before(def) : edit_.start());
    const bool is_partial = std::find(sink.used.begin(), sink.used.end(), false) != sink.used.end();
    const Id before = is_partial ? keep_old(def) : 0;
    std::vector<spirv::Operand> parts;
    for (std::uint32_t i = 0; i < sink.components.size(); ++i) {
      const link::InterfaceLoad& interface_load = sink.components[i];
      graph::ValueWriter& writer = writer_for(interface_load.what, interface_load.vertex);
      const Id scalar = writer.type_id(planner_.graph()[interface_load.what.value].type);
      if (sink.used[i])
        parts.push_back(spirv::id(writer.write(interface_load.what.value)));
      else
        parts.push_back(spirv::id(old_part(def, before, scalar, i)));
    }
    if (is_partial) emitter_.write_to(edit_.before(def));  // behind the old parts
    module_.rewrite(def, parts.size() == 1 ? spv::Op::OpCopyObject : spv::Op::OpCompositeConstruct,
                    parts.size() == 1 ? std::span<const spirv::Operand>(parts) : columns(type, parts));
    if (in_place) forget_written();
  }

  // Code whose own results are not rewritten goes on to use what this instruction computed.
  Id keep_old(spirv::InstRef def) {
    const Id kept = module_.new_id();
    const std::vector<spirv::Operand> operands(module_.operands(def).begin(), module_.operands(def).end());
    edit_.before(def).push_back(module_.create(module_[def].op, module_[def].type, kept, operands));
    if (no_contraction_.count(module_[def].result) != 0) spirv::decorate(module_, kept, spv::Decoration::NoContraction);
    return kept;
  }

  // A component counts through the columns of a matrix.
  Id old_part(spirv::InstRef def, Id before, Id scalar, std::uint32_t component) {
    if (seeded_fault("move-forgets-other-components")) return globals_.null_constant(scalar);
    const Id type = module_[def].type;
    std::vector<spirv::Operand> operands = {spirv::id(before)};
    if (module_.def_op(type) == spv::Op::OpTypeMatrix) {
      const std::uint32_t rows = spirv::component_count(module_, spirv::element_type(module_, type));
      operands.push_back(spirv::lit(component / rows));
      component %= rows;
    }
    operands.push_back(spirv::lit(component));
    const Id part = module_.new_id();
    edit_.before(def).push_back(module_.create(spv::Op::OpCompositeExtract, scalar, part, operands));
    return part;
  }

  // Values written in the middle of the code can be used there only.
  void forget_written() {
    for (const auto& [way, writer] : writers_) complete_ = complete_ && writer.is_complete();
    writers_.clear();
    loads_.clear();
  }

  // A matrix is made of columns, a vector of scalars.
  std::span<const spirv::Operand> columns(Id type, std::vector<spirv::Operand>& parts) {
    if (module_.def_op(type) != spv::Op::OpTypeMatrix) return parts;
    const Id column = spirv::element_type(module_, type);
    const std::size_t rows = spirv::component_count(module_, column);
    std::vector<spirv::Operand> vectors;
    for (std::size_t first = 0; first < parts.size(); first += rows)
      vectors.push_back(spirv::id(emitter_.emit(spv::Op::OpCompositeConstruct, column,
                                                std::span<const spirv::Operand>(parts).subspan(first, rows))));
    parts = std::move(vectors);
    return parts;
  }

  // One for each interpolation class, whatever the value.
  graph::ValueWriter& writer_for(InterfaceValue way, Id vertex) {
    way.value = graph::kNoValue;
    if (seeded_fault("move-takes-vertex-0") && vertex != 0) vertex = globals_.uint_constant(0);
    const auto found = writers_.find({way, vertex});
    if (found != writers_.end()) return found->second;
    const auto known = [this, way, vertex](ValueId value) {
      return interface_id(planner_.interface_value(value, way), vertex);
    };
    graph::ValueWriter& writer =
        writers_
            .emplace(std::piecewise_construct, std::forward_as_tuple(way, vertex),
                     std::forward_as_tuple(planner_.graph(), module_, globals_, emitter_, resources_, known, 0u))
            .first->second;
    writer.keep_rounding(rounded_);
    return writer;
  }

  Id interface_id(const InterfaceValue& what, Id vertex) {
    const auto variable = variables_.find(what);
    if (variable == variables_.end()) return 0;
    Id& loaded = loads_[{what, vertex}];
    if (loaded == 0) loaded = load(what, variable->second, vertex);
    return loaded;
  }

  Id load(const InterfaceValue& what, Id variable, Id vertex) {
    const varyings::ScalarType type = planner_.graph()[what.value].type;
    const Id pointee = spirv::pointee_type(module_, module_.type_of(variable));
    const bool arrayed = module_.def_op(pointee) == spv::Op::OpTypeArray;
    const Id scalar = arrayed ? spirv::element_type(module_, pointee) : pointee;
    if (what.interpolation_class >= graph::kFirstInterpolatedClass) {
      if (const auto& place = planner_.consumer().place(what.interpolation_class))
        return varyings::emit_interpolate_at(emitter_, *place, scalar, variable);
    }
    // A convergent value may be wanted of no vertex in particular.
    if (arrayed && vertex == 0) vertex = globals_.uint_constant(0);
    const std::vector<Id> indices = arrayed ? std::vector<Id>{vertex} : std::vector<Id>{};
    const Id loaded = emitter_.load(scalar, emitter_.chain(spv::StorageClass::Input, scalar, variable, indices));
    if (type.kind != varyings::ScalarKind::boolean) return loaded;
    return emitter_.emit(spv::Op::OpINotEqual, globals_.bool_type(),
                         {spirv::id(loaded), spirv::id(globals_.uint_constant(0))});
  }

  LinkedStage& stage_;
  spirv::Module& module_;
  MovePlanner& planner_;
  graph::Resources resources_;
  spirv::Globals globals_;
  spirv::Emitter emitter_;
  spirv::CodeEdit edit_;
  std::map<InterfaceValue, Id> variables_;  // inputs to load from
  std::map<std::pair<InterfaceValue, Id>, Id> loads_;
  std::set<Id> no_contraction_;
  std::set<ValueId> rounded_;  // written here as they were rounded when they crossed
  std::map<std::pair<InterfaceValue, Id>, graph::ValueWriter> writers_;
  bool complete_ = true;
  std::vector<Varying> varyings_;
};

// Only what is computed in one function is seen as values, and not where the float environment must be kept.
bool may_move(const link::Link& link) {
  if (link.producers.size() != 1 || link.consumers.size() != 1) return false;
  const LinkedStage &producer = *link.producers.front(), &consumer = *link.consumers.front();
  if (!producer.is_one_function() || !consumer.is_one_function()) return false;
  return may_move_floats(producer, consumer);
}

void record_moved(link::Link& link, const MovePlan& plan) {
  for (const Motion& motion : plan.motions) {
    const std::size_t before = motion.gone.size(), after = motion.moved.size();
    const std::string reason = before == after ? "code moved across: the producer computes more of it"
                                               : "code moved across: " + std::to_string(before) +
                                                     (before == 1 ? " component became " : " components became ") +
                                                     std::to_string(after);
    for (const Slot slot : motion.gone)
      link.record_outcome(*find_varying(link.producers.front()->outputs, slot), link::Outcome::moved, reason);
  }
}

}  // namespace

Result<Progress> inter_stage_code_motion(link::Link& link, PassContext& context) {
  if (!may_move(link)) return Progress::none;
  MovePlanner planner(link, context.options());
  const MovePlan plan = planner.run([&] { return context.spend_fuel(); });
  if (plan.motions.empty()) return Progress::none;
  record_moved(link, plan);
  LinkedStage &producer = *link.producers.front(), &consumer = *link.consumers.front();
  if (!ConsumerEdit(consumer, planner, plan, link.consumer_interpolates()).run(plan))
    return graph::incomplete_value(consumer.file);
  if (!ProducerEdit(producer, planner, plan, link.consumer_interpolates()).run(plan))
    return graph::incomplete_value(producer.file);
  return Progress::both;
}

}  // namespace varylink::passes
