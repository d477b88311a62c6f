"""Slips of the hand that would cost a user files, or results that are not what was asked for."""

import json
import os
import pathlib
import shutil
import struct
import subprocess
import unittest

from harness import FRAG, VERT, CliTest

MAGIC = b"\x03\x02\x23\x07"
HEADER_WORDS = 5


class OverwrittenInputs(CliTest):
    def setUp(self):
        super().setUp()
        self.write("a.vert.spv", self.spirv("a.vert", VERT, alone=True))
        self.write("b.frag.spv", self.spirv("b.frag", FRAG))

    def test_folder_of_the_inputs(self):
        self.assert_refused(1, ["a.vert.spv: error", "-o would overwrite"], "link", "a.vert.spv", "b.frag.spv", "-o", ".")

    def test_another_name_of_an_input(self):
        os.symlink("a.vert.spv", self.dir / "link.spv")
        os.link(self.dir / "b.frag.spv", self.dir / "second.spv")
        pair = ["link", "a.vert.spv", "b.frag.spv", "-o", "out"]
        self.assert_refused(1, "link.spv: error", *pair, "-o", "vert=link.spv")
        self.assert_refused(1, "second.spv: error", *pair, "-o", "frag=second.spv")

    def test_reports(self):
        pair = ["link", "a.vert.spv", "b.frag.spv", "-o", "out"]
        for option in ("--report", "--html", "--dot", "--depfile"):
            self.assert_refused(1, ["a.vert.spv: error", option], *pair, option, "a.vert.spv")
        self.assert_refused(1, "names a file that another option names", *pair, "--report", "r", "--html", "r")

    def test_manifest(self):
        shutil.copy(self.dir / "a.vert.spv", self.dir / "vert.spv")
        (self.dir / "p").mkdir()
        shutil.copy(self.dir / "b.frag.spv", self.dir / "p/frag.spv")
        self.write("m.jsonl", '{"name": "p", "stages": {"vert": "vert.spv", "frag": "p/frag.spv"}}\n'
                              '{"name": "q", "stages": {"vert": "vert.spv", "frag": "b.frag.spv"}}\n')
        before = (self.dir / "p/frag.spv").read_bytes()
        run = self.run_cli("link", "--manifest", "m.jsonl", "-o", ".")
        self.assertEqual(run.status, 1, run)
        self.assertIn("p/frag.spv: error: -o would overwrite", run.err)
        self.assertEqual((self.dir / "p/frag.spv").read_bytes(), before)
        self.assertTrue((self.dir / "q/frag.spv").exists())
        self.assert_refused(1, "m.jsonl: error", "link", "--manifest", "m.jsonl", "--report", "m.jsonl")

    def test_included_file(self):
        self.write("inc.glsl", "#define SCALE 2.0\n")
        self.write("a.vert", VERT.replace("layout", '#extension GL_GOOGLE_include_directive : require\n'
                                          '#include "inc.glsl"\nlayout', 1))
        self.assert_refused(1, "inc.glsl: error", "link", "a.vert", "b.frag.spv", "-o", "out", "-o", "vert=inc.glsl")
        self.assert_refused(1, "inc.glsl: error", "link", "a.vert", "b.frag.spv", "--report", "inc.glsl")

    def test_limits_and_response_files(self):
        self.write("lim.json", '{"maxVertexOutputComponents": 64}')
        self.write("args.txt", "a.vert.spv b.frag.spv --limits lim.json")
        pair = ["link", "a.vert.spv", "b.frag.spv", "--limits", "lim.json"]
        self.assert_refused(1, "lim.json: error", *pair, "--report", "lim.json")
        self.assert_refused(1, "lim.json: error", *pair, "-o", "vert=lim.json", "-o", "frag=f.spv")
        self.assert_refused(1, "args.txt: error", "link", "@args.txt", "--report", "args.txt")

    def test_merge_reports(self):
        self.assert_ok(self.run_cli("link", "a.vert.spv", "b.frag.spv", "--report", "r.json"))
        self.assert_refused(1, "r.json: error", "merge-reports", "r.json", "-o", "./r.json")


class Manifest(CliTest):
    def refused(self, line, *fragments):
        self.write_pair()
        self.write("m.jsonl", line + "\n")
        self.assert_refused(1, ["m.jsonl:1: error", *fragments], "link", "--manifest", "m.jsonl", "-o", "out")

    def test_unknown_keys(self):
        start = '{"name": "p", "stages": {"vert": "a.vert", "frag": "b.frag"}, '
        column = f"column {len(start) + 1}: "
        self.refused(start + '"stat": {}}', column, 'no key "stat"; did you mean \'state\'?')
        for key in ("spec", "defines"):
            self.refused(start + f'"{key}": {{}}}}', column, f'no key "{key}"; there are name, stages, entries')
        self.refused('{"name": "p", "stages": {"vertex": "a.vert"}}', "column 26", "did you mean 'vert'?")
        self.refused(start + '"entries": {"frga": "main"}}', "did you mean 'frag'?")
        self.refused(start + '"state": {"topolgy": "points"}}', f"column {len(start) + 11}: ", "did you mean 'topology'?")

    def test_not_json(self):
        self.refused('{"name": "p", "stages" {}}', "column 24: is not JSON")

    def test_keys_of_the_application(self):
        self.write_pair()
        self.write("m.jsonl", '{"name": "p", "stages": {"vert": "a.vert", "frag": "b.frag"}, "x-set": {"a": 1}}\n')
        self.assert_ok(self.run_cli("link", "--manifest", "m.jsonl", "-o", "out"))

    def test_layout_file(self):
        self.write_pair()
        self.write("layout.json", '{"bindngs": []}')
        self.assert_refused(1, "did you mean 'bindings'?", "link", "a.vert", "b.frag", "--layout", "layout.json")


class WhereResultsGo(CliTest):
    def setUp(self):
        super().setUp()
        self.write_pair()

    def bytes_of(self, *arguments):
        completed = subprocess.run([os.environ["VARYLINK"], *arguments], cwd=self.dir, check=False,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
        self.assertEqual(completed.returncode, 0, completed.stderr)
        self.assertEqual(completed.stderr, b"")
        return completed.stdout

    def test_one_stage_on_standard_output(self):
        alone = ["link", "--no-fragment", "a.vert"]
        words = self.bytes_of(*alone, "-o", "-")
        self.assert_ok(self.run_cli(*alone, "-o", "out"))
        self.assertEqual(words, (self.dir / "out/a.vert.spv").read_bytes())
        both = self.bytes_of("link", "a.vert", "b.frag", "-o", "out", "-o", "frag=-")
        self.assertTrue(both.startswith(MAGIC))

    def test_reports_on_standard_output(self):
        pair = ["link", "a.vert", "b.frag", "-o", "out"]
        self.assertEqual(json.loads(self.bytes_of(*pair, "--report", "-"))["schema"], 1)
        self.assertTrue(self.bytes_of(*pair, "--depfile", "-").startswith(b"out/a.vert.spv"))
        self.assertIn(b"digraph", self.bytes_of(*pair, "--dot", "-"))
        self.assertIn(b"<html", self.bytes_of(*pair, "--html", "-"))
        self.assertEqual(sorted(os.listdir(self.dir)), ["a.vert", "b.frag", "out"])
        self.write("m.jsonl", '{"name": "p", "stages": {"vert": "a.vert", "frag": "b.frag"}}\n')
        self.assert_ok(self.run_cli("link", "--manifest", "m.jsonl", "--shard", "1/1", "--report", "r.json"))
        merged = self.bytes_of("merge-reports", "r.json", "-o", "-")
        self.assertEqual(json.loads(merged)["schema"], 1)

    def test_what_cannot_go_to_standard_output(self):
        for fragment, arguments in [
            ("names standard output, which holds one stage or what came as one module, and the pipeline has 2", ["-o", "-"]),
            ("exclude each other", ["-o", "out", "--report", "-", "--html", "-"]),
            ("exclude each other", ["-o", "vert=-", "-o", "frag=-"]),
            ("--dump-dir needs a folder", ["--dump-after", "all", "--dump-dir", "-"]),
            ("--save-repro needs a folder", ["--save-repro", "-"]),
            ("--cache needs a folder", ["--cache", "-"]),
            ("use --dump-dir", ["--dump-after", "all", "--report", "-"]),
            ("-MD has no place", ["-o", "out", "-o", "vert=-", "-MD"]),
            ("needs -MT", ["-o", "out", "-o", "vert=-", "-MF", "d"]),
        ]:
            with self.subTest(arguments=arguments):
                self.assert_refused(1, fragment, "link", "a.vert", "b.frag", *arguments)
        self.write("m.jsonl", '{"name": "p", "stages": {"vert": "a.vert", "frag": "b.frag"}}\n')
        for path in ("-", "z.spv"):
            self.assert_refused(1, "-o names a folder", "link", "--manifest", "m.jsonl", "-o", path)

    def test_a_file_for_one_stage(self):
        self.assert_ok(self.run_cli("link", "--no-fragment", "a.vert", "-o", "z.spv"))
        self.assertTrue((self.dir / "z.spv").read_bytes().startswith(MAGIC))
        self.assert_ok(self.run_cli("link", "a.vert", "b.frag", "-o", "y.spv", "-o", "vert=x.spv"))
        self.assertTrue((self.dir / "y.spv").read_bytes().startswith(MAGIC))
        self.write("there", "old")
        self.assert_ok(self.run_cli("link", "--no-fragment", "a.vert", "-o", "there"))
        self.assertTrue((self.dir / "there").read_bytes().startswith(MAGIC))

    def test_a_file_for_several_stages(self):
        self.assert_refused(1, ["-o z.spv names a file", "-o vert=FILE -o frag=FILE"], "link", "a.vert", "b.frag",
                            "-o", "z.spv")

    def test_a_folder_may_be_called_like_a_file(self):
        (self.dir / "z.spv").mkdir()
        self.assert_ok(self.run_cli("link", "a.vert", "b.frag", "-o", "z.spv"))
        self.assert_ok(self.run_cli("link", "a.vert", "b.frag", "-o", "new.spv/"))
        self.assertEqual(sorted(os.listdir(self.dir / "z.spv")), sorted(os.listdir(self.dir / "new.spv")))


class SpecializationConstants(CliTest):
    FRAG = """#version 450
layout(constant_id = 0) const bool on = true;
layout(constant_id = 3) const float scale = 1.0;
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 result;
void main() { result = on ? color * scale : vec4(1.0); }
"""

    def setUp(self):
        super().setUp()
        self.write("a.vert", VERT)
        self.write("b.frag", self.FRAG)

    def link(self, *arguments):
        return self.run_cli("link", "a.vert", "b.frag", "-o", "out", *arguments)

    def test_numbers_for_bools(self):
        for number, word in (("0", "false"), ("1", "true")):
            self.assert_ok(self.link("--spec", f"0={number}"))
            by_number = (self.dir / "out/b.frag.spv").read_bytes()
            self.assert_ok(self.link("--spec", f"0={word}"))
            self.assertEqual(by_number, (self.dir / "out/b.frag.spv").read_bytes())
        self.assert_refused(1, "which is a bool: true, false, 1 or 0", "link", "a.vert", "b.frag", "--spec", "0=2")
        self.assert_refused(1, "which is a number with 32 bits", "link", "a.vert", "b.frag", "--spec", "3=true")

    def test_unknown_id(self):
        run = self.assert_ok(self.link("--spec", "7=0"))
        self.assertIn("warning: --spec 7: no stage has a specialization constant with this id", run.err)
        self.assertEqual(self.assert_ok(self.link("--spec", "3=0.5")).err, "")
        before = self.tree()
        self.assertEqual(self.link("--spec", "7=0", "--werror").status, 1)
        self.assertEqual(before, self.tree())
        self.assertIn("--spec 7", self.run_cli("check", "a.vert", "b.frag", "--spec", "7=0").err)

    def test_two_values(self):
        self.assert_ok(self.link("--spec", "3=2", "--spec", "3=2"))
        self.assert_refused(1, "--spec gives 3 two values", "link", "a.vert", "b.frag", "--spec", "3=2", "--spec", "3=4")

    def test_a_fragment_stage_that_does_not_run(self):
        # A warning of no compiler.
        self.assertEqual(self.link("--no-fragment", "--werror").status, 4)

    def test_unknown_id_in_a_manifest(self):
        # What one pipeline has is no mistake because another one lacks it.
        self.write("c.frag", FRAG)
        self.write("m.jsonl", '{"name": "p", "stages": {"vert": "a.vert", "frag": "b.frag"}}\n'
                              '{"name": "q", "stages": {"vert": "a.vert", "frag": "c.frag"}}\n')
        batch = ["link", "--manifest", "m.jsonl", "--spec"]
        self.assertEqual(self.assert_ok(self.run_cli(*batch, "3=2", "--werror")).err, "")
        self.assertEqual(self.assert_ok(self.run_cli(*batch, "7=0")).err.count("--spec 7"), 1)
        self.assertEqual(self.run_cli(*batch, "7=0", "--werror").status, 1)


class Names(CliTest):
    def test_nearest_command_and_option(self):
        self.assert_refused(1, "there is no command 'lnik'; did you mean 'link'?", "lnik", "a.vert")
        self.assert_refused(1, "there are link, verify,", "compile")
        self.assert_refused(1, "link has no option '--reprot'; did you mean '--report'?", "link", "--reprot", "r.json")
        self.assert_refused(1, "did you mean '--report'?", "link", "--reprot=r.json", "a.vert")
        self.assert_refused(1, "did you mean '--against'?", "verify", "--agianst", "x", "a.vert")
        self.assert_refused(1, "'varylink link --help' lists them", "link", "--wholly-different")
        self.assert_refused(1, "did you mean '--version'?", "--versoin")
        self.assert_refused(1, "diff takes no argument 'c'", "diff", "a", "b", "c")

    def test_help_and_version(self):
        for command in ("link", "check", "diff"):
            self.assertEqual(self.assert_ok(self.run_cli("help", command)).out,
                             self.assert_ok(self.run_cli(command, "--help")).out)
            self.assertEqual(self.assert_ok(self.run_cli(command, "--version")).out,
                             self.assert_ok(self.run_cli("--version")).out)
        self.assertEqual(self.assert_ok(self.run_cli("help")).out, self.assert_ok(self.run_cli("--help")).out)
        self.assert_refused(1, "did you mean 'link'?", "help", "lnik")

    def test_exit_statuses_and_examples(self):
        manual = self.assert_ok(self.run_cli("generate", "man")).out
        for text in (self.assert_ok(self.run_cli("--help")).out, self.assert_ok(self.run_cli("link", "--help")).out,
                     manual):
            for status in range(10):
                self.assertRegex(text, rf"\n  {status}  \w")
            self.assertIn("Examples:", text)


class Mismatch(CliTest):
    def test_both_sides_have_a_line(self):
        self.write("a.vert", VERT)
        self.write("b.frag", FRAG.replace("in vec4 color", "in ivec4 color").replace("layout(location = 0) in",
                                                                                      "layout(location = 0) flat in"))
        fragments = ["b.frag:4: error: location 0.x is ivec4", "(see a.vert:6)"]
        self.assert_refused(4, fragments, "link", "a.vert", "b.frag", "-o", "out")
        checked = self.run_cli("check", "a.vert", "b.frag").err
        for fragment in fragments:
            self.assertIn(fragment, checked)
        run = self.run_cli("link", "a.vert", "b.frag", "--report", "r.json")
        self.assertEqual(run.status, 4, run)
        pipeline, = json.loads((self.dir / "r.json").read_text())["pipelines"]
        self.assertEqual(pipeline["diagnostics"][0]["line"], 4)


class NewerSpirv(CliTest):
    def test_newer_version(self):
        self.write("a.vert", VERT)
        frag = bytearray(self.spirv("b.frag", FRAG))
        frag[4:8] = struct.pack("<I", 0x00010700)
        self.write("a.vert.spv", self.spirv("a.vert", VERT, alone=True))
        self.write("b.frag.spv", bytes(frag))
        run = self.assert_ok(self.run_cli("link", "a.vert.spv", "b.frag.spv", "-o", "out"))
        self.assertIn("passed through as it came, unchecked: the module is newer than this build, which knows SPIR-V up to "
                      "1.6 (SPIRV-Tools ", run.err)
        self.assertIn("): SPIR-V 1.7; it is not linked, since a newer version of SPIR-V may change any rule\n", run.err)
        self.assertNotIn("nternal error", run.err)
        self.assertNotEqual(self.run_cli("check", "a.vert.spv", "b.frag.spv").status, 0)

    def test_readme_says_the_exception(self):
        readme = (pathlib.Path(__file__).parents[2] / "README.md").read_text()
        self.assertIn("passed through unchecked", " ".join(readme.split()))


if __name__ == "__main__":
    unittest.main()
