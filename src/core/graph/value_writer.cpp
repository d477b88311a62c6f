#include "graph/value_writer.h"

#include "base/seeded_fault.h"
#include "graph/spec_constant.h"
#include "graph/well_typed.h"
#include "varyings/scalarize/varying_variable.h"

namespace varylink::graph {

using spirv::Id;
using spv::Op;

ValueWriter::ValueWriter(const ValueGraph& graph, spirv::Module& module, spirv::Globals& globals,
                         spirv::Emitter& emitter, const Resources& resources, Known known, std::uint32_t store_point)
    : graph_(graph),
      module_(module),
      globals_(globals),
      emitter_(emitter),
      resources_(resources),
      known_(std::move(known)),
      store_point_(store_point) {}

Id ValueWriter::type_id(varyings::ScalarType type) {
  return type.kind == varyings::ScalarKind::boolean ? globals_.bool_type() : varyings::type_id(globals_, type);
}

void ValueWriter::keep_rounding(const std::set<ValueId>& values) {
  std::vector<ValueId> open(values.begin(), values.end());
  while (!open.empty()) {
    const ValueId value = open.back();
    open.pop_back();
    if (!rounded_.insert(value).second || !passes_on_rounding(graph_[value])) continue;
    open.insert(open.end(), graph_[value].operands.begin(), graph_[value].operands.end());
  }
}

Id ValueWriter::write(ValueId wanted) {
  // Operands have lower numbers: collecting downwards and writing upwards needs no recursion.
  std::set<ValueId> missing;
  std::vector<ValueId> open = {wanted};
  while (!open.empty()) {
    const ValueId value = open.back();
    open.pop_back();
    if (written_.count(value) != 0 || !missing.insert(value).second) continue;
    if (const Id id = known_(value)) {
      written_.emplace(value, id);
      missing.erase(value);
      continue;
    }
    const Value& node = graph_[value];
    if (node.kind == ValueKind::per_store_point)
      open.push_back(node.operands[store_point_]);
    else
      open.insert(open.end(), node.operands.begin(), node.operands.end());
  }
  for (const ValueId value : missing) {
    written_[value] = write_one(value);
    const bool keeps = rounded_.count(value) != 0 && is_rounded(graph_[value]) && !graph_[value].no_contraction;
    if (keeps) spirv::decorate(module_, written_[value], spv::Decoration::NoContraction);
  }
  return written_.at(wanted);
}

Id ValueWriter::write_one(ValueId value) {
  const Value& node = graph_[value];
  switch (node.kind) {
    case ValueKind::constant:
      if (node.type.kind == varyings::ScalarKind::boolean) return globals_.bool_constant(node.words.front() != 0);
      return globals_.scalar_constant(type_id(node.type), node.words);
    case ValueKind::resource: return write_resource(node);
    case ValueKind::specialization: return write_specialization(node);
    case ValueKind::per_store_point: return written_.at(node.operands[store_point_]);
    case ValueKind::operation: return write_operation(node);
    case ValueKind::leaf: break;
  }
  return write_undefined(node);
}

Id ValueWriter::write_undefined(const Value& value) {
  complete_ = false;
  return globals_.undef(type_id(value.type));
}

Id ValueWriter::write_resource(const Value& value) {
  const auto place = resources_.find(ResourceKey::from(value.words), value.type);
  if (!place) return write_undefined(value);
  std::vector<std::uint32_t> key = {place->variable};
  key.insert(key.end(), place->indices.begin(), place->indices.end());
  key.insert(key.end(), value.operands.begin(), value.operands.end());
  Id& loaded = loads_[key];
  if (loaded == 0) {
    std::vector<Id> indices;
    for (const std::uint32_t index : place->indices) indices.push_back(globals_.uint_constant(index));
    if (place->computed) indices[*place->computed] = written_.at(value.operands.front());
    const auto storage = static_cast<spv::StorageClass>(module_.operand(module_.def(place->variable), 0).word);
    loaded = emitter_.load(place->type, emitter_.chain(storage, place->type, place->variable, indices));
  }
  const bool is_vector = module_.def_op(place->type) == Op::OpTypeVector;
  const std::uint32_t component = seeded_fault("uniform-reads-first-component") ? 0 : place->component;
  return is_vector ? emitter_.extract(type_id(value.type), loaded, component) : loaded;
}

Id ValueWriter::write_specialization(const Value& value) {
  const SpecConstantKey key = SpecConstantKey::from(value.type, value.words);
  const Id found = SpecConstants(module_).find(key);
  return found != 0 ? found : declare(module_, type_id(value.type), key);
}

Id ValueWriter::write_operation(const Value& value) {
  if (!is_well_typed(graph_, value)) complete_ = false;
  if (undivided_shape(value.glsl, value.operands.size())) return write_undivided(value);
  std::vector<spirv::Operand> operands;
  if (value.op == Op::OpExtInst) operands = {spirv::id(globals_.glsl_std_450()), spirv::lit(value.glsl)};
  for (const ValueId operand : value.operands) operands.push_back(spirv::id(written_.at(operand)));
  const Id result = emitter_.emit(value.op, type_id(value.type), operands);
  if (value.no_contraction) spirv::decorate(module_, result, spv::Decoration::NoContraction);
  return result;
}

Id ValueWriter::numbers_type(varyings::ScalarType scalar, NumberShape shape) {
  const Id column = globals_.vector_type(type_id(scalar), shape.rows);
  return shape.columns == 1 ? column : globals_.matrix_type(column, shape.columns);
}

// Components of one result come of one instruction.
Id ValueWriter::write_undivided(const Value& value) {
  const auto shape = undivided_shape(value.glsl, value.operands.size());
  if (!shape || !is_complete()) return write_undefined(value);
  std::vector<Id> operands;
  for (const ValueId operand : value.operands) operands.push_back(written_.at(operand));
  const Id result_type = numbers_type(value.type, shape->result);
  std::vector<std::uint32_t> key = {value.glsl, result_type};
  key.insert(key.end(), operands.begin(), operands.end());
  Id& whole = undivided_[key];
  if (whole == 0) {
    const varyings::ScalarType of = graph_[value.operands.front()].type;
    if (shape->operand.columns > 1) {
      const Id column_type = numbers_type(of, {shape->operand.rows, 1});
      std::vector<Id> columns;
      for (auto first = operands.begin(); first != operands.end(); first += shape->operand.rows)
        columns.push_back(emitter_.construct(column_type, {first, first + shape->operand.rows}));
      operands = std::move(columns);
    }
    const Id operand =
        operands.size() == 1 ? operands[0] : emitter_.construct(numbers_type(of, shape->operand), operands);
    whole = emitter_.emit(Op::OpExtInst, result_type,
                          {spirv::id(globals_.glsl_std_450()), spirv::lit(value.glsl), spirv::id(operand)});
  }
  const std::uint32_t component = value.words.front(), rows = shape->result.rows;
  if (shape->result.components() == 1) return whole;
  if (shape->result.columns == 1) return emitter_.extract(type_id(value.type), whole, component);
  return emitter_.emit(Op::OpCompositeExtract, type_id(value.type),
                       {spirv::id(whole), spirv::lit(component / rows), spirv::lit(component % rows)});
}

Diagnostic incomplete_value(FileRef file) {
  return make_error(ErrorKind::verification_failed, std::move(file),
                    "linking would compute a value here from something that this stage does not have");
}

}  // namespace varylink::graph
