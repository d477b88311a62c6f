"""GLSL that is too much for the compiler's stack."""

import subprocess
import os
import unittest

from harness import FRAG, VERT, CliTest
from rough_batch_test import KILLER


def chain(terms):
    return ("#version 450\nlayout(location = 0) in float x;\nlayout(location = 0) out float o;\nvoid main() { o = " +
            "-".join(["x"] * terms) + "; }\n")


def doubled(text):
    """Macros M0, which is the text, to M60, each of which is the one before twice."""
    return f"#define M0{text}\n" + "".join(f"#define M{i + 1} M{i} M{i}\n" for i in range(60))


class GlslCrash(CliTest):
    def test_long_expressions(self):
        self.write("a.vert", VERT.replace("out vec4 color", "out float color").replace("position * 2.0", "position.x"))
        self.write("b.frag", chain(20000))
        self.assert_ok(self.run_cli("link", "a.vert", "b.frag", "-o", "out"))

    def test_longer_ones_are_refused(self):
        self.write("b.frag", chain(60000))
        self.assert_refused(2, "b.frag: error: an expression of more than 100000 tokens is nested too deeply", "link",
                            "--no-fragment", "b.frag", "-o", "out")

    def test_tables_are_no_expressions(self):
        numbers = ", ".join(f"{i}.0" for i in range(50100))
        self.write("b.frag", f"#version 450\nconst float t[50100] = float[50100]({numbers});\nlayout(location = 0) out float o;\n"
                             "layout(location = 0) in flat int i;\nvoid main() { o = t[i & 1023]; }\n")
        self.assert_ok(self.run_cli("check", "b.frag"))

    def test_a_compiler_that_dies_takes_one_pipeline_with_it(self):
        self.write("a.vert", VERT)
        self.write("b.frag", FRAG)
        self.write("c.frag", KILLER)
        line = '{"name": "%s", "stages": {"vert": "a.vert", "frag": "%s"}}\n'
        self.write("m.jsonl", line % ("one", "b.frag") + line % ("bad", "c.frag") + line % ("two", "b.frag"))
        for command in (["link", "-o", "out", "-j1"], ["link", "-o", "out", "-j3"], ["check"]):
            run = self.run_cli(*command, "--manifest", "m.jsonl")
            self.assertEqual(run.status, 2, run)
            self.assertIn("c.frag: error: the GLSL compiler crashed: signal 11", run.err)
        self.assertEqual(sorted(path.name for path in (self.dir / "out").iterdir()), ["one", "two"])

    def assert_only_good_is_linked(self, bad_frag, message, *options):
        self.write("a.vert", VERT)
        self.write("b.frag", FRAG)
        self.write("c.frag", bad_frag)
        line = '{"name": "%s", "stages": {"vert": "a.vert", "frag": "%s"}}\n'
        self.write("m.jsonl", line % ("bad", "c.frag") + line % ("good", "b.frag"))
        run = self.run_cli("link", "-o", "out", "--manifest", "m.jsonl", *options)
        self.assertEqual(run.status, 2, run)
        self.assertIn(f"bad: c.frag: error: the GLSL compiler{message}", run.err)
        self.assertEqual([path.name for path in (self.dir / "out").iterdir()], ["good"])

    def test_a_compiler_that_finds_no_end_takes_one_pipeline_with_it(self):
        self.assert_only_good_is_linked(FRAG.replace("void main", doubled("") + "M60\nvoid main"), " took longer than 10 s",
                                        "--glsl-time-limit", "10")

    @unittest.skipIf("VARYLINK_INSTRUMENTED" in os.environ, "no limit of memory")
    def test_a_compiler_that_takes_all_memory_takes_one_pipeline_with_it(self):
        self.assert_only_good_is_linked(
            FRAG.replace("void main() {", doubled(" 1.0 +") + "void main() { float s = M60 1.0;"), "")

    def test_messages_of_workers_are_those_of_the_command(self):
        self.write("a.vert", VERT)
        self.write("b.frag", FRAG.replace("color.xy", "colour.xy") + "#error twice\n")
        self.write("m.jsonl", '{"name": "p", "stages": {"vert": "a.vert", "frag": "b.frag"}}\n')
        alone = self.run_cli("link", "a.vert", "b.frag")
        batch = self.run_cli("link", "--manifest", "m.jsonl")
        self.assertEqual([line.removeprefix("p: ") for line in batch.err.splitlines()], alone.err.splitlines())

    @unittest.skipIf("VARYLINK_INSTRUMENTED" in os.environ, "no limit of memory")
    @unittest.skipUnless(hasattr(os, "fork"), "limits of POSIX")
    def test_out_of_memory(self):
        import resource
        self.write("a.vert", VERT)
        self.write("b.frag", FRAG)
        said = set()
        for mib in range(20, 160, 6):
            limit = mib << 20

            def run(*arguments, limit=limit):
                return subprocess.run([os.environ["VARYLINK"], *arguments], cwd=self.dir, timeout=60, check=False, text=True,
                                      preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
                                      stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

            if run("--version").returncode not in (0, 1):
                continue  # the program itself does not fit
            linked = run("link", "a.vert", "b.frag", "-o", f"out{mib}")
            said.add(linked.returncode)
            self.assertIn(linked.returncode, (0, 1), linked.stderr)
            if linked.returncode == 1:
                self.assertIn("out of memory", linked.stderr)
                self.assertFalse((self.dir / f"out{mib}").exists())
        self.assertIn(1, said, "no limit lies between what starts the program and what a link needs")


if __name__ == "__main__":
    unittest.main()
