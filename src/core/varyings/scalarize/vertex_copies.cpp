#include <algorithm>
#include <optional>
#include <vector>

#include "spirv/ir/code_edit.h"
#include "spirv/ir/emitter.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/memory_operands.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/pointer_path.h"
#include "spirv/ir/uses.h"
#include "varyings/reflect/pointer_access.h"
#include "varyings/scalarize/code_forms.h"
#include "varyings/scalarize/local_composites.h"
#include "varyings/scalarize/scalarize_plan.h"

namespace varylink::varyings {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;

using Path = std::vector<std::uint32_t>;

// Part of a per-vertex input: the vertex, then members and elements.
struct Source {
  Id input = 0;
  Path path;
};

// How the value of a load is made of inputs: one read of them, or the parts that it is put together from.
struct Reading {
  Id type = 0;
  Id input = 0;
  std::vector<Id> indices;
  std::vector<Reading> parts;  // if `input` is 0
};

// One local variable that may be a copy of inputs.
class VertexCopy {
 public:
  VertexCopy(Module& module, spirv::Globals& globals, const VariableAccesses& accesses, Id variable)
      : module_(module), globals_(globals), accesses_(accesses), variable_(variable) {}

  // Whether every load can be read from inputs, and some of them has an index that is not constant: all others become
  // values anyway.
  bool is_copy() {
    bool has_unknown_index = false;
    for (const PointerAccess& access : accesses_.accesses) {
      if (access.kind == PointerAccess::Kind::store && !add_store(access)) return false;
      if (access.kind == PointerAccess::Kind::load && !constant_indices(module_, access.indices))
        has_unknown_index = true;
    }
    if (!has_unknown_index) return false;
    for (const PointerAccess& access : accesses_.accesses) {
      if (access.kind == PointerAccess::Kind::store) continue;
      if (!spirv::is_plain_load(module_, access.inst)) return false;
      std::optional<Reading> reading = read(access.indices, module_[access.inst].type);
      if (!reading) return false;
      readings_.push_back(std::move(*reading));
    }
    return true;
  }

  void rewrite(spirv::CodeEdit& edit) {
    auto reading = readings_.begin();
    for (const PointerAccess& access : accesses_.accesses) {
      edit.remove(access.inst);
      if (access.kind == PointerAccess::Kind::store) continue;
      spirv::Emitter emitter(module_, globals_);
      emitter.write_to(edit.before(access.inst));
      edit.replace(module_[access.inst].result, emit(*reading++, emitter));
    }
  }

 private:
  struct Store {
    Path path;
    Id value = 0;
  };

  // False if the store cannot be the only one that writes its part.
  bool add_store(const PointerAccess& access) {
    const std::optional<Path> path = constant_indices(module_, access.indices);
    if (!path || !spirv::is_plain_store(module_, access.inst)) return false;
    for (const Store& other : stores_)
      if (is_prefix(other.path, *path) || is_prefix(*path, other.path)) return false;
    stores_.push_back({*path, module_.operand(access.inst, 1).word});
    return true;
  }

  // Which input the part `path` of `value` is; none if it is put together from several ones, or is none.
  std::optional<Source> source_of(Id value, Path path) const {
    while (true) {
      const InstRef def = module_.def(value);
      if (!def) return std::nullopt;
      const auto operands = module_.operands(def);
      switch (module_[def].op) {
        case spv::Op::OpCopyObject: value = operands[0].word; break;
        case spv::Op::OpCompositeConstruct:
          if (path.empty() || !is_composite(module_, module_[def].type) || path[0] >= operands.size())
            return std::nullopt;
          value = operands[path[0]].word;
          path.erase(path.begin());
          break;
        case spv::Op::OpCompositeExtract: {
          Path whole;
          for (const spirv::Operand& index : operands.subspan(1)) whole.push_back(index.word);
          path.insert(path.begin(), whole.begin(), whole.end());
          value = operands[0].word;
          break;
        }
        case spv::Op::OpLoad: return source_of_load(def, path);
        default: return std::nullopt;
      }
    }
  }

  std::optional<Source> source_of_load(InstRef load, const Path& path) const {
    if (!spirv::is_plain_load(module_, load)) return std::nullopt;  // volatile, or aligned
    const spirv::AccessPath read = spirv::access_path(module_, module_.operand(load, 0).word);
    std::optional<Path> whole = constant_indices(module_, read.indices);
    // Inputs do not change while an invocation runs, so that it does not matter when they are read.
    if (!whole || !spirv::is_variable_in(module_, read.root, spv::StorageClass::Input)) return std::nullopt;
    whole->insert(whole->end(), path.begin(), path.end());
    return Source{read.root, std::move(*whole)};
  }

  std::optional<Source> source_of_part(const Path& path) const {
    for (const Store& store : stores_)
      if (is_prefix(store.path, path))
        return source_of(store.value, Path(path.begin() + static_cast<std::ptrdiff_t>(store.path.size()), path.end()));
    return std::nullopt;
  }

  // The input that the part of the copy at `indices` is read from, with its indices. At most one index is unknown; the
  // parts for all its values then are the same part of all elements of one array, in order.
  std::optional<Reading> read_at(const std::vector<Id>& indices) {
    Path path;
    std::optional<std::size_t> unknown;
    for (const Id index : indices) {
      const auto value = spirv::constant_index(module_, index);
      if (!value && unknown) return std::nullopt;
      if (!value) unknown = path.size();
      path.push_back(value.value_or(0));
    }
    const std::optional<Source> first = source_of_part(path);
    if (!first) return std::nullopt;
    const Id input_type = spirv::pointee_type(module_, module_.type_of(first->input));
    Reading reading{type_at(module_, input_type, first->path), first->input, {}, {}};
    for (const std::uint32_t index : first->path) reading.indices.push_back(globals_.uint_constant(index));
    if (!unknown) return reading;
    const std::optional<std::size_t> at = position_of(*unknown, path, *first);
    if (!at) return std::nullopt;
    const Id indexed =
        type_at(module_, input_type, Path(first->path.begin(), first->path.begin() + static_cast<std::ptrdiff_t>(*at)));
    if (module_.def_op(indexed) != spv::Op::OpTypeArray) return std::nullopt;
    reading.indices[*at] = indices[*unknown];
    return reading;
  }

  // Where the index `unknown` of the copy stands among those of the input.
  std::optional<std::size_t> position_of(std::size_t unknown, Path path, const Source& first) const {
    const Id local = spirv::pointee_type(module_, module_.type_of(variable_));
    const Id indexed = type_at(module_, local, Path(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(unknown)));
    const std::uint32_t count = spirv::element_count(module_, indexed);
    if (module_.def_op(indexed) != spv::Op::OpTypeArray || count < 2) return std::nullopt;
    std::optional<std::size_t> at;
    for (path[unknown] = 1; path[unknown] < count; ++path[unknown]) {
      const std::optional<Source> other = source_of_part(path);
      if (!other || other->input != first.input || other->path.size() != first.path.size()) return std::nullopt;
      for (std::size_t i = 0; i < first.path.size(); ++i) {
        if (other->path[i] == first.path[i]) continue;
        if (first.path[i] != 0 || other->path[i] != path[unknown] || at.value_or(i) != i) return std::nullopt;
        at = i;
      }
      if (!at || other->path[*at] != path[unknown]) return std::nullopt;
    }
    return at;
  }

  // None if some part is no input.
  std::optional<Reading> read(const std::vector<Id>& indices, Id type) {
    for (std::size_t count = 1; count <= indices.size(); ++count) {
      std::optional<Reading> found = read_at({indices.begin(), indices.begin() + static_cast<std::ptrdiff_t>(count)});
      if (!found) continue;
      for (std::size_t i = count; i < indices.size(); ++i) {
        found->type = spirv::element_type(module_, found->type, spirv::constant_index(module_, indices[i]).value_or(0));
        found->indices.push_back(indices[i]);
      }
      if (found->type == type) return found;
      break;  // a structure of another type with the same members
    }
    if (!is_composite(module_, type)) return std::nullopt;
    Reading whole{type, 0, {}, {}};
    for (std::uint32_t i = 0; i < spirv::element_count(module_, type); ++i) {
      std::vector<Id> inner = indices;
      inner.push_back(globals_.uint_constant(i));
      std::optional<Reading> part = read(inner, spirv::element_type(module_, type, i));
      if (!part) return std::nullopt;
      whole.parts.push_back(std::move(*part));
    }
    return whole.parts.empty() ? std::nullopt : std::optional(std::move(whole));
  }

  Id emit(const Reading& reading, spirv::Emitter& emitter) const {
    if (reading.input != 0)
      return emitter.load(reading.type,
                          emitter.chain(spv::StorageClass::Input, reading.type, reading.input, reading.indices));
    std::vector<Id> parts;
    for (const Reading& part : reading.parts) parts.push_back(emit(part, emitter));
    return emitter.construct(reading.type, parts);
  }

  Module& module_;
  spirv::Globals& globals_;
  const VariableAccesses& accesses_;
  Id variable_;
  std::vector<Store> stores_;
  std::vector<Reading> readings_;  // of the loads, in order
};

}  // namespace

bool read_vertices_directly(Module& module, const Entry& entry) {
  if (entry.stage != Stage::tess_control && entry.stage != Stage::tess_eval && entry.stage != Stage::geometry)
    return false;
  const std::vector<Id> locals = local_composites(module, entry);
  if (locals.empty()) return false;
  const spirv::Uses uses(module);
  spirv::Globals globals(module);
  for (const Id variable : locals) {
    const VariableAccesses accesses = accesses_of(module, uses, variable);
    if (accesses.obstacle || accesses.accesses.empty()) continue;
    VertexCopy copy(module, globals, accesses, variable);
    if (!copy.is_copy()) continue;
    spirv::CodeEdit edit;
    copy.rewrite(edit);
    edit.apply(module, entry.function);
    module.sweep();
    return true;  // other copies are looked at anew: a value that went may be stored to one of them
  }
  return false;
}

}  // namespace varylink::varyings
