"""RenderDoc shows the source of linked shaders: a frame is drawn under its layer with the modules as they were compiled and as
they were linked, the capture is opened without a window, and each fragment shader is stepped through at a pixel. What a linked
shader steps through has the lines of the source that its code was written in.

VARYLINK is the command, CAPTURE_FRAME the program (capture_frame.cpp). Needs Debian's renderdoccmd and python3-renderdoc; skips
itself (77) without them, or without a Vulkan driver.
"""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from source_lines import SAID, SAMPLES, shaders, statement_at  # noqa: E402

VARYLINK = os.environ["VARYLINK"]
CAPTURE_FRAME = os.environ["CAPTURE_FRAME"]
COMPILER = shutil.which("glslangValidator")
REPLAY = pathlib.Path(__file__).with_name("replay.py")
SKIP = 77
CASES = 26  # of tests/pipelines, beside the samples; some have too few lines, or more than the device can do
LEAST_SHADERS, LEAST_LINES = 20, 2
TIMEOUT = 300  # seconds for one program


def environment():
    quiet = {"LP_NUM_THREADS": "2", "MESA_SHADER_CACHE_DISABLE": "true", "ASAN_OPTIONS": "detect_leaks=0"}
    return {**os.environ, **quiet, "ENABLE_VULKAN_RENDERDOC_CAPTURE": "1"}


def has_renderdoc():
    return subprocess.run([sys.executable, "-c", "import renderdoc"], stderr=subprocess.DEVNULL, check=False).returncode == 0


def calls(shader):
    """Functions of the language with the line of the source that each is called in."""
    return [(function, line) for line, shown in shader["lines"] for function in re.findall(r"GLSL\.std\.450::(\w+)\(", shown)]


def lines_of(shader):
    return {line for line, _ in shader["lines"]}


def variables_of(shader):
    """Variables of the source, whether they are shown whole or in parts."""
    return {re.split(r"[.\[]", name, maxsplit=1)[0] for name in shader["names"]}


class RenderDocTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dir = pathlib.Path(folder.name)

    def run_program(self, *words):
        return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=TIMEOUT, env=environment(),
                              cwd=self.dir)

    def build(self, name, vert, frag):
        """The modules as they are compiled, and as they are linked; none where varylink would have to give locations first."""
        folder = self.dir / name
        folder.mkdir()
        for header in SAMPLES.glob("*.glsl"):
            shutil.copy(header, folder)
        for stage, source in (("vert", vert), ("frag", frag)):
            (folder / ("a." + stage)).write_text(source, encoding="utf-8")
            run = self.run_program(COMPILER, "-gVS", "-V", "--target-env", "vulkan1.2", "-I" + str(folder), folder / ("a." + stage),
                                   "-o", folder / (stage + ".spv"))
            if run.returncode != 0:
                self.assertIn("requires location", run.stdout)
                return []
        run = self.run_program(VARYLINK, "link", "-q", "-O2", folder / "vert.spv", folder / "frag.spv", "-o", folder / "linked")
        self.assertEqual(run.returncode, 0, run.stderr)
        return [folder / "vert.spv", folder / "frag.spv", folder / "linked/vert.spv", folder / "linked/frag.spv"]

    def capture(self, files):
        """The capture, and the fragment modules of its draws."""
        run = self.run_program(CAPTURE_FRAME, self.dir / "frame", *files)
        if run.returncode == SKIP:
            self.skipTest(run.stderr.strip())
        self.assertEqual(run.returncode, 0, run.stderr)
        return next(self.dir.glob("frame*.rdc")), run.stdout.splitlines()

    def stepped(self, capture, number):
        """What replay.py says of each draw; None where RenderDoc ended."""
        found = []
        while len(found) < number:
            run = self.run_program(sys.executable, "-B", REPLAY, capture, len(found))
            self.assertIn(run.returncode, (0, -signal.SIGFPE, -signal.SIGSEGV), run.stderr)
            found += [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
            if run.returncode != 0:
                found.append(None)
        return found

    def check(self, source, before, after):
        self.assertIsNotNone(after, "RenderDoc ends only with the linked module")
        self.assertGreater(after["steps"], 0, "it cannot be stepped through")
        self.assertEqual(after["files"], before["files"])
        self.assertLessEqual(lines_of(after), lines_of(before))
        self.assertLessEqual(variables_of(after), variables_of(before))
        known = set(calls(before))
        for function, line in calls(after):
            if any(function == other for other, _ in known):
                self.assertIn((function, line), known)
            if function in SAID and (function, line) in known:
                self.assertRegex(statement_at(source, line), SAID[function], f"{function} at line {line}")

    def test_lines(self):
        sources, files = [], []
        for name, vert, frag in shaders(CASES):
            if modules := self.build(name, vert, frag):
                sources.append((name, frag.splitlines()))
                files += modules
        capture, drawn = self.capture(files)
        found = dict(zip(drawn, self.stepped(capture, len(drawn)), strict=True))
        checked = 0
        for name, source in sources:
            before, after = [found.get(str(self.dir / name / path)) for path in ("frag.spv", "linked/frag.spv")]
            if before is None or before["steps"] == 0 or after is not None and len(lines_of(after)) < LEAST_LINES:
                continue
            with self.subTest(name=name):
                self.check(source, before, after)
            checked += 1
        self.assertGreaterEqual(checked, LEAST_SHADERS)


if __name__ == "__main__":
    if not COMPILER or not has_renderdoc():
        sys.exit(SKIP)
    result = unittest.main(exit=False).result
    sys.exit(SKIP if result.skipped else 0 if result.wasSuccessful() else 1)
