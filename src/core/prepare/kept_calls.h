// Functions that stay functions, because no value that linking looks at goes through them (rule ).
#pragma once

#include "link/model/linked_stage.h"

namespace varylink::prepare {

// Before calls are inlined: functions of a fragment stage that return early, compute from their parameters and uniforms
// alone, and do nothing else. They are marked as not to be inlined, and listed in stage.kept_functions.
void keep_functions(link::LinkedStage& stage);

// Once all else is inlined and locals are values: unmarks those of which an argument says something about varyings.
// True if there are any.
bool give_up_functions(link::LinkedStage& stage);

// Takes the marks away.
void unmark_functions(link::LinkedStage& stage);

}  // namespace varylink::prepare
