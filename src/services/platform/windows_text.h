// Text as Windows takes it. For the files of this room that are built there.
#pragma once

#include <string>
#include <string_view>

namespace varylink::platform {

std::wstring wide(std::string_view utf8);
std::string narrow(std::wstring_view utf16);

// The name for functions of Windows: with "\", and beyond the 260 characters that they take by themselves the absolute
// path behind "\\?\".
std::wstring native(const std::string& name);

// False if a part of the name means something else on Windows than a file of that name: a device (aux, com1.txt), a
// stream (ab:c), or what Windows writes without its end ("a.", "a ").
bool can_name_new_file(const std::string& name);

// The errno value that says the same as GetLastError().
int last_error();

}  // namespace varylink::platform
