#!/usr/bin/env python3
"""varylink import and replace with captures of GFXReconstruct. Its programs are stand-ins here, which hand out calls and modules
that the tests make: tests/layer/gfxreconstruct_test.py has the real ones."""
import json
import os
import sys
import unittest

from harness import CliTest

VERT = """#version 450
layout(location = 0) in vec4 position;
layout(location = 0) out vec4 color;
layout(location = 1) out vec4 unread;
void main() { color = position * 2.0; unread = position; gl_Position = position; }
"""
FRAG = """#version 450
layout(location = 0) in vec4 color;
layout(constant_id = 3) const float k = 1.0;
layout(location = 0) out vec4 result;
void main() { result = vec4(color.xy * k, 0.0, 1.0); }
"""
OTHER_FRAG = FRAG.replace("color.xy * k", "color.zw")

# Copies what the test has prepared. `version` and `complaint` are files, too.
STAND_IN = f"""#!{sys.executable}
import os, pathlib, shutil, sys
name, folder = pathlib.Path(sys.argv[0]).name, pathlib.Path(sys.argv[0]).parent
words = sys.argv[1:]
if words == ["--version"]:
    print(name, "version info:\\n  GFXReconstruct Version", (folder / "version").read_text())
elif words == ["--help"]:
    print("--output file" + ("" if "0.9.18" in (folder / "version").read_text() else " --format <format>"))
elif name == "gfxrecon-extract":
    shutil.copytree(folder / "shaders", words[1])
else:
    assert ("--format" in words) == ("0.9.18" not in (folder / "version").read_text()), words
    print((folder / "complaint").read_text(), file=sys.stderr)
    if (folder / "calls").exists():
        shutil.copy(folder / "calls", words[words.index("--output") + 1])
"""

NULL = "VK_NULL_HANDLE"
DEVICE, LAYOUT, SET_LAYOUT, PASS = 3, 5, 6, 7
V_1_1, V_1_3 = 1 << 22 | 1 << 12, 1 << 22 | 3 << 12


def typed(name, chain=None, **members):
    return {"sType": "VK_STRUCTURE_TYPE_" + name, "pNext": chain, **members}


def stage(bit, module, chain=None):
    return typed("PIPELINE_SHADER_STAGE_CREATE_INFO", chain, flags=0, stage=f"VK_SHADER_STAGE_{bit}_BIT", module=module, pName="main",
                 pSpecializationInfo={"mapEntryCount": 1, "pMapEntries": [{"constantID": 3, "offset": 0, "size": 4}], "dataSize": 4,
                                      "pData": "0x7ffe"})


def pipeline(vert, frag, chain=None, **members):
    return {**typed(
        "GRAPHICS_PIPELINE_CREATE_INFO", chain, flags=0, stageCount=2, pStages=[stage("VERTEX", vert), stage("FRAGMENT", frag)],
        pVertexInputState=typed("PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO", vertexBindingDescriptionCount=1, pVertexBindingDescriptions=[
            {"binding": 2, "stride": 16, "inputRate": "VK_VERTEX_INPUT_RATE_INSTANCE"}], vertexAttributeDescriptionCount=1,
            pVertexAttributeDescriptions=[{"location": 0, "binding": 2, "format": "VK_FORMAT_R32G32B32_SFLOAT", "offset": 0}]),
        pInputAssemblyState=typed("PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO", topology="VK_PRIMITIVE_TOPOLOGY_LINE_LIST"),
        pTessellationState=None, pViewportState=None,
        pRasterizationState=typed("PIPELINE_RASTERIZATION_STATE_CREATE_INFO", rasterizerDiscardEnable=0),
        pMultisampleState=typed("PIPELINE_MULTISAMPLE_STATE_CREATE_INFO", rasterizationSamples="VK_SAMPLE_COUNT_4_BIT",
                                sampleShadingEnable=0, alphaToCoverageEnable=1),
        pColorBlendState=typed("PIPELINE_COLOR_BLEND_STATE_CREATE_INFO", attachmentCount=1, pAttachments=[{"colorWriteMask": 7}]),
        pDynamicState=typed("PIPELINE_DYNAMIC_STATE_CREATE_INFO", pDynamicStates=["VK_DYNAMIC_STATE_VIEWPORT"]),
        layout=LAYOUT, renderPass=PASS, subpass=0, basePipelineHandle=NULL, basePipelineIndex=-1), **members}


class Captures(CliTest):
    key, masks_are_texts = "vkFunc", False

    def setUp(self):
        super().setUp()
        for program in ("gfxrecon-convert", "gfxrecon-extract"):
            self.write(f"bin/{program}", STAND_IN)
            (self.dir / "bin" / program).chmod(0o755)
        self.write("bin/version", "0.9.18-unknown")
        self.write("bin/complaint", "")
        (self.dir / "bin/shaders").mkdir()
        self.write("game.gfxr", b"what only the stand-ins know")
        self.env = {**os.environ, "PATH": f"{self.dir}/bin:{os.environ['PATH']}"}
        self.lines = [json.dumps({"header": {"source-path": "game.gfxr"}}, separators=(",", ":"))]
        self.vert, self.frag, self.other = (
            self.spirv(name, text, alone=name == "a.vert") for name, text in
            (("a.vert", VERT), ("b.frag", FRAG), ("b.frag", OTHER_FRAG)))
        self.call("vkCreateInstance", pCreateInfo=typed("INSTANCE_CREATE_INFO", pApplicationInfo={"apiVersion": V_1_3}), pInstance=1)
        self.call("vkEnumeratePhysicalDevices", instance=1, pPhysicalDeviceCount=1, pPhysicalDevices=[2])
        self.call("vkGetPhysicalDeviceProperties2", physicalDevice=2, pProperties={"properties": {"apiVersion": V_1_3}})
        features = typed("PHYSICAL_DEVICE_VULKAN_1_2_FEATURES", scalarBlockLayout=1, uniformBufferStandardLayout=0)
        self.call("vkCreateDevice", physicalDevice=2, pDevice=DEVICE, pCreateInfo=typed(
            "DEVICE_CREATE_INFO", features, ppEnabledExtensionNames=["VK_KHR_relaxed_block_layout"]))
        self.call("vkCreateDescriptorSetLayout", device=DEVICE, pSetLayout=SET_LAYOUT, pCreateInfo=typed(
            "DESCRIPTOR_SET_LAYOUT_CREATE_INFO", flags=0, pBindings=[{"binding": 4, "stageFlags": self.mask(17)}]))
        self.call("vkCreatePipelineLayout", device=DEVICE, pPipelineLayout=LAYOUT, pCreateInfo=typed(
            "PIPELINE_LAYOUT_CREATE_INFO", pSetLayouts=[SET_LAYOUT], pPushConstantRanges=[{"stageFlags": self.mask(16), "offset": 8,
                                                                                       "size": 4}]))
        self.call("vkCreateRenderPass", device=DEVICE, pRenderPass=PASS, pCreateInfo=typed(
            "RENDER_PASS_CREATE_INFO", pAttachments=[{"format": "VK_FORMAT_R8G8B8A8_UNORM"}, {"format": "VK_FORMAT_D32_SFLOAT"}],
            pSubpasses=[{"pColorAttachments": [{"attachment": 0}], "pDepthStencilAttachment": {"attachment": 1}}]))

    def mask(self, value):
        return f"0x{value:08x}" if self.masks_are_texts else value

    def call(self, name, **arguments):
        self.lines.append(json.dumps({"index": len(self.lines), self.key: {"name": name, "return": "VK_SUCCESS", "args": arguments}},
                                     separators=(",", ":")))

    def module(self, handle, code):
        self.write(f"bin/shaders/sh{handle}", code)
        self.call("vkCreateShaderModule", device=DEVICE, pShaderModule=handle,
                  pCreateInfo=typed("SHADER_MODULE_CREATE_INFO", flags=0, codeSize=len(code), pCode="0x55"))
        return handle

    def pair(self, first, frag=None):
        return self.module(first, self.vert), self.module(first + 1, frag or self.frag)

    def create(self, *infos):
        self.call("vkCreateGraphicsPipelines", device=DEVICE, createInfoCount=len(infos), pCreateInfos=infos, pPipelines=None)

    def write_calls(self):
        self.write("bin/calls", ("\n".join(self.lines) + "\n").encode("latin-1"))

    def run_with(self, *words):
        self.write_calls()
        return self.run_cli(*words, env=self.env)

    def manifest(self):
        run = self.assert_ok(self.run_with("import", "game.gfxr", "-o", "m"))
        return [json.loads(line) for line in (self.dir / "m/manifest.jsonl").read_text().splitlines()], run.out

    def replace(self, *link_options):
        """The names of the replaced modules and what is said."""
        self.manifest()
        self.assert_ok(self.run_cli("link", "@m/options.txt", "--manifest", "m/manifest.jsonl", "-o", "out", "--report", "r.json",
                                    *link_options))
        run = self.assert_ok(self.run_with("replace", "game.gfxr", "--from", "r.json" if link_options else "out", "-o", "new"))
        return {path.name for path in (self.dir / "new").glob("*")}, run.out


class Import(Captures):
    def test_what_is_known_of_a_pipeline(self):
        self.create(pipeline(*self.pair(11)))
        (line,), said = self.manifest()
        self.assertIn("m/manifest.jsonl: 1 pipelines, 2 modules", said)
        self.assertEqual((self.dir / "m/options.txt").read_text(),
                         "--target-env vulkan1.3\n--scalar-block-layout\n--relax-block-layout\n")
        self.assertEqual({path.read_bytes() for path in (self.dir / "m/modules").glob("*")}, {self.vert, self.frag})
        self.assertEqual(line["layout"], {"bindings": [{"set": 0, "binding": 4, "stages": ["vert", "frag"]}],
                                          "pushConstants": [{"offset": 8, "size": 4, "stages": ["frag"]}]})
        state = line["state"]
        self.assertEqual((state["topology"], state["rasterizationSamples"], state["alphaToCoverageEnable"]), ("lines", 4, True))
        self.assertEqual(state["attachments"], [{"format": "R8G8B8A8_UNORM", "writeMask": "RGB"}])
        self.assertEqual((state["depthAttachmentFormat"], state["stencilAttachmentFormat"]), ("D32_SFLOAT", "UNDEFINED"))
        self.assertEqual(state["vertexInput"]["attributes"], [{"location": 0, "format": "R32G32B32_SFLOAT"}])
        self.assertEqual(state["instanceRateAttributes"], [0])
        self.assertNotIn("specialization", line["stages"]["frag"])  # the converter does not say the values

    def test_the_target_is_the_lower_version_and_what_the_last_device_enables(self):
        self.call("vkGetPhysicalDeviceProperties", physicalDevice=2, pProperties={"apiVersion": V_1_1})
        self.call("vkCreateDevice", physicalDevice=2, pDevice=DEVICE + 1, pCreateInfo=typed(
            "DEVICE_CREATE_INFO", typed("PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES", maintenance4=1),
            ppEnabledExtensionNames=["VK_KHR_spirv_1_4"]))
        self.manifest()
        self.assertEqual((self.dir / "m/options.txt").read_text(), "--target-env vulkan1.1spv1.4\n--allow-localsizeid\n")

    def test_equal_pipelines_come_once(self):
        self.create(pipeline(*self.pair(11)), pipeline(*self.pair(13)))
        self.create(pipeline(11, 14))
        lines, _ = self.manifest()
        self.assertEqual(len(lines), 1)

    def test_what_is_dynamic_or_changed_by_a_structure_is_not_assumed(self):
        states = typed("PIPELINE_DYNAMIC_STATE_CREATE_INFO", pDynamicStates=["VK_DYNAMIC_STATE_VERTEX_INPUT_EXT",
                                                                           "VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY"])
        rate = typed("PIPELINE_FRAGMENT_SHADING_RATE_STATE_CREATE_INFO_KHR")
        self.create(pipeline(*self.pair(11), chain=rate, pDynamicState=states))
        (line,), _ = self.manifest()
        for fact in ("topology", "vertexInput", "rasterizationSamples"):
            self.assertNotIn(fact, line["state"])
        self.create(pipeline(11, 12, pDynamicState=typed("PIPELINE_DYNAMIC_STATE_CREATE_INFO",
                                                         pDynamicStates=["VK_DYNAMIC_STATE_OF_TOMORROW"])))
        self.assertEqual(self.manifest()[0][1].get("state", {}), {})

    def test_what_is_passed_through(self):
        vert, frag = self.pair(11)
        code = typed("SHADER_MODULE_CREATE_INFO", codeSize=20, pCode="0x1")
        robust = typed("PIPELINE_ROBUSTNESS_CREATE_INFO_EXT", storageBuffers="VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED_EXT")
        for info, reason in (
                (pipeline(vert, frag, chain=typed("GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT", flags=self.mask(3)),
                          flags=self.mask(2048)), "it is a part of a pipeline (a pipeline library)"),
                (pipeline(vert, frag, chain=typed("PIPELINE_LIBRARY_CREATE_INFO_KHR", libraryCount=2, pLibraries=[20, 21])),
                 "it is made of pipeline libraries"),
                (pipeline(vert, frag, pStages=[stage("VERTEX", NULL, code), stage("FRAGMENT", frag)]),
                 "the code of a stage is not known"),
                (pipeline(vert, 99), "the code of a stage is not known"),
                (pipeline(vert, frag, pStages=[stage("VERTEX", vert), stage("FRAGMENT", frag, robust)]),
                 "its stages differ in robustness"),
                (pipeline(vert, frag, pStages=[stage("VERTEX", vert)]), "it has one stage"),
                (pipeline(vert, frag, renderPass=98), "its render pass is not known"),
                (pipeline(vert, frag, chain=typed("OF_TOMORROW")),
                 "it has a structure that is not known here, of type OF_TOMORROW"),
                (pipeline(vert, frag, flags=self.mask(0x40000)), "device-generated commands may change its shaders"),
                (pipeline(vert, frag, chain=typed("PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR", flags=1 << 36)),
                 "it has flags that change what its stages mean"),
                (pipeline(vert, frag, pMultisampleState=typed("PIPELINE_MULTISAMPLE_STATE_CREATE_INFO", rasterizationSamples=3)),
                 "its create info cannot be read: \"rasterizationSamples\" is no sample count")):
            with self.subTest(reason):
                kept = list(self.lines)
                self.create(info)
                lines, said = self.manifest()
                self.lines = kept
                self.assertIn(f"passed through: 1  {reason}\n", said)
                self.assertEqual(lines, [])

    def test_a_number_that_comes_twice_and_a_code_of_another_size(self):
        vert, frag = self.pair(11)
        self.module(12, self.other)
        self.create(pipeline(vert, frag))
        self.assertIn("passed through: 1  the code of a stage is not known", self.manifest()[1])
        self.write("bin/shaders/sh11", self.vert + b"\0\0\0\0")
        self.assertIn("passed through: 1  the code of a stage is not known", self.manifest()[1])

    def test_numbers_and_texts_that_are_no_json(self):
        """As 0.9.18 writes them."""
        raster = typed("PIPELINE_RASTERIZATION_STATE_CREATE_INFO", rasterizerDiscardEnable=0, depthBiasClamp="NAN", lineWidth="INF", depthBiasSlopeFactor=1e-05)
        self.create(pipeline(*self.pair(11), pRasterizationState=raster))
        self.lines[-1] = self.lines[-1].replace('"NAN"', "nan").replace('"INF"', "-inf")
        self.lines[1] = self.lines[1].replace('{"apiVersion"', '{"pApplicationName":"a\\"nan\t\xff","apiVersion"')
        (line,), _ = self.manifest()
        self.assertEqual(line["state"]["provokingVertexMode"], "FIRST_VERTEX_EXT")
        self.assertIn("vulkan1.3", (self.dir / "m/options.txt").read_text())

    def test_complaints_of_the_converter(self):
        self.write("bin/complaint", "[gfxrecon] WARNING - Incomplete block at end of file\n" * 2)
        run = self.run_with("import", "game.gfxr", "-o", "m")
        self.assertEqual(run.err.count("gfxrecon-convert: Incomplete block at end of file"), 1)
        (self.dir / "bin/calls").unlink()
        self.write("bin/complaint", "[gfxrecon] ERROR - Failed to read file header\n")
        self.assert_refused(1, "Failed to read file header", "import", "game.gfxr", "-o", "n", env=self.env)

    def test_what_it_refuses(self):
        self.assert_refused(1, "install the package gfxreconstruct", "import", "game.gfxr", "-o", "m",
                            env={**os.environ, "PATH": str(self.dir / "none")})
        self.assert_refused(1, "none.gfxr", "import", "none.gfxr", "-o", "m", env=self.env)
        self.write("bin/calls", "[\n")
        self.assert_refused(1, "no capture?", "import", "game.gfxr", "-o", "m", env=self.env)
        self.write("bin/calls", self.lines[0] + '\n{"index":1,"vkFunc":{"name":"vkCreateInstance","args":{}\n')
        self.assert_refused(1, "line 2", "import", "game.gfxr", "-o", "m", env=self.env)
        for version, said in (("0.9.17", "too old"), ("none", "does not say its version")):
            self.write("bin/version", version)
            self.assert_refused(1, said, "import", "game.gfxr", "-o", "m", env=self.env)


class Replace(Captures):
    def test_each_module_of_equal_pipelines(self):
        self.create(pipeline(*self.pair(11)), pipeline(*self.pair(13)))
        names, said = self.replace()
        self.assertEqual(names, {"sh11", "sh12", "sh13", "sh14"})
        self.assertIn("new: 4 of 4 modules replaced", said)
        self.assertEqual((self.dir / "new/sh11").read_bytes(), (self.dir / "new/sh13").read_bytes())
        self.assertNotEqual((self.dir / "new/sh11").read_bytes(), self.vert)

    def test_a_module_with_different_results_stays_and_so_do_its_partners(self):
        vert, frag = self.pair(11)
        other = self.module(13, self.other)
        self.create(pipeline(vert, frag), pipeline(vert, other), pipeline(*self.pair(14)))
        names, said = self.replace()
        self.assertEqual(names, {"sh14", "sh15"})
        self.assertIn("kept: 1  its pipelines have different results of it\n", said)
        self.assertIn("kept: 2  a module that it is linked with stays\n", said)

    def test_union_gives_each_module_one_result(self):
        vert, frag = self.pair(11)
        other = self.module(13, self.other)
        self.create(pipeline(vert, frag), pipeline(vert, other))
        names, said = self.replace("--share", "union")
        self.assertIn("sh11", names)
        self.assertNotIn("kept", said)

    def test_a_module_that_is_also_in_what_is_not_linked_stays(self):
        (vert, frag), (second, second_frag) = self.pair(11), self.pair(13)
        third, third_frag = self.pair(15)
        self.create(pipeline(vert, frag), pipeline(vert, 99), pipeline(second, second_frag), pipeline(third, third_frag))
        self.call("vkCreateComputePipelines", device=DEVICE, pCreateInfos=[{"stage": stage("COMPUTE", second)}])
        self.call("vkGetShaderModuleIdentifierEXT", device=DEVICE, shaderModule=third_frag, pIdentifier=None)
        self.assertEqual(self.replace()[0], set())

    def test_partners_of_partners_stay(self):
        # 11-12, 13-12, 13-14: what keeps 11 keeps 14.
        (vert, frag), (second, second_frag) = self.pair(11), self.pair(13)
        self.create(pipeline(vert, frag), pipeline(second, frag), pipeline(second, second_frag))
        self.assertEqual(self.replace()[0], {"sh11", "sh12", "sh13", "sh14"})
        self.call("vkCreateComputePipelines", device=DEVICE, pCreateInfos=[{"stage": stage("COMPUTE", vert)}])
        (self.dir / "new").rename(self.dir / "old")
        names, said = self.replace()
        self.assertEqual(names, set())
        self.assertIn("kept: 1  it is in a pipeline that is not linked\n", said)
        self.assertIn("kept: 3  a module that it is linked with stays\n", said)

    def test_what_it_refuses(self):
        vert, frag = self.pair(11)
        self.create(pipeline(vert, frag), pipeline(*self.pair(13)))
        self.replace()
        words = ("replace", "game.gfxr", "--from", "out", "-o", "new")
        self.call("vkGetShaderModuleIdentifierEXT", device=DEVICE, shaderModule=13, pIdentifier=None)
        self.write_calls()
        self.assert_refused(1, ["new/sh13", "of another run"], *words, env=self.env)
        (self.dir / "empty").mkdir()
        self.assert_refused(1, "has no result for a pipeline", "replace", "game.gfxr", "--from", "empty", "-o", "n", env=self.env)
        self.assert_refused(1, "m/manifest.jsonl", "replace", "game.gfxr", "--from", "m/manifest.jsonl", "-o", "n", env=self.env)
        result = next((self.dir / "out").glob("*/vert.spv"))
        result.write_bytes(result.read_bytes()[:-8])
        self.assert_refused(3, "vert.spv", "replace", "game.gfxr", "--from", "out", "-o", "n", env=self.env)


class NewerConverter(Import):
    """The form of version 1.0."""
    key, masks_are_texts = "function", True

    def setUp(self):
        super().setUp()
        self.write("bin/version", "1.0.5 (dev)")


if __name__ == "__main__":
    unittest.main()
