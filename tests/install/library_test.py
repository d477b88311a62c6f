"""The installed library: what it shows, and that programs find and use it in each way that docs/library.md names."""

import os
import re
import shlex
import shutil
import unittest

from harness import CC, CXX, SAMPLES, InstallTest, run

WARNINGS = ["-Wall", "-Wextra", "-pedantic", "-Werror"]
LINKED = "vert to frag: 14 components before, 4 after\n"
EXPLAINED = """0.x color.x  moved, now 0.x
0.y color.y  moved, now 0.y
0.z color.z  moved, now 0.z
0.w color.w  dead
1.x scale.x  constant
1.y scale.y  dead
components: 6 before, 3 after
"""
WITHOUT_EXCEPTIONS = """#include <varylink/varylink.hpp>
#include <cstdio>
static int run() {
  varylink::Context context;
  varylink::Pipeline pipeline(context);
  const bool refused = pipeline.add_spirv({}) == VARYLINK_ERROR_INVALID_ARGUMENT;
  const bool explained = *varylink_context_error(context.handle()) != 0;
  const varylink::Outcome outcome = pipeline.link({.passes = {"no-such-pass"}});
  const bool no_result = outcome.status() == VARYLINK_ERROR_INVALID_ARGUMENT && outcome.modules().empty() &&
                         outcome.report().empty() && !outcome;
  std::printf("%d %d %d %d\\n", context.status(), refused, explained, no_result);
  return 0;
}
#ifdef __cpp_exceptions
int main() { try { return run(); } catch (const varylink::Error&) { std::puts("thrown"); } return 0; }
#else
int main() { return run(); }
#endif
"""


class Library(InstallTest):
    def header(self):
        return (self.prefix / "include/varylink/varylink.h").read_text()

    def declared(self):
        return sorted(re.findall(r"^VARYLINK_API [^(;]*?(\w+)\(", self.header(), re.MULTILINE))

    def test_shows_the_functions_of_the_header_and_nothing_else(self):
        symbols = run("nm", "-D", "--defined-only", self.lib / "libvarylink.so").split("\n")
        self.assertEqual(sorted(line.split()[-1] for line in symbols if line), self.declared())
        self.assertGreater(len(self.declared()), 20)

    def test_every_function_has_a_comment(self):
        for name in self.declared():
            with self.subTest(name):
                before = self.header().split(f" {name}(")[0].split(f"*{name}(")[0].rsplit("VARYLINK_API", 1)[0]
                self.assertTrue(before.endswith(("*/\n", ";\n")), "neither a comment nor another function of its group")

    def test_name_of_the_shared_library(self):
        self.assertIn("Library soname: [libvarylink.so.0]", run("readelf", "-d", self.lib / "libvarylink.so"))

    def test_headers_are_clean(self):
        include = f"-I{self.prefix}/include"
        for compiler, standard, header in ((CC, "c11", "varylink.h"), (CXX, "c++11", "varylink.h"), (CXX, "c++20", "varylink.hpp")):
            suffix = "c" if compiler == CC else "cpp"
            source = self.scratch / f"{standard}.{suffix}"
            source.write_text(f"#include <varylink/{header}>\n#include <varylink/{header}>\nint main(void) {{ return 0; }}\n")
            with self.subTest(standard=standard, header=header):
                run(compiler, f"-std={standard}", *WARNINGS, "-Wshadow", "-Wconversion", "-fsyntax-only", include, source)

    def test_header_says_that_it_needs_cpp20(self):
        source = self.scratch / "old.cpp"
        source.write_text("#include <varylink/varylink.hpp>\nint main() {}\n")
        said = run(CXX, "-std=c++17", "-fsyntax-only", f"-I{self.prefix}/include", source, status=1)
        self.assertEqual(said.count("error:"), 1, said)
        self.assertIn("needs C++20", said)

    def test_only_public_files_are_installed(self):
        files = {str(path.relative_to(self.prefix)) for path in self.prefix.rglob("*") if path.is_file()}
        headers = {name for name in files if name.startswith("include/")}
        self.assertEqual(headers, {"include/varylink/varylink.h", "include/varylink/varylink.hpp"})
        for name in (path for path in self.prefix.rglob("*") if path.suffix in (".cmake", ".pc")):
            self.assertNotIn(os.environ["VARYLINK_BUILD"], name.read_text(), f"{name} names the build tree")


@unittest.skipIf("VARYLINK_INSTRUMENTED" in os.environ, "a plain program cannot link a library with sanitizers")
class Programs(InstallTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.modules = cls.scratch / "modules"
        shaders = [SAMPLES / "shaders" / name for name in ("quick.vert", "quick.frag")]
        if not cls.has_glsl():
            return
        run(cls.prefix / "bin/varylink", "link", "-O0", *shaders, "-o", cls.modules)

    @staticmethod
    def has_glsl():
        return "VARYLINK_NO_GLSL" not in os.environ

    def check_programs(self, folder):
        """Both samples do what they should; both have to be in `folder`."""
        if not self.has_glsl():
            self.assertIn("GLSL", run(folder / "explain_glsl", status=1))
            return
        self.assertEqual(run(folder / "explain_glsl"), EXPLAINED)
        here = folder / "modules"
        shutil.copytree(self.modules, here)
        files = sorted(here.iterdir())
        self.assertEqual(run(folder / "link_files", *files), LINKED)
        run(self.prefix / "bin/varylink", "link", *files, "-o", folder / "by-command")
        for path in files:
            self.assertEqual((here / f"{path.name}.linked").read_bytes(), (folder / "by-command" / path.name).read_bytes())
        self.assertIn("not SPIR-V", run(folder / "link_files", SAMPLES / "shaders/quick.vert", status=1))

    def needs_shared(self, program):
        return "[libvarylink.so.0]" in run("readelf", "-d", program)

    def test_cmake(self):
        for shared in ("ON", "OFF"):
            with self.subTest(shared=shared):
                build = self.scratch / f"cmake-{shared}"
                self.configure(SAMPLES / "library", build, f"-DBUILD_SHARED_LIBS={shared}")
                self.build(build)
                self.assertEqual(self.needs_shared(build / "link_files"), shared == "ON")
                self.check_programs(build)

    def test_c_only_project(self):
        """No C++ anywhere in the project: the static library brings its run-time library along."""
        project = self.scratch / "c-only"
        project.mkdir()
        (project / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.16)\nproject(bare LANGUAGES C)\nfind_package(varylink CONFIG REQUIRED)\n"
            f'add_executable(link_files "{SAMPLES}/library/link_files.c")\n'
            "target_link_libraries(link_files PRIVATE varylink::varylink)\n")
        for shared in ("ON", "OFF"):
            with self.subTest(shared=shared):
                build = self.scratch / f"c-only-{shared}"
                self.configure(project, build, f"-DBUILD_SHARED_LIBS={shared}")
                self.build(build)
                self.assertEqual(self.needs_shared(build / "link_files"), shared == "ON")
                self.assertIn("not SPIR-V", run(build / "link_files", SAMPLES / "shaders/quick.vert", status=1))

    def test_without_exceptions(self):
        """Mistakes that are exceptions elsewhere are statuses."""
        (self.scratch / "plain.cpp").write_text(WITHOUT_EXCEPTIONS)
        for options, said in ((["-fno-exceptions"], "0 1 1 1\n"), ([], "thrown\n")):
            with self.subTest(options=options):
                run(CXX, "-std=c++20", *WARNINGS, "-Wshadow", *options, f"-I{self.prefix}/include", self.scratch / "plain.cpp",
                    f"-L{self.lib}", "-lvarylink", f"-Wl,-rpath,{self.lib}", "-o", self.scratch / "plain")
                self.assertEqual(run(self.scratch / "plain"), said)

    def test_cmake_without_spirv_tools(self):
        """A program that uses the shared library needs nothing else; asking for the static one says what is missing."""
        project = self.scratch / "bare"
        project.mkdir()
        text = ("cmake_minimum_required(VERSION 3.25)\nproject(bare LANGUAGES C)\nfind_package(varylink CONFIG REQUIRED {})\n"
                "get_target_property(kind varylink::varylink TYPE)\nmessage(STATUS \"kind: ${{kind}}\")\n")
        (project / "CMakeLists.txt").write_text(text.format("COMPONENTS shared"))
        hidden = "-DCMAKE_DISABLE_FIND_PACKAGE_SPIRV-Tools=ON"
        self.assertIn("kind: SHARED_LIBRARY", self.configure(project, self.scratch / "bare-shared", hidden))
        (project / "CMakeLists.txt").write_text(text.format("COMPONENTS static"))
        with self.assertRaisesRegex(AssertionError, r"needs\s+SPIRV-Tools"):
            self.configure(project, self.scratch / "bare-static", hidden)

    def test_code_of_the_manual_compiles(self):
        manual = (SAMPLES.parent / "docs/library.md").read_text(encoding="utf-8")
        parts = {language: re.search(rf"```{language}\n(.*?)```", manual, re.DOTALL).group(1) for language in ("c", "cpp")}
        c = ("#include <varylink/varylink.h>\nvoid create_shader_module(int, const uint32_t*, size_t);\n"
             "void link_pipeline(const uint32_t* vertex_words, size_t vertex_word_count, const uint32_t* fragment_words,\n"
             "                   size_t fragment_word_count);\n"
             "void link_pipeline(const uint32_t* vertex_words, size_t vertex_word_count, const uint32_t* fragment_words,\n"
             "                   size_t fragment_word_count) {\n" + parts["c"] + "}\n")
        cpp = ("#include <varylink/varylink.hpp>\nvoid create_shader_module(varylink_stage, std::span<const std::uint32_t>);\n"
               "void link_pipeline(std::span<const std::uint32_t> vertex_words, std::span<const std::uint32_t> fragment_words);\n"
               "void link_pipeline(std::span<const std::uint32_t> vertex_words, std::span<const std::uint32_t> fragment_words) {\n"
               + parts["cpp"] + "}\n")
        for name, compiler, standard, text in (("manual.c", CC, "c11", c), ("manual.cpp", CXX, "c++20", cpp)):
            (self.scratch / name).write_text(text)
            run(compiler, f"-std={standard}", *WARNINGS, "-fsyntax-only", f"-I{self.prefix / 'include'}", self.scratch / name)

    def compile_with_pkg_config(self, folder, *options, link=()):
        folder.mkdir()
        env = {"PKG_CONFIG_PATH": str(self.lib / "pkgconfig")}
        flags = shlex.split(run("pkg-config", *options, "--cflags", "--libs", "varylink", env=env))
        run(CC, "-std=c11", *WARNINGS, SAMPLES / "library/link_files.c", *flags, *link, "-o", folder / "link_files")
        run(CXX, "-std=c++20", *WARNINGS, SAMPLES / "library/explain_glsl.cpp", *flags, *link, "-o", folder / "explain_glsl")

    @unittest.skipUnless(shutil.which("pkg-config"), "pkg-config is not installed")
    def test_pkg_config(self):
        folder = self.scratch / "pkg-config"
        self.compile_with_pkg_config(folder, link=[f"-Wl,-rpath,{self.lib}"])
        self.assertTrue(self.needs_shared(folder / "link_files"))
        self.check_programs(folder)

    @unittest.skipUnless(shutil.which("pkg-config"), "pkg-config is not installed")
    def test_pkg_config_static(self):
        folder = self.scratch / "pkg-config-static"
        self.compile_with_pkg_config(folder, "--static", link=["-static"])
        self.check_programs(folder)


if __name__ == "__main__":
    unittest.main()
