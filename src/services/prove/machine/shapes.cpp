#include "prove/machine/shapes.h"

#include <algorithm>

#include "prove/terms/unsupported.h"

namespace varylink::prove {
namespace {

constexpr std::uint32_t kMostLeaves = 1u << 16;  // of one type; larger ones are not understood

template <typename Key>
const std::uint32_t* find(const std::vector<std::pair<Key, std::uint32_t>>& sorted, const Key& key) {
  const auto found = std::lower_bound(sorted.begin(), sorted.end(), key,
                                      [](const auto& entry, const Key& wanted) { return entry.first < wanted; });
  return found != sorted.end() && found->first == key ? &found->second : nullptr;
}

}  // namespace

Facts::Facts(const spirv::Module& module) : module_(module) {
  for (const spirv::InstRef ref : module.annotations) {
    const spirv::Inst& inst = module[ref];
    const auto operands = module.operands(ref);
    if (inst.op == spv::Op::OpDecorate || inst.op == spv::Op::OpDecorateId) {
      const auto what = static_cast<spv::Decoration>(operands[1].word);
      decorations_.push_back({{operands[0].word, what}, operands.size() > 2 ? operands[2].word : 0});
    } else if (inst.op == spv::Op::OpMemberDecorate) {
      const auto what = static_cast<spv::Decoration>(operands[2].word);
      members_.push_back({{operands[0].word, operands[1].word, what}, operands.size() > 3 ? operands[3].word : 0});
    } else if (inst.op == spv::Op::OpGroupDecorate || inst.op == spv::Op::OpGroupMemberDecorate) {
      throw Unsupported{"decoration groups"};
    }
  }
  std::sort(decorations_.begin(), decorations_.end());
  std::sort(members_.begin(), members_.end());
}

const std::uint32_t* Facts::decoration(Id target, spv::Decoration what) const {
  return find(decorations_, OfId{target, what});
}

const std::uint32_t* Facts::member_decoration(Id type, std::uint32_t member, spv::Decoration what) const {
  return find(members_, OfMember{type, member, what});
}

std::uint32_t Facts::array_length(Id type) const {
  const Id length = module_.operand(module_.def(type), 1).word;
  if (module_.def_op(length) != spv::Op::OpConstant) throw Unsupported{"an array sized by a specialization constant"};
  return module_.operand(module_.def(length), 0).word;
}

std::uint32_t Facts::elements(Id type) const {
  const spirv::InstRef def = module_.def(type);
  switch (op(type)) {
    case spv::Op::OpTypeVector:
    case spv::Op::OpTypeMatrix: return module_.operand(def, 1).word;
    case spv::Op::OpTypeArray: return array_length(type);
    case spv::Op::OpTypeStruct: return static_cast<std::uint32_t>(module_.operands(def).size());
    default: return 0;
  }
}

Id Facts::element(Id type, std::uint32_t index) const {
  return module_.operand(module_.def(type), op(type) == spv::Op::OpTypeStruct ? index : 0).word;
}

std::uint32_t Facts::leaf_count(Id type) const {
  if (const auto known = counts_.find(type); known != counts_.end()) return known->second;
  std::uint64_t count = 0;
  switch (op(type)) {
    case spv::Op::OpTypeVector:
    case spv::Op::OpTypeMatrix:
    case spv::Op::OpTypeArray: count = std::uint64_t{elements(type)} * leaf_count(element(type)); break;
    case spv::Op::OpTypeStruct:
      for (std::uint32_t i = 0; i < elements(type); ++i) count += leaf_count(element(type, i));
      break;
    case spv::Op::OpTypeVoid: break;
    case spv::Op::OpTypeRuntimeArray: throw Unsupported{"a runtime array as a value"};
    default: count = 1;
  }
  if (count > kMostLeaves) throw Unsupported{"a value of more than 65536 components"};
  return counts_[type] = static_cast<std::uint32_t>(count);
}

Sort Facts::sort(Id type) const {
  const spirv::InstRef def = module_.def(type);
  switch (op(type)) {
    case spv::Op::OpTypeBool: return Sort::boolean;
    case spv::Op::OpTypeInt:
      switch (module_.operand(def, 0).word) {
        case 8: return Sort::int8;
        case 16: return Sort::int16;
        case 32: return Sort::int32;
        default: return Sort::int64;
      }
    case spv::Op::OpTypeFloat:
      switch (module_.operand(def, 0).word) {
        case 16: return Sort::float16;
        case 32: return Sort::float32;
        default: return Sort::float64;
      }
    case spv::Op::OpTypeImage:
    case spv::Op::OpTypeSampler:
    case spv::Op::OpTypeSampledImage:
    case spv::Op::OpTypeAccelerationStructureKHR: return Sort::handle;
    default: throw Unsupported{"a type without a reading"};
  }
}

void Facts::append_sorts(Id type, std::vector<Sort>& sorts) const {
  switch (op(type)) {
    case spv::Op::OpTypeVector:
    case spv::Op::OpTypeMatrix:
    case spv::Op::OpTypeArray:
    case spv::Op::OpTypeStruct:
      leaf_count(type);
      for (std::uint32_t i = 0; i < elements(type); ++i) append_sorts(element(type, i), sorts);
      break;
    case spv::Op::OpTypeVoid: break;
    default: sorts.push_back(sort(type));
  }
}

std::vector<Sort> Facts::sorts(Id type) const {
  std::vector<Sort> result;
  append_sorts(type, result);
  return result;
}

std::uint32_t Facts::leaf_offset(Id type, std::uint32_t index) const {
  if (index >= elements(type)) throw Unsupported{"an index out of bounds"};
  if (op(type) != spv::Op::OpTypeStruct) return index * leaf_count(element(type));
  std::uint32_t offset = 0;
  for (std::uint32_t i = 0; i < index; ++i) offset += leaf_count(element(type, i));
  return offset;
}

}  // namespace varylink::prove
