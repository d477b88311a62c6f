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

    def test_fail_on(self):
        worse = ["diff", "b.json", "a.json", "--fail-on"]
        run = self.run_cli(*worse, "worse")
        self.assertEqual(run.status, 9, run)
        self.assertIn("a.json: error: 1 pipeline is worse (--fail-on worse)", run.err)
        self.assertIn("hurt:", run.out)
        self.assert_ok(self.run_cli("diff", "a.json", "b.json", "--fail-on", "worse,failing,missing"))
        self.assertEqual(self.run_cli("diff", "a.json", "b.json", "--fail-on", "changed").status, 9)
        self.assert_ok(self.run_cli("diff", "a.json", "a.json", "--fail-on", "changed"))
        self.assert_refused(1, "--fail-on", "diff", "a.json", "b.json", "--fail-on", "wrose")

    def test_fail_on_failing_and_missing(self):
        good = '{"name": "p", "stages": {"vert": "a.vert", "frag": "%s"}}\n'
        for report, text in (("two", good % "b.frag" + (good % "b.frag").replace('"p"', '"q"')),
                             ("one", good % "b.frag"), ("broken", good % "none.frag")):
            self.write("m.jsonl", text)
            self.run_cli("link", "--manifest", "m.jsonl", "--report", report + ".json")
        self.assertEqual(self.run_cli("diff", "one.json", "broken.json", "--fail-on", "failing").status, 9)
        self.assertEqual(self.run_cli("diff", "one.json", "broken.json", "--fail-on", "worse").status, 9)
        self.assertEqual(self.run_cli("diff", "two.json", "one.json", "--fail-on", "missing").status, 9)
        self.assert_ok(self.run_cli("diff", "one.json", "two.json", "--fail-on", "worse,failing,missing"))

    def test_refusals(self):
        self.assert_refused(1, "none.json", "diff", "a.json", "none.json")
        self.assert_refused(1, "a.vert: error: is not a report of varylink link", "diff", "a.vert", "b.json")
        self.assert_refused(1, "AFTER", "diff", "a.json")


if __name__ == "__main__":
    unittest.main()
