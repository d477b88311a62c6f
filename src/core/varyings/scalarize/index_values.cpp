#include "varyings/scalarize/index_values.h"

#include <spirv/unified1/GLSL.std.450.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "spirv/ir/evaluate.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/op_info.h"

namespace varylink::varyings {
namespace {

using spirv::Formula;
using spirv::Id;
using spirv::InstRef;
using spirv::Module;
using Values = std::set<std::int64_t>;

constexpr int kMaxInstructionDepth = 16;   // instructions on the way to the index
constexpr std::size_t kMaxValues = 64;     // of a set that is known as a whole
constexpr std::int64_t kMaxNumber = 4096;  // constants above this are not worth following

// Numbers from `low` to `high`. All numbers in question are far from the ends of 32 bits, so that what lies in a window
// after a sum lay in a window of the same size before, whether or not something wraps.
struct Window {
  std::int64_t low = 0, high = -1;
  bool has(std::int64_t value) const { return low <= value && value <= high; }
  Window shifted(std::int64_t by) const { return {low + by, high + by}; }
};

Values all_of(const Window& window) {
  Values values;
  for (std::int64_t value = window.low; value <= window.high; ++value) values.insert(value);
  return values;
}

}  // namespace

// Where values meet that were chosen one after the other, there are more ways to an index than anyone can walk: facts
// about a value are kept, and the steps of a question are counted (rule ).
class IndexValues::Reader {
 public:
  Reader(const Module& module, const Entry& entry) : module_(module), entry_(entry) {}

  Values ask(Id index, Window window) {
    last_step_ = steps_ + kMaxSteps;
    const Values values = within(index, window, kMaxInstructionDepth);
    return steps_ <= last_step_ ? values : all_of(window);
  }

  std::uint64_t steps() const { return steps_; }

 private:
  bool spend(std::uint64_t steps) { return (steps_ += steps) <= last_step_; }

  // Numbers inside of the window that `value` may be.
  Values within(Id value, Window window, int depth) {
    if (window.low > window.high) return {};
    if (!spend(1)) return all_of(window);
    const std::tuple key(value, window.low, window.high, depth);
    if (const auto found = within_.find(key); found != within_.end()) return found->second;
    Values values = find_within(value, window, depth);
    spend(values.size());
    return within_[key] = std::move(values);
  }

  Values find_within(Id value, Window window, int depth) {
    if (const auto known = full(value, depth)) {
      Values inside;
      for (const std::int64_t one : *known)
        if (window.has(one)) inside.insert(one);
      return inside;
    }
    const InstRef def = module_.def(value);
    if (!def || depth == 0 || !is_int32(module_[def].type)) return all_of(window);
    const auto operand = [&](std::uint32_t i) { return module_.operand(def, i).word; };
    if (module_[def].op == spv::Op::OpCopyObject) return within(operand(0), window, depth - 1);
    if (module_[def].op == spv::Op::OpPhi) return within_phi(def, window, depth);
    switch (spirv::row_of(module_, def).formula) {
      case Formula::bit_cast: return within(operand(0), window, depth - 1);
      case Formula::add: return within_sum(def, window, depth, 1);
      case Formula::subtract: return within_sum(def, window, depth, -1);
      case Formula::minimum:
      case Formula::maximum: return within_bound(def, window, depth);
      case Formula::select: {
        Values values = within(operand(1), window, depth - 1);
        values.merge(within(operand(2), window, depth - 1));
        return values;
      }
      default: return all_of(window);
    }
  }

  bool is_int32(Id type) const { return scalar_is_int32(module_, type); }

  static bool scalar_is_int32(const Module& module, Id type) {
    return module.def_op(type) == spv::Op::OpTypeInt && module.operand(module.def(type), 0).word == 32;
  }

  std::optional<std::int64_t> small_constant(Id value) const {
    const auto constant = constant_int(module_, value);
    return constant && std::abs(*constant) <= kMaxNumber ? constant : std::nullopt;
  }

  // Everything that `value` can be; none if that is not known or too much.
  std::optional<Values> full(Id value, int depth) {
    if (!spend(1)) return std::nullopt;
    if (const auto found = full_.find({value, depth}); found != full_.end()) return found->second;
    std::optional<Values> values = find_full(value, depth);
    spend(values ? values->size() : 0);
    return full_[{value, depth}] = std::move(values);
  }

  std::optional<Values> find_full(Id value, int depth) {
    const InstRef def = module_.def(value);
    if (!def || depth == 0 || !is_int32(module_[def].type)) return std::nullopt;
    if (const auto constant = small_constant(value)) return Values{*constant};
    const auto operand = [&](std::uint32_t i) { return module_.operand(def, i).word; };
    if (module_[def].op == spv::Op::OpCopyObject) return full(operand(0), depth - 1);
    if (module_[def].op == spv::Op::OpLoad) return invocation(operand(0));
    if (module_[def].op == spv::Op::OpPhi) return united(phi_values(def), depth);
    const spirv::OperationRow& row = spirv::row_of(module_, def);
    std::vector<Id> operands;
    for (std::uint32_t i = spirv::first_value_operand(module_, def); i < module_.operands(def).size(); ++i)
      operands.push_back(operand(i));
    return spirv::evaluate(Sets{*this, row, depth}, row.formula, std::span<const Id>(operands));
  }

  std::optional<Values> united(const std::vector<Id>& values, int depth) {
    Values all;
    for (const Id value : values) {
      auto known = full(value, depth - 1);
      if (!known) return std::nullopt;
      all.merge(*known);
      if (all.size() > kMaxValues) return std::nullopt;
    }
    return all;
  }

  template <typename Operation>
  std::optional<Values> each(Id first, Id second, int depth, Operation operation) {
    const auto a = full(first, depth - 1), b = full(second, depth - 1);
    if (!a || !b || a->size() * b->size() > kMaxValues) return std::nullopt;
    Values all;
    for (const std::int64_t x : *a)
      for (const std::int64_t y : *b) all.insert(operation(x, y));
    const bool small = std::abs(*all.begin()) <= kMaxNumber && std::abs(*all.rbegin()) <= kMaxNumber;
    return small ? std::optional(all) : std::nullopt;
  }

  // 0, 1, ... `last` + `more`
  std::optional<Values> up_to(Id last, std::int64_t more) const {
    const auto constant = small_constant(last);
    if (!constant || *constant <= 0 || *constant + more >= static_cast<std::int64_t>(kMaxValues)) return std::nullopt;
    return all_of({0, *constant + more});
  }

  std::optional<Values> masked(Id first, Id second, int depth) {
    if (auto known = each(first, second, depth, [](auto a, auto b) { return a & b; })) return known;
    auto mask = small_constant(first);
    if (!mask) mask = small_constant(second);
    if (!mask || *mask < 0 || *mask >= static_cast<std::int64_t>(kMaxValues)) return std::nullopt;
    Values all;
    for (std::int64_t value = 0; value <= *mask; ++value) all.insert(value & *mask);
    return all;
  }

  std::optional<Values> between(Id low_bound, Id high_bound, bool is_signed) const {
    const auto low = small_constant(low_bound), high = small_constant(high_bound);
    const bool ordered = low && high && *low <= *high && (is_signed || *low >= 0);
    if (!ordered || *high - *low >= static_cast<std::int64_t>(kMaxValues)) return std::nullopt;
    return all_of({*low, *high});
  }

  // Of integers of 32 bits; operands are looked at as far as they are needed.
  struct Sets {
    using Result = Values;
    using Known = std::optional<Values>;
    Reader& reader;
    const spirv::OperationRow& row;
    int depth;

    Known bit_cast(Id x) const { return reader.full(x, depth - 1); }
    Known add(Id a, Id b) const {
      return reader.each(a, b, depth, [](auto x, auto y) { return x + y; });
    }
    Known subtract(Id a, Id b) const {
      return reader.each(a, b, depth, [](auto x, auto y) { return x - y; });
    }
    Known multiply(Id a, Id b) const {
      return reader.each(a, b, depth, [](auto x, auto y) { return x * y; });
    }
    Known modulo(Id, Id divisor) const { return reader.up_to(divisor, -1); }
    Known bit_and(Id a, Id b) const { return reader.masked(a, b, depth); }
    Known select(Id, Id a, Id b) const { return reader.united({a, b}, depth); }
    Known minimum(Id a, Id b) const {
      if (!row.reads(spirv::Reading::uint)) return std::nullopt;
      const Known known = reader.up_to(a, 0);
      return known ? known : reader.up_to(b, 0);
    }
    Known clamp(Id, Id low, Id high) const { return reader.between(low, high, row.reads(spirv::Reading::sint)); }
  };

  // The number of the invocation, of which the entry point says how many there are.
  std::optional<Values> invocation(Id variable) const {
    const auto built_in = decorations_of(module_, variable).value(spv::Decoration::BuiltIn);
    if (built_in != static_cast<std::uint32_t>(spv::BuiltIn::InvocationId)) return std::nullopt;
    const auto wanted =
        entry_.stage == Stage::tess_control ? spv::ExecutionMode::OutputVertices : spv::ExecutionMode::Invocations;
    std::int64_t count = entry_.stage == Stage::geometry ? 1 : 0;
    for (const InstRef mode : module_.execution_modes)
      if (module_[mode].op == spv::Op::OpExecutionMode && module_.operand(mode, 0).word == entry_.function &&
          static_cast<spv::ExecutionMode>(module_.operand(mode, 1).word) == wanted)
        count = module_.operand(mode, 2).word;
    if (count < 1 || count > static_cast<std::int64_t>(kMaxValues)) return std::nullopt;
    return all_of({0, count - 1});
  }

  std::vector<Id> phi_values(InstRef phi) const {
    std::vector<Id> values;
    for (std::uint32_t i = 0; i < module_.operands(phi).size(); i += 2) values.push_back(module_.operand(phi, i).word);
    return values;
  }

  Values within_sum(InstRef def, Window window, int depth, std::int64_t sign) {
    const Id first = module_.operand(def, 0).word, second = module_.operand(def, 1).word;
    const auto shifted = [&](Id value, std::int64_t by) {
      Values values;
      for (const std::int64_t one : within(value, window.shifted(-by), depth - 1)) values.insert(one + by);
      return values;
    };
    if (const auto constant = small_constant(second)) return shifted(first, *constant * sign);
    if (const auto constant = small_constant(first); constant && sign > 0) return shifted(second, *constant);
    return all_of(window);
  }

  // min and max with a constant: the constant itself, or what the other one is on the right side of it.
  Values within_bound(InstRef def, Window window, int depth) {
    const std::uint32_t number = module_.operand(def, 1).word;
    if (number != GLSLstd450SMin && number != GLSLstd450SMax) return all_of(window);
    Id other = module_.operand(def, 2).word;
    auto bound = small_constant(module_.operand(def, 3).word);
    if (!bound) {
      bound = small_constant(other);
      other = module_.operand(def, 3).word;
    }
    if (!bound) return all_of(window);
    Window rest = window;
    if (number == GLSLstd450SMin)
      rest.high = std::min(rest.high, *bound - 1);
    else
      rest.low = std::max(rest.low, *bound + 1);
    Values values = within(other, rest, depth - 1);
    if (window.has(*bound)) values.insert(*bound);
    return values;
  }

  // A counter that starts from constants and goes on in steps of a power of two keeps its remainder, even if it wraps.
  Values within_phi(InstRef phi, Window window, int depth) {
    Values starts;
    std::int64_t step = 0;
    for (const Id value : phi_values(phi)) {
      if (const auto start = full(value, depth - 1)) {
        starts.insert(start->begin(), start->end());
        continue;
      }
      const InstRef sum = module_.def(value);
      const bool counts = sum && (module_[sum].op == spv::Op::OpIAdd || module_[sum].op == spv::Op::OpISub) &&
                          module_.operand(sum, 0).word == module_[phi].result;
      const auto by = counts ? small_constant(module_.operand(sum, 1).word) : std::nullopt;
      if (!by || *by == 0 || (step != 0 && step != std::abs(*by))) return all_of(window);
      step = std::abs(*by);
    }
    if (step == 0 || (step & (step - 1)) != 0) return all_of(window);
    Values values;
    for (const std::int64_t value : all_of(window))
      if (std::any_of(starts.begin(), starts.end(),
                      [&](std::int64_t start) { return ((value - start) & (step - 1)) == 0; }))
        values.insert(value);
    return values;
  }

  const Module& module_;
  const Entry& entry_;
  std::uint64_t steps_ = 0, last_step_ = 0;
  std::map<std::pair<Id, int>, std::optional<Values>> full_;                  // by value and depth
  std::map<std::tuple<Id, std::int64_t, std::int64_t, int>, Values> within_;  // by value, window and depth
};

IndexValues::IndexValues(const Module& module, const Entry& entry) : reader_(std::make_unique<Reader>(module, entry)) {}
IndexValues::~IndexValues() = default;

std::vector<std::uint32_t> IndexValues::of(Id index, std::uint32_t count) {
  std::vector<std::uint32_t> elements;
  for (const std::int64_t value : reader_->ask(index, {0, static_cast<std::int64_t>(count) - 1}))
    elements.push_back(static_cast<std::uint32_t>(value));
  return elements;
}

std::uint64_t IndexValues::steps() const { return reader_->steps(); }

}  // namespace varylink::varyings
