"""varylink verify on what varylink link wrote. Skips itself where no Vulkan driver draws."""

import re
import unittest

from harness import FRAG, VERT, CliTest

NO_DRIVER = 8


class Verify(CliTest):
    def setUp(self):
        super().setUp()
        self.write_pair()

    def verify(self, *arguments):
        run = self.run_cli("verify", *arguments, "--runs", "2", "--size", "16")
        if run.status == NO_DRIVER:
            self.skipTest("no Vulkan driver")
        return run

    def test_folder_that_link_wrote(self):
        self.write("frag.txt", FRAG)
        for files in (["a.vert", "b.frag"], ["a.vert", "frag=frag.txt"]):
            self.assert_ok(self.run_cli("link", *files, "-o", "out"))
            run = self.assert_ok(self.verify(*files, "--against", "out"))
            self.assertRegex(run.out, "^(identical|within tolerance)")

    def test_folder_without_results(self):
        (self.dir / "empty").mkdir()
        run = self.verify("a.vert", "b.frag", "--against", "empty")
        self.assertEqual(run.status, 1, run)
        self.assertIn("empty/a.vert.spv: error: cannot read", run.err)

    def test_a_summary_of_nothing(self):
        self.write("m.jsonl", '{"name": "a", "stages": {"vert": "a.vert", "frag": "b.frag"}}\n')
        (self.dir / "empty").mkdir()
        run = self.verify("--manifest", "m.jsonl", "--against", "empty")
        self.assertEqual(run.status, 1, run)
        self.assertRegex(run.out, "^nothing compared on ")

    def test_no_more_than_all_pixels_differ(self):
        # Another place and other colors: what only one of the two covers differs, too.
        self.write("other/a.vert", VERT.replace("gl_Position = position", "gl_Position = position * vec4(0.5, 2, 1, 1)"))
        self.write("other/b.frag", FRAG.replace("vec4(color.xy, 0.0, 1.0)", "1.0 - color"))
        run = self.verify("a.vert", "b.frag", "--against", "other/a.vert", "other/b.frag")
        self.assertEqual(run.status, 6, run)
        share = re.search(r"differ \(([0-9.]+) %\)", run.out)
        self.assertLessEqual(float(share.group(1)), 100.0, run)


if __name__ == "__main__":
    unittest.main()
