// The process and how it was started.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace varylink::platform {

// Differs from that of every other running process.
std::uint64_t process_id();

// The words of the command line in UTF-8, without the name of the program; `count` and `values` as main() gets them.
std::vector<std::string> command_line(int count, char** values);

// The folder that the file of this program is in, behind links; empty where that cannot be told.
std::string program_folder();

// Makes standard streams carry bytes unchanged; consoles show UTF-8.
void prepare_standard_streams();

// The most bytes of memory that this process gets from now on: as many, or fewer where it was given fewer before. No
// limit under AddressSanitizer, which reserves more. Returns the number that holds.
std::uint64_t limit_memory(std::uint64_t bytes);

// Sets an environment variable unless it is set.
void set_default(const char* variable, const char* value);

}  // namespace varylink::platform
