"""varylink diff."""

import unittest

from harness import CliTest


class Diff(CliTest):
    def setUp(self):
        super().setUp()
        self.write_pair()
        for name, level in (("a.json", "-O0"), ("b.json", "-O2")):
            self.assert_ok(self.run_cli("link", "a.vert", "b.frag", level, "--report", name))

    def test_table(self):
        run = self.assert_ok(self.run_cli("diff", "a.json", "b.json"))
        self.assertIn("a.json → b.json: 1 pipeline linked in both, 1 changed", run.out)
        self.assertRegex(run.out, r"  components +1 +0 +0 +8 +2 +-75.0 %\n")
        self.assertIn("helped:\n  a.vert+b.frag: components 8 → 2", run.out)
        self.assertNotIn("hurt:", run.out)
        back = self.assert_ok(self.run_cli("diff", "b.json", "a.json"))
        self.assertIn("hurt:\n  a.vert+b.frag: components 2 → 8", back.out)

    def test_markdown(self):
        run = self.assert_ok(self.run_cli("diff", "--markdown", "a.json", "b.json"))
        self.assertIn("| components | 1 | 0 | 0 | 8 | 2 | -75.0 % |", run.out)

    def test_refusals(self):
        self.assert_refused(1, "none.json", "diff", "a.json", "none.json")
        self.assert_refused(1, "a.vert: error: is not a report of varylink link", "diff", "a.vert", "b.json")
        self.assert_refused(1, "AFTER", "diff", "a.json")


if __name__ == "__main__":
    unittest.main()
