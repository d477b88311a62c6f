"""What docs/ says about the command line is true: examples print what they show, and options that are named exist."""

import os
import pathlib
import re
import subprocess
import unittest

from harness import CliTest

ROOT = pathlib.Path(__file__).resolve().parents[2]
OPTION = re.compile(r"(?<![\w`-])(--[a-z][\w-]*)")
# Lines that call other programs have options of theirs.
OTHER_PROGRAMS = re.compile(r"\b(cmake|ctest|spirv-opt|spirv-val|jq|git|tests/run|install-debian\.sh|corpus\.py|pkg-config|cc|c\+\+|g\+\+|ninja|parallel)\b")


def examples(text):
    """(command, first lines of what it prints) of every indented `$ varylink` line that is followed by output"""
    found = []
    for line in text.splitlines():
        if line.startswith("    $ varylink "):
            found.append((line[6:], []))
        elif found and line.startswith("    ") and found[-1][1] is not None:
            found[-1][1].append(line[4:])
        elif found and not line.startswith("    "):
            found.append((None, None))  # ends the output of the one before
    return [(command, output) for command, output in found if command]


class Docs(CliTest):
    def test_examples_of_cli_md(self):
        found = examples((ROOT / "docs/cli.md").read_text(encoding="utf-8"))
        self.assertGreaterEqual(len(found), 3)
        folder = pathlib.Path(os.environ["VARYLINK"]).resolve().parent
        os.symlink(ROOT / "samples", self.dir / "samples")
        for command, expected in found:
            with self.subTest(command):
                run = subprocess.run(command, shell=True, cwd=self.dir, capture_output=True, text=True, timeout=60,
                                     env=dict(os.environ, PATH=f"{folder}:{os.environ['PATH']}"))
                self.assertEqual(run.stdout.splitlines()[:len(expected)], expected)

    def test_every_command_has_its_place(self):
        text = (ROOT / "docs/cli.md").read_text(encoding="utf-8")
        help_text = self.assert_ok(self.run_cli("--help")).out
        commands = re.findall(r"^  ([\w-]+) ", help_text[help_text.index("Subcommands:"):help_text.index("@FILE")], re.MULTILINE)
        self.assertIn("merge-reports", commands)
        for command in commands:
            self.assertIn(f"\n| `{command}` |", text)

    def test_options_that_are_named_exist(self):
        known = set(OPTION.findall(self.assert_ok(self.run_cli("generate", "bash")).out.replace(":", " ")))
        self.assertIn("--report", known)
        for document in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
            text = document.read_text(encoding="utf-8").replace("`", " ")
            for number, line in enumerate(text.splitlines(), 1):
                if OTHER_PROGRAMS.search(line):
                    continue
                with self.subTest(f"{document.name}:{number}"):
                    self.assertLessEqual(set(OPTION.findall(line)), known)


if __name__ == "__main__":
    unittest.main()
