#include "varyings/scalarize/regroup.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "spirv/ir/code_edit.h"
#include "spirv/ir/emitter.h"
#include "spirv/ir/globals.h"
#include "varyings/reflect/pointer_access.h"
#include "varyings/scalarize/variable_code.h"

namespace varylink::varyings {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;
using Kind = PointerAccess::Kind;

struct RegroupedMember {
  Id type = 0;
  Leaf leaf;                   // describes it, in the first element
  std::uint32_t offset = 0;    // locations from the start of the structure
  std::uint32_t location = 0;  // of the array that it becomes
};

// A variable that is an array (or none, or an array of arrays) of structures.
struct Candidate {
  InterfaceVariable variable;
  VariableAccesses accesses;
  std::vector<Id> levels;  // array types, outermost first
  Id structure = 0;
  std::vector<RegroupedMember> members;
  std::uint32_t elements = 1;  // structures
  std::uint32_t size = 0;      // locations of one structure

  std::size_t first_index() const { return variable.arrayed ? 1 : 0; }
};

bool may_regroup(const Module& module, const Candidate& candidate) {
  const InterfaceVariable& variable = candidate.variable;
  if (variable.unsupported || candidate.accesses.obstacle || variable.leaves.empty()) return false;
  if (variable.arrayed && spirv::element_count(module, variable.type) == 0) return false;
  return std::none_of(
             variable.leaves.begin(), variable.leaves.end(),
             [](const Leaf& leaf) { return leaf.captured || leaf.invariant || leaf.interpolation.per_vertex; }) &&
         std::none_of(candidate.accesses.accesses.begin(), candidate.accesses.accesses.end(),
                      [&](const PointerAccess& access) {
                        return access.kind == Kind::interpolate || access.indices.size() < candidate.first_index();
                      });
}

// Where the members lie; false if they do not follow each other without gaps.
bool measure(const Module& module, Candidate& candidate) {
  std::vector<std::uint32_t> path(candidate.levels.size(), 0);
  const std::uint32_t base = candidate.variable.location;
  for (std::uint32_t m = 0; m < spirv::element_count(module, candidate.structure); ++m) {
    path.resize(candidate.levels.size());
    path.push_back(m);
    const auto& leaves = candidate.variable.leaves;
    const auto leaf = std::find_if(leaves.begin(), leaves.end(), [&](const Leaf& one) {
      return one.path.size() >= path.size() && std::equal(path.begin(), path.end(), one.path.begin());
    });
    if (leaf == leaves.end() || leaf->slot.component != 0 || leaf->slot.location < base) return false;
    if (mixes_interpolation(candidate.variable, path)) return false;
    RegroupedMember member{spirv::element_type(module, candidate.structure, m),
                           description_of(candidate.variable, path), leaf->slot.location - base, 0};
    if (!candidate.members.empty() && member.offset <= candidate.members.back().offset) return false;
    candidate.members.push_back(member);
  }
  if (candidate.members.empty() || candidate.members.front().offset != 0) return false;
  candidate.size = candidate.variable.location_count / candidate.elements;
  for (RegroupedMember& member : candidate.members) member.location = base + member.offset * candidate.elements;
  return candidate.size * candidate.elements == candidate.variable.location_count;
}

std::optional<Candidate> candidate_of(const Module& module, const spirv::Uses& uses, InterfaceVariable variable) {
  Candidate candidate;
  Id type = variable.element_type;
  for (; module.def_op(type) == spv::Op::OpTypeArray; type = spirv::element_type(module, type)) {
    candidate.levels.push_back(type);
    candidate.elements *= spirv::element_count(module, type);
  }
  if (module.def_op(type) != spv::Op::OpTypeStruct || candidate.elements == 0) return std::nullopt;
  candidate.structure = type;
  candidate.accesses = accesses_of(module, uses, variable.id);
  candidate.variable = std::move(variable);
  if (!may_regroup(module, candidate) || !measure(module, candidate)) return std::nullopt;
  return candidate;
}

// Some access reaches a structure, or a part of it, through a dynamic index of an array.
bool reaches_through_dynamic_index(const Module& module, const Candidate& candidate) {
  const auto reaches = [&](const PointerAccess& access) {
    Id type = candidate.variable.element_type;
    bool dynamic = false;
    for (std::size_t i = candidate.first_index(); i < access.indices.size(); ++i) {
      if (dynamic && module.def_op(type) == spv::Op::OpTypeStruct) return true;
      const auto index = constant_int(module, access.indices[i]);
      dynamic = dynamic || !index;
      type = spirv::element_type(module, type, index ? static_cast<std::uint32_t>(*index) : 0);
    }
    return dynamic && module.def_op(type) == spv::Op::OpTypeStruct;
  };
  return std::any_of(candidate.accesses.accesses.begin(), candidate.accesses.accesses.end(), reaches);
}

bool are_alike(const Candidate& a, const Candidate& b) {
  const auto same_leaf = [](const Leaf& x, const Leaf& y) {
    return x.path == y.path && x.slot == y.slot && x.count == y.count && x.scalar == y.scalar && x.patch == y.patch &&
           x.per_primitive == y.per_primitive;
  };
  return a.levels.size() == b.levels.size() && a.elements == b.elements && a.size == b.size &&
         a.members.size() == b.members.size() &&
         std::equal(a.variable.leaves.begin(), a.variable.leaves.end(), b.variable.leaves.begin(),
                    b.variable.leaves.end(), same_leaf);
}

class Regrouper {
 public:
  Regrouper(const RegroupSide& side, const Candidate& candidate)
      : module_(*side.module),
        entry_(*side.entry),
        candidate_(candidate),
        storage_(candidate.variable.direction == Direction::input ? spv::StorageClass::Input
                                                                  : spv::StorageClass::Output),
        globals_(module_),
        emitter_(module_, globals_) {}

  void run() {
    for (std::uint32_t m = 0; m < candidate_.members.size(); ++m) declare(m);
    for (const PointerAccess& access : candidate_.accesses.accesses) {
      emitter_.write_to(edit_.before(access.inst));
      rewrite(access);
    }
    edit_.apply(module_, entry_.function);
    std::erase(entry_.interface, candidate_.variable.id);
    remove_interface_variable(module_, candidate_.variable.id, candidate_.accesses);
    module_.sweep();
  }

 private:
  void declare(std::uint32_t number) {
    const RegroupedMember& member = candidate_.members[number];
    Id type = member.type;
    for (auto level = candidate_.levels.rbegin(); level != candidate_.levels.rend(); ++level)
      type = globals_.array_type(type, spirv::element_count(module_, *level));
    if (candidate_.variable.arrayed)
      type = globals_.array_type(type, spirv::element_count(module_, candidate_.variable.type));
    const std::string name = module_.member_name(candidate_.structure, number);
    const Id variable = globals_.variable(storage_, type, candidate_.variable.name + "." + name);
    spirv::decorate(module_, variable, spv::Decoration::Location, member.location);
    decorate_like(module_, variable, member.leaf);
    spirv::add_to_interface(module_, entry_.inst, variable);
    entry_.interface.push_back(variable);
    variables_.push_back(variable);
  }

  void rewrite(const PointerAccess& access) {
    const std::size_t at = candidate_.first_index() + candidate_.levels.size();
    std::vector<Id> indices = access.indices;
    if (indices.size() > at) {
      const auto member = static_cast<std::size_t>(*constant_int(module_, indices[at]));
      indices.erase(indices.begin() + static_cast<std::ptrdiff_t>(at));
      const Id type = spirv::pointee_type(module_, module_.type_of(module_.operand(access.inst, 0).word));
      const Id pointer = emitter_.chain(storage_, type, variables_[member], indices);
      module_.set_operand(access.inst, 0, spirv::id(pointer));
    } else if (access.kind == Kind::load) {
      edit_.replace(module_[access.inst].result, load(indices));
      edit_.remove(access.inst);
    } else {
      store(indices, module_.operand(access.inst, 1).word);
      edit_.remove(access.inst);
    }
  }

  // Type of what `indices`, which lead to an array or to the structure, stand for.
  Id type_behind(const std::vector<Id>& indices) const {
    const std::size_t depth = indices.size() - candidate_.first_index();
    return depth < candidate_.levels.size() ? candidate_.levels[depth] : candidate_.structure;
  }

  Id load(std::vector<Id>& indices) {
    const Id type = type_behind(indices);
    std::vector<Id> parts;
    if (type == candidate_.structure) {
      for (std::size_t m = 0; m < variables_.size(); ++m) {
        const Id part = candidate_.members[m].type;
        parts.push_back(emitter_.load(part, emitter_.chain(storage_, part, variables_[m], indices)));
      }
    } else {
      for (std::uint32_t i = 0; i < spirv::element_count(module_, type); ++i) {
        indices.push_back(globals_.uint_constant(i));
        parts.push_back(load(indices));
        indices.pop_back();
      }
    }
    return emitter_.construct(type, parts);
  }

  void store(std::vector<Id>& indices, Id value) {
    const Id type = type_behind(indices);
    if (type == candidate_.structure) {
      for (std::uint32_t m = 0; m < variables_.size(); ++m) {
        const Id part = candidate_.members[m].type;
        const Id taken = emitter_.extract(part, value, m);
        emitter_.store(emitter_.chain(storage_, part, variables_[m], indices), taken);
      }
      return;
    }
    const Id element = spirv::element_type(module_, type);
    for (std::uint32_t i = 0; i < spirv::element_count(module_, type); ++i) {
      const Id taken = emitter_.extract(element, value, i);
      indices.push_back(globals_.uint_constant(i));
      store(indices, taken);
      indices.pop_back();
    }
  }

  Module& module_;
  Entry& entry_;
  const Candidate& candidate_;
  spv::StorageClass storage_;
  spirv::Globals globals_;
  spirv::Emitter emitter_;
  spirv::CodeEdit edit_;
  std::vector<Id> variables_;  // by member
};

// Where the content of each location of the candidate goes.
void add_moves(const Candidate& candidate, MovedLocations& moved) {
  MovedLocations before = moved;
  const auto declared = [&](std::uint32_t location) {
    const auto found = before.find(location);
    return found == before.end() ? location : found->second;
  };
  for (std::size_t m = 0; m < candidate.members.size(); ++m) {
    const RegroupedMember& member = candidate.members[m];
    const bool is_last = m + 1 == candidate.members.size();
    const std::uint32_t size = (is_last ? candidate.size : candidate.members[m + 1].offset) - member.offset;
    for (std::uint32_t element = 0; element < candidate.elements; ++element)
      for (std::uint32_t i = 0; i < size; ++i)
        moved[member.location + element * size + i] =
            declared(candidate.variable.location + element * candidate.size + member.offset + i);
  }
}

std::vector<Candidate> candidates_of(const RegroupSide& side, Direction direction) {
  std::vector<Candidate> found;
  const spirv::Uses uses(*side.module);
  for (InterfaceVariable& variable : interface_variables(*side.module, *side.entry, direction)) {
    if (side.entry->stage == Stage::fragment) make_flat_what_must_be(variable);
    if (auto candidate = candidate_of(*side.module, uses, std::move(variable))) found.push_back(std::move(*candidate));
  }
  return found;
}

// A member becomes an array of arrays.
bool nests_arrays(const Module& module, const Candidate& candidate) {
  return std::any_of(candidate.members.begin(), candidate.members.end(), [&](const RegroupedMember& member) {
    std::size_t depth = candidate.levels.size();
    for (Id type = member.type; module.def_op(type) == spv::Op::OpTypeArray; type = spirv::element_type(module, type))
      ++depth;
    return depth > 1;
  });
}

// Regroups the first pair of variables that needs it.
bool regroup_one(const RegroupSide& producer, const RegroupSide& consumer, bool may_nest, MovedLocations& moved) {
  const std::vector<Candidate> outputs = candidates_of(producer, Direction::output);
  const std::vector<Candidate> inputs = candidates_of(consumer, Direction::input);
  for (const Candidate& output : outputs)
    for (const Candidate& input : inputs) {
      if (!are_alike(output, input)) continue;
      if (!reaches_through_dynamic_index(*producer.module, output) &&
          !reaches_through_dynamic_index(*consumer.module, input))
        continue;
      if (!may_nest && nests_arrays(*producer.module, output)) continue;
      add_moves(output, moved);
      Regrouper(producer, output).run();
      Regrouper(consumer, input).run();
      return true;
    }
  return false;
}

}  // namespace

MovedLocations regroup_arrays(const RegroupSide& producer, const RegroupSide& consumer, bool may_nest) {
  MovedLocations moved;
  while (regroup_one(producer, consumer, may_nest, moved)) {
  }
  return moved;
}

}  // namespace varylink::varyings
