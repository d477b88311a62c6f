// Operands for the operations of the table, and what folding makes of them.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "spirv/cleanup/number_operations.h"
#include "spirv/ir/operations.h"

namespace varylink::test {

using Operands = std::vector<spirv::Bits>;

// Every row of the table that stands for an instruction.
std::vector<const spirv::OperationRow*> all_rows();

// The row is one that folding knows. Conversions to the same width are no valid instructions, and left out.
bool is_folded(const spirv::OperationRow& row);

// The result for numbers of 32 bits, none where it depends on the device.
std::optional<spirv::Bits> folded(const spirv::OperationRow& row, const Operands& operands);

// "%float" for numbers that are read so; integers are "%uint".
std::string type_name(spirv::Reading reading);

// "OpExtInst %float %glsl FMin", up to the operands.
std::string instruction_text(const spirv::OperationRow& row);

// Numbers at the ends of ranges and random ones, always the same.
class OperandSource {
 public:
  spirv::Bits next(spirv::Reading reading);

 private:
  std::mt19937 random_{12345};
};

// `count` operands, or as many as are found, that have a result and are accepted.
std::vector<Operands> random_samples(const spirv::OperationRow& row, std::size_t count,
                                     const std::function<bool(const Operands&, spirv::Bits result)>& accepts);

// The ends of ranges in every combination that has a result.
std::vector<Operands> edge_samples(const spirv::OperationRow& row);

}  // namespace varylink::test
