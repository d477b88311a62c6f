// A witness that two terms differ: numbers for the outside inputs, for which they have different values.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "prove/terms/term.h"

namespace varylink::prove {

// None if no witness was found, which says nothing. Only terms are tried that are made of attributes, built-ins,
// buffers and specialization constants by arithmetic and choices alone: of textures and functions it is not known which
// values they can take at once. `seen`: the condition under which the outside sees the original's value.
// `has_any_value`: asked of such inputs.
std::optional<std::string> refute(Terms& terms, Term original, Term linked, Term seen,
                                  const std::function<bool(Term)>& has_any_value);

}  // namespace varylink::prove
