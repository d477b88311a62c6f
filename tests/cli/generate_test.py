"""varylink generate: completions and the manual page know every command and option."""

import re
import shutil
import subprocess
import unittest

from harness import CliTest


class Generate(CliTest):
    def generate(self, what):
        return self.assert_ok(self.run_cli("generate", what)).out

    def commands(self):
        text = self.assert_ok(self.run_cli("--help")).out
        names = re.findall(r"^  (\w+) ", text[text.index("Subcommands:"):text.index("@FILE")], re.MULTILINE)
        self.assertIn("link", names)
        return names

    def options(self, command):
        """Every option in the help of the command, -MD and -MF too."""
        text = self.assert_ok(self.run_cli(command, "--help")).out
        heads = re.findall(r"^  (-\S+)", text, re.MULTILINE)
        names = [name for head in heads for name in head.split(",") if name.startswith("-")]
        self.assertIn("--help", names)
        return [name.split("=")[0] for name in names] + re.findall(r"\(also (-\w+)\)", text)

    def complete(self, *words):
        self.write("varylink.bash", self.generate("bash"))
        script = ('source ./varylink.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _varylink; '
                  'printf "%s\\n" "${COMPREPLY[@]}"')
        completed = subprocess.run(["bash", "-c", script, "bash", "varylink", *words], cwd=self.dir, check=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60)
        self.assertEqual(completed.stderr, "")
        return completed.stdout.split()

    @unittest.skipUnless(shutil.which("bash"), "no bash")
    def test_bash(self):
        self.assertLessEqual(set(self.commands()), set(self.complete("")))
        self.assertEqual(self.complete("ver"), ["verify"])
        for command in self.commands():
            with self.subTest(command):
                self.assertEqual(set(self.complete(command, "-")), set(self.options(command)))
        self.assertEqual(self.complete("link", "--target-env", "vulkan1.2"), ["vulkan1.2"])
        self.assertGreaterEqual(len(self.complete("link", "--target-env", "")), 4)
        self.write("shaders/a.vert", "")
        self.write("shaders.json", "")
        self.assertEqual(sorted(self.complete("link", "--report", "sha")), ["shaders", "shaders.json"])
        self.assertEqual(self.complete("link", "-I", "sha"), ["shaders"])
        self.assertEqual(self.complete("link", "shaders/"), ["shaders/a.vert"])
        self.assertEqual(self.complete("link", "--fuel", ""), [])

    @unittest.skipUnless(shutil.which("bash"), "no bash")
    def test_bash_values(self):
        passes = re.findall(r"^([\w-]+) ", self.assert_ok(self.run_cli("link", "--help-passes")).out, re.MULTILINE)
        self.assertIn("remove-dead-varyings", passes)
        self.assertEqual(self.complete("link", "-S", ""), ["vert", "tesc", "tese", "geom", "task", "mesh", "frag"])
        self.assertEqual(self.complete("link", "--passes", ""), passes)
        self.assertEqual(self.complete("link", "--passes", "assign-locations,remove-dead-v"), ["assign-locations,remove-dead-varyings"])
        self.assertEqual(self.complete("link", "--dump-after", ""), [*passes, "all"])
        self.assertEqual(self.complete("link", "--profile", "ti"), ["tiler"])
        self.write("tier.json", "{}")
        self.assertEqual(sorted(self.complete("link", "--profile", "ti")), ["tier.json", "tiler"])
        self.assertEqual(self.complete("diff", "--fail-on", "wo"), ["worse"])
        self.assertEqual(self.complete("link", "--diagnostics", "j"), ["json"])

    def test_fish(self):
        text = self.generate("fish")
        for command in self.commands():
            part = "\n".join(line for line in text.splitlines() if f"__fish_seen_subcommand_from {command}'" in line)
            for option in self.options(command):
                spelled = ("-l " + option[2:] if option.startswith("--") else
                           "-s " + option[1:] if len(option) == 2 else "-o " + option[1:])
                self.assertIn(f" {spelled} ", part, command)
        if not shutil.which("fish"):
            return
        self.write("varylink.fish", text)

        def complete(line):
            completed = subprocess.run(["fish", "--no-config", "-c", f'source varylink.fish; complete -C "{line}"'],
                                       cwd=self.dir, check=True, stdout=subprocess.PIPE, text=True, timeout=60)
            return {entry.split("\t")[0] for entry in completed.stdout.splitlines()}
        self.assertLessEqual(set(self.commands()), complete("varylink "))
        self.assertEqual(complete("varylink link --target-env vulkan1.2"), {"vulkan1.2"})
        self.assertLessEqual({"vert", "frag"}, complete("varylink link -S "))
        self.assertIn("all", complete("varylink link --dump-after "))
        self.assertIn("--report", complete("varylink link --rep"))

    def test_zsh(self):
        text = self.generate("zsh")
        self.assertTrue(text.startswith("#compdef varylink\n"))
        for command in self.commands():
            with self.subTest(command):
                part = text[text.index(f"\n    {command})\n"):]
                part = part[:part.index(";;")]
                for option in self.options(command):
                    self.assertIn(f"'*{option}[", part)
        if shutil.which("zsh"):
            subprocess.run(["zsh", "-n"], input=text.encode(), check=True, timeout=60)

    def test_manual_page(self):
        page = self.generate("man")
        for command in self.commands():
            with self.subTest(command):
                part = page[page.index(f".SH VARYLINK {command.upper()}\n"):]
                part = part[:part.index("\n.SH ", 1)]
                for option in self.options(command):
                    self.assertIn("\\fB" + option.replace("-", "\\-") + "\\fR", part)
        if not shutil.which("groff"):
            return
        printed = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-P-cbou"], input=page.encode(), check=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
        self.assertEqual(printed.stderr.decode(), "")
        self.assertIn("--report FILE", printed.stdout.decode().replace("\u2212", "-"))

    def test_anything_else_is_refused(self):
        self.assert_refused(1, "powershell", "generate", "powershell")
        self.assert_refused(1, "WHAT", "generate")


if __name__ == "__main__":
    unittest.main()
