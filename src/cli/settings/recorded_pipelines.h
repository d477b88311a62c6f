// Fossilize databases as pipelines to link.
#pragma once

#include <string>

#include "cli/settings/inputs.h"

namespace varylink::cli {

// The pipelines of a database, under their hashes and in its order. Its store is a database of the same name.
// Errors: io; usage, a file that is no database. Damaged pipelines are in the list of those that are not linked.
Result<Collection> read_recording(const std::string& path);

}  // namespace varylink::cli
