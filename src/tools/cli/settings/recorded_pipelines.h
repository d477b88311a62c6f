// Fossilize databases as pipelines to link.
#pragma once

#include <string>
#include <vector>

#include "cli/settings/inputs.h"

namespace varylink::cli {

// The pipelines of a database, under their hashes and in its order. Its store is a database of the same name.
// Errors: io; usage, a file that is no database. Damaged pipelines are in the list of those that are not linked.
Result<Collection> read_recording(const std::string& path);

// The pipelines of the database `linked`, which was made of `original`, in the order of `pipelines` of that one. To
// read a result that cannot be told from others is an error. Errors: io; usage, a file that is no database.
Result<std::vector<PipelineSource>> linked_recording(const std::vector<PipelineSource>& pipelines,
                                                     const std::string& original, const std::string& linked);

}  // namespace varylink::cli
