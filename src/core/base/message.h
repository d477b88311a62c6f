// Sentences that name files of a pipeline before the files have names.
//
// Linking knows modules by their position in a group, so that results can be kept and used again for equal modules of
// other names. link/model/name_files.h puts the names in.
#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace varylink {

// A file that a message is about: its name as the user wrote it, or a module by its position in the group.
class FileRef {
 public:
  FileRef() = default;
  FileRef(std::string name) : name_(std::move(name)) {}
  FileRef(const char* name) : name_(name) {}
  static FileRef of_module(std::size_t position);

  const std::string& name() const { return name_; }  // empty for a module
  std::optional<std::size_t> module() const { return module_; }

  friend bool operator==(const FileRef&, const FileRef&) = default;
  friend auto operator<=>(const FileRef&, const FileRef&) = default;

 private:
  std::string name_;
  std::optional<std::size_t> module_;
};

// The name of the module's file belongs in front of the byte `at` of a text.
struct FileMention {
  std::size_t at = 0;
  std::size_t module = 0;
};
using FileMentions = std::vector<FileMention>;  // in the order of `at`

// A text and the modules that it names. Put together with +, as strings are.
struct Message {
  Message(std::string words) : text(std::move(words)) {}
  Message(const char* words) : text(words) {}
  Message(const FileRef& file);

  std::string text;
  FileMentions mentions;
};

Message operator+(Message first, const Message& second);

// Puts names into the text, given by position in the group, and forgets the mentions.
void name_files(std::string& text, FileMentions& mentions, const std::vector<std::string>& names);

}  // namespace varylink
