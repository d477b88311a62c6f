"""The Python module: it has the structs and numbers of varylink.h, and links what the command links to the same bytes and report."""

import ctypes
import hashlib
import importlib.util
import json
import os
import pathlib
import re
import unittest

from harness import CC, SAMPLES, SOURCE, InstallTest, run

# What link() is called with, and the command.
RUNS = [
    ({}, []),
    ({"level": 0}, ["-O0"]),
    ({"level": 1, "strip_unused_resources": True, "strip_unused_attributes": True},
     ["-O1", "--strip-unused-resources", "--strip-unused-attributes"]),
    ({"allow_discontinuous": True, "target_env": "vulkan1.1"}, ["--allow-discontinuous", "--target-env", "vulkan1.1"]),
    ({"portable": True, "strict": True, "no_dearer_stage": True}, ["--portable", "--strict", "--no-costlier-stage"]),
    ({"keep_spec_ids": True, "state": {"state": {"polygonMode": "FILL"}}}, ["--keep-spec-ids", "--pipeline-state", "filled.json"]),
    ({"profile": "tiler", "pack_beside_arrays": True}, ["--profile", "tiler", "--pack-beside-arrays"]),
    ({"passes": ["remove-dead-varyings", "assign-locations"], "fuel": 3}, ["--passes", "remove-dead-varyings,assign-locations", "--fuel", "3"]),
    ({"level": 3}, ["-O3"]),
    ({"prove": "report", "shared_spec_constants": True}, ["--prove", "report", "--shared-spec-constants"]),
    ({"prove": "fallback", "debug_info": True, "scalar_block_layout": True}, ["--prove", "fallback", "-g", "--scalar-block-layout"]),
    ({"no_fragment": True, "defines": {"FOG": 1}}, ["--no-fragment", "-DFOG=1"]),
    ({"state": {"state": {"rasterizationSamples": 1, "topology": "TRIANGLE_LIST"}}}, ["--pipeline-state", "state.json"]),
]
GROUPS = [({"sharing": "specialize"}, ["--share", "specialize"]),
          ({"sharing": "union", "level": 1}, ["--share", "union", "-O1"]),
          ({"sharing": "cluster", "max_variants": 1}, ["--share", "cluster", "--max-variants", "1"]),
          ({"sharing": "union", "prove": "report", "invariance_groups": [["a", "b"]]},
           ["--share", "union", "--prove", "report", "--invariance-group", "a,b"]),
          ({"sharing": "union", "prove": "fallback"}, ["--share", "union", "--prove", "fallback"]),
          ({"invariance_groups": [["a", "b"], ["b", "c"]]}, ["--invariance-group", "a,b", "--invariance-group", "b,c"])]
STATE = RUNS[-1][0]["state"]


def text_of(path):
    """For #include: what a file has, None if there is none."""
    file = pathlib.Path(path)
    return file.read_text(encoding="utf-8") if file.is_file() else None


@unittest.skipIf("VARYLINK_INSTRUMENTED" in os.environ, "Python cannot load a library with sanitizers")
@unittest.skipIf("VARYLINK_NO_GLSL" in os.environ, "the shaders are GLSL")
class Python(InstallTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.file = cls.prefix / "share/varylink/python/varylink.py"
        spec = importlib.util.spec_from_file_location("varylink", cls.file)
        cls.varylink = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(cls.varylink)

    def header(self, expressions):
        """The values of C expressions that varylink.h gives a meaning to."""
        lines = "".join(f'printf("%lld\\n", (long long)({one}));' for one in expressions)
        source = self.scratch / "header.c"
        source.write_text(f"#include <stdio.h>\n#include <varylink/varylink.h>\nint main(void) {{ {lines} return 0; }}\n")
        run(CC, f"-I{self.prefix / 'include'}", source, "-o", self.scratch / "header")
        return [int(line) for line in run(self.scratch / "header").split()]

    def test_structs(self):
        for struct in self.varylink.STRUCTS:
            expressions = [f"sizeof({struct.C_NAME})"] + [f"offsetof({struct.C_NAME}, {name})" for name, *_ in struct._fields_]
            here = [ctypes.sizeof(struct)] + [getattr(struct, name).offset for name, *_ in struct._fields_]
            self.assertEqual(here, self.header(expressions), struct.C_NAME)

    def test_numbers(self):
        header = (self.prefix / "include/varylink/varylink.h").read_text()
        names = re.findall(r"\bVARYLINK_(?:STAGE|LEVEL|SEVERITY|FATE|PROVE|VERDICT|SHARING|UNUSED|TARGET_ENV|PIPELINE|LINK|CHECK|LAYOUT|ERROR)_\w+"
                           r"(?=\s*=|\s+0x)", header)
        values = dict(zip(names, self.header(names)))
        v = self.varylink
        lists = {"STAGE": ("UNKNOWN", *v.STAGES[1:]), "LEVEL": v.LEVELS, "SEVERITY": v.SEVERITIES, "FATE": v.FATES,
                 "PROVE": ("NOTHING", *v.PROVE[1:]), "VERDICT": v.VERDICTS,
                 "SHARING": ("NOTHING", *v.SHARING[1:]), "UNUSED": v.UNUSED_KINDS,
                 "TARGET_ENV": ("DEFAULT", *(env.replace(".", "_").replace("vulkan", "vulkan_").replace("spv", "_spirv_")
                                             for env in v.TARGET_ENVS[1:]))}
        long_stage = dict(zip(v.STAGES[1:], ("vertex", "tess_control", "tess_eval", "geometry", "task", "mesh", "fragment")))
        here = {f"VARYLINK_{kind}_{long_stage.get(name, name).upper()}": index
                for kind, names in lists.items() for index, name in enumerate(names)}
        for kind, flags in (("PIPELINE", v.PIPELINE_FLAGS), ("LINK", v.LINK_FLAGS), ("CHECK", v.CHECK_FLAGS)):
            here |= {f"VARYLINK_{kind}_{name.upper()}": bit for name, bit in flags.items()}
        shorter = {"scalar_block_layout": "scalar_block", "uniform_buffer_standard_layout": "uniform_buffer_standard",
                   "relax_block_layout": "relax_block"}
        here |= {f"VARYLINK_LAYOUT_{shorter.get(name, name).upper()}": bit for name, bit in v.LAYOUT_FLAGS.items()}
        here["VARYLINK_LINK_LIMIT_FUEL"] = v.LIMIT_FUEL
        here |= {f"VARYLINK_ERROR_{status.name}": int(status) for status in v.Status if status}
        self.assertEqual(here, {name: value for name, value in values.items() if not name.endswith("_MAX_ENUM")})

    def test_flags_are_those_of_the_command(self):
        helped = run(self.prefix / "bin/varylink", "link", "--help")
        for name in self.varylink.LINK_FLAGS.keys() - {"no_report"}:  # the command computes a report only where one is asked for
            name = {"no_dearer_stage": "no_costlier_stage"}.get(name, name)  # the library's flags keep their names
            self.assertIn("--" + name.replace("_", "-"), helped)

    def samples(self):
        """(name, stages as files) of samples/pipelines.jsonl; assembly as binaries, which both sides take."""
        for line in (SAMPLES / "pipelines.jsonl").read_text().splitlines():
            pipeline = json.loads(line)
            files = [SAMPLES / file for file in pipeline["stages"].values()]
            for index, file in enumerate(files):
                if file.suffix == ".spvasm":
                    files[index] = self.scratch / file.stem
                    files[index] = files[index].with_name(files[index].name + ".spv")
                    run("spirv-as", "--target-env", "vulkan1.1", file, "-o", files[index])
            yield pipeline["name"], files

    def linked_by_command(self, name, files, options):
        """Modules by stage, and the pipeline's part of the report."""
        (self.scratch / "state.json").write_text(json.dumps(STATE))
        (self.scratch / "filled.json").write_text('{"state": {"polygonMode": "FILL"}}')
        out, manifest, report = self.scratch / "out", self.scratch / "one.jsonl", self.scratch / "report.json"
        stages = {re.search(r"\.(vert|frag)\b", file.name)[1]: str(file) for file in files}
        manifest.write_text(json.dumps({"name": name, "stages": stages}))
        run(self.prefix / "bin/varylink", "link", "-q", "--manifest", manifest, "-o", out, "--report", report, *options,
            cwd=self.scratch)
        return {file.stem: file.read_bytes() for file in (out / name).glob("*.spv")}, json.loads(report.read_text())

    def linked_by_library(self, name, files, arguments):
        read = {".spv": self.varylink.spirv_file}
        linked = self.varylink.link([read.get(file.suffix, self.varylink.glsl_file)(file) for file in files], name=name,
                                    include=text_of, **arguments)
        return {module.stage: module.code for module in linked.modules}, linked.report

    def comparable(self, report):
        """A report without what only a command with files and a cache can say."""
        report = json.loads(json.dumps(report))
        report.get("summary", {}).pop("repeated", None)
        for pipeline in report["pipelines"]:
            for key in ("cache_key", "dependencies", "work"):
                pipeline.pop(key, None)
            for stage in pipeline["stages"]:
                for key in ("output", "cost", "kept", "larger_because"):
                    stage.pop(key, None)
        return report

    def test_same_as_the_command(self):
        for name, files in self.samples():
            for arguments, options in RUNS:
                with self.subTest(name, options=options):
                    command, command_report = self.linked_by_command(name, files, options)
                    library, library_report = self.linked_by_library(name, files, arguments)
                    self.assertEqual({stage: hashlib.sha256(words).hexdigest() for stage, words in command.items()},
                                     {stage: hashlib.sha256(words).hexdigest() for stage, words in library.items()})
                    self.assertEqual(self.comparable(command_report), self.comparable(library_report))

    def test_groups_same_as_the_command(self):
        v = self.varylink
        vertex = ("#version 450\nlayout(location = 0) in vec4 p; layout(location = 0) out vec4 a; layout(location = 1) out vec4 b;\n"
                  "void main() { gl_Position = p; a = p.yxzw; b = p * p; }")
        reads = {"a": "a.xyxy", "b": "a.wwww + b", "c": "vec4(1)", "d": "b.zzzz"}
        (self.scratch / "group.vert").write_text(vertex)
        lines, pipelines = [], []
        for name, value in reads.items():
            fragment = ("#version 450\nlayout(location = 0) in vec4 a; layout(location = 1) in vec4 b; layout(location = 0) out vec4 o;\n"
                        f"void main() {{ o = {value}; }}")
            (self.scratch / f"{name}.frag").write_text(fragment)
            files = {"vert": str(self.scratch / "group.vert"), "frag": str(self.scratch / f"{name}.frag")}
            lines.append(json.dumps({"name": name, "stages": files}))
            pipelines.append(v.Pipeline([v.glsl_file(file) for file in files.values()], name))
        (self.scratch / "group.jsonl").write_text("\n".join(lines))
        for arguments, options in GROUPS:
            with self.subTest(options=options):
                run(self.prefix / "bin/varylink", "link", "-q", "--manifest", self.scratch / "group.jsonl", "--report",
                    self.scratch / "group.json", *options, cwd=self.scratch)
                linked = v.link_group(pipelines, **arguments)
                command = self.comparable(json.loads((self.scratch / "group.json").read_text()))
                self.assertEqual(command, self.comparable(linked.report))
                for pipeline, told in zip(linked.pipelines, command["pipelines"]):
                    words = {module.stage: hashlib.sha256(module.code).hexdigest() for module in pipeline.modules}
                    self.assertEqual(words, {stage["stage"]: stage["content"] for stage in told["stages"]})

    def test_groups(self):
        v = self.varylink
        vertex, fragment = (v.glsl_file(SAMPLES / f"shaders/quick.{stage}") for stage in ("vert", "frag"))
        linked = v.link_group([v.Pipeline([vertex, fragment], "good"), v.Pipeline([vertex, v.Stage("#version 450", "b.frag")], "bad")])
        self.assertEqual([type(one) for one in linked.pipelines], [v.Linked, v.LinkError])
        self.assertEqual([one["status"] for one in linked.report["pipelines"]], ["linked", "failed"])
        for problem, arguments in (("'x'", {"invariance_groups": [["good", "x"]]}), ("two or more", {"invariance_groups": [["good"]]}),
                                   ("sharing", {"sharing": "all"})):
            with self.subTest(problem), self.assertRaisesRegex(ValueError, problem):
                v.link_group([v.Pipeline([vertex, fragment], "good")], **arguments)

    def test_interrupt(self):
        v = self.varylink
        stages = [v.glsl_file(SAMPLES / f"shaders/quick.{stage}") for stage in ("vert", "frag")]
        with self.assertRaises(v.LinkError) as caught:
            v.link(stages, interrupted=lambda: True)
        self.assertEqual(caught.exception.status, v.Status.INTERRUPTED)
        with self.assertRaises(ZeroDivisionError):
            v.link(stages, interrupted=lambda: 1 // 0)
        self.assertTrue(v.link(stages, interrupted=lambda: False).modules)

    def test_analyze(self):
        v = self.varylink
        files = [SAMPLES / f"shaders/quick.{stage}" for stage in ("vert", "frag")]
        found = v.analyze([v.glsl_file(file) for file in files])
        self.assertTrue(found.status == v.Status.SUCCESS and len(found.interfaces) == len(found.bounds) == 2)
        for file, interface, bound in zip(files, found.interfaces, found.bounds):
            said = run(self.prefix / "bin/varylink", "analyze", file)
            self.assertIn(f"components {interface.before.components} → {interface.after.components}", said)
            self.assertIn(f"components {interface.before.components} → {bound.components}\n", said[said.index("at most"):])

    def test_unused(self):
        v = self.varylink
        vertex = ("#version 450\nlayout(location = 0) in vec4 p; layout(location = 3) in mat2 m; layout(location = 0) out vec2 a;\n"
                  "void main() { gl_Position = p; a = m[1]; }")
        fragment = "#version 450\nlayout(location = 0) in vec2 a; layout(location = 0) out vec4 o; void main() { o = vec4(1); }"
        linked = v.link([v.Stage(vertex, "a.vert"), v.Stage(fragment, "a.frag")])
        self.assertEqual(linked.unused, [v.Unused("attribute", 0, 3, 2, "m", ["vert"], True, True)])

    def test_what_a_result_says(self):
        v = self.varylink
        linked = v.link([v.glsl_file(SAMPLES / f"shaders/quick.{stage}") for stage in ("vert", "frag")], prove="require")
        self.assertEqual([module.stage for module in linked.modules], ["vert", "frag"])
        self.assertLess(linked.interfaces[0].after.components, linked.interfaces[0].before.components)
        self.assertRegex(repr(linked.interfaces[0].before), r"^InterfaceSize\(components=14, locations=4, highest_location=\d\)$")
        self.assertEqual({component.fate for component in linked.interfaces[0].components} - set(v.FATES), set())
        self.assertEqual((linked.proof.verdict, linked.proof.level, linked.proof.findings), ("proved", 2, []))

    def test_no_report(self):
        v = self.varylink
        stages = [v.glsl_file(SAMPLES / f"shaders/quick.{stage}") for stage in ("vert", "frag")]
        with_report, without = v.link(stages), v.link(stages, no_report=True)
        self.assertEqual(([module.code for module in without.modules], without.report),
                         ([module.code for module in with_report.modules], {}))

    def test_what_is_wrong_with_shaders(self):
        v = self.varylink
        vertex = v.Stage("#version 450\nvoid main() { gl_Position = vec4(0); }", "a.vert")
        fragment = v.Stage("#version 450\nlayout(location = 3) in vec4 a; layout(location = 0) out vec4 b; void main() { b = a; }",
                           "a.frag")
        with self.assertRaises(v.LinkError) as caught:
            v.link([vertex, fragment])
        self.assertEqual(caught.exception.status, v.Status.INTERFACE_MISMATCH)
        self.assertIn("a.frag:2: error: ", str(caught.exception))
        found = v.check([vertex, fragment])
        self.assertFalse(found.ok)
        self.assertEqual([issue.rule for issue in found.diagnostics], ["missing-output"])
        self.assertTrue(v.check([vertex]).ok)

    def test_what_is_wrong_with_a_call(self):
        v = self.varylink
        stage = v.Stage("", "a.vert")
        for problem, call in ((r"'prtable'.*portable", lambda: v.link([stage], prtable=True)),
                              (r"level: .*9", lambda: v.link([stage], level=9)),
                              (r"target_env: .*vulkan1\.3", lambda: v.link([stage], target_env="vulkan2")),
                              (r"no whole number of words", lambda: v.link([v.Stage(b"12345", "a.vert")])),
                              (r"line 1", lambda: v.link([stage], state="{")),
                              (r"fuel: -1", lambda: v.link([stage], fuel=-1)),
                              (r"fuel: 18446744073709551616", lambda: v.link([stage], fuel=1 << 64)),
                              (r"max_variants: -1", lambda: v.link_group([], sharing="cluster", max_variants=-1)),
                              (r"profile", lambda: v.link([stage], profile="warp drive"))):
            with self.subTest(problem), self.assertRaisesRegex(ValueError, problem):
                call()

    def test_includes(self):
        v = self.varylink
        stage = v.Stage('#version 450\n#extension GL_GOOGLE_include_directive : require\n#include "b.glsl"\n'
                        "void main() { gl_Position = vec4(HERE); }", "shaders/a.vert")
        self.assertTrue(v.check([stage], include={"shaders/b.glsl": "#define HERE 0.5"}.get).ok)
        self.assertFalse(v.check([stage], include=lambda path: None).ok)
        with self.assertRaisesRegex(ZeroDivisionError, "division"):
            v.check([stage], include=lambda path: str(1 // 0))

    def test_sample(self):
        said = run("python3", "-B", SAMPLES / "library/link_folder.py", "-D", "LIGHTS=2", SAMPLES / "shader_build", self.scratch / "pairs",
                   env={"PYTHONPATH": str(self.file.parent)})
        self.assertRegex(said, r"lit: \d+ -> \d+ components")
        self.assertEqual(sorted(path.name for path in (self.scratch / "pairs").iterdir()),
                         ["lit.frag.spv", "lit.vert.spv", "sky.frag.spv", "sky.vert.spv"])
        run("spirv-val", "--target-env", "vulkan1.3", self.scratch / "pairs/lit.vert.spv")


if __name__ == "__main__":
    unittest.main()
