"""The Bazel rules, offline: the bytes of the command, from the cache where nothing changed, nothing undeclared read, killed parts redone."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest

from harness import ROOT, SHARDS, FarmTest, files_below, need

need("bazel")

MANIFEST_BUILD = f"""
load("@rules_varylink//:varylink.bzl", "varylink_manifest")
varylink_manifest(name = "out", manifest = "pipelines.jsonl", srcs = glob(["shaders/*"]), shards = {SHARDS}, seconds = SECONDS)
"""


class Bazel(FarmTest):
    @classmethod
    def setUpClass(cls):
        root = tempfile.TemporaryDirectory(prefix="varylink-bazel-")
        cls.addClassCleanup(root.cleanup)
        cls.addClassCleanup(subprocess.run, ["chmod", "-R", "u+w", root.name])
        cls.root = root.name

    def setUp(self):
        super().setUp()
        shutil.copytree(ROOT / "integrations" / "bazel", self.dir / "rules")
        self.example = self.dir / "rules" / "example"
        self.addCleanup(self.shutdown)

    def bazel(self, workspace, command, *arguments, program=None):
        return subprocess.run(["bazel", f"--output_user_root={self.root}", "--nohome_rc", command, *arguments],
                              cwd=workspace, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=400,
                              env={**os.environ, "VARYLINK": program or self.program})

    def shutdown(self):
        for workspace in (self.example, self.work):
            if (workspace / "WORKSPACE").exists():
                self.bazel(workspace, "shutdown")

    def build(self, workspace, *arguments, program=None):
        """Builds everything; returns how many actions ran in which way, as Bazel says it."""
        run = self.bazel(workspace, "build", "//...", "--output_groups=+report", *arguments, program=program)
        self.assertEqual(run.returncode, 0, run.stdout)
        [line] = re.findall(r"INFO: (\d+ process.*)", run.stdout)
        return {kind: int(count) for count, kind in re.findall(r"(\d+) ([a-z][a-z -]*)", line)}

    def write_workspace(self, seconds):
        text = (self.example / "WORKSPACE").read_text().replace('".."', f'"{self.dir}/rules"')
        (self.work / "WORKSPACE").write_text(text)
        (self.work / "BUILD.bazel").write_text(MANIFEST_BUILD.replace("SECONDS", str(seconds)))

    def results(self, workspace):
        return files_below(workspace / "bazel-bin" / "out"), (workspace / "bazel-bin" / "out.json").read_text()

    def one_process(self):
        """From a folder that is as deep as Bazel's is."""
        folder = self.work / "a" / "b" / "c" / "d" / "e"
        folder.mkdir(parents=True)
        report = self.dir / "one.json"
        subprocess.run([self.program, "link", "--manifest", "../../../../../pipelines.jsonl", "-o", ".", "--report", report, "-q"],
                       cwd=folder, check=True)
        return files_below(folder), report.read_text()

    def test_rules_write_what_the_command_writes(self):
        self.build(self.example)
        shaders = self.example / "shaders"
        for name, options, stages in (("lit", [], ["vert=lit.vert", "frag=lit.frag"]),
                                      ("sky", ["-O1"], ["vert=sky.vert", "frag=background.glsl"])):
            outputs = [word for stage in stages for word in ("-o", f"{stage[:4]}={self.dir}/{stage[:4]}.spv")]
            subprocess.run([self.program, "link", *stages, *outputs, *options, "-q"], cwd=shaders, check=True)
            for stage in ("vert", "frag"):
                self.assertEqual((self.example / "bazel-bin" / name / f"{stage}.spv").read_bytes(),
                                 (self.dir / f"{stage}.spv").read_bytes())

    def test_what_did_not_change_comes_from_the_cache(self):
        cache = f"--disk_cache={self.dir}/cache"
        first = self.build(self.example, cache)
        self.assertFalse([kind for kind in first if kind.endswith("cache hit")], first)
        self.bazel(self.example, "clean")
        again = self.build(self.example, cache)
        [hits] = [count for kind, count in again.items() if kind.endswith("cache hit")]
        self.assertFalse([kind for kind in again if kind.endswith("sandbox")], again)
        # The manifest has a part with flat.frag and one without.
        shader = self.example / "shaders" / "flat.frag"
        shader.write_text(shader.read_text().replace("fog.y", "fog.z"))
        changed = self.build(self.example, cache)
        ran = sum(count for kind, count in changed.items() if kind.endswith("sandbox"))
        self.assertGreater(ran, 0)
        self.assertLess(ran, hits)

    def test_an_undeclared_include_is_an_error(self):
        build = self.example / "BUILD.bazel"
        build.write_text(build.read_text().replace('"shaders/camera.glsl"', ""))
        run = self.bazel(self.example, "build", "//:lit")
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("camera.glsl", run.stdout)

    def test_parts_give_the_bytes_of_one_process(self):
        self.write_workspace(seconds=3600)
        self.build(self.work)
        self.assertEqual(self.results(self.work), self.one_process())

    def test_a_killed_part_is_done_again(self):
        self.write_workspace(seconds=3600)
        self.build(self.work, f"--sandbox_writable_path={self.dir}", program=self.killed_once())
        self.assertEqual(self.results(self.work), self.one_process())
        self.assert_killed_once()

    def test_a_part_that_hangs_is_done_again(self):
        self.write_workspace(seconds=20)
        self.build(self.work, f"--sandbox_writable_path={self.dir}", program=self.killed_once(also="time.sleep(600)"))
        self.assertEqual(self.results(self.work), self.one_process())
        self.assert_killed_once()


if __name__ == "__main__":
    unittest.main()
