// HLSL -> SPIR-V, by the DirectX Shader Compiler where it is on the path. It is no library of Debian's, so that this
// program is run.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "frontend/frontend.h"

namespace varylink::frontend {

// The file is called x.hlsl.
bool is_hlsl(std::string_view path);

// The words of the entry point `entry` (empty: "main") of a file, with -D, -I, -g and the environment of `options`.
// Semantics are kept (UserSemantic). Error (glsl): the compiler is not there, and how to do without it; or its message.
Result<std::vector<std::uint32_t>> compile_hlsl(const std::string& path, Stage stage, const std::string& entry,
                                                const CompileOptions& options);

}  // namespace varylink::frontend
