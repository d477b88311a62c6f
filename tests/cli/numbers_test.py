"""Numbers that options take, and what they do not take for one."""

import re
import unittest

from harness import CliTest

COMMANDS = ("link", "verify", "prove", "measure", "check", "explain", "analyze", "diff", "merge-reports", "import")
# What the help calls the values of options that take numbers.
NUMBERS = ("N", "K", "S", "MIB", "STEPS", "LEVEL", "PERCENT", "L,...")
NO_NUMBERS = ("", " ", "-1", "+-1", "1x", "x", "1 2", "0x", "0x-1", "nan", "inf", "-inf", "18446744073709551616",
              "99999999999999999999", "1e400")
WHOLE_ONLY = ("1.5", "1e1")


class Numbers(CliTest):
    def options_of(self, command):
        """(name, what the help calls its value, least, most) of the options that take a number; None for no range."""
        text = self.assert_ok(self.run_cli(command, "--help")).out
        found = []
        for line in text.splitlines():
            if option := re.match(r"  (--?[\w-]+) ([A-Z][A-Z,.]*)(?::(INT|FLOAT) in \[(\S+) - (\S+)\])?", line):
                if option[2] in NUMBERS:
                    found.append(option.groups())
        return found

    def test_every_option_refuses_what_is_no_number_that_it_can_mean(self):
        count = 0
        kinds = set()
        for command in COMMANDS:
            for name, value, kind, least, most in self.options_of(command):
                count += 1
                outside = [str(float(most) * 2), "1e400"] if kind == "FLOAT" else [str(int(most) + 1)] if most else []
                outside += [str(float(least) - 1)] if kind == "FLOAT" else [str(int(least) - 1)] if least else []
                # Options of one kind read their text in the same way: the first is tried in full.
                if (value, kind) in kinds:
                    wrong = [NO_NUMBERS[count % len(NO_NUMBERS)], *outside]
                else:
                    wrong = [*NO_NUMBERS, *([] if kind == "FLOAT" else WHOLE_ONLY), *outside]
                kinds.add((value, kind))
                for text in wrong:
                    if value == "L,..." and text == "":
                        continue  # no location is a list, too
                    with self.subTest(command=command, option=name, text=text):
                        run = self.run_cli(command, name, text, "a", "b")
                        self.assertEqual(run.status, 1, run)
                        self.assertRegex(run.err, rf"^varylink: error: {name}: '.*' is not a (whole )?number from ")
        self.assertGreater(count, 20)

    def test_numbers_are_decimal_or_hexadecimal(self):
        self.write_pair()
        pair = ("link", "a.vert", "b.frag", "--report", "r.json", "--fuel")
        for text in ("10", "010", "0xa", "0XA"):
            self.assert_ok(self.run_cli(*pair, text))
            self.assertIn('"--fuel": "10"', re.sub(r"\s+", " ", (self.dir / "r.json").read_text()))
        self.assert_ok(self.run_cli(*pair, "18446744073709551615"))
        self.assert_ok(self.run_cli("link", "a.vert", "b.frag", "--max-fragment-cost", "1.5e2"))
        self.assert_ok(self.run_cli("link", "a.vert", "b.frag", "--instance-rate-attributes", "0,0x1"))


class CacheLimit(CliTest):
    def setUp(self):
        super().setUp()
        self.write_pair()

    def link(self, *arguments):
        self.assert_ok(self.run_cli("link", "a.vert", "b.frag", "--cache", "cache", *arguments))
        return [path for path in (self.dir / "cache").rglob("*") if path.is_file()]

    def test_nothing_fits_into_0(self):
        self.assertNotEqual(self.link(), [])
        self.assertNotEqual(self.link("--cache-limit", "1"), [])
        self.assertEqual(self.link("--cache-limit", "0"), [])

    def test_bytes_of_the_limit_can_be_counted(self):
        self.assert_refused(1, "--cache-limit: ", "link", "a.vert", "b.frag", "--cache", "cache", "--cache-limit",
                            str(1 << 44))
        self.assertNotEqual(self.link("--cache-limit", str((1 << 44) - 1)), [])

    def test_a_limit_needs_a_cache(self):
        self.assert_refused(1, "--cache-limit needs --cache", "link", "a.vert", "b.frag", "--cache-limit", "0")


if __name__ == "__main__":
    unittest.main()
