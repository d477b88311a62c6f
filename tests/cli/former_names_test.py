"""Options and passes that were called otherwise: the command takes the former name, and shows the current one."""

import json
import pathlib
import re
import unittest

from harness import CliTest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FLAGS = re.findall(r'\{"(--[\w-]+)", &LinkOptions::[^{}]*"(--[\w-]+)"\}', (ROOT / "src/core/link/model/link_flags.cpp").read_text(encoding="utf-8"))
PASSES = [(name, former) for name, former in re.findall(r'\.name = "([\w-]+)"[^{}]*?\.former_name = "([\w-]+)"',
                                                        (ROOT / "src/core/passes/registry.cpp").read_text(encoding="utf-8"))]


class FormerNames(CliTest):
    def setUp(self):
        super().setUp()
        self.write_pair()

    def options(self, *words):
        self.assert_ok(self.run_cli("link", "a.vert", "b.frag", "--report", "r.json", *words))
        return json.loads((self.dir / "r.json").read_text())["options"]

    def test_options(self):
        self.assertEqual(FLAGS, [("--no-costlier-stage", "--no-dearer-stage")])
        shown = "".join(self.assert_ok(self.run_cli(*words)).out for words in (("link", "--help"), ("generate", "bash"), ("generate", "man")))
        for name, former in FLAGS:
            with self.subTest(former):
                self.assertEqual(self.options(former), self.options(name))
                self.assertIn(name, self.options(former))
                self.assertIn(name, shown.replace("\\-", "-"))
                self.assertNotIn(former, shown.replace("\\-", "-"))

    def test_passes(self):
        listed = self.assert_ok(self.run_cli("link", "--help-passes")).out.split()
        for name, former in PASSES:
            with self.subTest(former):
                self.assertEqual(self.options(f"--passes={former}"), self.options(f"--passes={name}"))
                self.assertEqual(self.options(f"--passes={former}")["--passes"], name)
                self.assert_ok(self.run_cli("link", "a.vert", "b.frag", "--dump-after", former, "--dump-dir", "dumps"))
                self.assertIn(name, listed)
                self.assertNotIn(former, listed)

    def test_other_names_are_refused(self):
        self.assert_refused(1, "there is no pass 'no-such-pass'", "link", "a.vert", "b.frag", "--passes=no-such-pass")


if __name__ == "__main__":
    unittest.main()
