// Names of files. Everywhere in Varylink they are UTF-8 with "/" between folders, on Windows too; only this room
// converts them to the system's form.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace varylink::platform {

// For composing and decomposing names. Ask the system through file_system.h, which knows long paths.
std::filesystem::path path_of(std::string_view name);
std::string name_of(const std::filesystem::path& path);

// "folder/file", and `file` alone if it is absolute or there is no folder.
std::string joined(const std::string& folder, const std::string& file);
// The path from `folder` to `name`, as far as the text tells.
std::string name_seen_from(const std::string& folder, const std::string& name);
// Without "." and "..", as far as the text tells.
std::string normal(const std::string& name);
// The folder that a file stands in, "" for one without.
std::string folder_of(const std::string& name);
// "c.d" of "a/b/c.d".
std::string file_part(const std::string& name);

// As results and messages write a name that a user gave: on Windows with "/" for "\".
std::string with_slashes(std::string name);
// Equal for two names that this system takes for the same file: on Windows upper and lower case are.
std::string comparable(const std::string& name);

}  // namespace varylink::platform
