"""The zip that cpack makes of a build for Windows: what is in it, and that a program finds the library in it and runs.

The environment names the build (VARYLINK_BUILD), this checkout (VARYLINK_SOURCE), CMAKE, and what runs programs
(EMULATOR). Prints the list of contents.
"""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest
import zipfile

BUILD, SOURCE = (pathlib.Path(os.environ[name]) for name in ("VARYLINK_BUILD", "VARYLINK_SOURCE"))
WANTED = {
    "bin/varylink.exe", "bin/libvarylink.dll", "lib/libvarylink.dll.a", "lib/libvarylink_static.a",
    "include/varylink/varylink.h", "include/varylink/varylink.hpp",
    "lib/cmake/varylink/varylink-config.cmake", "lib/cmake/varylink/varylink-config-version.cmake",
    "lib/cmake/varylink/varylink-shared.cmake", "lib/cmake/varylink/varylink-static.cmake",
    "lib/cmake/varylink/varylink-command.cmake", "lib/cmake/varylink/varylink_link_pipeline.cmake",
    "lib/pkgconfig/varylink.pc", "share/doc/varylink/README.md", "share/doc/varylink/docs/limits.md",
}
PLACES = re.compile(r"bin/varylink\.exe|bin/libvarylink\.dll|lib/(libvarylink\w*(\.dll)?\.a|cmake/varylink/[\w-]+\.cmake|"
                    r"pkgconfig/varylink\.pc)|include/varylink/varylink\.hp?p?|share/.+")
PROJECT = """cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES C CXX)
set(CMAKE_CXX_STANDARD 20)
find_package(varylink CONFIG REQUIRED COMPONENTS shared)
add_executable(link_files "{samples}/library/link_files.c")
add_executable(explain_glsl "{samples}/library/explain_glsl.cpp")
foreach(program IN ITEMS link_files explain_glsl)
  target_link_libraries(${{program}} PRIVATE varylink::varylink_shared)
endforeach()
"""


def run(*arguments, status=0, **options):
    completed = subprocess.run([str(each) for each in arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=240,
                               encoding="utf-8", errors="replace", check=False, **options)
    if completed.returncode != status:
        raise AssertionError(f"{arguments}: status {completed.returncode}\n{completed.stdout}")
    return completed.stdout


class Zip(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.scratch = pathlib.Path(scratch.name)
        cpack = pathlib.Path(os.environ["CMAKE"]).with_name("cpack")
        run(cpack, "-G", "ZIP", "-B", cls.scratch, "--config", BUILD / "CPackConfig.cmake", cwd=BUILD)
        archive = next(cls.scratch.glob("varylink-*.zip"))
        with zipfile.ZipFile(archive) as package:
            cls.files = sorted(name for name in package.namelist() if not name.endswith("/"))
            package.extractall(cls.scratch)
        cls.top = cls.files[0].split("/")[0]
        cls.prefix = cls.scratch / cls.top
        print(archive.name, *cls.files, sep="\n  ")

    def names(self):
        return {name.removeprefix(self.top + "/") for name in self.files}

    def test_contents(self):
        self.assertEqual(WANTED - self.names(), set())
        self.assertEqual([name for name in self.names() if not PLACES.fullmatch(name)], [])

    def test_nothing_names_the_machine_that_made_it(self):
        for path in (path for path in self.prefix.rglob("*") if path.suffix in (".cmake", ".pc")):
            text = path.read_text(encoding="utf-8")
            for folder in (BUILD, SOURCE, BUILD.parent):
                self.assertNotIn(str(folder), text, path)

    def test_needs_no_dll_that_windows_lacks(self):
        for name in ("bin/varylink.exe", "bin/libvarylink.dll"):
            imported = re.findall(r"DLL Name: (\S+)", run("x86_64-w64-mingw32-objdump", "-p", self.prefix / name))
            self.assertGreater(len(imported), 0)
            self.assertEqual([dll for dll in imported if dll.lower() not in ("kernel32.dll", "msvcrt.dll", "user32.dll", "shell32.dll",
                                                                          "advapi32.dll")], [])

    def test_library_shows_the_functions_of_the_header_and_nothing_else(self):
        header = (self.prefix / "include/varylink/varylink.h").read_text()
        declared = sorted(re.findall(r"^VARYLINK_API [^(;]*?(\w+)\(", header, re.MULTILINE))
        exports = run("x86_64-w64-mingw32-objdump", "-p", self.prefix / "bin/libvarylink.dll").split("[Ordinal/Name Pointer] Table")[1]
        exports = exports.strip().split("\n\n")[0]
        self.assertEqual(sorted(re.findall(r"^\s*\[ *\d+\].* (\w+)$", exports, re.MULTILINE)), declared)
        self.assertGreater(len(declared), 20)

    def test_command_runs(self):
        self.assertRegex(run(os.environ["EMULATOR"], self.prefix / "bin/varylink.exe", "--version"), r"^varylink \d")

    def test_programs_find_and_use_the_library(self):
        project, build = self.scratch / "project", self.scratch / "build"
        project.mkdir()
        (project / "CMakeLists.txt").write_text(PROJECT.format(samples=SOURCE / "samples"))
        run(os.environ["CMAKE"], "-S", project, "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={self.prefix}",
            f"-DCMAKE_TOOLCHAIN_FILE={SOURCE}/tools/windows/toolchain.cmake")
        run(os.environ["CMAKE"], "--build", build)
        (build / "libvarylink.dll").write_bytes((self.prefix / "bin/libvarylink.dll").read_bytes())
        said = run(os.environ["EMULATOR"], build / "explain_glsl.exe")
        self.assertIn("components: 6 before, 3 after", said)
        for stage in ("vert", "frag"):
            self.assertIn("not SPIR-V", run(os.environ["EMULATOR"], build / "link_files.exe", SOURCE / f"samples/shaders/quick.{stage}",
                                            status=1))


if __name__ == "__main__":
    unittest.main()
