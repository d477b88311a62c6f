// Which language a file is written in, and for which stage, as far as its name and its first bytes tell.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "spirv/ir/stage.h"

namespace varylink::frontend {

enum class SourceKind { spirv_binary, spirv_assembly, glsl };

// The content decides where it is unmistakable (the magic number in either byte order; text that begins as assembly
// does), the suffix where it is not (an empty .spv). Everything else is taken for GLSL.
SourceKind source_kind(std::string_view path, std::string_view bytes);

// The stage that the file name gives: x.vert, x.vert.glsl, x.vert.spv, x.vert.spvasm.
std::optional<Stage> stage_from_path(std::string_view path);

// Says that the file is no stage of a graphics pipeline, or how to say which one it is. For files without
// stage_from_path().
std::string no_stage_message(std::string_view path);

// The file name without folders and without .glsl, .spv or .spvasm: "a/x.vert.spv" -> "x.vert".
std::string_view base_name(std::string_view path);

}  // namespace varylink::frontend
