"""Captures of GFXReconstruct: import, link, replace, and a replay with other shaders and the same pictures.

VARYLINK is the command, LAYER_SCENE the program (scene.cpp). Skips itself (77) without a Vulkan driver and without the packages
gfxreconstruct, vulkan-tools, xvfb and xauth.
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from layer_test import SCENE, SHADERS, SKIP, TIMEOUT, VARYLINK, environment

PROGRAMS = ("gfxrecon-convert", "gfxrecon-extract", "gfxrecon-replay", "vkcube", "xvfb-run", "xauth")
# What a shader that reads nothing draws: another picture.
PLAIN_FRAG = "#version 450\nlayout(location = 0) out vec4 result;\nvoid main() { result = vec4(0.9, 0.1, 0.2, 1.0); }\n"
WHOLE_VERT = "#version 450\nvoid main() { gl_Position = vec4(0.0); }\n"


def run(*words, cwd, **env):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=TIMEOUT, cwd=cwd,
                          env=environment(**env))
    return done.returncode, done.stdout + done.stderr


class CaptureTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dir = pathlib.Path(folder.name)

    def ok(self, *words, **env):
        status, said = run(*words, cwd=self.dir, **env)
        self.assertEqual(status, 0, said)
        return said

    def capture(self, *words):
        self.ok(*words, VK_INSTANCE_LAYERS="VK_LAYER_LUNARG_gfxreconstruct", GFXRECON_CAPTURE_FILE=f"{self.dir}/game.gfxr",
                GFXRECON_CAPTURE_FILE_TIMESTAMP="false")
        return self.ok(VARYLINK, "import", "game.gfxr", "-o", "imported")

    def link(self, *options):
        self.ok(VARYLINK, "link", "@imported/options.txt", "--manifest", "imported/manifest.jsonl", "-q", "-o", "out", "--report",
                "report.json", *options)

    def lines(self, folder="imported"):
        return [json.loads(line) for line in (self.dir / folder / "manifest.jsonl").read_text().splitlines()]


class Scene(CaptureTest):
    def setUp(self):
        super().setUp()
        for fragment in ("other", "scene"):
            self.ok(VARYLINK, "link", "-O0", "-q", SHADERS / "scene.vert", SHADERS / f"{fragment}.frag", "-o", f"{self.dir}/")

    def capture_scene(self, way):
        return self.capture(SCENE, way, self.dir, "frame")

    def test_the_import_is_what_a_recording_is(self):
        for way in ("modules", "destroyed-modules", "several", "shared-modules", "second-device", "probed"):
            with self.subTest(way):
                for folder in ("imported", "recorded"):
                    shutil.rmtree(self.dir / folder, ignore_errors=True)
                self.capture_scene(way)
                self.ok(VARYLINK, "run", "-q", "--record", "recorded", "--", SCENE, way, self.dir, "frame")
                imported, recorded = ({str(path.relative_to(self.dir / folder)): path.read_bytes()
                                       for path in (self.dir / folder).rglob("*") if path.is_file()}
                                      for folder in ("imported", "recorded"))
                self.assertEqual(imported, recorded)

    def test_values_of_specialization_stay_open(self):
        self.capture_scene("specialized")
        line, = self.lines()
        self.assertNotIn("specialization", line["stages"]["frag"])

    def test_what_the_layer_passes_through(self):
        status, _ = run(SCENE, "libraries", self.dir, "frame", cwd=self.dir)
        if status == SKIP:
            self.skipTest("no libraries")
        said = self.capture_scene("libraries")
        self.assertIn("passed through: 2  it is a part of a pipeline (a pipeline library)\n", said)
        self.assertIn("passed through: 1  it is made of pipeline libraries\n", said)
        self.assertIn("passed through: 1  the code of a stage is not known\n", self.capture_scene("mixed"))

    def replaced_manifest(self):
        """The pipelines with the modules that a replay would have, in a manifest beside the imported one."""
        self.ok("gfxrecon-extract", "--dir", "own", "game.gfxr")
        files = {}
        for own in (self.dir / "own").iterdir():
            new = self.dir / "new" / own.name
            files[own.read_bytes()] = str(new if new.exists() else own)
        lines = self.lines()
        for line in lines:
            for stage in line["stages"].values():
                stage["file"] = files[(self.dir / "imported" / stage["file"]).read_bytes()]
        (self.dir / "replaced.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        return "replaced.jsonl"

    def test_modules_that_pipelines_share(self):
        self.capture_scene("shared-modules")
        self.assertEqual(len(self.lines()), 2)
        self.link()
        said = self.ok(VARYLINK, "replace", "game.gfxr", "--from", "out", "-o", "new")
        self.assertIn("kept: 2  a module that it is linked with stays\nkept: 1  its pipelines have different results of it\n", said)
        self.assertFalse((self.dir / "new").exists())
        shutil.rmtree(self.dir / "out")
        self.link("--share", "union")
        said = self.ok(VARYLINK, "replace", "game.gfxr", "--from", "report.json", "-o", "new")
        self.assertIn("new: 3 of 3 modules replaced", said)
        self.ok(VARYLINK, "verify", "@imported/options.txt", "--manifest", "imported/manifest.jsonl", "--against",
                self.replaced_manifest())
        replayed = self.ok("gfxrecon-replay", "--replace-shaders", "new", "game.gfxr")
        self.assertEqual(replayed.count("Replacement shader found"), 3)


class Replay(CaptureTest):
    """vkcube, whose frames a replay can write."""

    def screenshot(self, name, *options):
        said = self.ok("xvfb-run", "-a", "gfxrecon-replay", "--wsi", "xcb", "--screenshots", "3", "--screenshot-dir", self.dir,
                       "--screenshot-prefix", name, *options, "game.gfxr")
        picture, = self.dir.glob(f"{name}_*")
        return picture.read_bytes(), said.count("Replacement shader found")

    def test_a_replay_with_linked_shaders_draws_the_same(self):
        self.capture("xvfb-run", "-a", "vkcube", "--c", "4")
        self.link()
        (pipeline,) = json.loads((self.dir / "report.json").read_text())["pipelines"]
        interface, = pipeline["interfaces"]
        self.assertLess(interface["after"]["components"], interface["before"]["components"])
        said = self.ok(VARYLINK, "replace", "game.gfxr", "--from", "out", "-o", "new")
        self.assertIn("new: 2 of 2 modules replaced", said)
        plain, none = self.screenshot("plain")
        linked, both = self.screenshot("linked", "--replace-shaders", "new")
        self.assertEqual((none, both), (0, 2))
        self.assertEqual(plain, linked)
        self.control(plain)

    def control(self, plain):
        """A module in that folder is what is drawn with."""
        (self.dir / "plain.frag").write_text(PLAIN_FRAG)
        (self.dir / "plain.vert").write_text(WHOLE_VERT)
        self.ok(VARYLINK, "link", "-O0", "-q", "--target-env", "vulkan1.0", "plain.vert", "plain.frag", "-o", "wrong/")
        linked = (self.dir / next((self.dir / "out").glob("*/frag.spv"))).read_bytes()
        fragment, = (path for path in (self.dir / "new").iterdir() if path.read_bytes() == linked)
        fragment.write_bytes((self.dir / "wrong/plain.frag.spv").read_bytes())
        self.assertNotEqual(self.screenshot("wrong", "--replace-shaders", "new")[0], plain)


if __name__ == "__main__":
    missing = [program for program in PROGRAMS if shutil.which(program) is None]
    if missing or not SCENE:
        print(f"skipped: no {', '.join(missing)}")
        sys.exit(SKIP)
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run([VARYLINK, "link", "-O0", "-q", str(SHADERS / "scene.vert"), str(SHADERS / "scene.frag"), "-o", scratch + "/"],
                       check=True)
        if run(SCENE, "modules", scratch, scratch + "/frame", cwd=scratch)[0] == SKIP:
            print("skipped: no driver of Vulkan 1.3")
            sys.exit(SKIP)
    unittest.main()
