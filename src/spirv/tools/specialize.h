// Specialization constants that have got their value before linking.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/result.h"
#include "spirv/ir/module.h"

namespace varylink::spirv {

// SpecId -> value as text: true or false (also 1 and 0, for constants that are bool), an integer (decimal, or 0x and
// hexadecimal digits), or a decimal fraction.
using SpecializationValues = std::map<std::uint32_t, std::string>;

// "7=0.5"; none if it is not that.
std::optional<std::pair<std::uint32_t, std::string>> parse_specialization(const std::string& text);

// The ids (SpecId) of the specialization constants that the module declares.
std::set<std::uint32_t> specialization_ids(const Module& module);

// Makes the specialization constants with these ids constants of these values; ids that the module does not have mean
// nothing to it. What is computed from them alone is folded.
// Error: usage, if a text is no value of the constant's type. `file` is what the message names.
Result<void> specialize(Module& module, const SpecializationValues& values, const std::string& file);

// Declares the specialization constants with these ids that `unspecialized` has, once more and without a use, with
// their defaults.
void declare_unused_spec_constants(Module& module, const Module& unspecialized, const SpecializationValues& values);

}  // namespace varylink::spirv
