"""Every kind of bad input: the exit status, what the message says, and that nothing was written."""

import os
import pathlib
import resource
import signal
import subprocess
import unittest

from harness import FRAG, VERT, CliTest


class BadFile(CliTest):
    """Files that are not what they should be."""

    def link(self, *files):
        return ["link", *files, "-o", "out"]

    def test_missing_file(self):
        self.write("b.frag", FRAG)
        self.assert_refused(1, ["no.vert: error", "No such file"], *self.link("no.vert", "b.frag"))

    def test_folder_instead_of_file(self):
        (self.dir / "a.vert").mkdir()
        self.assert_refused(1, ["a.vert: error", "folder"], *self.link("a.vert"))

    def test_empty_spirv(self):
        self.write("a.vert.spv", b"")
        self.assert_refused(3, ["a.vert.spv: error", "empty"], *self.link("a.vert.spv"))

    def test_empty_glsl(self):
        self.write("a.vert", b"\n")
        self.assert_refused(2, ["a.vert: error", "empty"], *self.link("a.vert"))

    def test_truncated_spirv(self):
        words = self.spirv("a.vert", VERT, alone=True)
        self.write("b.frag", FRAG)
        for size in (1, 4, 18, 20, len(words) // 8 * 4, len(words) - 4, len(words) - 1):
            with self.subTest(size=size):
                self.write("a.vert.spv", words[:size])
                self.assert_refused(3, "a.vert.spv: error", *self.link("a.vert.spv", "b.frag"))

    def test_not_spirv(self):
        self.write("a.vert.spv", b"GIF89a\0\0 and so on...")
        self.assert_refused(3, ["a.vert.spv: error", "not SPIR-V"], *self.link("a.vert.spv"))

    def test_neither_spirv_nor_text(self):
        self.write("a.vert", bytes(range(256)))
        self.assert_refused(2, ["a.vert: error", "neither SPIR-V nor text"], *self.link("a.vert"))

    def test_spirv_that_does_not_validate(self):
        self.write("a.vert.spvasm", """
               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint Vertex %main "main" %out
               OpDecorate %out Location 0
       %void = OpTypeVoid
       %func = OpTypeFunction %void
      %float = OpTypeFloat 32
        %int = OpTypeInt 32 1
          %p = OpTypePointer Output %float
        %one = OpConstant %int 1
        %out = OpVariable %p Output
       %main = OpFunction %void None %func
      %label = OpLabel
               OpStore %out %one
               OpReturn
               OpFunctionEnd
""")
        self.assert_refused(3, ["a.vert.spvasm: error", "OpStore"], *self.link("a.vert.spvasm", "--no-fragment"))

    def test_assembly_that_does_not_assemble(self):
        self.write("a.vert.spvasm", "; first line\nOpCapability Shader\nOpNonsense\n")
        self.assert_refused(3, ["a.vert.spvasm:3: error", "OpNonsense"], *self.link("a.vert.spvasm"))

    def test_glsl_that_does_not_compile(self):
        self.write("a.vert", VERT)
        self.write("b.frag", "#version 450\nlayout(location = 0) out vec4 o;\nvoid main() {\n  o = nonsense;\n}\n")
        self.assert_refused(2, ["b.frag:4: error", "nonsense"], *self.link("a.vert", "b.frag"))

    def test_error_in_an_include(self):
        self.write("a.vert", '#version 450\n#extension GL_GOOGLE_include_directive : require\n'
                   '#include "sub/part.glsl"\nvoid main() {}\n')
        self.write("sub/part.glsl", "// fine\nfloat f() { return broken; }\n")
        self.assert_refused(2, ["sub/part.glsl:2: error", "broken"], *self.link("a.vert", "--no-fragment"))

    def test_include_that_is_not_there(self):
        self.write("a.vert", '#version 450\n#extension GL_GOOGLE_include_directive : require\n'
                   '#include "part.glsl"\nvoid main() {}\n')
        self.assert_refused(2, ["a.vert:3: error", "part.glsl"], *self.link("a.vert", "--no-fragment"))

    def test_include_of_itself_ends(self):
        self.write("a.vert", '#version 450\n#extension GL_GOOGLE_include_directive : require\n'
                   '#include "a.vert"\nvoid main() {}\n')
        self.assert_refused(2, "a.vert", *self.link("a.vert", "--no-fragment"))


class DeepInput(CliTest):
    def test_json_that_is_nested_without_end(self):
        deep = "[" * 100000 + "]" * 100000
        self.write("p.jsonl", '{"stages": {"vert": "a.vert"}, "specialization": {"1": ' + deep + "}}")
        self.assert_refused(1, "p.jsonl:1: error: is nested more than 200 levels deep", "link", "--manifest", "p.jsonl")

    def test_expression_of_many_operations(self):
        sums = "".join(f"%x{i + 1} = OpFAdd %v4 %x{i} %x0\n" for i in range(100000))
        self.write("a.vert.spvasm", "OpCapability Shader\nOpMemoryModel Logical GLSL450\n"
                   'OpEntryPoint Vertex %main "main" %p %a %position\nOpDecorate %p Location 0\nOpDecorate %a Location 0\n'
                   "OpDecorate %position BuiltIn Position\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n"
                   "%float = OpTypeFloat 32\n%v4 = OpTypeVector %float 4\n%in = OpTypePointer Input %v4\n"
                   "%out = OpTypePointer Output %v4\n%p = OpVariable %in Input\n%a = OpVariable %out Output\n"
                   "%position = OpVariable %out Output\n%main = OpFunction %void None %fn\n%l = OpLabel\n%x0 = OpLoad %v4 %p\n" +
                   sums + "OpStore %a %x100000\nOpStore %position %x0\nOpReturn\nOpFunctionEnd\n")
        self.write("a.frag", "#version 450\nlayout(location = 0) in vec4 a; layout(location = 0) out vec4 o; void main() { o = a; }\n")
        self.assert_ok(self.run_cli("link", "a.vert.spvasm", "a.frag", "-o", "out"))


class BadPipeline(CliTest):
    """Files that do not make a pipeline."""

    def test_two_files_for_one_stage(self):
        self.write("a.vert", VERT)
        self.write("b.vert", VERT)
        self.assert_refused(1, ["b.vert: error", "stage vert", "a.vert"], "link", "a.vert", "b.vert", "-o", "out")

    def test_stage_cannot_be_told(self):
        self.write("shader.glsl", VERT)
        self.assert_refused(1, ["shader.glsl: error", "stage"], "link", "shader.glsl", "-o", "out")

    def test_entry_point_not_found_in_glsl(self):
        self.write("a.vert", VERT)
        self.assert_refused(1, ["a.vert: error", "entry point 'other' not found"],
                            "link", "a.vert", "-e", "vert=other", "-o", "out")

    def test_entry_point_not_found_in_spirv(self):
        self.write("a.spv", self.spirv("a.vert", VERT, alone=True))
        self.assert_refused(1, ["a.spv: error", "entry point 'other' not found", "vert=main"],
                            "link", "a.spv", "-e", "other", "-o", "out")

    def test_stage_not_in_the_module(self):
        self.write("a.spv", self.spirv("a.vert", VERT, alone=True))
        self.assert_refused(1, ["a.spv: error", "stage frag", "vert=main"], "link", "frag=a.spv", "-o", "out")

    def test_compute_shader(self):
        self.write("a.spvasm", """
               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %main "main"
               OpExecutionMode %main LocalSize 1 1 1
       %void = OpTypeVoid
       %func = OpTypeFunction %void
       %main = OpFunction %void None %func
      %label = OpLabel
               OpReturn
               OpFunctionEnd
""")
        self.assert_refused(1, ["a.spvasm: error", "graphics stage"], "link", "a.spvasm", "-o", "out")

    def test_input_without_output(self):
        self.write("a.vert", VERT)
        self.write("b.frag", FRAG.replace("location = 0) in", "location = 7) in"))
        self.assert_refused(4, ["b.frag:4: error", "7", "[VUID-RuntimeSpirv-OpEntryPoint-08743]"],
                            "link", "a.vert", "b.frag", "-o", "out")

    def test_types_that_do_not_match(self):
        self.write("a.vert", VERT)
        self.write("b.frag", FRAG.replace("in vec4 color", "flat in ivec4 color"))
        self.assert_refused(4, ["error", "0.x", "color"], "link", "a.vert", "b.frag", "-o", "out")

    def test_warning_as_error(self):
        self.write("a.vert", VERT)
        self.write("b.frag", FRAG.replace("void main", "layout(location = 7) in vec4 never;\nvoid main"))
        arguments = ["link", "a.vert", "b.frag", "-o", "out"]
        self.assert_refused(4, ["b.frag: warning", "warnings are treated as errors"], *arguments, "--werror")
        self.assert_ok(self.run_cli(*arguments))

    def test_component_declared_but_never_written(self):
        self.write("a.vert", VERT.replace("  color = position * 2.0;\n", "  color.x = 1.0;\n"))
        self.write("b.frag", FRAG)
        run = self.assert_ok(self.run_cli("link", "a.vert", "b.frag", "-o", "out"))
        self.assertIn("warning", run.err)
        self.assertIn("0.y", run.err)


class BadUse(CliTest):
    """Command lines that make no sense."""

    def test_usage(self):
        self.write_pair()
        for fragment, arguments in [
            ("needs a command", []),
            ("frobnicate", ["link", "a.vert", "b.frag", "--frobnicate"]),
            ("no input", ["link"]),
            ("-O", ["link", "a.vert", "b.frag", "-O4"]),
            ("vulkan9.9", ["link", "a.vert", "b.frag", "--target-env=vulkan9.9"]),
            ("no pass 'x'", ["link", "a.vert", "b.frag", "--passes=x"]),
            ("no pass 'x'", ["link", "a.vert", "b.frag", "--dump-after=x"]),
            ("no stage 'x'", ["link", "-", "-S", "x"]),
            ("no file is left", ["link", "a.vert", "b.frag", "-S", "vert"]),
            ("exclude each other", ["link", "a.vert", "--manifest", "m"]),
            ("-D needs a name", ["link", "a.vert", "b.frag", "-D", "1x=2"]),
            ("two entry points", ["link", "a.vert", "b.frag", "-e", "vert=a", "-e", "vert=b"]),
            ("no such stage", ["link", "a.vert", "b.frag", "-o", "out", "-o", "geom=x.spv"]),
            ("no file for stage frag", ["link", "a.vert", "b.frag", "-o", "vert=x.spv"]),
            ("written to", ["link", "a.vert", "b.frag", "-o", "vert=x.spv", "-o", "frag=x.spv"]),
            ("twice", ["link", "a.vert", "b.frag", "-o", "x", "-o", "y"]),
            ("standard input", ["link", "vert=-", "frag=-", "-o", "x"]),
            ("cannot read", ["@no-such-file"]),
        ]:
            with self.subTest(arguments=arguments):
                self.assert_refused(1, fragment, *arguments)

    def test_response_file_with_open_quote(self):
        self.write("args", "link 'a.vert")
        self.assert_refused(1, ["args: error", "quote"], "@args")

    def test_response_file_that_includes_itself(self):
        self.write("args", "@args")
        self.assert_refused(1, ["args: error", "nested"], "@args")


class BadDisk(CliTest):
    """Results that cannot be written."""

    def test_folder_below_a_file(self):
        self.write_pair()
        self.write("plain", "x")
        self.assert_refused(1, ["plain/out/a.vert.spv: error", "cannot create the folder"],
                            "link", "a.vert", "b.frag", "-o", "plain/out")

    def test_result_is_a_folder(self):
        self.write_pair()
        (self.dir / "out" / "b.frag.spv").mkdir(parents=True)
        self.assert_refused(1, "out/b.frag.spv: error", "link", "a.vert", "b.frag", "-o", "out")

    @unittest.skipUnless(pathlib.Path("/dev/full").exists(), "no /dev/full")
    def test_full_device(self):
        self.write_pair()
        self.assert_refused(1, ["/dev/full: error", "No space left"],
                            "link", "a.vert", "b.frag", "-o", "vert=v.spv", "-o", "frag=/dev/full")

    def test_disk_full_in_the_middle(self):
        # A limit on the file size fails the write after the first bytes, as a full disk does.
        self.write_pair()
        self.write("out/a.vert.spv", "old")

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

        self.assert_refused(1, ["a.vert.spv: error", "cannot write"], "link", "a.vert", "b.frag", "-o", "out",
                            preexec_fn=limit)

    def test_full_file_system(self):
        (self.dir / "disk").mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4k", "none", self.dir / "disk"], check=False,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if mounted.returncode != 0:
            self.skipTest("may not mount")
        self.addCleanup(subprocess.run, ["umount", self.dir / "disk"], check=False)
        self.write_pair()
        # 4 KiB: room for the small stage, not for the large one.
        self.write("a.vert", VERT.replace("void main", "int big[4096 / 8] = int[](" + "7, " * 511 + "7);\nvoid main")
                   .replace("unused = position", "unused = vec4(big[gl_VertexIndex])"))
        self.write("b.frag", FRAG.replace("layout(location = 0) in vec4 color;",
                                          "layout(location = 0) in vec4 color;\nlayout(location = 1) in vec4 unused;")
                   .replace("color.xy", "color.xy + unused.xy"))
        self.assert_refused(1, ["disk/out/", "error: cannot write: No space left"],
                            "link", "a.vert", "b.frag", "-o", "disk/out")

    @unittest.skipUnless(pathlib.Path("/dev/full").exists(), "no /dev/full")
    def test_standard_output_is_full(self):
        self.write_pair()
        with open("/dev/full", "wb") as full:
            completed = subprocess.run([os.environ["VARYLINK"], "link", "a.vert", "b.frag"], cwd=self.dir, stdout=full,
                                       stderr=subprocess.PIPE, check=False)
        self.assertEqual(completed.returncode, 1)
        self.assertIn(b"standard output", completed.stderr)

    def test_report_that_cannot_be_written(self):
        self.write_pair()
        self.write("plain", "x")
        self.assert_refused(1, "plain/r.json: error", "link", "a.vert", "b.frag", "--report", "plain/r.json")


class BadManifest(CliTest):
    """A manifest with a bad line does nothing at all."""

    GOOD = '{"name": "good", "stages": {"vert": "a.vert", "frag": "b.frag"}}\n'

    def refused(self, line, *fragments):
        self.write_pair()
        self.write("m.jsonl", self.GOOD + "\n" + line + "\n")
        self.assert_refused(1, ["m.jsonl:3: error", *fragments], "link", "--manifest", "m.jsonl", "-o", "out")

    def test_not_json(self):
        self.refused('{"name": "x", "stages": ', "does not end on its line")

    def test_not_an_object(self):
        self.refused('["x"]', "is a JSON array")

    def test_no_name(self):
        self.refused('{"stages": {"vert": "a.vert"}}', '"name"')

    def test_no_stages(self):
        self.refused('{"name": "x"}', '"stages"')

    def test_unknown_stage(self):
        self.refused('{"name": "x", "stages": {"vertex": "a.vert"}}', 'no stage "vertex"')

    def test_stage_without_file(self):
        self.refused('{"name": "x", "stages": {"vert": "a.vert", "frag": null}}', '"frag"', "needs the path")

    def test_two_files_for_one_stage(self):
        self.refused('{"name": "x", "stages": {"vert": "a.vert", "vert": "b.vert"}}', '"vert" stands twice')

    def test_entry_of_a_stage_without_file(self):
        self.refused('{"name": "x", "stages": {"vert": "a.vert"}, "entries": {"frag": "main"}}', '"frag"')

    def test_duplicate_name(self):
        self.refused(self.GOOD.strip(), "'good' is used before, on line 1")

    def test_name_that_escapes(self):
        for name in ["../x", "a/../../x", "/x", "", "a//b", ".", "a/", "a\\\\b", "a\\u0000b"]:
            with self.subTest(name=name):
                self.refused('{"name": "' + name + '", "stages": {"vert": "a.vert"}}', "column 2: the name ")

    def test_empty_manifest(self):
        self.write("m.jsonl", "\n\n")
        self.assert_refused(1, ["m.jsonl: error", "no pipeline"], "link", "--manifest", "m.jsonl", "-o", "out")

    def test_missing_manifest(self):
        self.assert_refused(1, "m.jsonl: error", "link", "--manifest", "m.jsonl", "-o", "out")

    def test_missing_file_of_a_stage(self):
        # The manifest itself is fine: the other pipeline is linked, this one leaves nothing behind.
        self.write_pair()
        self.write("m.jsonl", '{"name": "bad", "stages": {"vert": "a.vert", "frag": "no.frag"}}\n' + self.GOOD)
        run = self.run_cli("link", "--manifest", "m.jsonl", "-o", "out")
        self.assertEqual(run.status, 1, run)
        self.assertIn("bad: no.frag: error: cannot read", run.err)
        self.assertFalse((self.dir / "out" / "bad").exists())
        self.assertTrue((self.dir / "out" / "good" / "vert.spv").exists())

    def test_worst_status_counts(self):
        self.write_pair()
        self.write("c.frag", FRAG.replace("location = 0) in", "location = 7) in"))
        self.write("d.frag", "nonsense")
        self.write("m.jsonl", '{"name": "mismatch", "stages": {"vert": "a.vert", "frag": "c.frag"}}\n' + self.GOOD +
                   '{"name": "glsl", "stages": {"vert": "a.vert", "frag": "d.frag"}}\n')
        run = self.run_cli("link", "--manifest", "m.jsonl", "-o", "out")
        self.assertEqual(run.status, 4, run)
        self.assertIn("3 pipelines: 1 linked, 2 failed", run.out)
        self.assertIn("failed: mismatch (interface_mismatch)", run.out)
        self.assertIn("failed: glsl (glsl)", run.out)



class SaidOnceAndRight(CliTest):
    def test_an_entry_point_that_is_not_there_is_said_once(self):
        self.write_pair()
        for command in ("link", "check"):
            run = self.run_cli(command, "-e", "vert=nix", "a.vert", "b.frag")
            self.assertEqual(run.status, 1, run)
            self.assertEqual(run.err.count("entry point 'nix' not found"), 1, run)

    def test_a_folder_for_temporary_files_that_is_not_there(self):
        self.write_pair()
        run = self.run_cli("link", "a.vert", "b.frag", "--report", "r.json", env={**os.environ, "TMPDIR": str(self.dir / "none")})
        self.assertEqual(run.status, 1, run)
        self.assertIn("r.json: error: no report, which is kept in the meantime: cannot make a temporary file: No such file", run.err)


if __name__ == "__main__":
    unittest.main()
