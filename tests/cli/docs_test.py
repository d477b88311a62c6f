"""What docs/ says about the command line is true: examples print what they show, and options that are named exist."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import unittest

from harness import CliTest

ROOT = pathlib.Path(__file__).resolve().parents[2]
OPTION = re.compile(r"(?<![\w`-])(--[a-z][\w-]*)")
# Lines that call other programs have options of theirs.
OTHER_PROGRAMS = re.compile(r"\b(cmake|ctest|spirv-opt|spirv-val|spirv-cross|glslangValidator|dxc|jq|git|tests/run|install-debian\.sh|corpus\.py|bench/prove\.py|walkthrough_test\.py|apt|pkg-config|cc|c\+\+|g\+\+|ninja|parallel|chromium|gfxrecon-replay)\b")


def examples(text):
    """(command, first lines of what it prints) of every indented `$` line that is followed by output"""
    found = []
    for line in text.splitlines():
        if line.startswith("    $ "):
            found.append((line[6:], []))
        elif found and line.startswith("    ") and found[-1][1] is not None:
            found[-1][1].append(line[4:])
        elif found and not line.startswith("    "):
            found.append((None, None))  # ends the output of the one before
    return [(command, output) for command, output in found if command]


def options_of_help(text):
    """The names of each option that a help lists: {"-MF", "--depfile"}."""
    found = []
    for line in text.splitlines():
        names = re.match(r"  (-[^ ]*)(?: .*?)?(?:\(also (-\w+)\))?(?: |$)", line)
        if names:
            also = re.search(r"\(also (-\w+)\)", line)
            # CLI11 knows -MD as --MD.
            hidden = {"-" + also.group(1)} if also else set()
            found.append((set(names.group(1).split(",")) | ({also.group(1)} if also else set())) - hidden)
        elif found and (also := re.match(r" {20,}\(also (-\w+)\)", line)):
            found[-1] = (found[-1] | {also.group(1)}) - {"-" + also.group(1)}
    return found


def options_of_manual(text):
    """(names, commands) of each row of the tables of every option; no commands: all. A heading names those of a table that has no
    column for them."""
    found = []
    for part in text.split("## Every option\n")[1].split("\n## ")[0].split("\n### ")[1:]:
        heading, table = part.split("\n", 1)
        for row in re.findall(r"^\| (`-.*) \|$", table, re.MULTILINE):
            names, *commands, said = re.split(r" (?<!\\)\| ", row)
            found.append(({name.split(" ")[0] for name in re.findall(r"`(-.*?)`", names)},
                          re.findall(r"`([\w-]+)`", commands[0] if commands else heading), said))
    return found


def passages(text):
    """(number, text): each line of a table or example, and each run of other lines as one."""
    found = [(1, "")]
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith(("|", "    ")):
            found += [(number, line), (number, "")]
        else:
            found[-1] = (found[-1][0], f"{found[-1][1]} {line}")
    return found


class Docs(CliTest):
    def test_every_option_is_in_the_manual_and_the_other_way_round(self):
        manual = options_of_manual((ROOT / "docs/cli.md").read_text(encoding="utf-8"))
        commands = re.findall(r"^  ([a-z-]+)  ", self.run_cli("--help").out.split("Subcommands:")[1], re.MULTILINE)
        self.assertGreaterEqual(len(commands), 10)
        for command in commands:
            there = options_of_help(self.assert_ok(self.run_cli(command, "--help")).out)
            told = [names for names, of, _ in manual if not of or command in of]
            self.assertEqual(sorted(map(sorted, there)), sorted(map(sorted, told)), command)
        self.assertEqual([names for names, _, said in manual if not said.strip()], [])
        self.assertEqual({each for _, of, _ in manual for each in of} - set(commands), set())

    def test_examples_print_what_they_show(self):
        found = [example for document in sorted((ROOT / "docs").glob("*.md"))
                 for example in examples(document.read_text(encoding="utf-8"))]
        self.assertGreaterEqual(len(found), 5)
        folder = pathlib.Path(os.environ["VARYLINK"]).resolve().parent
        os.symlink(ROOT / "samples", self.dir / "samples")
        for command, expected in found:
            if command.startswith("jq ") and not shutil.which("jq"):
                continue
            with self.subTest(command):
                run = subprocess.run(command, shell=True, cwd=self.dir, capture_output=True, text=True, timeout=60,
                                     env=dict(os.environ, PATH=f"{folder}:{os.environ['PATH']}"))
                self.assertEqual(run.stdout.splitlines()[:len(expected)], expected)

    def test_example_of_check_md(self):
        """The message and the JSON of docs/check.md, from shaders that have that fault in that line."""
        self.write("lit.vert", "#version 450\nlayout(location = 3) out vec3 vNormal;\n" + "\n" * 5 +
                   "void main() {\nvNormal = vec3(1);\ngl_Position = vec4(1);\n}\n")
        self.write("lit.frag", "#version 450\nlayout(location = 3) in vec4 inNormal;\n"
                               "layout(location = 0) out vec4 o;\nvoid main() {\n" + "\n" * 9 + "o = inNormal;\n}\n")
        manual = (ROOT / "docs/check.md").read_text(encoding="utf-8")
        run = self.run_cli("check", "lit.vert", "lit.frag")
        self.assertEqual(run.status, 4, run)
        self.assertIn("```\n" + run.err.splitlines()[0] + "\n```", manual)
        issue = json.loads(self.run_cli("check", "lit.vert", "lit.frag", "--diagnostics=json").out)["pipelines"][0]["issues"][0]
        shown = json.loads(re.search(r"```json\n(\{\"validator.*?)```", manual, re.DOTALL).group(1))["pipelines"][0]["issues"][0]
        self.assertEqual(dict(issue, message="..."), shown)

    def test_reasons_of_limits_md(self):
        """What docs/limits.md calls reasons are texts of the sources."""
        sources = "".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "src").rglob("*.cpp")))
        sources = re.sub(r'"\s*\n\s*"', "", sources)
        table = (ROOT / "docs/limits.md").read_text(encoding="utf-8").split("| reason |")[1].split("\n\n")[0]
        reasons = [line.split("|")[1].strip() for line in table.splitlines()[2:]]
        self.assertGreaterEqual(len(reasons), 9)
        for reason in reasons:
            self.assertIn(reason.split(" vert stage")[0], sources)

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
        for script in (ROOT / "integrations" / "farm").glob("*.sh"):
            known |= set(OPTION.findall(script.read_text(encoding="utf-8")))
        for document in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
            text = document.read_text(encoding="utf-8").replace("`", " ")
            for number, line in passages(text):
                if OTHER_PROGRAMS.search(line):
                    continue
                with self.subTest(f"{document.name}:{number}"):
                    self.assertLessEqual(set(OPTION.findall(line)), known)


if __name__ == "__main__":
    unittest.main()
