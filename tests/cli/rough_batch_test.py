"""A batch under everything that goes wrong at once ends with the bytes of a quiet run: damaged modules, GLSL that the compiler
does not survive, SIGTERM in the middle, and a second process on the same cache.

VARYLINK_BATCH_SIZE says how many pipelines; 20000 is the size to try before a release.
"""

import json
import os
import signal
import subprocess
import time
import unittest

from harness import CliTest

SIZE = int(os.environ.get("VARYLINK_BATCH_SIZE", "60"))
LONGEST_S = 120 + SIZE  # for one run
BAD_PART = 100          # one in so many is damaged, and one in so many kills the compiler; at least two of each

VERT = """#version 450
layout(location = 0) in vec4 p;
layout(location = 0) out vec4 a;
layout(location = 1) out vec4 b;
layout(location = 2) out vec4 unread;
void main() { gl_Position = p; a = p * %d.0; b = p.wzyx + %d.0; unread = p; }
"""
FRAG = """#version 450
layout(location = 0) in vec4 a;
layout(location = 1) in vec4 b;
layout(location = 2) in vec4 unread;
layout(location = 0) out vec4 o;
void main() { o = a.xyxy * %d.0 + b.zzzz; }
"""
# Macros of macros, whose half a million terms no text shows: too many for any stack.
KILLER = ("#version 450\nlayout(location = 0) in float x;\nlayout(location = 0) out float o;\n#define A0 x\n" +
          "".join(f"#define A{i} A{i - 1}-A{i - 1}\n" for i in range(1, 20)) + "void main() { o = A19; }\n")


def heed_hangup():
    """Also where the tests run under nohup, whose children ignore it."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


class RoughBatch(CliTest):
    def setUp(self):
        super().setUp()
        self.write("killer.frag", KILLER)
        damaged = bytearray(self.spirv("b.frag", FRAG % 1))
        damaged[5 * 4 + 2] = 0xFF  # the length of the first instruction
        self.write("damaged.frag.spv", bytes(damaged))
        bad = {"damaged.frag.spv": range(7, SIZE, min(BAD_PART, SIZE // 2)),
               "killer.frag": range(11, SIZE, min(BAD_PART, SIZE // 2))}
        self.bad = {number: name for name, numbers in bad.items() for number in numbers}
        lines = []
        for number in range(SIZE):
            frag = self.bad.get(number) or self.write(f"s/{number}.frag", FRAG % number)
            vert = self.write(f"s/{number % 97}.vert", VERT % (number % 97 + 2, number % 97))
            lines.append(json.dumps({"name": f"p/{number}", "stages": {"vert": vert, "frag": frag}}))
        self.write("all.jsonl", "\n".join(lines) + "\n")

    def command(self, out, *arguments):
        return [os.environ["VARYLINK"], "link", "--manifest", "all.jsonl", "-o", out, "--report", out + ".json", "-q", *arguments]

    def start(self, out, *arguments):
        return subprocess.Popen(self.command(out, *arguments), cwd=self.dir, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL, preexec_fn=heed_hangup)

    def results(self, out):
        return {str(path.relative_to(self.dir / out)): path.read_bytes()
                for path in (self.dir / out).rglob("*") if path.is_file()}

    def report(self, out):
        return json.loads((self.dir / (out + ".json")).read_text().replace(f'"{out}/', '"'))

    def assert_whole(self, out):
        """Every pipeline has all of its files or none."""
        for folder in (self.dir / out / "p").iterdir():
            names = sorted(name for name in os.listdir(folder) if not name.startswith("."))
            self.assertIn(names, ([], ["frag.spv", "vert.spv"]), folder)

    def begun(self, out):
        folder = self.dir / out / "p"
        return len(os.listdir(folder)) if folder.exists() else 0

    def end_in_the_middle(self, how):
        out = f"ended{how}"
        run = self.start(out, "--cache", "cache", "-j2")
        deadline = time.monotonic() + LONGEST_S
        while self.begun(out) < SIZE // 3 and run.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        run.send_signal(how)
        self.assertEqual(run.wait(LONGEST_S), -how)
        self.assert_whole(out)
        return out

    def test_same_bytes_as_a_quiet_run(self):
        quiet = subprocess.run(self.command("quiet", "-j1"), cwd=self.dir, timeout=4 * LONGEST_S, check=False,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.assertEqual(quiet.returncode, 3)
        self.assertIn("the GLSL compiler crashed: signal 11", quiet.stderr)
        expected = self.results("quiet")
        self.assertEqual(len(expected), 2 * (SIZE - len(self.bad)))

        beside = self.start("beside", "--cache", "cache", "-j1")
        ended = [self.end_in_the_middle(how) for how in (signal.SIGTERM, signal.SIGHUP)]
        again = [self.start(out, "--cache", "cache", "-j2") for out in ended]
        for run in [*again, beside]:
            self.assertEqual(run.wait(4 * LONGEST_S), 3)
        for out in [*ended, "beside"]:
            self.assertEqual(self.results(out), expected)
            self.assertEqual(self.report(out), self.report("quiet"))
        left = [path for path in (self.dir / "cache").rglob(".*") if path.is_file()]
        self.assertEqual(left, [])


if __name__ == "__main__":
    unittest.main()
