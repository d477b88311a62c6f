// Facts about a record: the stores of one invocation of a workgroup, in order, to memory that the workgroup shares
// . The record is a term: "store element"(record before, indices, value), choices between records, "barrier" of
// a record, and the symbol "nothing stored".
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "prove/terms/term.h"

namespace varylink::prove {

// The indices of all stores, each once, in order. None if the record is of another kind.
std::optional<std::vector<std::vector<Term>>> stored_elements(const Terms& terms, Term record);

// The value that the invocation stored last to the element: undefined where it stored none. None if a store may or may
// not be to the element. Throws Unsupported if values of another sort are stored there.
std::optional<Term> stored_value(Terms& terms, Term record, std::span<const Term> indices, Sort sort);

// Where the invocation stores to the element. None as above.
std::optional<Term> stored_condition(Terms& terms, Term record, std::span<const Term> indices);

}  // namespace varylink::prove
