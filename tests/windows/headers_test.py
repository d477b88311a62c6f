"""The public headers as clang reads them for Windows: for MinGW-w64, whose headers are here, and, with the rules and
keywords of Visual Studio's compiler, as clang-cl does. That one's own headers cannot be had here, so that stand-ins for what
the public headers include take their place.

The environment names this checkout (VARYLINK_SOURCE). Skips itself without clang.
"""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

INCLUDE = pathlib.Path(os.environ["VARYLINK_SOURCE"]) / "include"
WARNINGS = ["-Wall", "-Wextra", "-pedantic", "-Wshadow", "-Wconversion", "-Werror"]
STAND_INS = {
    "stddef.h": "typedef unsigned long long size_t;\n#define NULL 0\n",
    "stdint.h": "typedef signed int int32_t; typedef unsigned char uint8_t; typedef unsigned int uint32_t;\n"
                "typedef unsigned long long uint64_t; typedef long long int64_t;\n",
}


@unittest.skipUnless(shutil.which("clang"), "clang is not installed")
class Headers(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.dir = pathlib.Path(scratch.name)

    def compile(self, header, *options, language="c", text=""):
        source = self.dir / f"source.{language}"
        source.write_text(f"#include <varylink/{header}>\n#include <varylink/{header}>\n{text}\nint main(void) {{ return 0; }}\n")
        done = subprocess.run(["clang", *options, f"-I{INCLUDE}", "-fsyntax-only", source], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def test_for_mingw(self):
        for shared in ([], ["-DVARYLINK_SHARED"]):
            for header, language, standard in (("varylink.h", "c", "c11"), ("varylink.h", "cpp", "c++11")):
                with self.subTest(language=language, shared=shared):
                    self.compile(header, "--target=x86_64-w64-windows-gnu", f"-std={standard}", *WARNINGS, *shared, language=language)

    def test_cpp_header_for_mingw(self):
        folders = subprocess.run(["x86_64-w64-mingw32-g++-posix", "-E", "-x", "c++", "-v", "/dev/null"], capture_output=True, text=True,
                                 check=True).stderr.split("search starts here:")[-1].split("End of search")[0].split()
        system = [option for folder in folders if "c++" in folder for option in ("-isystem", folder)]
        self.compile("varylink.hpp", "--target=x86_64-w64-windows-gnu", "-std=c++20", *WARNINGS, *system, language="cpp")

    def test_as_visual_studio_reads_it(self):
        for name, text in STAND_INS.items():
            (self.dir / name).write_text("#pragma once\n" + text)
        options = ["--target=x86_64-pc-windows-msvc", "-fms-extensions", "-fms-compatibility", "-nostdinc", f"-isystem{self.dir}"]
        for language, standard in (("c", "c11"), ("cpp", "c++14")):
            for shared in ([], ["-DVARYLINK_SHARED"], ["-DVARYLINK_BUILDING_SHARED"]):
                with self.subTest(language=language, shared=shared):
                    self.compile("varylink.h", *options, f"-std={standard}", *WARNINGS, *shared, language=language)

    def test_a_function_of_the_dll_is_imported(self):
        """Without the attribute calls go through a stub, and data would be wrong."""
        source = self.dir / "call.c"
        source.write_text("#include <varylink/varylink.h>\nunsigned f(void) { return (unsigned)varylink_version(); }\n")
        for options, symbol in ((["-DVARYLINK_SHARED"], "dllimport"), (["-DVARYLINK_BUILDING_SHARED"], "dllexport")):
            said = subprocess.run(["clang", "--target=x86_64-w64-windows-gnu", *options, f"-I{INCLUDE}", "-Xclang", "-ast-dump",
                                   "-fsyntax-only", source], capture_output=True, text=True, check=True).stdout
            self.assertIn("DLLImportAttr" if symbol == "dllimport" else "DLLExportAttr", said)


if __name__ == "__main__":
    unittest.main()
