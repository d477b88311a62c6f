#include "spirv/tools/specialize.h"

#include <bit>
#include <charconv>
#include <map>
#include <optional>
#include <vector>

#include "spirv/cleanup/clean_ups.h"
#include "spirv/cleanup/number_operations.h"
#include "spirv/ir/globals.h"
#include "spirv/tools/binary.h"

namespace varylink::spirv {
namespace {

template <typename Number>
std::optional<Number> parse(std::string_view text) {
  Number number{};
  std::from_chars_result end{};
  if constexpr (std::is_integral_v<Number>) {
    const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    if (hexadecimal) text.remove_prefix(2);
    end = std::from_chars(text.data(), text.data() + text.size(), number, hexadecimal ? 16 : 10);
  } else {
    end = std::from_chars(text.data(), text.data() + text.size(), number);
  }
  if (end.ec != std::errc() || end.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

// The number as `width` bits; none if it is out of their range.
std::optional<std::uint64_t> integer_bits(const std::string& text, std::uint32_t width, bool is_signed) {
  if (is_signed) {
    const auto number = parse<std::int64_t>(text);
    const std::int64_t limit = width >= 64 ? INT64_MAX : (std::int64_t{1} << (width - 1)) - 1;
    if (!number || *number > limit || *number < -limit - 1) return std::nullopt;
    return static_cast<std::uint64_t>(*number);
  }
  const auto number = parse<std::uint64_t>(text);
  if (!number || (width < 64 && *number >> width != 0)) return std::nullopt;
  return *number;
}

std::optional<std::uint64_t> float_bits(const std::string& text, std::uint32_t width) {
  if (width == 64) {
    const auto number = parse<double>(text);
    return number ? std::optional(std::bit_cast<std::uint64_t>(*number)) : std::nullopt;
  }
  if (width == 16) {
    const auto number = parse<double>(text);
    return number ? nearest_float(*number, width) : std::nullopt;
  }
  const auto number = width == 32 ? parse<float>(text) : std::nullopt;
  return number ? std::optional<std::uint64_t>(std::bit_cast<std::uint32_t>(*number)) : std::nullopt;
}

}  // namespace

std::optional<std::uint64_t> specialization_bits(const Module& module, Id type, const std::string& text) {
  const InstRef def = module.def(type);
  if (module[def].op == spv::Op::OpTypeBool) {
    const bool is_true = text == "true" || text == "1";
    return is_true || text == "false" || text == "0" ? std::optional<std::uint64_t>(is_true) : std::nullopt;
  }
  const std::uint32_t width = module.operand(def, 0).word;
  if (module[def].op == spv::Op::OpTypeFloat) return float_bits(text, width);
  return integer_bits(text, width, module.operand(def, 1).word != 0);
}

namespace {

class Specializer {
 public:
  Specializer(Module& module, const SpecializationValues& values, const std::string& file)
      : module_(module), values_(values), file_(file) {}

  Result<bool> run() {
    bool changed = false;
    for (const InstRef inst : module_.annotations) {
      if (!is_spec_id(module_, inst)) continue;
      const auto value = values_.find(module_.operand(inst, 2).word);
      if (value == values_.end()) continue;
      const InstRef constant = module_.def(module_.operand(inst, 0).word);
      if (!set(constant, value->second))
        return make_error(ErrorKind::usage, file_,
                          "'" + value->second + "' is no value of specialization constant " +
                              std::to_string(value->first) + ", which is " + type_text(constant));
      module_.kill(inst);
      changed = true;
    }
    module_.sweep();
    return changed;
  }

 private:
  bool set(InstRef constant, const std::string& text) {
    const Id type = module_[constant].type;
    const auto bits = specialization_bits(module_, type, text);
    if (!bits) return false;
    if (module_.def_op(type) == spv::Op::OpTypeBool) {
      module_.rewrite(constant, *bits != 0 ? spv::Op::OpConstantTrue : spv::Op::OpConstantFalse, {});
      return true;
    }
    std::vector<Operand> words = {lit(static_cast<std::uint32_t>(*bits))};
    if (module_.operand(module_.def(type), 0).word == 64) words.push_back(lit(static_cast<std::uint32_t>(*bits >> 32)));
    module_.rewrite(constant, spv::Op::OpConstant, words);
    return true;
  }

  std::string type_text(InstRef constant) const {
    const InstRef type = module_.def(module_[constant].type);
    if (module_[type].op == spv::Op::OpTypeBool) return "a bool: true, false, 1 or 0";
    const std::string width = std::to_string(module_.operand(type, 0).word) + " bits";
    if (module_[type].op == spv::Op::OpTypeFloat) return "a number with " + width;
    return std::string(module_.operand(type, 1).word != 0 ? "a signed" : "an unsigned") + " integer with " + width;
  }

  Module& module_;
  const SpecializationValues& values_;
  const std::string& file_;
};

}  // namespace

std::optional<std::pair<std::uint32_t, std::string>> parse_specialization(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals + 1 == text.size()) return std::nullopt;
  const auto id = parse<std::uint32_t>(std::string_view(text).substr(0, equals));
  if (!id) return std::nullopt;
  return std::pair(*id, text.substr(equals + 1));
}

bool is_spec_id(const Module& module, InstRef inst) {
  return module[inst].op == spv::Op::OpDecorate && module[inst].operand_count == 3 &&
         static_cast<spv::Decoration>(module.operand(inst, 1).word) == spv::Decoration::SpecId;
}

std::set<std::uint32_t> specialization_ids(const Module& module) {
  std::set<std::uint32_t> ids;
  for (const InstRef inst : module.annotations)
    if (is_spec_id(module, inst)) ids.insert(module.operand(inst, 2).word);
  return ids;
}

std::set<std::uint32_t> workgroup_size_ids(const Module& module) {
  std::set<Id> parts;
  for (const InstRef inst : module.annotations)
    if (module[inst].op == spv::Op::OpDecorate && module[inst].operand_count == 3 &&
        module.operand(inst, 2).word == static_cast<std::uint32_t>(spv::BuiltIn::WorkgroupSize) &&
        static_cast<spv::Decoration>(module.operand(inst, 1).word) == spv::Decoration::BuiltIn)
      parts.insert(module.operand(inst, 0).word);
  for (auto inst = module.types.rbegin(); inst != module.types.rend(); ++inst)  // what is made of constants comes first
    if (parts.contains(module[*inst].result))
      for (const Operand& operand : module.operands(*inst))
        if (operand.is_id) parts.insert(operand.word);
  std::set<std::uint32_t> ids;
  for (const InstRef inst : module.annotations)
    if (is_spec_id(module, inst) && parts.contains(module.operand(inst, 0).word))
      ids.insert(module.operand(inst, 2).word);
  return ids;
}

void declare_unused_spec_constants(Module& module, const Module& unspecialized, const SpecializationValues& values) {
  Globals globals(module);
  const std::set<std::uint32_t> declared_ids = specialization_ids(module);  // other entry points have
  for (const InstRef inst : unspecialized.annotations) {
    if (!is_spec_id(unspecialized, inst)) continue;
    const std::uint32_t spec_id = unspecialized.operand(inst, 2).word;
    if (values.count(spec_id) == 0 || declared_ids.count(spec_id) != 0) continue;
    const Id target = unspecialized.operand(inst, 0).word;
    const InstRef constant = unspecialized.def(target), type = unspecialized.def(unspecialized[constant].type);
    Id own_type = globals.bool_type();
    if (unspecialized[type].op == spv::Op::OpTypeInt)
      own_type = globals.int_type(unspecialized.operand(type, 0).word, unspecialized.operand(type, 1).word != 0);
    else if (unspecialized[type].op == spv::Op::OpTypeFloat)
      own_type = globals.float_type(unspecialized.operand(type, 0).word);
    const auto operands = unspecialized.operands(constant);
    const Id declared = module.new_id();
    module.types.push_back(module.create(unspecialized[constant].op, own_type, declared,
                                         std::vector<Operand>(operands.begin(), operands.end())));
    decorate(module, declared, spv::Decoration::SpecId, spec_id);
  }
  for (const InstRef capability : unspecialized.capabilities) {  // of types that the module has no other value of
    const auto kind = static_cast<spv::Capability>(unspecialized.operand(capability, 0).word);
    const bool is_of_type = kind == spv::Capability::Int8 || kind == spv::Capability::Int16 ||
                            kind == spv::Capability::Int64 || kind == spv::Capability::Float16 ||
                            kind == spv::Capability::Float64;
    if (is_of_type && !module.has_capability(kind))
      module.capabilities.push_back(
          module.create(spv::Op::OpCapability, 0, 0, {lit(static_cast<std::uint32_t>(kind))}));
  }
}

Result<void> specialize(Module& module, const SpecializationValues& values, const std::string& file) {
  const Result<bool> changed = Specializer(module, values, file).run();
  if (!changed) return changed.error();
  if (!*changed) return {};
  fold_spec_constants(module);
  return {};
}

Result<SpecializedWords> specialize(const std::vector<std::uint32_t>& words, const SpecializationValues& values,
                                    const std::string& file) {
  if (values.empty()) return SpecializedWords();
  Result<Module> module = read_module(words, file);
  if (!module) return module.error();
  const std::set<std::uint32_t> declared = specialization_ids(*module);
  if (const Result<void> given = specialize(*module, values, file); !given) return given.error();
  SpecializedWords result;
  for (const auto& [id, value] : values)
    if (declared.count(id) != 0) result.values.emplace(id, value);
  if (!result.values.empty()) result.words = write_module(*module);
  return result;
}

}  // namespace varylink::spirv
