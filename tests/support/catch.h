// Catch2 of either major version. Tests include this instead of a Catch2 header; main() comes with the library
// varylink_test_support.
#pragma once

#if VARYLINK_CATCH2_MAJOR >= 3
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif
