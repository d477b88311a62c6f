// Instructions of SPIR-V that is newer than this build.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Their opcodes are marked above all that SPIR-V has (16 bits), so that nothing takes them for known opcodes: they are
// opaque (operations.h) even where the opcode is known and one of its operands is not. They are not copied, moved or
// removed, but with the function or the block that nothing reaches any more (rule ).
inline constexpr std::uint32_t kForeignMark = 0x10000u;

inline bool is_foreign(spv::Op op) { return static_cast<std::uint32_t>(op) >= kForeignMark; }
inline std::uint32_t opcode_in_words(spv::Op op) { return static_cast<std::uint32_t>(op) & (kForeignMark - 1); }

bool has_foreign(const Module& module);
bool has_foreign(const Module& module, const Function& function);
bool has_foreign(const Module& module, const Block& block);

// The ids that annotations which are not known name first: those that they are about.
std::set<Id> foreign_decorated(const Module& module);
// `type` and the types that it is made of, those that pointers lead to included.
std::set<Id> types_within(const Module& module, Id type);

// Gives foreign instructions their words back. Nothing tells which of these are ids and which are literals: a word that
// is the id of something counts as a use of it, so that it stays. Where a pass has put another id in its place, the old
// id is made a copy of the new one and the word becomes the old id, which is right in both readings. `original` is the
// module that `module` was copied from and changed. Returns why that cannot be done, empty if it has been.
std::string restore_foreign(Module& module, const Module& original);

}  // namespace varylink::spirv
