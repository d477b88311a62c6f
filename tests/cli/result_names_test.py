"""No file that a run writes takes the place of another one, however the two are spelled."""

import json
import os
import unittest

from harness import VERT, CliTest

NAMED_TWICE = "names a file that another option names, too"
REPORTS = ("--report", "--report-lines", "--html", "--dot", "--depfile", "-MF")


class ReportsAndResults(CliTest):
    def setUp(self):
        super().setUp()
        self.write_pair()
        self.write("m.jsonl", '{"name": "a", "stages": {"vert": "a.vert", "frag": "b.frag"}}\n'
                              '{"name": "c/d", "stages": {"vert": "a.vert", "frag": "b.frag"}}\n')
        self.pair = ("link", "a.vert", "b.frag")
        self.manifest = ("link", "--manifest", "m.jsonl")

    def refused_for_all(self, path, *arguments):
        for option in REPORTS:
            with self.subTest(option=option, path=path):
                long_option = "--depfile" if option == "-MF" else option
                self.assert_refused(1, [f"{path}: error: {long_option} {NAMED_TWICE}"], *arguments, option, str(path))

    def test_stages_in_a_folder(self):
        for path in ("out/a.vert.spv", "out/./b.frag.spv", "out/../out/b.frag.spv", self.dir / "out/a.vert.spv"):
            self.refused_for_all(path, *self.pair, "-o", "out")
            self.refused_for_all(path, *self.pair, "-o", self.dir / "out")

    def test_results_that_are_there_stay_as_they_are(self):
        self.assert_ok(self.run_cli(*self.pair, "-o", "out", "-MD"))
        self.refused_for_all("out/a.vert.spv", *self.pair, "-o", "out")
        self.refused_for_all("out/a.vert.spv.d", *self.pair, "-o", "out", "-MD")
        os.symlink("out", self.dir / "link")
        self.refused_for_all("link/a.vert.spv", *self.pair, "-o", "out")
        os.symlink("out/a.vert.spv", self.dir / "other")
        self.refused_for_all("other", *self.pair, "-o", "out")

    def test_stages_with_files_of_their_own(self):
        files = ("-o", "vert=out/v.spv", "-o", "frag=out/f.spv")
        self.refused_for_all("out/v.spv", *self.pair, *files)
        self.refused_for_all("out/f.spv.d", *self.pair, *files, "-MD")
        self.refused_for_all("v.spv", "link", "--no-fragment", "a.vert", "-o", "v.spv")

    def test_a_module_whose_entry_points_tell_its_stages(self):
        self.write("x.spv", self.spirv("a.vert", VERT, alone=True))
        self.refused_for_all("out/x.spv", "link", "x.spv", "b.frag", "-o", "out")
        run = self.run_cli("link", "-", "b.frag", "-o", "out", "--report-lines", "out/vert.spv",
                           stdin=(self.dir / "x.spv").read_bytes())
        self.assertEqual(run.status, 1, run)
        self.assertIn(NAMED_TWICE, run.err)
        self.assertFalse((self.dir / "out").exists())

    def test_manifest(self):
        for path in ("om/a/vert.spv", "om/c/d/frag.spv", "./om/c/../a/frag.spv"):
            self.refused_for_all(path, *self.manifest, "-o", "om")
        self.refused_for_all("om/c/d/vert.spv.d", *self.manifest, "-o", "om", "-MD")

    def test_shared_results_are_named_only_when_they_are_linked(self):
        for policy in ("specialize", "union", "cluster"):
            self.refused_for_all("om/0123456789abcdef.vert.spv", *self.manifest, "-o", "om", "--share", policy)
        self.assert_ok(self.run_cli(*self.manifest, "-o", "om", "--share", "union", "--report",
                                    "om/0123456789abcdef.json", "--html", "0123456789abcdef.vert.spv"))

    def test_other_files_in_the_folder_of_the_results(self):
        self.assert_ok(self.run_cli(*self.pair, "-o", "out", "-MD", "--report", "out/report.json", "--html",
                                    "out/a.vert.html", "-MF", "out/all.d"))
        self.assert_ok(self.run_cli(*self.manifest, "-o", "om", "-MD", "--report", "om/a/report.json", "--report-lines",
                                    "om/vert.spv"))
        json.loads((self.dir / "om/a/report.json").read_text())
        # Nothing stands beside results without -MD, and nothing is written without -o.
        self.assert_ok(self.run_cli(*self.pair, "-o", "other", "--report", "other/a.vert.spv.d"))
        self.assert_ok(self.run_cli(*self.pair, "--report", "a.vert.spv"))

    def test_reproducers(self):
        for option in REPORTS:
            self.assert_refused(1, ["r/command: error", NAMED_TWICE], *self.pair, "--save-repro", "r", option, "r/./command")
        fragments = ["r/vert.spv: error", f"--save-repro {NAMED_TWICE}"]
        self.assert_refused(1, fragments, *self.pair, "-o", "out", "-o", "vert=r/vert.spv", "--save-repro", "./r")
        self.assert_ok(self.run_cli(*self.pair, "-o", "r", "--save-repro", "r", "--report", "r/report.json"))

    def test_reports_among_themselves(self):
        for first in REPORTS[:-1]:
            for second, path in (("--report", "./r"), ("--html", "x/../r"), ("--dot", str(self.dir / "r"))):
                if first != second:
                    self.assert_refused(1, NAMED_TWICE, *self.pair, first, "r", second, path)


class StagesAmongThemselves(CliTest):
    def setUp(self):
        super().setUp()
        self.write_pair()

    def test_two_spellings(self):
        os.mkdir(self.dir / "there")
        os.symlink("there", self.dir / "link")
        for vert, frag in (("out/v.spv", "out/./v.spv"), ("out/v.spv", self.dir / "out/v.spv"),
                           ("out/v.spv", "out/x/../v.spv"), ("v.spv", "./v.spv"), ("there/v.spv", "link/v.spv")):
            with self.subTest(frag=frag):
                self.assert_refused(1, "two stages would be written to", "link", "a.vert", "b.frag", "-o",
                                    f"vert={vert}", "-o", f"frag={frag}")
        self.assert_refused(1, "two stages would be written to", "link", "a.vert", "b.frag", "-o", "out", "-o",
                            "frag=./out/a.vert.spv")

    def test_a_stage_and_the_dependency_file_of_another(self):
        self.assert_refused(1, ["out/v.spv.d: error", NAMED_TWICE], "link", "a.vert", "b.frag", "-MD", "-o",
                            "vert=out/v.spv", "-o", "frag=./out/v.spv.d")


class PipelinesAmongThemselves(CliTest):
    def refused(self, *names, line, other):
        self.write("m.jsonl", "".join(
            json.dumps({"name": name, "stages": {"vert": "a.vert", "frag": "b.frag"}}) + "\n" for name in names))
        for jobs in ("-j1", "-j4"):
            self.assert_refused(1, [f"m.jsonl:{line}: error", f"on line {other}"], "link", "--manifest", "m.jsonl", "-o",
                                "out", jobs)

    def test_one_in_the_way_of_the_other(self):
        self.write_pair()
        self.refused("a", "a/vert.spv", line=2, other=1)
        self.refused("a/frag.spv", "b", "a", line=3, other=1)
        self.refused("x", "a/b/vert.spv.d/c/d", "a/b", line=3, other=2)

    def test_one_beside_the_other(self):
        self.write_pair()
        names = ("a", "a/b", "a/b/c", "vert.spv", "x/frag.spv/y", "a.vert.spv", "a/vert")
        self.write("m.jsonl", "".join(
            json.dumps({"name": name, "stages": {"vert": "a.vert", "frag": "b.frag"}}) + "\n" for name in names))
        self.assert_ok(self.run_cli("link", "--manifest", "m.jsonl", "-o", "out", "-MD"))
        for name in names:
            self.assertTrue((self.dir / "out" / name / "vert.spv").is_file())


if __name__ == "__main__":
    unittest.main()
