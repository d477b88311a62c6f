"""varylink explain."""

import unittest

from harness import MOVING_FRAG, MOVING_VERT, CliTest


class Explain(CliTest):
    def setUp(self):
        super().setUp()
        self.write_pair()

    def test_one_component(self):
        run = self.assert_ok(self.run_cli("explain", "a.vert", "b.frag", "--location", "0.y"))
        self.assertEqual(run.out.splitlines()[0], "vert→frag 0.y: float color.y, smooth")
        self.assertIn("It still crosses", run.out)
        self.assertEqual(len(run.out.splitlines()), 2, run)

    def test_all_of_a_location_and_several(self):
        run = self.assert_ok(self.run_cli("explain", "a.vert", "b.frag", "--location", "1", "--location", "0.z"))
        self.assertEqual(run.out.count("It is gone, because nobody reads it."), 5, run)

    def test_everything(self):
        run = self.assert_ok(self.run_cli("explain", "a.vert", "b.frag"))
        self.assertEqual(len(run.out.splitlines()), 16, run)
        off = self.assert_ok(self.run_cli("explain", "a.vert", "b.frag", "-O0"))
        self.assertEqual(off.out.count("It still crosses, at the same place, because it was only checked."), 8, off)

    def test_what_needs_it(self):
        run = self.assert_ok(self.run_cli("explain", "a.vert", "b.frag", "--location", "0.x"))
        self.assertIn("The frag stage needs it for store to result.", run.out)

    def test_what_crosses_instead(self):
        self.write("m.vert", MOVING_VERT)
        self.write("m.frag", MOVING_FRAG)
        run = self.assert_ok(self.run_cli("explain", "m.vert", "m.frag", "--location", "0.x", "--location", "0.y"))
        lines = run.out.splitlines()
        self.assertTrue(lines[1].endswith("Now 0.x carries p.x + p.y."), run)
        self.assertTrue(lines[3].endswith("Now 0.x carries p.x + p.y; 0.y carries p.y + p.z."), run)

    def test_wrong_place(self):
        self.assert_refused(1, ["no output is declared at location 7.x", "vert→frag declares 0.xyzw 1.xyzw"], "explain",
                            "a.vert", "b.frag", "--location", "7.x")
        self.assert_refused(1, "'4.q' is no place of a varying", "explain", "a.vert", "b.frag", "--location", "4.q")

    def test_failures_are_those_of_link(self):
        self.write("b.frag", (self.dir / "b.frag").read_text().replace("location = 0) in", "location = 7) in"))
        self.assert_refused(4, "7.x", "explain", "a.vert", "b.frag")
        self.assert_refused(1, "no input", "explain")


if __name__ == "__main__":
    unittest.main()
