// Contexts: varylink_context_*.
#include "api/guard.h"
#include "api/handles.h"
#include "api/sized_struct.h"

varylink_status varylink_context_create(const varylink_context_info* info, varylink_context** context) {
  if (context == nullptr) return VARYLINK_ERROR_INVALID_ARGUMENT;
  *context = nullptr;
  varylink_context_info known = {};
  if (info != nullptr && !varylink::api::read_sized(*info, known)) return VARYLINK_ERROR_INVALID_ARGUMENT;
  *context = new (std::nothrow) varylink_context;
  if (*context == nullptr) return VARYLINK_ERROR_OUT_OF_MEMORY;
  (*context)->message = known.message;
  (*context)->message_user = known.message_user;
  return VARYLINK_SUCCESS;
}

void varylink_context_destroy(varylink_context* context) { delete context; }

const char* varylink_context_error(const varylink_context* context) {
  return context == nullptr ? "" : context->error.c_str();
}
