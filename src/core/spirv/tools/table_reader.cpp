#include "spirv/tools/table_reader.h"

#include <algorithm>
#include <set>
#include <vector>

#include "spirv/ir/header_words.h"
#include "spirv/ir/literal_text.h"
#include "spirv/ir/operations.h"
#include "spirv/tools/module_reader.h"

namespace varylink::spirv {
namespace {

using spv::Op;

constexpr std::uint32_t kLiteralMemoryOperands = static_cast<std::uint32_t>(spv::MemoryAccessMask::Volatile) |
                                                 static_cast<std::uint32_t>(spv::MemoryAccessMask::Aligned) |
                                                 static_cast<std::uint32_t>(spv::MemoryAccessMask::Nontemporal);

struct Results {
  bool type = false, id = false;
};

Results results_of(Op op) {
  Results results;
  spv::HasResultAndType(op, &results.id, &results.type);
  return results;
}

class TableReader {
 public:
  explicit TableReader(std::span<const std::uint32_t> words) : words_(words) {}

  std::optional<Module> run() {
    if (words_.size() < kHeaderWords || words_[0] != kMagic) return std::nullopt;
    bound_ = words_[3];
    if (bound_ > kMaxBound) return std::nullopt;
    module_.version = words_[1];
    module_.generator = words_[2];
    module_.schema = words_[4];
    reader_.start(bound_, words_.size(), Ids::dense);
    for (std::size_t at = kHeaderWords; at < words_.size();) {
      const std::size_t count = words_[at] >> 16;
      if (count == 0 || count > words_.size() - at) return std::nullopt;
      if (!read(static_cast<Op>(words_[at] & 0xffffu), words_.subspan(at + 1, count - 1))) return std::nullopt;
      at += count;
    }
    reader_.finish();
    if (reader_.found_misplaced()) return std::nullopt;
    return std::move(module_);
  }

 private:
  bool read(Op op, std::span<const std::uint32_t> rest) {
    const Results results = results_of(op);
    const std::size_t in_front = (results.type ? 1u : 0u) + (results.id ? 1u : 0u);
    if (rest.size() < in_front) return false;
    const Id type = results.type ? rest[0] : 0, result = results.id ? rest[in_front - 1] : 0;
    if (type >= bound_ || result >= bound_) return false;
    operands_.clear();
    if (!divide(op, rest.subspan(in_front))) return false;
    note(op, type, result);
    reader_.add(op, type, result, operands_);
    return true;
  }

  // What divides words further down.
  void note(Op op, Id type, Id result) {
    if (op == Op::OpTypeInt && operands_.front().word > 32) wide_.insert(result);
    if (type != 0 && wide_.count(type) != 0) wide_.insert(result);
    if (op != Op::OpExtInstImport) return;
    const bool has_ids = is_text(operands_, "GLSL.std.450") || starts_with(operands_, "NonSemantic.");
    if (has_ids) sets_of_ids_.insert(result);
  }

  bool divide(Op op, std::span<const std::uint32_t> words) {
    const OperationRow& row = row_of(op);
    switch (op == Op::OpExtInst ? OperandWords::extended : row.words) {
      case OperandWords::ids: return ids_then_literals(words, words.size());
      case OperandWords::literals: return ids_then_literals(words, 0);
      case OperandWords::id_literals: return ids_then_literals(words, 1);
      case OperandWords::two_ids_literals: return ids_then_literals(words, 2);
      case OperandWords::three_ids_literals: return ids_then_literals(words, 3);
      case OperandWords::literal_ids: return one_literal(words, 0, 1);
      case OperandWords::id_literal_ids: return one_literal(words, 1, 1);
      case OperandWords::memory: return memory(words, op == Op::OpLoad ? 1 : 2);
      case OperandWords::image: return one_literal(words, row.is(kMaskThird) ? 3 : 2, 1);
      case OperandWords::cases: return cases(words);
      case OperandWords::entry_point: return entry_point(words);
      case OperandWords::source: return source(words);
      case OperandWords::extended:
        return words.size() > 1 && sets_of_ids_.count(words[0]) != 0 && one_literal(words, 1, 1);
      case OperandWords::unknown: break;
    }
    return false;
  }

  bool add_id(std::uint32_t word) {
    operands_.push_back(id(word));
    return word < bound_;
  }

  bool ids_then_literals(std::span<const std::uint32_t> words, std::size_t ids) {
    return mixed(words, ids, words.size());
  }

  // `literals` behind `ids_in_front`, and then ids again.
  bool one_literal(std::span<const std::uint32_t> words, std::size_t ids_in_front, std::size_t literals) {
    return mixed(words, ids_in_front, ids_in_front + literals);
  }

  bool mixed(std::span<const std::uint32_t> words, std::size_t first_literal, std::size_t last_literal) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (i >= first_literal && i < last_literal)
        operands_.push_back(lit(words[i]));
      else if (!add_id(words[i]))
        return false;
    }
    return true;
  }

  bool memory(std::span<const std::uint32_t> words, std::size_t ids) {
    if (words.size() > ids && (words[ids] & ~kLiteralMemoryOperands) != 0) return false;
    return ids_then_literals(words, ids);
  }

  // Selector and default label, then numbers that are as wide as the selector, with a label each.
  bool cases(std::span<const std::uint32_t> words) {
    if (words.size() < 2) return false;
    const std::size_t width = wide_.count(words[0]) != 0 ? 2 : 1;
    if (!add_id(words[0]) || !add_id(words[1])) return false;
    for (std::size_t i = 2; i < words.size(); i += width + 1)
      if (!one_literal(words.subspan(i, std::min(width + 1, words.size() - i)), 0, width)) return false;
    return true;
  }

  bool entry_point(std::span<const std::uint32_t> words) {
    if (words.size() < 3) return false;
    std::size_t end = 2;  // of the name, which ends with a zero byte
    while (end < words.size() && (words[end] & 0xff000000u) != 0) ++end;
    operands_.push_back(lit(words[0]));
    return add_id(words[1]) && mixed(words.subspan(2), 0, end - 1);
  }

  // Language and version, then a file, then text.
  bool source(std::span<const std::uint32_t> words) {
    if (words.size() < 3) return ids_then_literals(words, 0);
    return ids_then_literals(words.first(2), 0) && ids_then_literals(words.subspan(2), 1);
  }

  std::span<const std::uint32_t> words_;
  std::uint32_t bound_ = 0;
  Module module_;
  Reader reader_{module_};
  std::vector<Operand> operands_;
  std::set<Id> sets_of_ids_;  // sets whose instructions have ids as operands alone
  std::set<Id> wide_;         // types of integers of two words, and their values
};

}  // namespace

std::optional<Module> read_by_table(std::span<const std::uint32_t> words) { return TableReader(words).run(); }

}  // namespace varylink::spirv
