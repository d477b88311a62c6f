// GLSL.std.450: functions with a reading of their own, and all others as they are.
#include <spirv/unified1/GLSL.std.450.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "prove/machine/machine.h"
#include "spirv/ir/op_info.h"
#include "spirv/tools/names.h"

namespace varylink::prove {
namespace {

// Component i of the result depends on component i of the operands.
bool is_component_wise(std::uint32_t number) {
  return (number >= GLSLstd450Round && number <= GLSLstd450InverseSqrt) ||
         (number >= GLSLstd450FMin && number <= GLSLstd450Fma) || number == GLSLstd450Ldexp ||
         (number >= GLSLstd450FindILsb && number <= GLSLstd450FindUMsb) ||
         (number >= GLSLstd450NMin && number <= GLSLstd450NClamp);
}

bool commutes(std::uint32_t number) {
  return (number >= GLSLstd450FMin && number <= GLSLstd450SMax) || number == GLSLstd450NMin || number == GLSLstd450NMax;
}

// Functions of one real, for constants; the result is rounded to the width of the operand.
double (*function_of_real(std::uint32_t number))(double) {
  switch (number) {
    case GLSLstd450FAbs: return [](double x) { return std::fabs(x); };
    case GLSLstd450Floor: return [](double x) { return std::floor(x); };
    case GLSLstd450Ceil: return [](double x) { return std::ceil(x); };
    case GLSLstd450Trunc: return [](double x) { return std::trunc(x); };
    case GLSLstd450Fract: return [](double x) { return x - std::floor(x); };
    case GLSLstd450Sqrt: return [](double x) { return std::sqrt(x); };
    case GLSLstd450FSign: return [](double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : x; };
    case GLSLstd450InverseSqrt: return [](double x) { return 1 / std::sqrt(x); };
    case GLSLstd450Sin: return [](double x) { return std::sin(x); };
    case GLSLstd450Cos: return [](double x) { return std::cos(x); };
    case GLSLstd450Tan: return [](double x) { return std::tan(x); };
    case GLSLstd450Exp: return [](double x) { return std::exp(x); };
    case GLSLstd450Log: return [](double x) { return std::log(x); };
    case GLSLstd450Exp2: return [](double x) { return std::exp2(x); };
    case GLSLstd450Log2: return [](double x) { return std::log2(x); };
    default: return nullptr;
  }
}

std::optional<double> where(bool is_defined, double value) { return is_defined ? std::optional(value) : std::nullopt; }

// Functions of several reals, for constants where they are defined (GLSL.std.450).
std::optional<double> fold_reals(std::uint32_t number, const std::vector<double>& x) {
  switch (number) {
    case GLSLstd450FMin:
    case GLSLstd450NMin: return std::fmin(x[0], x[1]);
    case GLSLstd450FMax:
    case GLSLstd450NMax: return std::fmax(x[0], x[1]);
    case GLSLstd450FClamp:
    case GLSLstd450NClamp: return where(x[1] <= x[2], std::fmin(std::fmax(x[0], x[1]), x[2]));
    case GLSLstd450Step: return x[1] < x[0] ? 0.0 : 1.0;
    case GLSLstd450Pow: return where(x[0] > 0 || (x[0] == 0 && x[1] > 0), std::pow(x[0], x[1]));
    case GLSLstd450Atan2: return where(x[0] != 0 || x[1] != 0, std::atan2(x[0], x[1]));
    default:
      if (const auto function = function_of_real(number)) return function(x[0]);
      return std::nullopt;
  }
}

std::string term_name(std::uint32_t number) {
  return "glsl." + spirv::glsl_name(number) + "." + std::to_string(number);
}

}  // namespace

// The value of a function of constant reals; none if the operands are others, or the function is not known.
std::optional<Term> Machine::fold_glsl(std::uint32_t number, Sort sort, const std::vector<Term>& operands) {
  std::vector<double> values;
  for (const Term operand : operands) {
    if (!terms_.is_constant(operand) || terms_[operand].sort != sort || !is_float(sort)) return std::nullopt;
    values.push_back(terms_.real_value(operand));
  }
  const std::optional<double> value = fold_reals(number, values);
  return value && std::isfinite(*value) ? std::optional(terms_.real(sort, *value)) : std::nullopt;
}

// A component of a component-wise function.
Term Machine::glsl_scalar(std::uint32_t number, Sort sort, const std::vector<Term>& operands) {
  if (const std::optional<Term> folded = fold_glsl(number, sort, operands)) return *folded;
  std::string name = term_name(number);
  if (const std::optional<Term> decided = inputs_.ranges().decided(name, sort, operands)) return *decided;
  const std::array<std::uint64_t, 1> component = {0};
  add_modes(sort, terms_[operands[0]].sort, name);
  return terms_.apply(sort, name, operands, component, commutes(number));
}

bool Machine::run_glsl_interpolation(spirv::InstRef ref, std::uint32_t number) {
  if (number < GLSLstd450InterpolateAtCentroid || number > GLSLstd450InterpolateAtOffset) return false;
  const auto operands = module_.operands(ref);
  const Value address = value(operands[2].word);
  const auto reads = address.pointer ? interface_loads_.find(address.pointer->variable) : interface_loads_.end();
  constexpr const char* kNotInterpolated = "interpolateAt* of an input that does not interpolate";
  if (reads == interface_loads_.end()) throw Unsupported{kNotInterpolated};
  Value parameters;
  if (operands.size() > 3) parameters = value(operands[3].word);
  note_elements(*address.pointer);
  const std::uint32_t first = slots_.at(address.pointer->variable);
  set(module_[ref].result, load_leaves(*address.pointer, [&](std::uint32_t leaf) {
        const InterfaceLoad& read = reads->second.at(leaf - first);
        if (read.is_flat) return read.value;  // a plain load
        if (read.sent == kNoTerm) throw Unsupported{kNotInterpolated};
        std::string name = read.perspective ? "smooth" : "noperspective";
        name += number == GLSLstd450InterpolateAtCentroid ? ".centroid"
                : number == GLSLstd450InterpolateAtSample ? ".at sample"
                                                          : ".at offset";
        return Interpolator(terms_, {name, parameters.leaves}, semantics_)(read.sent);
      }));
  return true;
}

std::optional<Value> Machine::glsl_known(std::uint32_t number, Id type, const std::vector<Value>& operands) {
  const Sort sort = facts_.sorts(type)[0];
  const std::size_t count = operands[0].leaves.size();
  const auto product_sum = [&](const std::vector<Term>& a, const std::vector<Term>& b) {
    Term sum = terms_.constant(sort, 0);
    for (std::size_t i = 0; i < a.size(); ++i) sum = terms_.add(sum, terms_.multiply(a[i], b[i]));
    return sum;
  };
  Value result;
  const auto each = [&](auto&& function) {
    for (std::size_t i = 0; i < count; ++i) result.leaves.push_back(function(i));
    return result;
  };
  const auto at = [&](std::size_t operand, std::size_t i) { return operands[operand].leaves[i]; };
  const auto is_negative = [&](Term a) {
    const Term parts[] = {a, terms_.real(sort, 0)};
    return scalar_operation(spv::Op::OpFOrdLessThan, Sort::boolean, parts, false);
  };
  switch (number) {
    case GLSLstd450FMix:
      return each([&](std::size_t i) {
        // By its definition where the linker writes it so, since products of long sums stay as they are.
        if (at(0, i) == terms_.real(sort, 1))
          return terms_.add(terms_.subtract(at(0, i), at(2, i)), terms_.multiply(at(1, i), at(2, i)));
        return terms_.add(at(0, i), terms_.multiply(at(2, i), terms_.subtract(at(1, i), at(0, i))));
      });
    case GLSLstd450Fma:
      return each([&](std::size_t i) { return terms_.add(terms_.multiply(at(0, i), at(1, i)), at(2, i)); });
    case GLSLstd450Radians:
      return each([&](std::size_t i) { return terms_.multiply(at(0, i), terms_.real(sort, 0.017453292519943295)); });
    case GLSLstd450Degrees:
      return each([&](std::size_t i) { return terms_.multiply(at(0, i), terms_.real(sort, 57.29577951308232)); });
    case GLSLstd450Cross:
      return each([&](std::size_t i) {
        const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
        return terms_.subtract(terms_.multiply(at(0, j), at(1, k)), terms_.multiply(at(0, k), at(1, j)));
      });
    case GLSLstd450Distance: {
      std::vector<Term> difference;
      for (std::size_t i = 0; i < count; ++i) difference.push_back(terms_.subtract(at(0, i), at(1, i)));
      return Value{{glsl_scalar(GLSLstd450Sqrt, sort, {product_sum(difference, difference)})}, {}};
    }
    case GLSLstd450Length:
      return Value{{glsl_scalar(GLSLstd450Sqrt, sort, {product_sum(operands[0].leaves, operands[0].leaves)})}, {}};
    case GLSLstd450Normalize: {
      const Term factor =
          glsl_scalar(GLSLstd450InverseSqrt, sort, {product_sum(operands[0].leaves, operands[0].leaves)});
      return each([&](std::size_t i) { return terms_.multiply(at(0, i), factor); });
    }
    case GLSLstd450FaceForward: {
      const Term faces = is_negative(product_sum(operands[2].leaves, operands[1].leaves));
      return each([&](std::size_t i) { return terms_.choose(faces, at(0, i), terms_.negate(at(0, i))); });
    }
    case GLSLstd450Refract: {
      const Term eta = at(2, 0), one = terms_.real(sort, 1);
      const Term cosine = product_sum(operands[1].leaves, operands[0].leaves);
      const Term sine_squared = terms_.subtract(one, terms_.multiply(cosine, cosine));
      const Term rest = terms_.subtract(one, terms_.multiply(terms_.multiply(eta, eta), sine_squared));
      const Term factor = terms_.add(terms_.multiply(eta, cosine), glsl_scalar(GLSLstd450Sqrt, sort, {rest}));
      const Term is_total = is_negative(rest);
      return each([&](std::size_t i) {
        const Term way = terms_.subtract(terms_.multiply(eta, at(0, i)), terms_.multiply(factor, at(1, i)));
        return terms_.choose(is_total, terms_.real(sort, 0), way);
      });
    }
    case GLSLstd450Reflect: {
      const Term twice = terms_.multiply(terms_.real(sort, 2), product_sum(operands[1].leaves, operands[0].leaves));
      return each([&](std::size_t i) { return terms_.subtract(at(0, i), terms_.multiply(twice, at(1, i))); });
    }
    default: return std::nullopt;
  }
}

// What unpackHalf2x16() has of a pair that was packed, if that was a half before: else it was rounded, in a way that
// GLSL.std.450 leaves to the device.
Term Machine::half_of_pair(std::uint32_t number, Term pair, std::size_t which, std::uint32_t choices) {
  if (number != GLSLstd450UnpackHalf2x16 || has_modes_of(Sort::float16, Sort::float32)) return kNoTerm;
  if (terms_[pair].kind == Kind::choice && choices > 0)
    return of_both(pair, [&](Term each) { return half_of_pair(number, each, which, choices - 1); });
  if (!terms_.is(pair, term_name(GLSLstd450PackHalf2x16).c_str())) return kNoTerm;
  const Term half = terms_.children(pair)[which];
  return is_widened(half, "FConvert", kMostHalves) ? half : kNoTerm;
}

bool Machine::run_glsl(spirv::InstRef ref) {
  const spirv::Inst& inst = module_[ref];
  if (inst.op != spv::Op::OpExtInst) return false;
  if (!spirv::is_glsl_inst(module_, ref)) throw Unsupported{"an extended instruction that is not of GLSL.std.450"};
  const auto words = module_.operands(ref);
  const std::uint32_t number = words[1].word;
  if (run_glsl_interpolation(ref, number)) return true;
  std::vector<Value> operands;
  for (const spirv::Operand& operand : words.subspan(2)) {
    operands.push_back(value(operand.word));
    if (operands.back().pointer) throw Unsupported{"modf and frexp that write through a pointer"};
  }
  const std::vector<Sort> sorts = facts_.sorts(inst.type);
  if (sorts.empty()) throw Unsupported{"a function of values without components"};
  const bool exact = is_exact(inst.result, sorts[0]);
  const bool by_modes = are_constants_under_modes(sorts[0], operands);
  // What is exact in the linked pipeline only is right for what the original left free.
  if (!by_modes && (!exact || terms_.has_original()))
    if (std::optional<Value> known = glsl_known(number, inst.type, operands);
        known && (!exact || std::ranges::all_of(known->leaves, [&](Term t) { return terms_.is_of_original(t); }))) {
      set(inst.result, std::move(*known));
      return true;
    }
  Value result;
  for (std::size_t i = 0; i < sorts.size(); ++i) {
    std::vector<Term> parts;
    if (is_component_wise(number)) {
      for (const Value& operand : operands) parts.push_back(operand.leaves.at(i));
      result.leaves.push_back(by_modes ? terms_.apply(sorts[i], term_name(number) + exact_mark(sorts[i]), parts)
                                       : glsl_scalar(number, sorts[i], parts));
      continue;
    }
    for (const Value& operand : operands) parts.insert(parts.end(), operand.leaves.begin(), operand.leaves.end());
    const std::array<std::uint64_t, 1> component = {i};
    if (const Term half = by_modes ? kNoTerm : half_of_pair(number, parts[0], i, kMostHalves); half != kNoTerm) {
      result.leaves.push_back(half);
      continue;
    }
    std::string name = term_name(number) + (by_modes ? "!" : "");
    add_modes(sorts[i], terms_[parts[0]].sort, name);
    if (number == GLSLstd450PackHalf2x16 || number == GLSLstd450UnpackHalf2x16)
      add_modes(Sort::float16, Sort::float16, name);
    result.leaves.push_back(terms_.apply(sorts[i], name, parts, component, commutes(number)));
  }
  set(inst.result, std::move(result));
  return true;
}

}  // namespace varylink::prove
