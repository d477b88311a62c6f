// Specialization constants with given values.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "spirv/ir/module.h"

namespace varylink::spirv {

// SpecId -> value as text: true or false (also 1 and 0, for constants that are bool), an integer (decimal, or 0x and
// hexadecimal digits), or a decimal fraction.
using SpecializationValues = std::map<std::uint32_t, std::string>;

// Parses "7=0.5"; none for other text.
std::optional<std::pair<std::uint32_t, std::string>> parse_specialization(const std::string& text);

// The bits of a value for a constant of this type: a bool (1 or 0), or an integer or float of any width, integers with
// their sign extended to 64 bits. None if the text is no value of it.
std::optional<std::uint64_t> specialization_bits(const Module& module, Id type, const std::string& text);

// The instruction decorates a specialization constant with its SpecId, which is operand 2.
bool is_spec_id(const Module& module, InstRef inst);

// The ids (SpecId) of the specialization constants that the module declares.
std::set<std::uint32_t> specialization_ids(const Module& module);

// Those of them that decide the size of workgroups of all entry points: a module has one (SPIR-V, WorkgroupSize).
std::set<std::uint32_t> workgroup_size_ids(const Module& module);

// Freezes the specialization constants with these ids at these values, and folds expressions over them. Unknown ids are
// ignored. Error: usage, if a text is no value of the constant's type. `file` is the name in the message.
Result<void> specialize(Module& module, const SpecializationValues& values, const std::string& file);

// A module's words with frozen constants, and the values that were used. Without values there are no words: the module
// is unchanged.
struct SpecializedWords {
  std::vector<std::uint32_t> words;
  SpecializationValues values;
};

// specialize() for a module in words. Errors: those of read_module() and specialize().
Result<SpecializedWords> specialize(const std::vector<std::uint32_t>& words, const SpecializationValues& values,
                                    const std::string& file);

// Declares the specialization constants with these ids again, unused and with the defaults of `unspecialized`.
void declare_unused_spec_constants(Module& module, const Module& unspecialized, const SpecializationValues& values);

}  // namespace varylink::spirv
