"""varylink prove on linked pipelines with faults that linkers had: tests/prove/wrong/*.pair.

A pair has the stages of a pipeline, `wrong` stages that replace some of them, and `right` ones. `expect:` is a regular
expression for what prove says of the wrong ones, `right:` likewise of right ones that are not proved either.
"""

import json
import pathlib
import re
import shutil
import subprocess
import unittest

from harness import CliTest

PAIRS = sorted((pathlib.Path(__file__).resolve().parent.parent / "prove" / "wrong").glob("*.pair"))


class WrongPairs(CliTest):
    def stages_of(self, name, text):
        """By which version ("", "wrong", "right"): file by stage."""
        versions = {"": {}, "wrong": {}, "right": {}}
        parts = re.split(r"^== (.*)$", text, flags=re.M)
        for title, body in zip(parts[1::2], parts[2::2]):
            words = title.split()
            version = words.pop(0) if words[0] in versions else ""
            file = f"{name}/{version or 'original'}.{words[0]}"
            self.write(file, body.lstrip("\n"))
            if words[1:] == ["spvasm"]:
                subprocess.run(["spirv-as", "--target-env", "vulkan1.1", file, "-o", file + ".spv"], cwd=self.dir, check=True)
                file += ".spv"
            versions[version][words[0]] = file
        return versions

    def manifest(self, version, pairs):
        """File with that version of each pair, a pipeline a line."""
        lines = [json.dumps({"name": name, "stages": versions[""] | versions[version]}) for name, versions in pairs.items()]
        return self.write(f"{version or 'original'}.jsonl", "\n".join(lines))

    def verdicts(self, version, pairs):
        """The exit status of prove for that version of all pairs in one run, which reads GLSL's own functions once; and what
        it says, as its lines do: by name."""
        run = self.run_cli("prove", "--json", "--manifest", "original.jsonl", "--against", self.manifest(version, pairs))
        said = {one["name"]: ": ".join(filter(None, (one["verdict"], one["reason"]))) for one in json.loads(run.out)}
        self.assertEqual(list(said), list(pairs))
        return run.status, said

    @unittest.skipUnless(shutil.which("spirv-as"), "needs spirv-tools")
    def test_wrong_ones_are_not_proved_and_right_ones_are(self):
        self.assertGreater(len(PAIRS), 10)
        texts = {path.stem: path.read_text(encoding="utf-8") for path in PAIRS}
        pairs = {name: self.stages_of(name, text) for name, text in texts.items()}
        self.manifest("", pairs)
        status, wrong = self.verdicts("wrong", pairs)
        self.assertIn(status, (6, 7))
        status, right = self.verdicts("right", pairs)
        self.assertEqual(status, 7)  # some are not proved, none is refuted
        for name, text in texts.items():
            says = dict(re.findall(r"^;; (expect|right): (.*)$", text, re.M))
            with self.subTest(name):
                self.assertRegex(wrong[name], r"^(refuted|not proved)")
                self.assertRegex(wrong[name], says["expect"])
                if "right" in says:
                    self.assertRegex(right[name], r"^not proved")
                    self.assertRegex(right[name], says["right"])
                else:
                    self.assertEqual(right[name], "proved")


if __name__ == "__main__":
    unittest.main()
