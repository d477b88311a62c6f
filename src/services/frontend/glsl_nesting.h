// How deeply a compiler may have to recurse for a GLSL text.
#pragma once

#include <cstddef>
#include <string_view>

namespace varylink::frontend {

// The largest number of tokens that one value can be nested under: those of its expression so far, from the last comma,
// semicolon or brace on, and likewise of the expressions around its brackets. Comments and directives do not count, and
// macros are not expanded.
std::size_t deepest_nesting(std::string_view glsl);

}  // namespace varylink::frontend
