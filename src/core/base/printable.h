// Text for people, of which parts come from files: names in modules, names of pipelines, paths, messages of compilers.
#pragma once

#include <string>
#include <string_view>

namespace varylink {

enum class LineBreaks { escaped, kept };

// The text with everything escaped that a terminal takes as a command, or that shows it in another order than it has:
// control characters (C0, DEL, C1), Unicode's marks and overrides of direction, line and paragraph separators, and
// bytes that are no UTF-8. They become \n, \t, \x1b or \u202e. Kept line breaks come with tabs.
std::string printable(std::string_view text, LineBreaks breaks = LineBreaks::escaped);

}  // namespace varylink
