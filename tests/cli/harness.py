"""What the tests of the command line share: a scratch folder, a way to run the command, and the usual shaders.

The program under test is named by the environment variable VARYLINK. Where VARYLINK_LEFT_OUT names a list like
tests/windows/left_out.txt, the tests in it skip themselves.
"""

import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

VERT = """#version 450
layout(location = 0) in vec4 position;
layout(location = 0) out vec4 color;
layout(location = 1) out vec4 unused;
void main() {
  color = position * 2.0;
  unused = position;
  gl_Position = position;
}
"""

FRAG = """#version 450
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 result;
void main() { result = vec4(color.xy, 0.0, 1.0); }
"""


# Two sums of three inputs cross in the place of the inputs; a uniform expression goes the other way; one input is dead.
MOVING_VERT = """#version 450
layout(location = 0) in vec4 p;
layout(location = 0) out vec3 abc;
layout(location = 1) out float glow;
layout(location = 2) out float unread;
layout(set = 0, binding = 2) uniform U { float strength; } u;
void main() { gl_Position = p; abc = p.xyz; glow = u.strength * 2.0; unread = sqrt(p.w); }
"""
MOVING_FRAG = """#version 450
layout(location = 0) in vec3 abc;
layout(location = 1) in float glow;
layout(location = 0) out vec4 target;
layout(set = 0, binding = 2) uniform U { float strength; } u;
void main() { target = vec4((abc.x + abc.y) * (abc.y + abc.z), glow, u.strength, 1.0); }
"""


class Run:
    """How one run of the command ended."""

    def __init__(self, completed):
        self.status = completed.returncode
        self.out = completed.stdout.decode("utf-8", "replace")
        self.err = completed.stderr.decode("utf-8", "replace")

    def __str__(self):
        return f"status {self.status}\n--- out\n{self.out}\n--- err\n{self.err}"


def reason_to_leave_out(test):
    """What the list says about a test, whose name is "__main__.Class.method"; None if it is not in it."""
    if "VARYLINK_LEFT_OUT" not in os.environ:
        return None
    program = "cli: " + pathlib.Path(sys.argv[0]).stem
    for line in pathlib.Path(os.environ["VARYLINK_LEFT_OUT"]).read_text(encoding="utf-8").splitlines():
        fields = [field.strip() for field in line.split("|")]
        if fields[:2] == [program, test.removeprefix("__main__.")]:
            return fields[2]
    return None


def with_second_entry_point(module):
    """The bytes of a module with its entry point again, as "twin"."""
    words = struct.unpack(f"<{len(module) // 4}I", module)
    out, at = list(words[:5]), 5
    while at < len(words):
        length, opcode = words[at] >> 16, words[at] & 0xFFFF
        each, at = words[at:at + length], at + length
        out += each
        if opcode == 15:
            out += [*each[:3], *struct.unpack("<2I", b"twin\0\0\0\0"), *each[5:]]
    return struct.pack(f"<{len(out)}I", *out)


class CliTest(unittest.TestCase):
    def setUp(self):
        if reason := reason_to_leave_out(self.id()):
            self.skipTest(reason)
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.dir = pathlib.Path(scratch.name)

    def write(self, name, content):
        path = self.dir / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return name

    def write_pair(self):
        """The usual shaders as a.vert and b.frag."""
        return [self.write("a.vert", VERT), self.write("b.frag", FRAG)]

    def spirv(self, name, text, **options):
        """SPIR-V bytes of a GLSL text whose `name` tells the stage; made by the command itself."""
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / name).write_text(text)
            flags = ["--no-fragment"] if options.get("alone") else []
            run = self.run_cli("link", "-O0", *flags, name, "-o", "out", cwd=folder)
            self.assertEqual(run.status, 0, run)
            return (pathlib.Path(folder) / "out" / (name + ".spv")).read_bytes()

    def run_cli(self, *arguments, cwd=None, stdin=b"", **options):
        completed = subprocess.run(
            [os.environ["VARYLINK"], *arguments], cwd=cwd or self.dir, input=stdin, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, timeout=120, check=False, **options)
        return Run(completed)

    def tree(self):
        """Everything below the scratch folder with its bytes; folders have None."""
        return {str(path.relative_to(self.dir)): None if path.is_dir() else path.read_bytes()
                for path in sorted(self.dir.rglob("*"))}

    def assert_ok(self, run):
        self.assertEqual(run.status, 0, run)
        return run

    def assert_refused(self, status, fragments, *arguments, **options):
        """The command ends with `status`, says all the fragments, and leaves the disk as it was."""
        before = self.tree()
        run = self.run_cli(*arguments, **options)
        self.assertEqual(run.status, status, run)
        for fragment in [fragments] if isinstance(fragments, str) else fragments:
            self.assertIn(fragment, run.err, run)
        self.assertEqual(before, self.tree(), run)
        return run
