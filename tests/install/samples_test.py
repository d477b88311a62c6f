"""The how-tos of docs/: builds with make, Ninja and Meson, a shader cache, separate stages, debug information."""

import os
import re
import shutil
import subprocess
import unittest

from harness import CC, CXX, SAMPLES, InstallTest, SourceTest, run

MODULES = ["lit.frag.spv", "lit.vert.spv", "sky.frag.spv", "sky.vert.spv"]


class EngineBuild(SourceTest):
    """samples/shader_build with the tools that docs/builds.md names; CMake has shader_build_test.py."""

    def setUp(self):
        self.source = self.scratch / self.id() / "source"
        shutil.copytree(SAMPLES / "shader_build", self.source)
        self.env = {"PATH": f"{self.prefix / 'bin'}:{os.environ['PATH']}"}

    def check_build(self, build, shaders):
        """`build` makes everything, then nothing, then what a change touches, and goes on after an include was renamed."""
        self.assertEqual(set(build()), {"lit", "sky"})
        self.assertEqual(sorted(path.name for path in shaders().glob("*.spv")), MODULES)
        self.assertEqual(build(), [])
        self.edit("light.glsl", "vec3(0.5)", "vec3(0.25)")
        self.assertEqual(build(), ["lit"])
        self.assertEqual(build(), [])
        # Its time alone: linked once, although no module changes, and then no more.
        self.touch("light.glsl")
        self.assertEqual(build(), ["lit"])
        self.assertEqual(build(), [])
        self.edit("camera.glsl", "binding = 0", "binding = 1")
        self.assertEqual(set(build()), {"lit", "sky"})
        os.rename(self.source / "light.glsl", self.source / "lights.glsl")
        for stage in ("lit.frag", "lit.vert"):
            if "light.glsl" in (self.source / stage).read_text():
                self.edit(stage, "light.glsl", "lights.glsl")
        self.assertEqual(build(), ["lit"])
        self.assertEqual(build(), [])

    def linked(self, said):
        return [name for name in ("lit", "sky") if re.search(rf"link .*{name}\.vert", said)]

    @unittest.skipUnless(shutil.which("make"), "make is not installed")
    def test_make(self):
        out = self.source / "out"
        self.check_build(lambda: self.linked(run("make", "-C", self.source, env=self.env)), lambda: out)

    def test_ninja(self):
        out = self.source / "out"
        self.check_build(lambda: self.linked(run("ninja", "-v", "-C", self.source, env=self.env)), lambda: out)

    @unittest.skipUnless(shutil.which("meson"), "Meson is not installed")
    def test_meson(self):
        build = self.scratch / self.id() / "build"
        run("meson", "setup", build, self.source, env=self.env)
        self.check_build(lambda: self.linked(run("ninja", "-v", "-C", build, env=self.env)), lambda: build)


@unittest.skipIf("VARYLINK_INSTRUMENTED" in os.environ, "a plain program cannot link a library with sanitizers")
@unittest.skipIf("VARYLINK_NO_GLSL" in os.environ, "the shaders are GLSL")
class Programs(InstallTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.build_folder = cls.scratch / "programs"
        run(os.environ["CMAKE"], "-S", SAMPLES / "library", "-B", cls.build_folder, "-G", "Ninja",
            f"-DCMAKE_PREFIX_PATH={cls.prefix}", f"-DCMAKE_C_COMPILER={CC}", f"-DCMAKE_CXX_COMPILER={CXX}",
            "-DBUILD_SHARED_LIBS=ON", "-DCMAKE_C_FLAGS=-Wall -Wextra -pedantic -Werror")
        run(os.environ["CMAKE"], "--build", cls.build_folder)

    def setUp(self):
        self.folder = self.scratch / self.id()
        self.folder.mkdir()

    def modules(self, *options, shaders=("quick.vert", "quick.frag")):
        """SPIR-V of the shaders as they are."""
        run(self.prefix / "bin/varylink", "link", "-O0", *options, *(SAMPLES / "shaders" / name for name in shaders),
            "-o", self.folder)
        return [self.folder / (name + ".spv") for name in shaders]

    def test_shader_cache(self):
        cache = self.folder / "cache"
        cache.mkdir()
        modules = self.modules()

        def start(*files):
            return run(self.build_folder / "shader_cache", cache, *files)
        first = start(*modules)
        self.assertRegex(first, r"^linked: \d+ and \d+ bytes\n$")
        self.assertEqual(start(*modules), first.replace("linked", "from the cache"))
        entry, = cache.iterdir()
        whole = entry.read_bytes()
        # A damaged entry is no entry, and is written again.
        for damaged in (whole[:-1], whole + b"x", b"", bytes([whole[0] ^ 1]) + whole[1:]):
            entry.write_bytes(damaged)
            self.assertEqual(start(*modules), first)
            self.assertEqual(entry.read_bytes(), whole)
        other = self.modules(shaders=("sky.vert", "sky.frag"))
        self.assertTrue(start(*other).startswith("linked"))
        self.assertEqual(len(list(cache.iterdir())), 2)
        self.assertIn("not linked", run(self.build_folder / "shader_cache", cache, SAMPLES / "run", modules[1], status=1))
        self.assertEqual(len(list(cache.iterdir())), 2)

    def test_separate_stages(self):
        vert, lit = self.modules(shaders=("mesh.vert", "mesh_lit.frag"))
        _, unlit = self.modules(shaders=("mesh.vert", "mesh_unlit.frag"))
        said = run(self.build_folder / "separate_stages", vert, lit, unlit)
        for fragment in (lit, unlit):
            self.assertRegex(said, rf"{re.escape(str(fragment))}: fits unlinked, linked \d+ components instead of \d+\n")
        _, other = self.modules(shaders=("ui.vert", "ui.frag"))
        self.assertIn("does not fit unlinked", run(self.build_folder / "separate_stages", vert, other, status=1))

    def counts(self, modules):
        said = run(self.build_folder / "debug_info", *modules)
        lines = re.findall(r"(\w+)\.spv (before|after): (\d+) names, (\d+) lines, (\d+) source texts, (\d+) steps", said)
        self.assertEqual(len(lines), 4, said)
        return {(stage, when): [int(number) for number in numbers] for stage, when, *numbers in lines}

    def test_debug_info(self):
        """What docs/renderdoc.md says of modules with and without debug information."""
        plain, lines = self.counts(self.modules()), self.counts(self.modules("-g"))
        for stage in ("vert", "frag"):
            self.assertGreater(plain[stage, "after"][0], 0, "names are kept")
            self.assertEqual(plain[stage, "after"][1:], [0, 0, 0])
            self.assertGreater(lines[stage, "after"][1], 0, "lines are kept")
            self.assertEqual(lines[stage, "before"][2], lines[stage, "after"][2], "the source text is kept")
            self.assertEqual(lines[stage, "after"][2], 1)

    @unittest.skipUnless(shutil.which("spirv-opt"), "spirv-opt is not installed")
    def test_debug_info_makes_no_difference_to_the_code(self):
        stripped = {}
        for name, options in (("plain", []), ("lines", ["-g"])):
            out = self.folder / name
            run(self.prefix / "bin/varylink", "link", *options, *(SAMPLES / "shaders" / f"quick.{stage}"
                                                                for stage in ("vert", "frag")), "-o", out)
            for path in out.iterdir():
                text = run("spirv-opt", "--strip-debug", "--compact-ids", path, "-o", path)
                self.assertEqual(text, "")
            stripped[name] = {path.name: path.read_bytes() for path in out.iterdir()}
        self.assertEqual(stripped["plain"], stripped["lines"])

    @unittest.skipUnless(shutil.which("glslangValidator"), "glslangValidator is not installed")
    def test_source_debugging(self):
        modules = []
        for name in ("quick.vert", "quick.frag"):
            modules.append(self.folder / (name + ".spv"))
            if subprocess.run(["glslangValidator", "-V", "-gVS", SAMPLES / "shaders" / name, "-o", modules[-1]], check=False,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode != 0:
                self.skipTest("this glslangValidator has no -gVS")
        counts = self.counts(modules)
        for stage in ("vert", "frag"):
            self.assertEqual(counts[stage, "before"][2], counts[stage, "after"][2])
            self.assertGreater(counts[stage, "after"][2], 0, "the source text is kept")
            self.assertGreater(counts[stage, "after"][3], 0, "stepping is kept")


if __name__ == "__main__":
    unittest.main()
