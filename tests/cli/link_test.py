"""What `varylink link` writes and prints when all is well."""

import errno
import json
import os
import pathlib
import pty
import subprocess
import unittest

from harness import FRAG, MOVING_FRAG, MOVING_VERT, VERT, CliTest

MAGIC = b"\x03\x02\x23\x07"


class Results(CliTest):
    def link(self, *arguments, **options):
        return self.assert_ok(self.run_cli("link", *arguments, **options))

    def test_folder_and_line(self):
        self.write_pair()
        run = self.link("a.vert", "b.frag", "-o", "out/deep/")
        self.assertEqual(run.err, "")
        self.assertRegex(run.out, r"^vert→frag  components 8 → 2, locations 2 → 1, bytes per vertex 32 → 8  \(dead 6\)\n$")
        for name in ("a.vert.spv", "b.frag.spv"):
            self.assertTrue((self.dir / "out/deep" / name).read_bytes().startswith(MAGIC))
        self.assertEqual(len(list((self.dir / "out/deep").iterdir())), 2)

    def test_without_o_nothing_is_written(self):
        self.write_pair()
        before = self.tree()
        self.assertIn("nothing was written", self.link("a.vert", "b.frag").out)
        self.assertEqual(before, self.tree())

    def test_names_of_results(self):
        self.write("x/a.vert.glsl", VERT)
        self.write("y/b.glsl", FRAG)
        self.link("x/a.vert.glsl", "frag=y/b.glsl", "-o", "out")
        self.assertEqual(sorted(os.listdir(self.dir / "out")), ["a.vert.spv", "b.frag.spv"])
        self.link("out/a.vert.spv", "out/b.frag.spv", "-o", "again")
        self.assertEqual(sorted(os.listdir(self.dir / "again")), ["a.vert.spv", "b.frag.spv"])
        self.link("x/a.vert.glsl", "-S", "frag", "y/b.glsl", "-o", "third", "-o", "frag=named/f.bin")
        self.assertEqual(os.listdir(self.dir / "third"), ["a.vert.spv"])
        self.assertTrue((self.dir / "named/f.bin").read_bytes().startswith(MAGIC))

    def test_standard_input(self):
        self.write("a.vert", VERT)
        self.link("a.vert", "frag=-", "-o", "out", stdin=FRAG.encode())
        self.assertEqual(sorted(os.listdir(self.dir / "out")), ["a.vert.spv", "frag.spv"])

    def test_unchanged_results_are_not_touched(self):
        self.write_pair()
        self.link("a.vert", "b.frag", "-o", "out", "-MD")
        files = sorted((self.dir / "out").iterdir())
        self.assertEqual(len(files), 4)
        for path in files:
            os.utime(path, (1, 1))
        self.link("a.vert", "b.frag", "-o", "out", "-MD")
        self.assertEqual({path.stat().st_mtime for path in files}, {1})
        self.write("b.frag", FRAG.replace("color.xy, 0.0", "color.xyz"))
        self.link("a.vert", "b.frag", "-o", "out", "-MD")
        self.assertGreater((self.dir / "out/b.frag.spv").stat().st_mtime, 1)

    def test_result_behind_a_link_keeps_the_link(self):
        self.write_pair()
        self.write("real.spv", "old")
        os.symlink("real.spv", self.dir / "link.spv")
        self.link("a.vert", "b.frag", "-o", "out", "-o", "vert=link.spv")
        self.assertTrue((self.dir / "link.spv").is_symlink())
        self.assertTrue((self.dir / "real.spv").read_bytes().startswith(MAGIC))

    def test_both_byte_orders(self):
        self.write_pair()
        words = self.spirv("a.vert", VERT, alone=True)
        swapped = b"".join(words[i:i + 4][::-1] for i in range(0, len(words), 4))
        self.write("little.vert.spv", words)
        self.write("big.vert.spv", swapped)
        self.link("little.vert.spv", "b.frag", "-o", "out")
        self.link("big.vert.spv", "b.frag", "-o", "out")
        self.assertEqual((self.dir / "out/little.vert.spv").read_bytes(), (self.dir / "out/big.vert.spv").read_bytes())

    def test_quiet(self):
        self.write_pair()
        run = self.link("a.vert", "b.frag", "-o", "out", "--quiet")
        self.assertEqual((run.out, run.err), ("", ""))


class Reading(CliTest):
    def link(self, *arguments, **options):
        return self.assert_ok(self.run_cli("link", *arguments, **options))

    def test_defines_and_includes(self):
        self.write("inc/deep/value.glsl", "const float kValue = SCALE;\n")
        self.write("inc/outer.glsl", '#include "deep/value.glsl"\n')
        self.write("a.vert", VERT.replace("layout", "#extension GL_GOOGLE_include_directive : require\n"
                                          "#include <outer.glsl>\nlayout", 1).replace("2.0", "kValue"))
        self.write("b.frag", FRAG)
        self.link("-I", "none", "-Iinc", "-DSCALE=3.0", "a.vert", "b.frag", "-o", "out", "-MF", "deps.d")
        rule = (self.dir / "deps.d").read_text()
        self.assertEqual(rule.replace("\\\n", "").split(),
                         ["out/a.vert.spv", "out/b.frag.spv:", "a.vert", "inc/outer.glsl", "inc/deep/value.glsl",
                          "b.frag"])

    def test_empty_rules_for_files_that_may_be_gone(self):
        self.write("a file.vert", VERT)
        self.write("b.frag", FRAG)
        self.link("a file.vert", "b.frag", "-o", "out", "-MF", "deps.d", "-MT", "stamp", "-MP")
        self.assertEqual((self.dir / "deps.d").read_text(), "stamp: \\\n  a\\ file.vert \\\n  b.frag\na\\ file.vert:\nb.frag:\n")
        self.link("a file.vert", "b.frag", "-o", "out", "-MD", "-MP")
        self.assertEqual((self.dir / "out/b.frag.spv.d").read_text(),
                         "out/b.frag.spv: \\\n  a\\ file.vert \\\n  b.frag\na\\ file.vert:\nb.frag:\n")
        self.assert_refused(1, "-MP needs -MD or -MF", "link", "a file.vert", "b.frag", "-o", "out", "-MP")

    def test_dependency_file_is_escaped(self):
        self.write("a file.vert", VERT)
        self.write("b#$.frag", FRAG)
        self.link("a file.vert", "b#$.frag", "-o", "out", "--depfile", "deps.d")
        self.assertEqual((self.dir / "deps.d").read_text(),
                         "out/a\\ file.vert.spv out/b\\#$$.frag.spv: \\\n  a\\ file.vert \\\n  b\\#$$.frag\n")

    def test_files_that_begin_with_a_dash(self):
        self.write("a.vert", VERT)
        self.write("-b.frag", FRAG)
        for arguments in (["a.vert", "--", "-b.frag"], ["--", "a.vert", "-b.frag"]):
            self.assert_ok(self.run_cli("link", "-o", "out", *arguments))
            self.assertEqual(sorted(path.name for path in (self.dir / "out").iterdir()),
                             ["-b.frag.spv", "a.vert.spv"])

    def test_a_target_has_no_pattern(self):
        self.write("a%.vert", VERT)
        self.write("b.frag", FRAG)
        self.link("a%.vert", "b.frag", "-o", "out", "-MF", "deps.d", "-MT", "stamp", "-MP")
        self.assertEqual((self.dir / "deps.d").read_text(), "stamp: \\\n  a%.vert \\\n  b.frag\na\\%.vert:\nb.frag:\n")

    def test_response_files(self):
        self.write("a file.vert", VERT)
        self.write("b.frag", FRAG)
        self.write("inner", "-o\n'out folder'\n")
        self.write("args", 'link "a file.vert"  b.f\\rag @inner')
        self.assert_ok(self.run_cli("@args"))
        self.assertEqual(sorted(os.listdir(self.dir / "out folder")), ["a file.vert.spv", "b.frag.spv"])

    def test_target_env_decides_the_version(self):
        self.write_pair()
        for env, version in [("vulkan1.0", 0x10000), ("vulkan1.1", 0x10300), ("vulkan1.1spv1.4", 0x10400),
                             ("vulkan1.2", 0x10500), ("vulkan1.3", 0x10600)]:
            with self.subTest(env=env):
                self.link("a.vert", "b.frag", "-o", "out", "--target-env", env)
                header = (self.dir / "out/a.vert.spv").read_bytes()[4:8]
                self.assertEqual(int.from_bytes(header, "little"), version)

    def test_newest_target_env(self):
        """Where the SPIRV-Tools that are linked in do not know it, nothing is linked and the message says who does not."""
        self.write_pair()
        run = self.run_cli("link", "a.vert", "b.frag", "-o", "out", "--target-env", "vulkan1.4", "--report", "r.json")
        if run.status == 0:
            self.assertEqual((self.dir / "out/a.vert.spv").read_bytes()[4:8], (0x10600).to_bytes(4, "little"))
            self.assertIn("vulkan1.4", (self.dir / "r.json").read_text())
        else:
            self.assert_refused(1, ["--target-env: SPIRV-Tools ", "does not know vulkan1.4"], "link", "a.vert", "b.frag", "-o",
                                "out", "--target-env", "vulkan1.4")

    def test_varyings_are_matched_by_name(self):
        self.write("a.vert", "#version 450\nout vec3 vNormal;\nout vec2 vUV;\nvoid main() {\n"
                   "  vNormal = vec3(gl_VertexIndex);\n  vUV = vec2(gl_InstanceIndex, gl_VertexIndex);\n"
                   "  gl_Position = vec4(0);\n}\n")
        self.write("b.frag", "#version 450\nin vec2 vUV;\nout vec4 o;\nvoid main() { o = vec4(vUV, 0, 1); }\n")
        run = self.link("a.vert", "b.frag", "-O1", "-o", "out")
        self.assertIn("components 5 → 2", run.out)

    def test_entry_point_of_glsl(self):
        self.write("a.vert", VERT + "void other() { color = vec4(3.0); gl_Position = vec4(0.0); }\n")
        self.write("b.frag", FRAG)
        self.link("a.vert", "b.frag", "-e", "vert=other", "-O1", "-o", "out", "--report", "r.json")
        pipeline, = json.loads((self.dir / "r.json").read_text())["pipelines"]
        self.assertEqual([stage["entry_point"] for stage in pipeline["stages"]], ["other", "main"])
        fates = {component["old"]: component["fate"] for component in pipeline["interfaces"][0]["components"]}
        self.assertEqual(fates["0.x"], "constant")

    def test_module_with_several_entry_points(self):
        self.write("both.spvasm", """
               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint Vertex %main "vs" %out
               OpEntryPoint Vertex %main "vs2" %out
               OpDecorate %out Location 0
       %void = OpTypeVoid
       %func = OpTypeFunction %void
      %float = OpTypeFloat 32
       %vec4 = OpTypeVector %float 4
          %p = OpTypePointer Output %vec4
       %zero = OpConstantNull %vec4
        %out = OpVariable %p Output
       %main = OpFunction %void None %func
      %label = OpLabel
               OpStore %out %zero
               OpReturn
               OpFunctionEnd
""")
        self.write("b.frag", FRAG)
        self.assert_refused(1, ["both.spvasm: error", "several entry points", "vert=vs, vert=vs2"],
                            "link", "both.spvasm", "b.frag", "-o", "out")
        # The chosen one is linked, the other survives, or the module is left as it was: never is an entry lost.
        self.link("both.spvasm", "b.frag", "-e", "vert=vs2", "-o", "out", "--report", "r.json")
        words = (self.dir / "out/both.vert.spv").read_bytes()
        self.assertIn(b"vs\0", words)
        self.assertIn(b"vs2\0", words)
        report = json.loads((self.dir / "r.json").read_text())
        self.assertEqual(report["pipelines"][0]["stages"][0]["entry_point"], "vs2")

    def test_a_module_with_several_entry_points_does_not_grow(self):
        self.write("0.spvasm", """
               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint Vertex %one "one" %out %position
               OpEntryPoint Vertex %two "two" %out %position
               OpDecorate %out Location 0
               OpDecorate %position BuiltIn Position
               OpDecorate %n SpecId 1
       %void = OpTypeVoid
       %func = OpTypeFunction %void
      %float = OpTypeFloat 32
        %int = OpTypeInt 32 1
       %vec4 = OpTypeVector %float 4
          %p = OpTypePointer Output %vec4
          %n = OpSpecConstant %int 5
         %_1 = OpConstant %int 1
         %_2 = OpConstant %int 2
       %less = OpSpecConstantOp %int ISub %n %_1
       %more = OpSpecConstantOp %int IAdd %n %_2
        %out = OpVariable %p Output
   %position = OpVariable %p Output
        %one = OpFunction %void None %func
          %a = OpLabel
          %b = OpConvertSToF %float %less
          %c = OpCompositeConstruct %vec4 %b %b %b %b
               OpStore %out %c
               OpStore %position %c
               OpReturn
               OpFunctionEnd
        %two = OpFunction %void None %func
          %d = OpLabel
          %e = OpConvertSToF %float %more
          %f = OpCompositeConstruct %vec4 %e %e %e %e
               OpStore %out %f
               OpStore %position %f
               OpReturn
               OpFunctionEnd
""")
        self.write("b.frag", FRAG)
        for options in ([], ["--spec", "1=7"]):
            stages = ["vert=0.spvasm", "frag=b.frag"]
            sizes = []
            for i in range(3):
                linked = [f"vert={i}.spv", f"frag={i}.frag.spv"]
                self.link(*stages, "-e", "vert=one", *options, "-o", linked[0], "-o", linked[1])
                sizes.append((self.dir / f"{i}.spv").stat().st_size)
                stages = linked
            self.assertEqual(sizes[0], sizes[1])
            self.assertEqual(sizes[1], sizes[2])


class Inside(CliTest):
    """Options for those who look for a defect."""

    def test_version_and_help(self):
        self.assertRegex(self.assert_ok(self.run_cli("--version")).out, r"^varylink \d+\.\d+\.\d+")
        for arguments in (["--help"], ["link", "--help"]):
            text = self.assert_ok(self.run_cli(*arguments)).out
            for status in "012345":
                self.assertRegex(text, rf"\n  {status}  \w")
        self.assertIn("remove-dead-varyings", self.assert_ok(self.run_cli("link", "--help-passes")).out)

    def test_dump(self):
        self.write_pair()
        arguments = ["link", "a.vert", "b.frag", "--dump-after=remove-dead-varyings"]
        self.assertRegex(self.assert_ok(self.run_cli(*arguments)).out, r"; after remove-dead-varyings: vert\n.*OpCapability")
        self.assert_ok(self.run_cli(*arguments, "--dump-dir", "dumps"))
        self.assertIn("001.remove-dead-varyings.vert.spvasm", os.listdir(self.dir / "dumps"))

    def test_no_fuel_no_rewrite(self):
        self.write_pair()
        run = self.assert_ok(self.run_cli("link", "a.vert", "b.frag", "--fuel", "0"))
        self.assertNotIn("dead", run.out)

    def test_level_0_passes_through(self):
        self.write("a.vert.spv", self.spirv("a.vert", VERT, alone=True))
        self.write("b.frag", FRAG)
        self.assert_ok(self.run_cli("link", "-O0", "a.vert.spv", "b.frag", "-o", "out"))
        self.assertEqual((self.dir / "a.vert.spv").read_bytes(), (self.dir / "out/a.vert.spv").read_bytes())

    def test_reproducer_gives_the_same_result(self):
        self.write_pair()
        self.assert_ok(self.run_cli("link", "a.vert", "b.frag", "-O1", "-o", "out", "--save-repro", "repro"))
        command = (self.dir / "repro/command").read_text().split()
        self.assertEqual(command[0], "varylink")
        self.assert_ok(self.run_cli(*command[1:], cwd=self.dir / "repro"))
        for name, repro in [("a.vert.spv", "vert.spv"), ("b.frag.spv", "frag.spv")]:
            self.assertEqual((self.dir / "out" / name).read_bytes(), (self.dir / "repro/out" / repro).read_bytes())


class PipelineState(CliTest):
    PRODUCT = """#version 450
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 o;
void main() { o = vec4(color.x * color.y); }
"""

    def write_pair(self):
        self.write("a.vert", """#version 450
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 tint;
layout(location = 0) out vec4 color;
void main() { gl_Position = position; gl_PointSize = 1.0; color = tint; }
""")
        self.write("b.frag", self.PRODUCT)

    def components(self, *options):
        self.assert_ok(self.run_cli("link", "-o", "out", "--report", "r.json", *options))
        report = json.loads((self.dir / "r.json").read_text())
        return [pipeline["interfaces"][0]["after"]["components"] for pipeline in report["pipelines"]]

    def test_facts_come_from_a_file_an_option_or_a_line_of_a_manifest(self):
        self.write_pair()
        self.write("points.json", '{"topology": "points"}')
        self.assertEqual(self.components("a.vert", "b.frag"), [2])
        self.assertEqual(self.components("a.vert", "b.frag", "--pipeline-state", "points.json"), [1])
        self.assertEqual(self.components("a.vert", "b.frag", "--instance-rate-attributes", "0,1"), [1])
        stages = {"vert": "a.vert", "frag": "b.frag"}
        lines = [{"name": "plain", "stages": stages},
                 {"name": "instanced", "stages": stages, "state": {"instanceRateAttributes": [1]}}]
        self.write("m.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
        self.assertEqual(self.components("--manifest", "m.jsonl"), [2, 1])
        self.assertEqual(self.components("--manifest", "m.jsonl", "--pipeline-state", "points.json"), [1, 1])

    def test_shared_modules_know_what_holds_in_all_their_pipelines(self):
        self.write_pair()
        stages = {"vert": "a.vert", "frag": "b.frag"}
        for second, components in (([1], 1), ([2], 2)):
            lines = [{"name": "p", "stages": stages, "state": {"instanceRateAttributes": [1]}},
                     {"name": "q", "stages": stages, "state": {"instanceRateAttributes": second}}]
            self.write("m.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
            self.assertEqual(self.components("--manifest", "m.jsonl", "--share", "union"), [components] * 2)

    def test_stages_share_specialization_constants_if_that_is_said(self):
        self.write("a.vert", """#version 450
layout(location = 0) in vec4 position;
layout(constant_id = 3) const float k = 0.5;
layout(location = 0) out vec2 color;
void main() { gl_Position = position; color = vec2(k, position.x); }
""")
        self.write("b.frag", """#version 450
layout(location = 0) in vec2 color;
layout(location = 0) out vec4 o;
void main() { o = vec4(color.x, color.y, 0, 1); }
""")
        option = "--shared-spec-constants"
        self.assertEqual(self.components("a.vert", "b.frag"), [2])
        self.assertEqual(self.components("a.vert", "b.frag", option), [1])
        stages = {"vert": "a.vert", "frag": "b.frag"}
        for second, components in ((True, [1, 1]), (False, [1, 2])):
            lines = [{"name": "p", "stages": stages, "state": {"sharedSpecConstants": True}},
                     {"name": "q", "stages": stages, "state": {"sharedSpecConstants": second}}]
            self.write("m.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
            self.assertEqual(self.components("--manifest", "m.jsonl"), components)
            self.assertEqual(self.components("--manifest", "m.jsonl", "--share", "union"), [max(components)] * 2)
        keys = [self.run_cli("link", "a.vert", "b.frag", "--print-cache-key", "--cache", "c", *more).out
                for more in ([], [option])]
        self.assertNotEqual(*keys)
        self.assertEqual(self.components("a.vert", "b.frag", "--cache", "c"), [2])
        self.assertEqual(self.components("a.vert", "b.frag", "--cache", "c", option), [1])

    def test_a_reproducer_keeps_them(self):
        self.write_pair()
        self.assert_ok(self.run_cli("link", "a.vert", "b.frag", "-o", "out", "--instance-rate-attributes", "1",
                                    "--save-repro", "repro"))
        command = (self.dir / "repro/command").read_text().split()
        self.assert_ok(self.run_cli(*command[1:], cwd=self.dir / "repro"))
        self.assertEqual((self.dir / "out/b.frag.spv").read_bytes(), (self.dir / "repro/out/frag.spv").read_bytes())

    def test_nonsense_is_refused(self):
        self.write_pair()
        self.write("bad.json", '{"topology": "dots"}')
        run = self.run_cli("link", "a.vert", "b.frag", "-o", "out", "--pipeline-state", "bad.json")
        self.assertEqual((run.status, "bad.json:1: error" in run.err, "topology" in run.err), (1, True, True), run.err)
        self.write("m.jsonl", json.dumps({"name": "p", "stages": {"vert": "a.vert"}, "state": 3}) + "\n")
        run = self.run_cli("link", "--manifest", "m.jsonl", "-o", "out")
        self.assertEqual((run.status, "m.jsonl:1: error" in run.err, "state" in run.err), (1, True, True), run.err)


def read_terminal(primary):
    """All that was written to the other side of a pseudo-terminal, which has been closed."""
    drawn = b""
    try:
        while chunk := os.read(primary, 1 << 16):  # a part of it, however much is asked for
            drawn += chunk
    except OSError as error:  # Linux says that nobody is there any more
        if error.errno != errno.EIO:
            raise
    return drawn


class Manifest(CliTest):
    def write_manifest(self):
        self.write_pair()
        self.write("sub/c.frag", FRAG.replace("color.xy, 0.0", "color.xyz"))
        lines = [{"name": f"set/p{i}", "stages": {"vert": "a.vert", "frag": ["b.frag", "sub/c.frag"][i % 2]},
                  "x-own": [i]} for i in range(20)]
        lines.append({"name": "depth only", "stages": {"vert": "a.vert"}, "noFragment": True,
                      "entries": {"vert": "main"}})
        self.write("m.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
        return [line["name"] for line in lines]

    def test_results_are_in_order_for_any_number_of_threads(self):
        names = self.write_manifest()
        runs = []
        for jobs in ("-j1", "-j3"):
            run = self.assert_ok(self.run_cli("link", "--manifest", "m.jsonl", "-o", "out" + jobs, jobs, "--report",
                                              "r.json", "--depfile", "d" + jobs))
            report = json.loads((self.dir / "r.json").read_text())
            self.assertEqual([pipeline["name"] for pipeline in report["pipelines"]], names)
            runs.append((run.out, (self.dir / "r.json").read_text().replace("out" + jobs, "out")))
        self.assertEqual(*runs)
        self.assertIn("21 pipelines: 21 linked, 0 failed", runs[0][0])
        self.assertTrue((self.dir / "out-j3/depth only/vert.spv").exists())
        self.assertTrue((self.dir / "out-j3/set/p19/frag.spv").exists())
        self.assertIn("m.jsonl", (self.dir / "d-j3").read_text())

    def test_paths_are_relative_to_the_manifest(self):
        self.write_manifest()
        (self.dir / "elsewhere").mkdir()
        self.assert_ok(self.run_cli("link", "--manifest", "../m.jsonl", "-o", "out", cwd=self.dir / "elsewhere"))
        self.assertTrue((self.dir / "elsewhere/out/set/p0/vert.spv").exists())

    def test_manifest_from_standard_input(self):
        self.write_manifest()
        run = self.run_cli("link", "--manifest", "-", "-o", "out", stdin=(self.dir / "m.jsonl").read_bytes())
        self.assert_ok(run)


    def test_progress_bar_on_a_terminal(self):
        names = self.write_manifest()
        primary, secondary = pty.openpty()
        with open(secondary, "wb") as terminal:
            completed = subprocess.run([os.environ["VARYLINK"], "link", "--manifest", "m.jsonl"], cwd=self.dir,
                                       stdout=subprocess.PIPE, stderr=terminal, check=True)
        drawn = read_terminal(primary).decode()
        os.close(primary)
        self.assertIn("[" + "#" * 30 + f"] 21/21 {names[-1]}", drawn)
        self.assertTrue(drawn.endswith("\r\033[K"), "the bar is left on the screen")
        # What scrolls past a bar would destroy it: only the summary is printed.
        self.assertTrue(completed.stdout.startswith(b"21 pipelines"), completed.stdout)


class Report(CliTest):
    SCHEMA = json.loads((pathlib.Path(__file__).parents[2] / "docs/report.schema.json").read_text())

    def check(self, value, schema, where="report"):
        """The part of JSON Schema that docs/report.schema.json uses; unknown members count as errors."""
        if "$ref" in schema:
            schema = self.SCHEMA["$defs"][schema["$ref"].removeprefix("#/$defs/")]
        kinds = schema.get("type", [])
        types = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "boolean": bool,
                 "null": type(None)}
        kinds = kinds if isinstance(kinds, list) else [kinds]
        if kinds:
            self.assertTrue(any(isinstance(value, types[kind]) for kind in kinds), f"{where}: {value!r} is no {kinds}")
        if "enum" in schema:
            self.assertIn(value, schema["enum"], where)
        if "pattern" in schema and value is not None:
            self.assertRegex(value, schema["pattern"], where)
        if isinstance(value, list):
            for i, item in enumerate(value):
                self.check(item, schema["items"], f"{where}[{i}]")
        if isinstance(value, dict):
            self.assertLessEqual(set(schema.get("required", [])), set(value), where)
            for key, item in value.items():
                member = schema.get("properties", {}).get(key, schema.get("additionalProperties"))
                self.assertTrue(member, f"{where}: {key} is not in the schema")
                self.check(item, member, f"{where}.{key}")

    def report(self, *arguments, status=0):
        run = self.run_cli("link", *arguments, "--report", "r.json")
        self.assertEqual(run.status, status, run)
        report = json.loads((self.dir / "r.json").read_text())
        self.check(report, self.SCHEMA)
        return report

    def test_next_level(self):
        self.write("a.vert", "#version 450\nlayout(location = 0) in vec4 p; layout(location = 0) out vec2 a;\n"
                   "void main() { gl_Position = p; a = sin(p.xy); }\n")
        self.write("b.frag", "#version 450\nlayout(location = 0) in vec2 a; layout(location = 0) out vec4 o;\n"
                   "void main() { o = vec4(a.x + a.y > 0.5 ? 1.0 : 0.0); }\n")
        asked = self.run_cli("link", "a.vert", "b.frag", "--next-level", "-o", "out", "--report", "r.json")
        self.assertIn("\nat -O3: components 2 → 1, locations 1 → 1\n", self.assert_ok(asked).out)
        next_level = {"level": 3, "components": 1, "locations": 1}
        self.assertEqual(self.report("a.vert", "b.frag", "--next-level")["pipelines"][0]["next_level"], next_level)
        report = self.report("a.vert", "b.frag", "-O3", "--next-level")
        self.assertNotIn("next_level", report["pipelines"][0])
        self.assertEqual(report["pipelines"][0]["interfaces"][0]["after"]["components"], 1)
        report = self.report("a.vert", "b.frag", "-o", "plain")
        self.assertNotIn("next_level", report["pipelines"][0])
        for name in ("a.vert.spv", "b.frag.spv"):  # asking changes no result
            self.assertEqual((self.dir / "out" / name).read_bytes(), (self.dir / "plain" / name).read_bytes())

    def test_linked_pipeline(self):
        self.write_pair()
        report = self.report("a.vert", "b.frag", "-o", "out", "-O1", "--timing")
        pipeline, = report["pipelines"]
        self.assertEqual(pipeline["status"], "linked")
        self.assertGreater(pipeline["milliseconds"], 0)
        self.assertEqual([stage["output"] for stage in pipeline["stages"]], ["out/a.vert.spv", "out/b.frag.spv"])
        interface, = pipeline["interfaces"]
        self.assertEqual(interface["before"], {"components": 8, "locations": 2, "highest_location": 2, "not_counted": 0,
                                               "bytes_per_vertex": 32})
        fates = {component["old"]: component["fate"] for component in interface["components"]}
        self.assertEqual(fates, {"0.x": "kept", "0.y": "kept", "0.z": "dead", "0.w": "dead", "1.x": "dead",
                                 "1.y": "dead", "1.z": "dead", "1.w": "dead"})
        for component in interface["components"]:
            self.assertTrue(component["reason"], component)
            self.assertEqual(component["new"] is not None, component["fate"] == "kept", component)

    def test_arrays_of_open_length_are_said_not_to_be_counted(self):
        length = "layout(constant_id = 3) const int N = 4; "
        self.write("a.vert", f"#version 450\n{length}layout(location = 0) out float a[N]; layout(location = 8) out vec2 b;\n"
                   "void main() { gl_Position = vec4(0); for (int i = 0; i < N; ++i) a[i] = gl_VertexIndex * i; b = vec2(a[0]); }\n")
        self.write("b.frag", f"#version 450\n{length}layout(location = 0) in float a[N]; layout(location = 8) in vec2 b;\n"
                   "layout(location = 0) out vec4 o;\n"
                   "void main() { float s = 0; for (int i = 0; i < N; ++i) s += a[i]; o = vec4(s, b, 1); }\n")
        run = self.assert_ok(self.run_cli("link", "a.vert", "b.frag", "-o", "out"))
        self.assertIn("not counted 1 → 1 of unknown length", run.out)
        pipeline, = self.report("a.vert", "b.frag", "-o", "out")["pipelines"]
        self.assertEqual(pipeline["interfaces"][0]["before"]["not_counted"], 1)
        pipeline, = self.report("a.vert", "b.frag", "-o", "out", "--spec", "3=4")["pipelines"]
        self.assertEqual(pipeline["interfaces"][0]["before"], {"components": 6, "locations": 5, "highest_location": 9,
                                                               "not_counted": 0, "bytes_per_vertex": 24})

    def test_value_graphs(self):
        self.write("m.vert", MOVING_VERT)
        self.write("m.frag", MOVING_FRAG)
        self.assertNotIn("value_graphs", self.report("m.vert", "m.frag")["pipelines"][0])
        graph, = self.report("m.vert", "m.frag", "--dot", "g.dot")["pipelines"][0]["value_graphs"]
        self.assertEqual([(each["slot"], each["name"]) for each in graph["after"]],
                         [("0.x", "p.x + p.y"), ("0.y", "p.y + p.z")])
        moved = [value["moved"] for value in graph["values"]]
        self.assertEqual((moved.count("to vert"), moved.count("to frag")), (2, 1))
        for position, value in enumerate(graph["values"]):
            self.assertLess(max(value["operands"], default=-1), position)

    def test_same_report_twice(self):
        self.write_pair()
        self.report("a.vert", "b.frag")
        first = (self.dir / "r.json").read_text()
        self.report("a.vert", "b.frag")
        self.assertEqual(first, (self.dir / "r.json").read_text())
        self.assertNotIn(str(self.dir), first)
        self.assertNotIn("milliseconds", first)

    def test_failed_pipeline(self):
        self.write_pair()
        self.write("b.frag", FRAG.replace("location = 0) in", "location = 7) in"))
        pipeline, = self.report("a.vert", "b.frag", "-o", "out", status=4)["pipelines"]
        self.assertEqual((pipeline["status"], pipeline["failure"]), ("failed", "interface_mismatch"))
        errors = [item for item in pipeline["diagnostics"] if item["severity"] == "error"]
        self.assertEqual({error["vuid"] for error in errors}, {"VUID-RuntimeSpirv-OpEntryPoint-08743"})
        self.assertEqual({stage["output"] for stage in pipeline["stages"]}, {None})

    def test_glsl_error_has_its_line(self):
        self.write("a.vert", "#version 450\nvoid main() { x; }\n")
        pipeline, = self.report("a.vert", status=2)["pipelines"]
        self.assertEqual((pipeline["diagnostics"][0]["file"], pipeline["diagnostics"][0]["line"]), ("a.vert", 2))


if __name__ == "__main__":
    unittest.main()
