// The command line before it is parsed: response files, and spellings the option parser does not know.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace varylink::cli {

// The arguments behind the program name, with every "@file" replaced by the words of that file, also inside such files.
// Words are separated by white space; '…' and "…" keep it; a backslash outside '…' takes the next character as it is.
// Arguments behind "--" are files, and get "./" in front of a dash; those of `run` stay as they are. -MD and -MF, which
// have two letters behind one dash, become --MD and --depfile; an option with nothing behind its "=" gets an empty
// argument. Errors: io (a response file that cannot be read), usage (quotes that are not closed, files that include
// each other).
Result<std::vector<std::string>> expand_arguments(const std::vector<std::string>& arguments);

// The files that expand_arguments() has read, in the order in which it did.
const std::vector<std::string>& response_files();

// The words of `text` by the rules above. Error: usage, about `file`.
Result<std::vector<std::string>> split_words(const std::string& text, const std::string& file);

}  // namespace varylink::cli
