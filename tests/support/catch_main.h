// What a test program does besides running tests.
#pragma once

namespace varylink::test {

// Gets the arguments of main(). True if that was all there was to do.
using OtherMain = bool (*)(int, char**);

// None unless a test program sets it, which it does before main() runs.
OtherMain& other_main();

}  // namespace varylink::test
