#include "varyings/vectorize/dense_array.h"

#include <algorithm>

#include "base/seeded_fault.h"
#include "spirv/ir/globals.h"
#include "varyings/reflect/pointer_access.h"
#include "varyings/vectorize/redeclare.h"

namespace varylink::varyings {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;
using Kind = PointerAccess::Kind;

// Inputs of these stages are arrays of vertices.
bool has_vertices(Stage stage, Direction direction) {
  return direction == Direction::input &&
         (stage == Stage::tess_control || stage == Stage::tess_eval || stage == Stage::geometry);
}

bool is_index(const Module& module, Id index) {
  const auto type = scalar_type_of(module, module.type_of(index));
  return type && type->width == 32 && type->kind != ScalarKind::floating && type->kind != ScalarKind::boolean &&
         spirv::component_count(module, module.type_of(index)) == 1;
}

// A load or store without memory operands, through indices that can be computed with.
bool is_understood(const Module& module, const PointerAccess& access, std::size_t vertices, std::uint32_t length) {
  if (!is_plain_access(module, access) || access.indices.size() < vertices || access.indices.size() > vertices + 2)
    return false;
  if (access.indices.size() == vertices) return true;
  const auto element = constant_int(module, access.indices[vertices]);
  return (!element || (*element >= 0 && *element < std::int64_t{length})) &&
         std::all_of(access.indices.begin() + static_cast<std::ptrdiff_t>(vertices), access.indices.end(),
                     [&](Id index) { return is_index(module, index); });
}

class Densifier final : public Redeclaration {
 public:
  Densifier(Module& module, const Entry& entry, Direction direction, const DenseShape& shape, DenseForm form,
            Id variable)
      : Redeclaration(module, entry, variable),
        shape_(shape),
        form_(form),
        vertices_(has_vertices(entry.stage, direction) ? 1 : 0) {
    Id array = spirv::pointee_type(module, module.type_of(variable));
    if (vertices_ != 0) {
      vertex_count_ = array_length(module, array).value_or(0);
      array = spirv::element_type(module, array);
    }
    array_ = array;
    element_ = spirv::element_type(module, array);
    scalar_ = shape.width == 1 ? element_ : spirv::element_type(module, element_);
    row_ = globals_.vector_type(scalar_, shape.columns);
  }

  // `location`: see make_dense().
  Id run(std::optional<std::uint32_t> location) {
    Id type = shape_.is_vector ? row_ : globals_.array_type(row_, shape_.rows);
    if (vertices_ != 0) type = globals_.array_type(type, vertex_count_);
    const Id variable = Redeclaration::run(type);
    begin_location(variable, location);
    return variable;
  }

 private:
  // Nothing else is in its locations.
  void begin_location(Id variable, std::optional<std::uint32_t> location) {
    for (const InstRef inst : module_.annotations) {
      if (module_[inst].op != spv::Op::OpDecorate || module_.operand(inst, 0).word != variable) continue;
      const auto decoration = static_cast<spv::Decoration>(module_.operand(inst, 1).word);
      if (decoration == spv::Decoration::Component) module_.kill(inst);
      if (decoration == spv::Decoration::Location && location) module_.set_operand(inst, 2, spirv::lit(*location));
    }
    module_.sweep();
  }

  // Takes the indices apart: those of the vertex are for all that is done with the access.
  std::vector<Id> inside(const std::vector<Id>& indices) {
    const auto first = indices.begin() + static_cast<std::ptrdiff_t>(vertices_);
    prefix_.assign(indices.begin(), first);
    return {first, indices.end()};
  }

  bool is_signed(Id index) const {
    return scalar_type_of(module_, module_.type_of(index)).value_or(ScalarType{}).kind == ScalarKind::sint;
  }

  // In the type of `a`: languages without unsigned integers take it as they took the index.
  Id binary(spv::Op op, Id a, std::uint32_t b) {
    const Id type = module_.type_of(a);
    const Id constant = globals_.scalar_constant(type, {b});
    return emitter_.emit(op, type, {spirv::id(a), spirv::id(constant)});
  }

  Id quotient(Id a, std::uint32_t b) { return binary(is_signed(a) ? spv::Op::OpSDiv : spv::Op::OpUDiv, a, b); }

  Id pointer_to(Id row, Id column) {
    std::vector<Id> indices = prefix_;
    if (!shape_.is_vector) indices.push_back(row);
    indices.push_back(column);
    return chain(scalar_, indices);
  }

  Id pointer_to_known(std::uint32_t number) {
    const Id row = globals_.uint_constant(number / shape_.columns);
    return pointer_to(row, globals_.uint_constant(number % shape_.columns));
  }

  bool divides(std::uint32_t per_row) const { return per_row == 3 || form_ == DenseForm::portable; }

  // 0 in a single vector.
  Id row_of(Id number, std::uint32_t per_row) {
    if (shape_.is_vector) return 0;
    if (divides(per_row)) return quotient(number, per_row);
    return binary(spv::Op::OpShiftRightLogical, number, per_row == 4 ? 2 : 1);
  }

  Id place_in_row(Id number, Id row, std::uint32_t per_row) {
    if (seeded_fault("dense-array-takes-first-column")) return globals_.uint_constant(0);
    if (shape_.is_vector) return number;
    if (!divides(per_row)) return binary(spv::Op::OpBitwiseAnd, number, per_row - 1);
    const Id in_front = binary(spv::Op::OpIMul, row, per_row);
    return emitter_.emit(spv::Op::OpISub, module_.type_of(number), {spirv::id(number), spirv::id(in_front)});
  }

  // Pointers to the components of an element, or to the one that is asked for.
  std::vector<Id> pointers(const std::vector<Id>& in_array) {
    const auto element = constant_int(module_, in_array[0]);
    const auto component = in_array.size() == 2 ? constant_int(module_, in_array[1]) : std::nullopt;
    std::uint32_t begin = 0, end = shape_.width;
    if (component) {
      begin = static_cast<std::uint32_t>(*component);
      end = begin + 1;
    }
    const bool is_any = in_array.size() == 2 && !component;
    std::vector<Id> found;
    if (element && !is_any) {
      for (std::uint32_t c = begin; c < end; ++c)
        found.push_back(pointer_to_known(static_cast<std::uint32_t>(*element) * shape_.width + c));
      return found;
    }
    const Id index = form_ == DenseForm::vulkan ? in_type(globals_.int_type(32, false), in_array[0]) : in_array[0];
    const Id any = is_any ? in_type(module_.type_of(index), in_array[1]) : 0;
    if (is_any) end = 1;
    const std::uint32_t per_row = shape_.columns / shape_.width;
    const Id row = row_of(index, per_row);
    Id first = place_in_row(index, row, per_row);
    if (shape_.width > 1) first = binary(spv::Op::OpIMul, first, shape_.width);
    for (std::uint32_t c = begin; c < end; ++c) found.push_back(pointer_to(row, behind(first, any, c)));
    return found;
  }

  Id in_type(Id type, Id index) {
    return module_.type_of(index) == type ? index : emitter_.emit(spv::Op::OpBitcast, type, {spirv::id(index)});
  }

  Id behind(Id first, Id any, std::uint32_t component) {
    if (any != 0) return emitter_.emit(spv::Op::OpIAdd, module_.type_of(first), {spirv::id(first), spirv::id(any)});
    return component == 0 ? first : binary(spv::Op::OpIAdd, first, component);
  }

  Id pointer_to_row(std::uint32_t row) {
    std::vector<Id> indices = prefix_;
    if (!shape_.is_vector) indices.push_back(globals_.uint_constant(row));
    return chain(row_, indices);
  }

  Id load(const std::vector<Id>& indices) override {
    const std::vector<Id> in_array = inside(indices);
    if (in_array.empty()) return load_all();
    std::vector<Id> parts;
    for (const Id pointer : pointers(in_array)) parts.push_back(emitter_.load(scalar_, pointer));
    return parts.size() == 1 ? parts.front() : emitter_.construct(element_, parts);
  }

  Id load_all() {
    std::vector<Id> scalars, elements;
    for (std::uint32_t row = 0; row < shape_.rows; ++row) {
      const Id whole = emitter_.load(row_, pointer_to_row(row));
      for (std::uint32_t c = 0; c < shape_.columns; ++c) scalars.push_back(emitter_.extract(scalar_, whole, c));
    }
    for (std::uint32_t i = 0; i < shape_.length; ++i) {
      const auto first = scalars.begin() + static_cast<std::ptrdiff_t>(std::size_t{i} * shape_.width);
      const std::vector<Id> parts(first, first + static_cast<std::ptrdiff_t>(shape_.width));
      elements.push_back(parts.size() == 1 ? parts.front() : emitter_.construct(element_, parts));
    }
    return emitter_.construct(array_, elements);
  }

  void store(const std::vector<Id>& indices, Id value) override {
    const std::vector<Id> in_array = inside(indices);
    if (in_array.empty()) return store_all(value);
    const std::vector<Id> places = pointers(in_array);
    for (std::uint32_t c = 0; c < places.size(); ++c)
      emitter_.store(places[c], places.size() == 1 ? value : emitter_.extract(scalar_, value, c));
  }

  void store_all(Id value) {
    std::vector<Id> scalars;
    for (std::uint32_t i = 0; i < shape_.length; ++i) {
      const Id element = emitter_.extract(element_, value, i);
      for (std::uint32_t c = 0; c < shape_.width; ++c)
        scalars.push_back(shape_.width == 1 ? element : emitter_.extract(scalar_, element, c));
    }
    for (std::uint32_t row = 0; row < shape_.rows; ++row) {
      const auto first = scalars.begin() + static_cast<std::ptrdiff_t>(std::size_t{row} * shape_.columns);
      const std::vector<Id> parts(first, first + static_cast<std::ptrdiff_t>(shape_.columns));
      const Id whole = emitter_.construct(row_, parts);
      emitter_.store(pointer_to_row(row), whole);
    }
  }

  const DenseShape shape_;
  const DenseForm form_;
  const std::size_t vertices_;  // indices in front of that of the element
  Id array_ = 0, element_ = 0, scalar_ = 0, row_ = 0;
  std::uint32_t vertex_count_ = 0;
  std::vector<Id> prefix_;  // of the access that is being rewritten
};

// Fewest locations that whole elements fill. A single one is filled wholly by an array: nothing may stand beside it
// (rule ).
bool fill_rows(DenseShape& shape, DenseForm form) {
  const std::uint32_t components = shape.length * shape.width;
  for (const std::uint32_t columns : {4u, 3u, 2u}) {
    const bool is_one = components == columns, takes_one = columns == 4 || form == DenseForm::portable;
    if (columns <= shape.width || columns % shape.width != 0 || components % columns != 0 || (is_one && !takes_one))
      continue;
    shape.is_vector = is_one && form == DenseForm::portable;
    shape.columns = columns;
    shape.rows = components / columns;
    return true;
  }
  return false;
}

}  // namespace

std::optional<DenseShape> dense_shape(const Module& module, Stage stage, Direction direction, DenseForm form,
                                      const Varying& varying) {
  if (varying.form != Varying::Form::unsplit || varying.variable == 0 || varying.captured || varying.patch ||
      varying.per_primitive || varying.stream != 0 || varying.proxy || varying.interpolation.per_vertex)
    return std::nullopt;
  const std::size_t vertices = has_vertices(stage, direction) ? 1 : 0;
  Id array = spirv::pointee_type(module, module.type_of(varying.variable));
  if (vertices != 0) {
    if (array_length(module, array).value_or(0) == 0) return std::nullopt;
    array = spirv::element_type(module, array);
  }
  if (module.def_op(array) != spv::Op::OpTypeArray) return std::nullopt;
  const Id element = spirv::element_type(module, array);
  const auto scalar = scalar_type_of(module, element);
  if (!scalar || scalar->width != 32 || !spirv::is_scalar_or_vector(module, element)) return std::nullopt;
  DenseShape shape{
      array_length(module, array).value_or(0), spirv::component_count(module, element), 0, 0, *scalar, false};
  if (shape.length < 2 || varying.location_count != shape.length || !fill_rows(shape, form)) return std::nullopt;
  const spirv::Uses uses(module);
  const VariableAccesses accesses = accesses_of(module, uses, varying.variable);
  const bool are_understood =
      !accesses.obstacle &&
      std::all_of(accesses.accesses.begin(), accesses.accesses.end(),
                  [&](const PointerAccess& access) { return is_understood(module, access, vertices, shape.length); });
  return are_understood ? std::optional(shape) : std::nullopt;
}

IndexWork index_work(const Module& module, Stage stage, Direction direction, const Varying& varying,
                     const DenseShape& shape) {
  const std::size_t vertices = has_vertices(stage, direction) ? 1 : 0;
  const spirv::Uses uses(module);
  IndexWork work;
  for (const PointerAccess& access : accesses_of(module, uses, varying.variable).accesses) {
    if (access.indices.size() == vertices || constant_int(module, access.indices[vertices])) continue;
    if (!shape.is_vector) work.basic += 2;
    if (shape.columns == 3 && !shape.is_vector) work.multiplications += 2;
    if (shape.width > 1) work.basic += 1 + (access.indices.size() == vertices + 2 ? 1 : shape.width);
  }
  return work;
}

void make_dense(Module& module, const Entry& entry, Direction direction, const DenseShape& shape, DenseForm form,
                std::optional<std::uint32_t> location, Varying& varying) {
  varying.variable = Densifier(module, entry, direction, shape, form, varying.variable).run(location);
  varying.location_count = shape.rows;
  varying.columns = shape.columns;
}

}  // namespace varylink::varyings
