"""A result that fails its own checks is not written: status 5, a reproducer, and the other pipelines go on.

Runs the command as it would be with a defect in the code that writes linked interfaces (tests/CMakeLists.txt builds it
from the same objects, with src/core/varyings/vectorize/vectorize_io.cpp compiled with its seeded faults). Skips without that program.
"""

import json
import os
import unittest
from unittest import mock

from harness import FRAG, VERT, CliTest

BROKEN = os.environ.get("VARYLINK_WITH_FAULTS")
FAULT = "lower-location-off-by-one"  # the vertex shader writes one location behind the one that is read
NOTHING_TO_DO = VERT.replace("layout(location = 1) out vec4 unused;\n", "").replace("  unused = position;\n", "")
TAKES_ALL = FRAG.replace("vec4(color.xy, 0.0, 1.0)", "color")


@unittest.skipUnless(BROKEN, "this build has no command with faults")
class FailedCheck(CliTest):
    def setUp(self):
        super().setUp()
        self.write_pair()

    def run_broken(self, *arguments, fault=FAULT, **options):
        with mock.patch.dict(os.environ, {"VARYLINK": BROKEN, "VARYLINK_FAULT": fault}):
            return self.run_cli(*arguments, **options)

    def test_without_the_fault_it_is_the_same_command(self):
        self.assert_ok(self.run_cli("link", "a.vert", "b.frag", "-o", "good"))
        self.assert_ok(self.run_broken("link", "a.vert", "b.frag", "-o", "same", fault=""))
        for name in ("a.vert.spv", "b.frag.spv"):
            self.assertEqual((self.dir / "good" / name).read_bytes(), (self.dir / "same" / name).read_bytes())

    def test_status_5_and_nothing_is_written(self):
        run = self.run_broken("link", "a.vert", "b.frag", "-o", "out", "-MD", "-v")
        self.assertEqual(run.status, 5, run)
        self.assertIn("b.frag: error: input 'color' (vec2) at location 0.x is read, but a.vert declares no output there", run.err)
        self.assertIn("defect of varylink", run.err)
        self.assertIn("--save-repro", run.err)
        self.assertFalse((self.dir / "out").exists())

    def test_older_results_stay_as_they_are(self):
        self.assert_ok(self.run_cli("link", "a.vert", "b.frag", "-O0", "-o", "out"))
        before = self.tree()
        self.assertEqual(self.run_broken("link", "a.vert", "b.frag", "-o", "out").status, 5)
        self.assertEqual(before, self.tree())

    def test_reproducer_fails_the_same_way_and_links_when_the_defect_is_gone(self):
        self.assertEqual(self.run_broken("link", "a.vert", "b.frag", "-o", "out", "--save-repro", "repro").status, 5)
        command = (self.dir / "repro/command").read_text().split()
        self.assertEqual(self.run_broken(*command[1:], cwd=self.dir / "repro").status, 5)
        self.assertFalse((self.dir / "repro/out").exists())
        self.assert_ok(self.run_cli(*command[1:], cwd=self.dir / "repro"))
        self.assertTrue((self.dir / "repro/out/vert.spv").exists())

    def test_other_pipelines_of_a_manifest_go_on(self):
        self.write("same.vert", NOTHING_TO_DO)
        self.write("same.frag", TAKES_ALL)
        lines = [{"name": "bad", "stages": {"vert": "a.vert", "frag": "b.frag"}},
                 {"name": "good", "stages": {"vert": "same.vert", "frag": "same.frag"}}]
        self.write("m.jsonl", "\n".join(map(json.dumps, lines)))
        run = self.run_broken("link", "--manifest", "m.jsonl", "-o", "out", "--report", "r.json", "--save-repro", "repro")
        self.assertEqual(run.status, 5, run)
        self.assertEqual(sorted(path.name for path in (self.dir / "out").iterdir()), ["good"])
        self.assertEqual(sorted(path.name for path in (self.dir / "repro").iterdir()), ["bad"])
        bad, good = json.loads((self.dir / "r.json").read_text())["pipelines"]
        self.assertEqual((bad["status"], bad["failure"], bad["exit_status"]), ("failed", "verification_failed", 5))
        self.assertEqual([stage["output"] for stage in bad["stages"]], [None, None])
        self.assertEqual(good["status"], "linked")


if __name__ == "__main__":
    unittest.main()
