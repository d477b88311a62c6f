// main() of every test program, compiled once: with Catch2 2 this file takes longer than all tests together.
#if VARYLINK_CATCH2_MAJOR < 3
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#else
#include <catch2/catch_session.hpp>

int main(int argc, char** argv) { return Catch::Session().run(argc, argv); }
#endif
