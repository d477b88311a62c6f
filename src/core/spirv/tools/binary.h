// Words <-> Module.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "spirv/ir/module.h"

namespace varylink::spirv {

// Reads a SPIR-V binary in either byte order (the module comes out in the host's). `file` is only used in the error.
// Ids are those of the words unless most below the bound name nothing (Ids::dense).
// Errors: ErrorKind::invalid_spirv for anything that is not a complete, known SPIR-V instruction stream, including
// opcodes that the installed SPIRV-Tools does not know; newer_features() tells whether it is newer or damaged. A module
// that reads need not be valid: see validate().
Result<Module> read_module(std::span<const std::uint32_t> words, const FileRef& file);

// The same of words that the validator has accepted, in less time (table_reader.h).
Result<Module> read_valid_module(std::span<const std::uint32_t> words, const FileRef& file);

// The words of the module, header included. Killed instructions are left out.
std::vector<std::uint32_t> write_module(const Module& module);

// Bytes of a file -> words in host byte order. Errors if the size is not a multiple of four, the file is too short, or
// the magic number is neither byte order of SPIR-V's.
Result<std::vector<std::uint32_t>> words_from_bytes(std::span<const char> bytes, const FileRef& file);

}  // namespace varylink::spirv
