#include "spirv/ir/input_reads.h"

#include "base/seeded_fault.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/pointer_path.h"
#include "spirv/ir/scalar_view.h"

namespace varylink::spirv {

using spv::Op;

bool InputReads::is_read(Id value) const {
  const InstRef load = module_.def(value);
  if (!load || module_[load].op != Op::OpLoad || manners_.of(value).is_own) return false;
  const InstRef variable = reads_.variable_of(module_.operand(load, 0).word);
  if (!variable || !is_variable_in(module_, module_[variable].result, spv::StorageClass::Input)) return false;
  return scalars_of_number(module_, module_[load].type) != 0 && reads_.is_constant(load);
}

InputReads::Scalar InputReads::scalar_of(Id load, std::uint32_t component) const {
  const InstRef def = module_.def(load);
  std::vector<Step> path;
  const AccessPath read = access_path(module_, module_.operand(def, 0).word);
  for (const Id index : read.indices) {
    const auto number = constant_index(module_, index);
    path.push_back(number ? Step{0, *number} : Step{index, 0});
  }
  const Id type = module_[def].type;
  const bool is_matrix = module_.def_op(type) == Op::OpTypeMatrix;
  const std::uint32_t rows = component_count(module_, is_matrix ? element_type(module_, type) : type);
  if (is_matrix) path.push_back({0, component / rows});
  if (rows > 1) path.push_back({0, component % rows});
  if (seeded_fault("input-reads-forget-component")) path.clear();
  return {read.root, std::move(path), manners_.of(load).permissions};
}

std::pair<Id, std::uint32_t> InputReads::first_alike(Id value, std::uint32_t component) {
  const std::pair<Id, std::uint32_t> itself(value, component);
  return is_read(value) ? first_.try_emplace(scalar_of(value, component), itself).first->second : itself;
}

}  // namespace varylink::spirv
