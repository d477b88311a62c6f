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

    def test_limits_of_growth(self):
        better, worse = ["diff", "a.json", "b.json"], ["diff", "b.json", "a.json"]
        self.assert_ok(self.run_cli(*better, "--fail-on", "components>0,locations>0,fragment-work>0%"))
        run = self.run_cli(*worse, "--fail-on", "components>5,components>6,components>299%,components>300%")
        self.assertEqual(run.status, 9, run)
        self.assertEqual([line.split("(--fail-on ")[1] for line in run.err.splitlines()], ["components>5)", "components>299%)"])
        self.assertIn("a.json: error: a.vert+b.frag: components 2 → 8 (--fail-on components>5)", run.err)
        self.assert_ok(self.run_cli(*worse, "--fail-on", "components>6"))
        self.assertEqual(self.run_cli(*worse, "--fail-on", "vert-work>0").status, 9)
        self.assertEqual(self.run_cli(*worse, "--fail-on", "vertex-instructions>0").status, 9)
        for wrong in ("components", "componets>0", "components>", "components>-1", "components>x%", "components>nan"):
            self.assert_refused(1, "--fail-on", *worse, "--fail-on", wrong)
        self.assert_refused(1, "did you mean 'components'", *worse, "--fail-on", "componets>0")

    def test_budgets(self):
        diff = ["diff", "b.json", "a.json", "--budgets", "budgets.json"]
        self.write("budgets.json", '{"*": {"components": 8}, "a.*+b.frag": {"locations": 2, "frag-work": 1e6}}')
        self.assert_ok(self.run_cli(*diff))
        self.write("budgets.json", '{"none": {"components": 0}, "a.????+*": {"components": 7}}')
        run = self.run_cli(*diff)
        self.assertEqual(run.status, 9, run)
        self.assertIn("a.json: error: a.vert+b.frag: components 8, at most 7 (a.????+*) (--budgets)", run.err)
        for wrong in ("[]", '{"*": 3}', '{"*": {"componets": 3}}', '{"*": {"components": -1}}', '{"*": {"components": "3"}}'):
            self.write("budgets.json", wrong)
            self.assert_refused(1, "budgets.json:1: error", *diff)

    def test_refusals(self):
        self.assert_refused(1, "none.json", "diff", "a.json", "none.json")
        self.assert_refused(1, "a.vert: error: is not a report of varylink link", "diff", "a.vert", "b.json")
        self.assert_refused(1, "AFTER", "diff", "a.json")


if __name__ == "__main__":
    unittest.main()
