#include "link/model/properties.h"

namespace varylink::link {

std::string_view name_of(Property property) {
  switch (property) {
    case Property::volatile_explicit: return "volatile-explicit";
    case Property::no_initializers: return "no-initializers";
    case Property::calls_inlined: return "calls-inlined";
    case Property::locals_in_ssa: return "locals-in-ssa";
    case Property::io_scalarized: return "io-scalarized";
    case Property::no_leftovers: return "no-leftovers";
    case Property::no_new_constants: return "no-new-constants";
  }
  return {};
}

}  // namespace varylink::link
