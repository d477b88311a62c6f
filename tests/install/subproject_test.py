"""Varylink as a part of another project, and without its optional parts. Only configured: it is the same code again."""

import pathlib
import tempfile
import unittest

from harness import CC, CMAKE, CXX, SOURCE, run

PROJECT = """cmake_minimum_required(VERSION 3.25)
project(outer LANGUAGES C CXX)
enable_testing()
add_subdirectory("{source}" varylink)
add_executable(link_files "{source}/samples/library/link_files.c")
target_link_libraries(link_files PRIVATE varylink::varylink)
get_target_property(kind varylink::varylink TYPE)
message(STATUS "kind: ${{kind}}")
foreach(name IN ITEMS varylink::varylink_static varylink::varylink_shared varylink::command varylink_core unit_tests)
  if(TARGET ${{name}})
    message(STATUS "target: ${{name}};")
  endif()
endforeach()
if(COMMAND varylink_link_pipeline)
  message(STATUS "function: varylink_link_pipeline")
endif()
file(WRITE "${{CMAKE_BINARY_DIR}}/flags" "${{CMAKE_CXX_FLAGS}} ${{CMAKE_CXX_VISIBILITY_PRESET}} ${{CMAKE_CXX_STANDARD}} ${{CMAKE_BUILD_TYPE}}")
"""


class Subproject(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.scratch = pathlib.Path(scratch.name)
        (self.scratch / "CMakeLists.txt").write_text(PROJECT.format(source=SOURCE))
        self.build = self.scratch / "build"

    def configure(self, *options, source=None):
        return run(CMAKE, "-S", source or self.scratch, "-B", self.build, "-G", "Ninja", f"-DCMAKE_C_COMPILER={CC}",
                   f"-DCMAKE_CXX_COMPILER={CXX}", *options)

    def planned(self, target):
        """The commands that would build the target."""
        return run("ninja", "-C", self.build, "-t", "commands", target)

    def test_targets_without_tests(self):
        said = self.configure()
        self.assertIn("kind: STATIC_LIBRARY", said)
        for name in ("varylink::varylink_static", "varylink::varylink_shared", "varylink::command"):
            self.assertIn(f"target: {name};", said)
        self.assertNotIn("unit_tests", said)
        self.assertIn("function: varylink_link_pipeline", said)
        self.assertIn("Total Tests: 0", run("ctest", "--test-dir", self.build, "-N"))
        self.assertIn("libvarylink.a", self.planned("link_files"))
        self.assertNotIn("src/tools/cli/", self.planned("link_files"), "a program that uses the library builds the command")
        self.assertEqual((self.build / "flags").read_text().strip(), "", "settings leak into the outer project")
        self.assertNotIn("libvarylink", (self.build / "varylink/cmake_install.cmake").read_text(), "we would be installed too")

    def test_project_of_cpp_only(self):
        (self.scratch / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.16)\nproject(outer LANGUAGES CXX)\ninclude(FetchContent)\n"
            f'FetchContent_Declare(varylink SOURCE_DIR "{SOURCE}")\nFetchContent_MakeAvailable(varylink)\n'
            f'add_executable(explain_glsl "{SOURCE}/samples/library/explain_glsl.cpp")\n'
            "target_link_libraries(explain_glsl PRIVATE varylink::varylink)\n")
        self.configure()
        self.assertIn("libvarylink.a", self.planned("explain_glsl"))

    def test_shared(self):
        self.assertIn("kind: SHARED_LIBRARY", self.configure("-DBUILD_SHARED_LIBS=ON"))
        self.assertIn("libvarylink.so", self.planned("link_files"))

    def test_library_only_needs_no_command_line(self):
        said = self.configure("-DVARYLINK_BUILD_COMMAND=OFF", "-DVARYLINK_WITH_VULKAN=OFF", "-DVARYLINK_WITH_GLSLANG=OFF",
                              *(f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in ("CLI11", "Catch2", "glslang")))
        self.assertNotIn("varylink::command", said)
        planned = self.planned("link_files")
        self.assertIn("src/services/frontend/no_glsl.cpp", planned)
        self.assertNotIn("glslang", planned)

    def test_command_without_glslang(self):
        self.configure("-DVARYLINK_WITH_GLSLANG=OFF", "-DVARYLINK_BUILD_TESTS=ON", "-DCMAKE_DISABLE_FIND_PACKAGE_glslang=ON",
                       source=SOURCE)
        planned = self.planned("varylink")
        self.assertIn("src/services/frontend/no_glsl.cpp", planned)
        self.assertNotIn("src/services/frontend/glsl.cpp", planned)
        # The one file that only this build compiles.
        run("ninja", "-C", self.build, "CMakeFiles/varylink_frontend.dir/src/services/frontend/no_glsl.cpp.o")


if __name__ == "__main__":
    unittest.main()
