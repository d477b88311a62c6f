#include "base/printable.h"

#include "support/catch.h"

namespace varylink {
namespace {

TEST_CASE("printable: what a terminal takes as a command is escaped", "[base]") {
  CHECK(printable("plain, größer → ✓ 𝄞") == "plain, größer → ✓ 𝄞");
  CHECK(printable("a\x1b[31mb\a\r\n\t") == "a\\x1b[31mb\\x07\\x0d\\n\\t");
  CHECK(printable(std::string_view("a\0b", 3)) == "a\\x00b");
  CHECK(printable("\x7f\xc2\x9b"
                  "5m") == "\\x7f\\x9b5m");
  CHECK(printable("abc\u202edcba\u2066\u2028\u200f") == "abc\\u202edcba\\u2066\\u2028\\u200f");
}

TEST_CASE("printable: bytes that are no UTF-8 are escaped", "[base]") {
  CHECK(printable("\x9b"
                  "31m\xff") == "\\x9b31m\\xff");
  CHECK(printable("\xc0\x9b \xe0\x80\x9b \xed\xa0\x80 \xf4\x90\x80\x80") ==
        "\\xc0\\x9b \\xe0\\x80\\x9b \\xed\\xa0\\x80 \\xf4\\x90\\x80\\x80");
  CHECK(printable("\xe2\x82") == "\\xe2\\x82");
}

TEST_CASE("printable: line breaks of a text with lines stay", "[base]") {
  CHECK(printable("a\n\tb\x1b\n", LineBreaks::kept) == "a\n\tb\\x1b\n");
}

}  // namespace
}  // namespace varylink
