// Manifests in the forms that other programs write: docs/formats.md.
#pragma once

#include <optional>
#include <string>

#include "cli/settings/inputs.h"

namespace varylink::cli {

// True if a file on the command line is no shader but describes pipelines: a folder, or a name that ends in .json or
// .foz.
bool looks_like_manifest(const std::string& path);

// The pipelines of a file or folder with pipeline JSON of Vulkan SC, in the order of names, or of a Fossilize database,
// in its order. None if `path` is nothing of the kind. Errors: io; usage, with line and column where the file is text.
std::optional<Result<Collection>> read_other_manifest(const std::string& path);

// The same, or of a manifest. Errors: as above.
Result<Collection> read_any_manifest(const std::string& path);

}  // namespace varylink::cli
