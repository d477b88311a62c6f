// The process and how it was started.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace varylink::platform {

// Unlike that of any other process that runs.
std::uint64_t process_id();

// The words of the command line in UTF-8, without the name of the program; `count` and `values` as main() gets them.
std::vector<std::string> command_line(int count, char** values);

// Standard streams carry bytes as they are; what a console shows is UTF-8.
void prepare_standard_streams();

// Sets a variable of the environment that is not set.
void set_default(const char* variable, const char* value);

}  // namespace varylink::platform
