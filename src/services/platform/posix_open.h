// Code shared by the POSIX sources that open files.
#pragma once

#include <sys/types.h>

#include <string>

namespace varylink::platform {

// ::open with O_CLOEXEC, for a descriptor above those of the standard streams: where a program has closed these, what
// it goes on saying to them must not get into the file. -1 and errno on failure.
int open_descriptor(const std::string& name, int flags, mode_t mode = 0);

}  // namespace varylink::platform
