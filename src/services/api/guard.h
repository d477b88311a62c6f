// Surrounds the body of a function of the C interface: nothing is thrown through it, and its error has a reason.
#pragma once

#include <exception>
#include <new>

#include "api/handles.h"
#include "base/result.h"

namespace varylink::api {

// Runs `body`, which returns a Result of a status; an error in it is a mistake of the caller. `context` gets the
// reason.
template <typename Body>
varylink_status guarded(varylink_context& context, Body body) noexcept {
  try {
    context.error.clear();
    const Result<varylink_status> status = body();
    if (status) return *status;
    context.error = status.error().message;
    return VARYLINK_ERROR_INVALID_ARGUMENT;
  } catch (const std::bad_alloc&) {
    context.error = "out of memory";  // short enough to need none
    return VARYLINK_ERROR_OUT_OF_MEMORY;
  } catch (const std::exception& error) {
    context.error = "internal error";  // stays if the longer text finds no memory
    try {
      context.error += std::string(": ") + error.what();
    } catch (...) {
    }
  } catch (...) {
    context.error = "internal error";
  }
  return VARYLINK_ERROR_INTERNAL;
}

}  // namespace varylink::api
