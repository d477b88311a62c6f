#include "base/message.h"

#include "base/diagnostic.h"
#include "support/catch.h"

namespace varylink {
namespace {

const std::vector<std::string> kNames = {"a.vert", "b.frag"};

Diagnostic mismatch() {
  Diagnostic error = make_error(ErrorKind::interface_mismatch, FileRef::of_module(1),
                                std::string("it is read, but ") + FileRef::of_module(0) + " never writes it, nor " +
                                    FileRef("c.geom") + " or " + FileRef::of_module(0));
  error.place = {"/src/b.frag", 4};
  error.other_place = {"a.vert", 7};
  return error;
}

TEST_CASE("a message gets the names of its files when they are known", "[message]") {
  Diagnostic error = mismatch();
  name_files(error, kNames);
  const std::string text =
      "b.frag:4: error: it is read, but a.vert never writes it, nor c.geom or a.vert (see a.vert:7)";
  CHECK(render(error) == text);
  name_files(error, {"other", "names"});
  CHECK(render(error) == text);
}

TEST_CASE("a place in another file than the one that is named is told in words", "[message]") {
  Diagnostic error = mismatch();
  name_files(error, {"a.spv", "b.spv"});
  CHECK(error.line == 0);
  CHECK(error.message == "it is read, but a.spv never writes it, nor c.geom or a.spv (see b.frag:4, a.vert:7)");
}

TEST_CASE("what looks like a mark in a name is text", "[message]") {
  Diagnostic error = make_warning(FileRef::of_module(0),
                                  "input '\x01"
                                  "1\x01' of " +
                                      Message(FileRef::of_module(1)));
  name_files(error, kNames);
  CHECK(error.file == "a.vert");
  CHECK(error.message ==
        "input '\x01"
        "1\x01' of b.frag");
}

}  // namespace
}  // namespace varylink
