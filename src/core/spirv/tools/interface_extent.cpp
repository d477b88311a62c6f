#include "spirv/tools/interface_extent.h"

#include <algorithm>
#include <map>
#include <optional>
#include <spirv/unified1/spirv.hpp11>

#include "spirv/ir/header_words.h"

namespace varylink::spirv {
namespace {

constexpr std::uint64_t kMost = std::uint64_t{1} << 32;

// What types and constants are declared before the first function. Ids stand for one if they are not in a map.
class Declarations {
 public:
  void read(spv::Op op, std::span<const std::uint32_t> operands) {
    switch (op) {
      case spv::Op::OpConstant:
        if (operands.size() == 3) constants_[operands[1]] = operands[2];
        break;
      case spv::Op::OpTypeArray:
        if (operands.size() == 3) set_size(operands[0], size_of(operands[1]) * constant_of(operands[2]));
        break;
      case spv::Op::OpTypeStruct: {
        std::uint64_t sum = 0;
        for (std::size_t i = 1; i < operands.size(); ++i) sum = std::min(kMost, sum + size_of(operands[i]));
        if (!operands.empty()) set_size(operands[0], sum);
        break;
      }
      case spv::Op::OpTypePointer:
        if (operands.size() == 3) set_size(operands[0], size_of(operands[2]));
        break;
      default: break;
    }
  }

  std::uint64_t size_of(std::uint32_t type) const {
    const auto found = sizes_.find(type);
    return found == sizes_.end() ? 1 : found->second;
  }

 private:
  std::uint64_t constant_of(std::uint32_t id) const {
    const auto found = constants_.find(id);
    return found == constants_.end() ? 1 : found->second;
  }
  // Factors are at most 2^32 each, so that products do not overflow.
  void set_size(std::uint32_t type, std::uint64_t size) { sizes_[type] = std::min(kMost, size); }

  std::map<std::uint32_t, std::uint64_t> sizes_;
  std::map<std::uint32_t, std::uint32_t> constants_;
};

bool is_interface(std::uint32_t storage) {
  return storage == static_cast<std::uint32_t>(spv::StorageClass::Input) ||
         storage == static_cast<std::uint32_t>(spv::StorageClass::Output);
}

}  // namespace

std::uint64_t largest_interface_variable(std::span<const std::uint32_t> words) {
  Declarations declarations;
  std::uint64_t largest = 0;
  for (std::size_t at = kHeaderWords; at < words.size();) {
    const std::size_t count = words[at] >> 16;
    const auto op = static_cast<spv::Op>(words[at] & 0xffff);
    if (count == 0 || count > words.size() - at || op == spv::Op::OpFunction) break;
    const auto operands = words.subspan(at + 1, count - 1);
    declarations.read(op, operands);
    if (op == spv::Op::OpVariable && operands.size() >= 3 && is_interface(operands[2]))
      largest = std::max(largest, declarations.size_of(operands[0]));
    at += count;
  }
  return largest;
}

}  // namespace varylink::spirv
