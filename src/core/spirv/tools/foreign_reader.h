// Modules that are newer than the installed SPIRV-Tools, with unknown instructions as foreign ones.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/result.h"
#include "spirv/ir/module.h"
#include "spirv/tools/tools.h"

namespace varylink::spirv {

// As read_module(). A newer module is read as well, unless an unknown instruction may change the meaning of the rest:
// one that ends blocks or names labels, decorates a varying or a type, is an execution mode that has a say in more than
// addresses, or names a function. Such a module, one with several entry points, and one with a bound that is much too
// large get the error of read_module().
Result<Module> read_with_foreign(std::span<const std::uint32_t> words, const FileRef& file);

// The module without its foreign instructions and without code that depends on them, for a validator that does not know
// them: a value that does is undefined. None if a call, a returned value or a branch depends on them.
std::optional<Module> without_foreign(Module module);

// validate(), which of a module with foreign instructions gets without_foreign(). `words` are those of the module.
Result<Diagnostics> validate_known(const Module& module, std::span<const std::uint32_t> words,
                                   const ValidatorOptions& options, const FileRef& file, const WordsOfStage& own = {});

}  // namespace varylink::spirv
