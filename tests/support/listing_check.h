// Checks on a text that a blessing never rewrites: what must be there, in which order, and what must not.
#pragma once

#include <string>

namespace varylink::test {

// Each line of `checks` is one of
//   text            occurs in `listing`, in a line behind the one where the previous such check was found
//   NOT: text       occurs nowhere in `listing`
//   COUNT n: text   occurs in exactly n lines of `listing`
// Runs of blanks count as one blank on both sides. Blank lines of `checks` say nothing.
// Returns an empty text if all hold, else one sentence for each that does not.
std::string failed_checks(const std::string& listing, const std::string& checks);

}  // namespace varylink::test
