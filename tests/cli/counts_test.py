"""The sizes in reports are those of the modules that were written, on every way there is to link pipelines, with and without
debug information: each report is held to what `varylink link -O0`, which passes modules through, counts in the results."""

import json
import pathlib
import shutil
import subprocess
import unittest

from harness import CliTest

SHADERS = pathlib.Path(__file__).resolve().parents[2] / "samples/shaders"
COMPILER = shutil.which("glslangValidator")
PIPELINES = {"lit": ("mesh.vert", "mesh_lit.frag"), "glass": ("mesh.vert", "mesh_glass.frag"),
             "shadow": ("mesh.vert", "mesh_shadow.frag"), "quick": ("quick.vert", "quick.frag")}
SINGLE = ["glass", "quick"]
KINDS = ["-g0", "-gVS"]
SHARED = {"specialize": [], "union": [], "cluster": ["--max-variants", "2"]}


@unittest.skipUnless(COMPILER, "no glslangValidator")
class CountsTest(CliTest):
    def setUp(self):
        super().setUp()
        for kind in KINDS:
            folder = self.dir / kind
            folder.mkdir()
            for shader in {shader for pair in PIPELINES.values() for shader in pair}:
                subprocess.run([COMPILER, kind, "-V", "--target-env", "vulkan1.2", SHADERS / shader, "-o", folder / (shader + ".spv")],
                               cwd=SHADERS, stdout=subprocess.DEVNULL, check=True)
            self.write_manifest(folder / "pipelines.jsonl", {name: [shader + ".spv" for shader in pair]
                                                             for name, pair in PIPELINES.items()})

    @staticmethod
    def write_manifest(path, pipelines):
        path.write_text("".join(json.dumps({"name": name, "stages": {"vert": str(vert), "frag": str(frag)}}) + "\n"
                                for name, (vert, frag) in pipelines.items()), encoding="utf-8")

    def link(self, kind, *arguments, report="report.json"):
        """The report of the run, with files named from its folder."""
        folder = self.dir / kind
        self.assert_ok(self.run_cli("link", *arguments, "-q", "--report", report, cwd=folder))
        return json.loads((folder / report).read_text(encoding="utf-8"))

    def link_all(self, kind, *options, out, **named):
        return self.link(kind, "--manifest", "pipelines.jsonl", "-o", out, *options, **named)

    def counted(self, kind, report):
        """The sizes of the files that the report names, by pipeline, and their sum."""
        written = {pipeline["name"]: [stage["output"] for stage in pipeline["stages"]] for pipeline in report["pipelines"]}
        self.write_manifest(self.dir / kind / "written.jsonl", written)
        again = self.link(kind, "-O0", "--manifest", "written.jsonl", "-o", "again", report="again.json")
        return self.sizes(again, "before"), again["summary"]["before"]

    @staticmethod
    def sizes(report, when):
        return {pipeline["name"]: [interface[when] for interface in pipeline["interfaces"]] for pipeline in report["pipelines"]}

    def hold(self, kind, report):
        """What the report says is what was written, and less than before. Returns the sizes."""
        sizes, total = self.counted(kind, report)
        self.assertEqual(self.sizes(report, "after"), sizes)
        self.assertEqual(report["summary"]["after"], total)
        self.assertLess(0, total["components"])
        self.assertLess(total["components"], report["summary"]["before"]["components"])
        return sizes

    def sharded(self, kind):
        for part in ("1/2", "2/2"):
            self.link_all(kind, "--shard", part, out="sharded", report=f"shard{part[0]}.json")
        self.assert_ok(self.run_cli("merge-reports", "shard1.json", "shard2.json", "-o", "merged.json", cwd=self.dir / kind))
        return json.loads((self.dir / kind / "merged.json").read_text(encoding="utf-8"))

    def singly(self, kind, name):
        return self.link(kind, *[shader + ".spv" for shader in PIPELINES[name]], "-o", "single-" + name)

    def by_way(self, kind):
        """The sizes that each way of linking gives."""
        batch = self.hold(kind, self.link_all(kind, "-j", "2", out="batch"))
        for name in SINGLE:
            with self.subTest(kind=kind, way="single", name=name):
                [[alone]] = [list(self.hold(kind, self.singly(kind, name)).values())]
                self.assertEqual(alone, batch[name])
        ways = {"cold": lambda: self.link_all(kind, "--cache", "cache", out="cold"),
                "warm": lambda: self.link_all(kind, "--cache", "cache", out="warm"),
                "shards": lambda: self.sharded(kind)}
        for way, link in ways.items():
            with self.subTest(kind=kind, way=way):
                self.assertEqual(self.hold(kind, link()), batch)
        found = {"batch": batch}
        for policy, options in SHARED.items():
            for cache in ("cold", "warm"):
                with self.subTest(kind=kind, way=policy, cache=cache):
                    report = self.link_all(kind, "--share", policy, *options, "--cache", "shared", out=policy)
                    sizes = self.hold(kind, report)
                    self.assertEqual(found.setdefault(policy, sizes), sizes)
        self.assertEqual(found["specialize"], batch)
        return found

    def test_reports_say_what_was_written(self):
        plain, debug = [self.by_way(kind) for kind in KINDS]
        self.assertEqual(plain, debug)


if __name__ == "__main__":
    unittest.main()
