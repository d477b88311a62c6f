// Files as the rest of Varylink sees them: names in UTF-8, of any length, replaced at once or not at all.
#include "platform/file_system.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <thread>

#include "platform/output_file.h"
#include "platform/path.h"
#include "support/catch.h"

namespace varylink::platform {
namespace {

// A folder that is gone, with what is in it, when the object is.
class Scratch {
 public:
  ~Scratch() { clear(name_); }
  std::string file(const std::string& name) const { return joined(name_, name); }

 private:
  static void clear(const std::string& folder) {
    for (const FileEntry& entry : files_in(folder, true)) (void)remove(entry.name);
    (void)remove(folder);
  }
  const std::string name_ = make_temporary_folder("varylink-platform-");
};

std::string content(const std::string& name) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(open_for_reading(name), std::fclose);
  if (!file) return "(not there)";
  std::string bytes(1000, '\0');
  bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file.get()));
  return bytes;
}

void write(const std::string& name, const std::string& bytes) {
  OutputFile file;
  REQUIRE(file.make_kept(name) == 0);
  REQUIRE(file.write(bytes) == 0);
  REQUIRE(file.close() == 0);
}

}  // namespace

TEST_CASE("platform: a file is replaced under a name of any script", "[platform]") {
  const Scratch scratch;
  const std::string name = scratch.file("тень 影 ombré.spv"), temporary = scratch.file(".тень-1");
  write(name, "old");
  OutputFile file;
  REQUIRE(file.make_kept(temporary) == 0);
  REQUIRE(file.write("new\r\n") == 0);
  CHECK(content(name) == "old");
  REQUIRE(file.rename(temporary, name) == 0);
  CHECK_FALSE(file.is_open());
  CHECK(content(name) == "new\r\n");
  CHECK(kind_of(temporary) == FileKind::none);
  CHECK(size_of(name) == 5);
  REQUIRE(files_in(joined(folder_of(name), ""), false).size() == 1);
  CHECK(file_part(files_in(folder_of(name), false).front().name) == "тень 影 ombré.spv");
}

TEST_CASE("platform: a file is replaced that another is about to have read", "[platform]") {
  const Scratch scratch;
  const std::string name = scratch.file("a"), temporary = scratch.file("b");
  write(name, "old");
  std::FILE* reader = open_for_reading(name);
  REQUIRE(reader != nullptr);
  OutputFile file;
  REQUIRE(file.make_kept(temporary) == 0);
  REQUIRE(file.write("new") == 0);
  std::thread reading([reader] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    std::fclose(reader);
  });
  const int error = file.rename(temporary, name);
  reading.join();
  CHECK(error == 0);
  CHECK(content(name) == "new");
}

TEST_CASE("platform: a file that a process keeps is not taken for one that was left", "[platform]") {
  const Scratch scratch;
  const std::string name = scratch.file(".a.varylink-1-2");
  OutputFile file;
  REQUIRE(file.make_kept(name) == 0);
  remove_if_abandoned(name);
  CHECK(kind_of(name) == FileKind::regular);
  OutputFile second;
  CHECK(second.make_kept(name) == EEXIST);
  REQUIRE(file.close() == 0);
  remove_if_abandoned(name);
  CHECK(kind_of(name) == FileKind::none);
}

TEST_CASE("platform: names may be longer than 260 characters", "[platform]") {
  const Scratch scratch;
  std::string folder = scratch.file("");
  for (int depth = 0; depth < 4; ++depth) folder = joined(folder, std::string(90, static_cast<char>('a' + depth)));
  REQUIRE(make_folders(folder) == 0);
  CHECK(is_folder(folder));
  const std::string name = joined(folder, "file");
  write(name, "bytes");
  CHECK(content(name) == "bytes");
  CHECK(identity_of(name).has_value());
  CHECK(identity_of(name) == identity_of(joined(folder, "./file")));
  CHECK(real_name(name).ends_with("ddd/file"));
  CHECK(files_in(scratch.file(""), true).size() == 1);
  REQUIRE(remove(name) == 0);
  for (; folder.size() > scratch.file("").size(); folder = folder_of(folder)) CHECK(remove(folder) == 0);
}

TEST_CASE("platform: what is not there has its error", "[platform]") {
  const Scratch scratch;
  CHECK(kind_of(scratch.file("no/file")) == FileKind::none);
  CHECK(kind_of("") == FileKind::none);
  CHECK_FALSE(identity_of(scratch.file("")).has_value());
  CHECK(open_for_reading(scratch.file("file")) == nullptr);
  CHECK(errno == ENOENT);
  OutputFile file;
  CHECK(file.make_kept(scratch.file("no/file")) == ENOENT);
  CHECK(file.open(scratch.file("file"), true) == ENOENT);
  CHECK(make_folder(scratch.file("")) == EEXIST);
}

TEST_CASE("platform: a file without a name holds bytes at any place", "[platform]") {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(make_unnamed_file(), std::fclose);
  REQUIRE(file);
  REQUIRE(std::fputs("a\nb\n", file.get()) >= 0);
  REQUIRE(seek(file.get(), 2));
  char bytes[3] = {};
  CHECK(std::fread(bytes, 1, 2, file.get()) == 2);
  CHECK(std::string(bytes) == "b\n");
  CHECK(seek(file.get(), std::uint64_t{3} << 30));
}

TEST_CASE("platform: a file is empty when it is opened for writing", "[platform]") {
  const Scratch scratch;
  const std::string name = scratch.file("file");
  for (const char* text : {"longer", "short"}) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(open_for_writing(name), std::fclose);
    REQUIRE(file);
    CHECK(size_of(name) == 0);
    REQUIRE(std::fputs(text, file.get()) >= 0);
  }
  CHECK(size_of(name) == 5);
  CHECK(open_for_writing(scratch.file("no/file")) == nullptr);
  CHECK(errno == ENOENT);
}

TEST_CASE("platform: names are taken apart and put together with slashes", "[platform]") {
  CHECK(joined("a/b", "c") == "a/b/c");
  CHECK(joined("a/", "c") == "a/c");
  CHECK(joined("", "c") == "c");
  CHECK(normal("a/./b/../c") == "a/c");
  CHECK(folder_of("a/b/c") == "a/b");
  CHECK(file_part("a/b/c.d") == "c.d");
#ifdef _WIN32
  CHECK(joined("a", "C:\\b") == "C:/b");
  CHECK(with_slashes("a\\b/c") == "a/b/c");
  CHECK(comparable("A\\Ä") == comparable("a/ä"));
  OutputFile file;
  for (const char* name : {"nul", "COM1.txt", "ab:c", "a.", "a ", "a?"}) CHECK(file.make_kept(name) == EINVAL);
#else
  CHECK(joined("a", "/b") == "/b");
  CHECK(with_slashes("a\\b/c") == "a\\b/c");
  CHECK(comparable("A") != comparable("a"));
#endif
}

}  // namespace varylink::platform
