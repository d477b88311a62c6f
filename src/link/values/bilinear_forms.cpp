#include "link/values/bilinear_forms.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>

#include "base/seeded_fault.h"

namespace varylink::link {
namespace {

using graph::kNoValue;
using graph::Value;
using graph::ValueId;
using graph::ValueKind;
using spv::Op;
using Form = BilinearForms::Form;

// Larger weights would let rounding grow (rule ), and more terms than a patch of quads has need not be followed
// (rule ).
constexpr int kLargestWeight = 4;
constexpr std::size_t kMostTerms = 8;

bool depends_on_u(const Bilinear& weight) { return weight[0] != weight[1] || weight[2] != weight[3]; }
bool depends_on_v(const Bilinear& weight) { return weight[0] != weight[2] || weight[1] != weight[3]; }

bool is_small(const Bilinear& weight) {
  return std::all_of(weight.begin(), weight.end(), [](int value) { return std::abs(value) <= kLargestWeight; });
}

// Made of numbers and the coordinates alone.
bool is_weight(const Form& form) { return form.empty() || (form.size() == 1 && form.front().first == kNoValue); }

std::optional<Form> sum(const Form& a, const Form& b, int factor,
                        const std::function<bool(ValueId, ValueId)>& go_together) {
  Form result = a;
  for (const auto& [value, weight] : b) {
    auto place =
        std::find_if(result.begin(), result.end(), [&, at = value](const auto& term) { return term.first >= at; });
    if (place == result.end() || place->first != value) place = result.insert(place, {value, Bilinear{}});
    for (std::size_t i = 0; i < weight.size(); ++i) place->second[i] += factor * weight[i];
    if (!is_small(place->second)) return std::nullopt;
  }
  for (const auto& [value, weight] : result)
    if (value != result.front().first && !go_together(result.front().first, value)) return std::nullopt;
  std::erase_if(result, [](const auto& term) { return term.second == Bilinear{}; });
  return result.size() <= kMostTerms ? std::optional(std::move(result)) : std::nullopt;
}

std::optional<Form> product(const Form& a, const Form& b) {
  if (!is_weight(a)) return is_weight(b) ? product(b, a) : std::nullopt;
  if (a.empty() || b.empty()) return Form{};
  const Bilinear& factor = a.front().second;
  Form result = b;
  for (auto& [value, weight] : result) {
    const bool is_square =
        (depends_on_u(factor) && depends_on_u(weight)) || (depends_on_v(factor) && depends_on_v(weight));
    if (is_square && !seeded_fault("bilinear-squares")) return std::nullopt;
    for (std::size_t i = 0; i < weight.size(); ++i) weight[i] *= factor[i];
    if (!is_small(weight)) return std::nullopt;
  }
  std::erase_if(result, [](const auto& term) { return term.second == Bilinear{}; });
  return result;
}

std::optional<Form> constant(const Value& value) {
  if (value.type != varyings::ScalarType{varyings::ScalarKind::floating, 32}) return std::nullopt;
  const auto number = std::bit_cast<float>(value.words.front());
  if (!(std::abs(number) <= static_cast<float>(kLargestWeight)) || number != std::trunc(number)) return std::nullopt;
  const int whole = static_cast<int>(number);
  if (whole == 0) return Form{};
  return Form{{kNoValue, {whole, whole, whole, whole}}};
}

}  // namespace

BilinearForms::BilinearForms(const PatchValues& values, const GoTogether& go_together) {
  for (ValueId id = 0; id < values.graph().size(); ++id) forms_.push_back(read(values, id, go_together));
}

BilinearForms::Form BilinearForms::read(const PatchValues& values, ValueId id, const GoTogether& go_together) const {
  const Value& value = values.graph()[id];
  std::optional<Form> form;
  if (value.kind == ValueKind::constant) form = constant(value);
  if (value.kind == ValueKind::operation) form = operation(value, go_together);
  if (values.is_barycentric(id) && value.words[1] == 0) form = Form{{kNoValue, {0, 1, 0, 1}}};
  if (values.is_barycentric(id) && value.words[1] == 1) form = Form{{kNoValue, {0, 0, 1, 1}}};
  return form ? std::move(*form) : Form{{id, kOne}};
}

std::optional<BilinearForms::Form> BilinearForms::operation(const Value& value, const GoTogether& go_together) const {
  if (value.no_contraction || value.type != varyings::ScalarType{varyings::ScalarKind::floating, 32})
    return std::nullopt;
  const auto operand = [&](std::size_t i) -> const Form& { return forms_[value.operands[i]]; };
  switch (value.op) {
    case Op::OpFNegate: return sum({}, operand(0), -1, go_together);
    case Op::OpFAdd: return sum(operand(0), operand(1), 1, go_together);
    case Op::OpFSub: return sum(operand(0), operand(1), -1, go_together);
    case Op::OpFMul: return product(operand(0), operand(1));
    case Op::OpExtInst: break;
    default: return std::nullopt;
  }
  if (value.glsl == GLSLstd450Fma) {
    const auto first = product(operand(0), operand(1));
    return first ? sum(*first, operand(2), 1, go_together) : std::nullopt;
  }
  if (value.glsl != GLSLstd450FMix || !is_weight(operand(2))) return std::nullopt;
  const auto rest = sum({{kNoValue, kOne}}, operand(2), -1, go_together);
  const auto from = rest ? product(operand(0), *rest) : std::nullopt, to = product(operand(1), operand(2));
  return from && to ? sum(*from, *to, 1, go_together) : std::nullopt;
}

std::optional<std::array<ValueId, 4>> BilinearForms::corners(const Form& form) {
  std::array<ValueId, 4> result = {kNoValue, kNoValue, kNoValue, kNoValue};
  for (std::size_t corner = 0; corner < result.size(); ++corner)
    for (const auto& [value, weight] : form) {
      if (weight[corner] == 0) continue;
      if (weight[corner] != 1 || result[corner] != kNoValue || value == kNoValue) return std::nullopt;
      result[corner] = value;
    }
  return std::find(result.begin(), result.end(), kNoValue) == result.end() ? std::optional(result) : std::nullopt;
}

}  // namespace varylink::link
