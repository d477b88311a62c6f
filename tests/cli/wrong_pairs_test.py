"""varylink prove on linked pipelines with faults that linkers had: tests/prove/wrong/*.pair.

A pair has the stages of a pipeline, `wrong` stages that replace some of them, and `right` ones. `expect:` is a regular
expression for what prove says of the wrong ones, `right:` likewise of right ones that are not proved either.
"""

import pathlib
import re
import shutil
import subprocess
import unittest

from harness import CliTest

PAIRS = sorted((pathlib.Path(__file__).resolve().parent.parent / "prove" / "wrong").glob("*.pair"))


class WrongPairs(CliTest):
    def stages_of(self, text):
        """By which version ("", "wrong", "right"): file by stage."""
        versions = {"": {}, "wrong": {}, "right": {}}
        parts = re.split(r"^== (.*)$", text, flags=re.M)
        for title, body in zip(parts[1::2], parts[2::2]):
            words = title.split()
            version = words.pop(0) if words[0] in versions else ""
            name = f"{version or 'original'}.{words[0]}"
            self.write(name, body.lstrip("\n"))
            if words[1:] == ["spvasm"]:
                subprocess.run(["spirv-as", "--target-env", "vulkan1.1", name, "-o", name + ".spv"], cwd=self.dir, check=True)
                name += ".spv"
            versions[version][words[0]] = name
        return versions

    def prove(self, versions, which):
        original = versions[""]
        files = [f"{stage}={file}" for stage, file in original.items()]
        linked = [f"{stage}={versions[which].get(stage, file)}" for stage, file in original.items()]
        return self.run_cli("prove", *files, "--against", *linked)

    @unittest.skipUnless(shutil.which("spirv-as"), "needs spirv-tools")
    def test_wrong_ones_are_not_proved_and_right_ones_are(self):
        self.assertGreater(len(PAIRS), 10)
        for path in PAIRS:
            text = path.read_text(encoding="utf-8")
            says = dict(re.findall(r"^;; (expect|right): (.*)$", text, re.M))
            with self.subTest(path.stem):
                versions = self.stages_of(text)
                wrong = self.prove(versions, "wrong")
                self.assertIn(wrong.status, (6, 7), wrong)
                self.assertRegex(wrong.out.splitlines()[0], says["expect"])
                right = self.prove(versions, "right")
                if "right" in says:
                    self.assertEqual(right.status, 7, right)
                    self.assertRegex(right.out.splitlines()[0], says["right"])
                else:
                    self.assert_ok(right)


if __name__ == "__main__":
    unittest.main()
