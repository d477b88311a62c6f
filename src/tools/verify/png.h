// Pictures of the frames, for people to look at.
#pragma once

#include <string>
#include <vector>

#include "verify/frame.h"

namespace varylink::verify {

// An error (ErrorKind::usage) where libpng is not there.
Result<void> can_write_pictures();

// Writes FOLDER/NAME-<target>-{original,linked,difference}.png for every plane: values are scaled so that the range of
// the original fills 0 to 255; in the difference picture anything that is not black differs. Creates the folder.
// Returns the files written; those that could not be written are left out.
std::vector<std::string> write_picture_set(const Frame& original, const Frame& linked, const std::string& folder,
                                           const std::string& name);

}  // namespace varylink::verify
