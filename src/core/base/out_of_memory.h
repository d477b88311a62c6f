// Running out of memory: the pipeline that asked for it fails, and the others go on with the memory that it gives back.
#pragma once

#include "base/diagnostic.h"

namespace varylink {

// Where std::bad_alloc is caught by nobody, or cannot even be thrown, the process ends with a message and the exit
// status of out_of_memory(). To be called before anything else, also before static objects are made.
void say_when_out_of_memory();

// The error of kind io.
Diagnostic out_of_memory();

}  // namespace varylink
