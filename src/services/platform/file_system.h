// Queries and changes of the file system. Names are as path.h says; errors are errno values, 0 for none.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace varylink::platform {

// Whether a symbolic link (on Windows: a reparse point) is followed, or is itself the subject.
enum class Links { followed, seen };

// The kind of file behind a name. A pipe, a device or a link that is not followed is `other`.
enum class FileKind { none, regular, folder, other };
FileKind kind_of(const std::string& name, Links links = Links::followed);
inline bool is_folder(const std::string& name) { return kind_of(name) == FileKind::folder; }

// Equal exactly for names of one file, while the file exists. None unless it is a regular file.
using FileIdentity = std::pair<std::uint64_t, std::uint64_t>;
std::optional<FileIdentity> identity_of(const std::string& name);

// None if the file does not exist.
std::optional<std::uint64_t> size_of(const std::string& name);

// The file behind symbolic links; the name itself where that cannot be told.
std::string real_name(const std::string& name);

// For reading bytes, while others may rename and remove the file; null and errno on failure, also of a link that is not
// to be followed. The caller closes it.
std::FILE* open_for_reading(const std::string& name, Links links = Links::followed);
// The same for writing bytes into a file that is empty then; others may read it meanwhile. Pipes and devices, too.
std::FILE* open_for_writing(const std::string& name);

// The parent has to be there. EEXIST if the name is taken.
int make_folder(const std::string& name);
int make_folders(const std::string& name);
// Removes a file, or a folder that is empty.
int remove(const std::string& name);
// Sets the time of the last change to now; of a link itself, not of its target.
void touch(const std::string& name);
// The folder belongs to another user (who is not the administrator), or every user may write to it. False if it is not
// there, and on Windows, where a folder has no such bits.
bool is_open_to_others(const std::string& folder);

struct FileEntry {
  std::string name;  // with the folder that was listed in front
  std::chrono::system_clock::time_point changed;
  std::uint64_t size = 0;
};
// The regular files in a folder in no particular order; with `recursive` also those below it. Unreadable ones are left
// out.
std::vector<FileEntry> files_in(const std::string& folder, bool recursive);

// A new folder that only this process knows, among the temporary ones; empty if there is none to be had.
std::string make_temporary_folder(const std::string& prefix);
// A file without a name among the temporary ones, for reading and writing bytes, which is gone when the process is,
// however that ends. Null if there is none to be had. The caller closes it.
std::FILE* make_unnamed_file();
// Moves to a place that may lie beyond 2 GiB.
bool seek(std::FILE* file, std::uint64_t offset);

}  // namespace varylink::platform
