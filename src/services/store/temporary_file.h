// Files that are written beside their place and renamed, so that readers see all of them or nothing.
#pragma once

#include <string>

#include "base/result.h"
#include "platform/output_file.h"

namespace varylink::store {

// Temporary files begin with a dot and the name of the file that they become. The process that makes one keeps it:
// others know of a file that nobody keeps that its process died.

// Makes one beside `target`, and says in `name` what it is called. Returns 0 or an errno value.
int make_temporary(const std::string& target, platform::OutputFile& file, std::string& name);

// Removes what processes that died have left in a folder; once per folder and process.
void clear_abandoned(const std::string& folder);

// Writes a file in a folder that is made if need be. No symbolic link is followed, neither at the file nor at its
// folder; anything in the file's place is replaced. A file that holds these bytes is left alone. Error (io): the file
// is as it was.
Result<void> replace_file(const std::string& path, const std::string& bytes);

}  // namespace varylink::store
