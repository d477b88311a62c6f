#include "varyings/scalarize/variable_code.h"

#include <algorithm>

#include "varyings/reflect/interpolation_qualifiers.h"
#include "varyings/reflect/output_owner.h"

namespace varylink::varyings {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;

void decorate_like(Module& module, Id variable, const Leaf& leaf) {
  const auto flag = [&](bool set, spv::Decoration decoration) {
    if (set) spirv::decorate(module, variable, decoration);
  };
  for (const spv::Decoration decoration : interpolation_decorations(leaf.interpolation))
    spirv::decorate(module, variable, decoration);
  flag(leaf.patch, spv::Decoration::Patch);
  flag(leaf.per_primitive, spv::Decoration::PerPrimitiveEXT);
  flag(leaf.relaxed_precision, spv::Decoration::RelaxedPrecision);
  if (leaf.stream != 0) spirv::decorate(module, variable, spv::Decoration::Stream, leaf.stream);
}

void remove_interface_variables(Module& module, const UsedVariables& variables) {
  std::vector<Id> gone;
  for (const auto& [variable, accesses] : variables) {
    gone.push_back(variable);
    for (const InstRef chain : accesses->chains) gone.push_back(module[chain].result);
  }
  spirv::remove_globals(module, std::move(gone));
}

void remove_interface_variable(Module& module, Id variable, const VariableAccesses& accesses) {
  remove_interface_variables(module, {{variable, &accesses}});
}

void make_private(Module& module, Id variable, const VariableAccesses& accesses) {
  spirv::Globals globals(module);
  const auto retype = [&](InstRef inst) {
    const Id pointee = spirv::pointee_type(module, module[inst].type);
    module.set_type(inst, globals.pointer_type(spv::StorageClass::Private, pointee));
  };
  // The variable's new type must stand in front of it, so it moves to the end of the global section.
  const InstRef old = module.def(variable);
  retype(old);
  module.set_operand(old, 0, spirv::lit(static_cast<std::uint32_t>(spv::StorageClass::Private)));
  std::erase(module.types, old);
  module.types.push_back(old);
  for (const InstRef chain : accesses.chains) retype(chain);
  spirv::make_internal(module, variable);
}

VariableCode::VariableCode(Module& module, spirv::Globals& globals, spirv::Emitter& emitter, const Entry& entry,
                           const VariablePlan& plan, const Semantics& semantics)
    : module_(module),
      globals_(globals),
      emitter_(emitter),
      entry_(entry),
      plan_(plan),
      semantics_(semantics),
      mode_(access_mode(entry.stage, plan.variable)),
      storage_(storage_class_of(plan.variable.direction)) {}

void VariableCode::declare(std::vector<Varying>& varyings, const DescribeUnsplit& describe_unsplit) {
  for (const Leaf& leaf : plan_.variable.leaves)
    if (!plan_.unsplit_at(leaf.path)) declare_leaf(leaf, varyings);
  for (const UnsplitPart& part : plan_.unsplit) declare_unsplit(part, varyings, describe_unsplit);
}

Id VariableCode::make_variable(Id type, const std::string& name) {
  if (plan_.variable.arrayed) type = globals_.array_type(type, spirv::element_count(module_, plan_.variable.type));
  const Id variable = globals_.variable(storage_, type, name);
  spirv::add_to_interface(module_, entry_.inst, variable);
  return variable;
}

void VariableCode::declare_leaf(const Leaf& leaf, std::vector<Varying>& varyings) {
  std::vector<ScalarCode>& codes = scalars_[leaf.path];
  const std::string semantic = semantics_.at(plan_.variable, leaf.path);
  for (std::uint32_t c = 0; c < leaf.count; ++c) {
    Varying varying;
    describe_leaf(varying, leaf);
    varying.semantic = semantic;
    varying.slot = leaf.slot_of(c);
    varying.component_count = leaf.slots_per_component();
    append_slots(varying, leaf, c, 1);
    if (leaf.count > 1 && !leaf.name.empty()) varying.name += std::string(".") + "xyzw"[c];
    ScalarCode code;
    code.type = leaf.count > 1 ? spirv::element_type(module_, leaf.type) : leaf.type;
    code.variable = make_variable(code.type, varying.name);
    code.stream = leaf.stream;
    code.flat = leaf.interpolation.flat;
    spirv::decorate(module_, code.variable, spv::Decoration::Location, varying.slot.location);
    if (varying.slot.component != 0)
      spirv::decorate(module_, code.variable, spv::Decoration::Component, varying.slot.component);
    decorate_like(module_, code.variable, leaf);
    varying.variable = code.variable;
    codes.push_back(code);
    varyings.push_back(std::move(varying));
  }
}

void VariableCode::declare_unsplit(const UnsplitPart& part, std::vector<Varying>& varyings,
                                   const DescribeUnsplit& describe_unsplit) {
  const auto leaves = leaves_below(plan_.variable, part.path);
  if (leaves.empty()) return;
  const Leaf leaf = description_of(plan_.variable, part.path);
  const Id variable = make_variable(type_at(module_, plan_.variable.element_type, part.path), leaf.name);
  spirv::decorate(module_, variable, spv::Decoration::Location, leaf.slot.location);
  if (leaf.slot.component != 0) spirv::decorate(module_, variable, spv::Decoration::Component, leaf.slot.component);
  decorate_like(module_, variable, leaf);
  decorate_semantic(module_, variable, semantics_.at(plan_.variable, part.path));
  unsplit_[part.path] = variable;
  varyings.push_back(describe_unsplit(plan_, part, variable));
}

Id VariableCode::make_local(Id type, std::vector<InstRef>& locals) {
  const auto function_class = spv::StorageClass::Function;
  const Id variable = module_.new_id();
  locals.push_back(module_.create(spv::Op::OpVariable, globals_.pointer_type(function_class, type), variable,
                                  {spirv::lit(static_cast<std::uint32_t>(function_class))}));
  return variable;
}

void VariableCode::start_scalars(std::vector<ScalarCode>& codes, std::vector<InstRef>& locals) {
  for (ScalarCode& code : codes)
    if (mode_ == AccessMode::load_at_entry)
      code.loaded = emitter_.load(code.type, code.variable);
    else
      code.local = make_local(code.type, locals);
}

void VariableCode::emit_start(std::vector<InstRef>& locals) {
  for (const UnsplitPart& part : plan_.locals)
    locals_[part.path] = make_local(type_at(module_, plan_.variable.element_type, part.path), locals);
  if (mode_ == AccessMode::in_place) return;
  for (auto& [path, codes] : scalars_)
    if (!plan_.local_at(path)) start_scalars(codes, locals);
}

Id VariableCode::load_scalar(ScalarCode& code, Id vertex) {
  switch (mode_) {
    case AccessMode::load_at_entry: return code.loaded;
    case AccessMode::store_at_exit: return emitter_.load(code.type, code.local);
    case AccessMode::in_place: break;
  }
  const Id indices[] = {vertex};
  const std::span<const Id> used(indices, plan_.variable.arrayed ? 1 : 0);
  return emitter_.load(code.type, emitter_.chain(storage_, code.type, code.variable, used));
}

void VariableCode::store_scalar(ScalarCode& code, Id vertex, Id value) {
  if (mode_ == AccessMode::store_at_exit) return emitter_.store(code.local, value);
  const Id indices[] = {vertex};
  const std::span<const Id> used(indices, plan_.variable.arrayed ? 1 : 0);
  emitter_.store(emitter_.chain(storage_, code.type, code.variable, used), value);
}

Id VariableCode::unsplit_pointer(const Path& path, Id type, Id vertex) {
  const Id indices[] = {vertex};
  const std::span<const Id> used(indices, plan_.variable.arrayed ? 1 : 0);
  return emitter_.chain(storage_, type, unsplit_.at(path), used);
}

// Pointer to what lies at `path`, which is inside a local part or is it.
Id VariableCode::local_pointer(const Path& path, Id type) {
  const UnsplitPart& part = *plan_.local_at(path);
  std::vector<Id> indices;
  for (std::size_t i = part.path.size(); i < path.size(); ++i) indices.push_back(globals_.uint_constant(path[i]));
  return emitter_.chain(spv::StorageClass::Function, type, locals_.at(part.path), indices);
}

Id VariableCode::build_value(Id type, Path& path, Id vertex) {
  if (unsplit_.count(path) != 0) return emitter_.load(type, unsplit_pointer(path, type, vertex));
  if (locals_.count(path) != 0) return emitter_.load(type, local_pointer(path, type));
  std::vector<Id> parts;
  if (spirv::is_scalar_or_vector(module_, type)) {
    for (ScalarCode& code : scalars_.at(path)) parts.push_back(load_scalar(code, vertex));
    return parts.size() == 1 ? parts.front() : emitter_.construct(type, parts);
  }
  for (std::uint32_t i = 0; i < spirv::element_count(module_, type); ++i) {
    path.push_back(i);
    parts.push_back(build_value(spirv::element_type(module_, type, i), path, vertex));
    path.pop_back();
  }
  return emitter_.construct(type, parts);
}

void VariableCode::split_value(Id type, Path& path, Id vertex, Id value) {
  if (unsplit_.count(path) != 0) return emitter_.store(unsplit_pointer(path, type, vertex), value);
  if (locals_.count(path) != 0) return emitter_.store(local_pointer(path, type), value);
  if (spirv::is_scalar_or_vector(module_, type)) {
    std::vector<ScalarCode>& codes = scalars_.at(path);
    for (std::uint32_t c = 0; c < codes.size(); ++c)
      store_scalar(codes[c], vertex, codes.size() == 1 ? value : emitter_.extract(codes[c].type, value, c));
    return;
  }
  for (std::uint32_t i = 0; i < spirv::element_count(module_, type); ++i) {
    const Id element = spirv::element_type(module_, type, i);
    path.push_back(i);
    split_value(element, path, vertex, emitter_.extract(element, value, i));
    path.pop_back();
  }
}

// The access goes to the variable of the part, with the indices that are left.
void VariableCode::redirect(const PointerAccess& access, const UnsplitPart& part, Id variable) {
  const bool is_local = locals_.count(part.path) != 0;
  // The per-vertex index stays in front, unless the variable is local; the constants that lead to the part go.
  std::vector<Id> indices = access.indices;
  const auto below_vertex = indices.begin() + (plan_.variable.arrayed ? 1 : 0);
  indices.erase(is_local ? indices.begin() : below_vertex,
                below_vertex + static_cast<std::ptrdiff_t>(part.path.size()));
  const std::uint32_t position = access.kind == PointerAccess::Kind::interpolate ? kInterpolantOperand : 0;
  const Id old_pointer = module_.operand(access.inst, position).word;
  const Id type = spirv::pointee_type(module_, module_.type_of(old_pointer));
  const Id pointer = emitter_.chain(is_local ? spv::StorageClass::Function : storage_, type, variable, indices);
  module_.set_operand(access.inst, position, spirv::id(pointer));
}

Id VariableCode::rewrite_dynamic_component(const PointerAccess& access, Path& path, Id vertex) {
  const Id type = type_at(module_, plan_.variable.element_type, path);
  const Id index = access.indices.back();
  const Id vector = build_value(type, path, vertex);
  if (access.kind == PointerAccess::Kind::load)
    return emitter_.emit(spv::Op::OpVectorExtractDynamic, spirv::element_type(module_, type),
                         {spirv::id(vector), spirv::id(index)});
  const Id value = module_.operand(access.inst, 1).word;
  const Id changed =
      emitter_.emit(spv::Op::OpVectorInsertDynamic, type, {spirv::id(vector), spirv::id(value), spirv::id(index)});
  split_value(type, path, vertex, changed);
  return 0;
}

// A flat input is the same anywhere in the pixel (rule ).
Id VariableCode::interpolate_scalar(const ScalarCode& code, const InterpolateAt& at) {
  return code.flat ? code.loaded : emit_interpolate_at(emitter_, at, code.type, code.variable);
}

// The instruction takes a vector, one component of it, or one that an index chooses.
Id VariableCode::interpolate(const PointerAccess& access, const ConstantPath& found) {
  const InterpolateAt at = interpolate_at(module_, access.inst);
  Path path = found.path;
  if (scalars_.count(path) == 0) {
    const std::uint32_t component = path.back();
    path.pop_back();
    return interpolate_scalar(scalars_.at(path)[component], at);
  }
  std::vector<Id> parts;
  for (const ScalarCode& code : scalars_.at(path)) parts.push_back(interpolate_scalar(code, at));
  if (parts.size() == 1) return parts.front();
  const Id vector = emitter_.construct(type_at(module_, plan_.variable.element_type, path), parts);
  if (!found.dynamic_behind) return vector;
  return emitter_.emit(spv::Op::OpVectorExtractDynamic, scalars_.at(path).front().type,
                       {spirv::id(vector), spirv::id(access.indices.back())});
}

Id VariableCode::rewrite(const PointerAccess& access) {
  ConstantPath found = constant_path(module_, plan_.variable, access);
  if (const UnsplitPart* part = plan_.unsplit_at(found.path)) {
    redirect(access, *part, unsplit_.at(part->path));
    return 0;
  }
  if (const UnsplitPart* part = plan_.local_at(found.path)) {
    redirect(access, *part, locals_.at(part->path));
    return 0;
  }
  if (access.kind == PointerAccess::Kind::interpolate) return interpolate(access, found);
  const Id vertex = plan_.variable.arrayed ? access.indices.front() : 0;
  if (found.dynamic_behind) return rewrite_dynamic_component(access, found.path, vertex);

  const bool is_load = access.kind == PointerAccess::Kind::load;
  const Id value = is_load ? 0 : module_.operand(access.inst, 1).word;
  const Path parent(found.path.begin(), found.path.empty() ? found.path.end() : found.path.end() - 1);
  if (const auto leaf = scalars_.find(parent); !found.path.empty() && leaf != scalars_.end()) {
    // The last index selects a component of a vector leaf.
    ScalarCode& code = leaf->second[found.path.back()];
    if (is_load) return load_scalar(code, vertex);
    store_scalar(code, vertex, value);
    return 0;
  }
  const Id type = type_at(module_, plan_.variable.element_type, found.path);
  if (is_load) return build_value(type, found.path, vertex);
  split_value(type, found.path, vertex, value);
  return 0;
}

void VariableCode::exit_from_local(const Path& path, std::vector<ScalarCode>& codes, Id vertex) {
  const Id type = type_at(module_, plan_.variable.element_type, path);
  const Id value = emitter_.load(type, local_pointer(path, type));
  const Id indices[] = {vertex};
  const std::span<const Id> used(indices, plan_.variable.arrayed ? 1 : 0);
  for (std::uint32_t c = 0; c < codes.size(); ++c)
    emitter_.store(emitter_.chain(storage_, codes[c].type, codes[c].variable, used),
                   codes.size() == 1 ? value : emitter_.extract(codes[c].type, value, c));
}

void VariableCode::emit_exit(std::uint32_t stream) {
  Id vertex = 0;
  if (plan_.variable.arrayed) {
    const Id number = invocation_of_stores(module_, plan_.accesses);
    vertex = emitter_.load(spirv::pointee_type(module_, module_.type_of(number)), number);
  }
  for (auto& [path, codes] : scalars_) {
    if (codes.front().stream != stream) continue;
    if (plan_.local_at(path)) {
      exit_from_local(path, codes, vertex);
    } else if (mode_ == AccessMode::store_at_exit) {
      for (ScalarCode& code : codes) emitter_.store(code.variable, emitter_.load(code.type, code.local));
    }
  }
}

}  // namespace varylink::varyings
