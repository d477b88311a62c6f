"""Pipeline JSON of Vulkan SC: writes inputs for tests, and reads what varylink wrote as an offline compiler would.

The reader shares nothing with varylink. It holds a folder to the schema vkpcc.json as far as it concerns a compiler: which
members there are and must be, their types, counts beside their lists, references that resolve, a module for each stage.
"""
import json
import pathlib
import struct

GRAPHICS_MEMBERS = {"Renderpass", "Renderpass2", "YcbcrSamplers", "ImmutableSamplers", "DescriptorSetLayouts",
                    "PipelineLayout", "GraphicsPipeline", "ShaderFileNames", "PhysicalDeviceFeatures"}
COMPUTE_MEMBERS = {"YcbcrSamplers", "ImmutableSamplers", "DescriptorSetLayouts", "PipelineLayout", "ComputePipeline",
                   "ShaderFileNames", "PhysicalDeviceFeatures"}
COUNTS = {"stageCount": "pStages", "attachmentCount": "pAttachments", "subpassCount": "pSubpasses",
          "colorAttachmentCount": "pColorAttachments", "vertexBindingDescriptionCount": "pVertexBindingDescriptions",
          "vertexAttributeDescriptionCount": "pVertexAttributeDescriptions", "bindingCount": "pBindings",
          "setLayoutCount": "pSetLayouts", "mapEntryCount": "pMapEntries", "dynamicStateCount": "pDynamicStates",
          "pushConstantRangeCount": "pPushConstantRanges"}
MODELS = {"VK_SHADER_STAGE_VERTEX_BIT": 0, "VK_SHADER_STAGE_FRAGMENT_BIT": 4, "VK_SHADER_STAGE_COMPUTE_BIT": 5}


def s_type(name):
    return "VK_STRUCTURE_TYPE_" + name + "_CREATE_INFO"


def stage(flag, entry="main", specialization="NULL"):
    return {"sType": s_type("PIPELINE_SHADER_STAGE"), "pNext": "NULL", "flags": "0", "stage": flag, "module": 0,
            "pName": entry, "pSpecializationInfo": specialization}


def specialization(values):
    """values: (id, struct format, value)"""
    data, entries = b"", []
    for number, form, value in values:
        entries.append({"constantID": number, "offset": len(data), "size": struct.calcsize(form)})
        data += struct.pack("<" + form, value)
    return {"mapEntryCount": len(entries), "pMapEntries": entries, "dataSize": len(data), "pData": list(data)}


def attachment(form, samples=1):
    return {"flags": "0", "format": "VK_FORMAT_" + form, "samples": f"VK_SAMPLE_COUNT_{samples}_BIT",
            "loadOp": "VK_ATTACHMENT_LOAD_OP_CLEAR", "storeOp": "VK_ATTACHMENT_STORE_OP_STORE",
            "stencilLoadOp": "VK_ATTACHMENT_LOAD_OP_DONT_CARE", "stencilStoreOp": "VK_ATTACHMENT_STORE_OP_DONT_CARE",
            "initialLayout": "VK_IMAGE_LAYOUT_UNDEFINED", "finalLayout": "VK_IMAGE_LAYOUT_GENERAL"}


def blend(mask):
    bits = " | ".join(f"VK_COLOR_COMPONENT_{c}_BIT" for c in mask) or "0"
    return {"blendEnable": "VK_FALSE", "srcColorBlendFactor": "VK_BLEND_FACTOR_ONE",
            "dstColorBlendFactor": "VK_BLEND_FACTOR_ZERO", "colorBlendOp": "VK_BLEND_OP_ADD",
            "srcAlphaBlendFactor": "VK_BLEND_FACTOR_ONE", "dstAlphaBlendFactor": "VK_BLEND_FACTOR_ZERO",
            "alphaBlendOp": "VK_BLEND_OP_ADD", "colorWriteMask": bits}


def graphics(shaders, attributes=("R32G32B32A32_SFLOAT",), colors=("R8G8B8A8_UNORM",), masks=("RGBA",), samples=1,
             topology="TRIANGLE_LIST", dynamic=(), specialized=None, bindings=(), discard=False, polygon_mode="FILL"):
    """shaders: (stage flag, file name); `specialized`: by stage flag. A color of None is an unused attachment."""
    used = [color for color in colors if color]
    return {
        "GraphicsPipelineState": {
            "Renderpass": {
                "sType": s_type("RENDER_PASS"), "pNext": "NULL", "flags": "0", "attachmentCount": len(used) + 1,
                "pAttachments": [attachment(color, samples) for color in used] + [attachment("D16_UNORM", samples)],
                "subpassCount": 1,
                "pSubpasses": [{
                    "flags": "0", "pipelineBindPoint": "VK_PIPELINE_BIND_POINT_GRAPHICS", "inputAttachmentCount": 0,
                    "pInputAttachments": "NULL", "colorAttachmentCount": len(colors),
                    "pColorAttachments": [{"attachment": used.index(color) if color else "VK_ATTACHMENT_UNUSED",
                                           "layout": "VK_IMAGE_LAYOUT_GENERAL"} for color in colors],
                    "pResolveAttachments": "NULL",
                    "pDepthStencilAttachment": {"attachment": len(used), "layout": "VK_IMAGE_LAYOUT_GENERAL"},
                    "preserveAttachmentCount": 0, "pPreserveAttachments": []}],
                "dependencyCount": 0, "pDependencies": "NULL"},
            "DescriptorSetLayouts": [{"8": {
                "sType": s_type("DESCRIPTOR_SET_LAYOUT"), "pNext": "NULL", "flags": "0", "bindingCount": len(bindings),
                "pBindings": [{"binding": number, "descriptorType": "VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER",
                               "descriptorCount": 1, "stageFlags": flags, "pImmutableSamplers": "NULL"}
                              for number, flags in bindings]}}],
            "PipelineLayout": {"sType": s_type("PIPELINE_LAYOUT"), "pNext": "NULL", "flags": 0, "setLayoutCount": 1,
                               "pSetLayouts": [8], "pushConstantRangeCount": 0, "pPushConstantRanges": "NULL"},
            "GraphicsPipeline": {
                "sType": s_type("GRAPHICS_PIPELINE"),
                "pNext": {"sType": s_type("PIPELINE_OFFLINE"), "pNext": "NULL", "pipelineIdentifier": [7] * 16,
                          "matchControl": "VK_PIPELINE_MATCH_CONTROL_APPLICATION_UUID_EXACT_MATCH", "poolEntrySize": 0},
                "flags": "0", "stageCount": len(shaders),
                "pStages": [stage(flag, specialization=(specialized or {}).get(flag, "NULL")) for flag, _ in shaders],
                "pVertexInputState": {
                    "sType": s_type("PIPELINE_VERTEX_INPUT_STATE"), "pNext": "NULL", "flags": 0,
                    "vertexBindingDescriptionCount": 1,
                    "pVertexBindingDescriptions": [{"binding": 0, "stride": 64, "inputRate": "VK_VERTEX_INPUT_RATE_VERTEX"}],
                    "vertexAttributeDescriptionCount": len(attributes),
                    "pVertexAttributeDescriptions": [
                        {"location": place, "binding": 0, "format": "VK_FORMAT_" + form, "offset": 16 * place}
                        for place, form in enumerate(attributes)]},
                "pInputAssemblyState": {"sType": s_type("PIPELINE_INPUT_ASSEMBLY_STATE"), "pNext": "NULL", "flags": 0,
                                        "topology": "VK_PRIMITIVE_TOPOLOGY_" + topology,
                                        "primitiveRestartEnable": "VK_FALSE"},
                "pTessellationState": "NULL",
                "pRasterizationState": {"sType": s_type("PIPELINE_RASTERIZATION_STATE"), "pNext": "NULL", "flags": 0,
                                        "depthClampEnable": "VK_FALSE",
                                        "rasterizerDiscardEnable": "VK_TRUE" if discard else "VK_FALSE",
                                        "polygonMode": f"VK_POLYGON_MODE_{polygon_mode}", "lineWidth": 1.5},
                "pMultisampleState": {"sType": s_type("PIPELINE_MULTISAMPLE_STATE"), "pNext": "NULL", "flags": 0,
                                      "rasterizationSamples": f"VK_SAMPLE_COUNT_{samples}_BIT",
                                      "sampleShadingEnable": "VK_FALSE", "minSampleShading": 0.1, "pSampleMask": "NULL",
                                      "alphaToCoverageEnable": "VK_FALSE", "alphaToOneEnable": "VK_FALSE"},
                "pColorBlendState": {"sType": s_type("PIPELINE_COLOR_BLEND_STATE"), "pNext": "NULL", "flags": 0,
                                     "logicOpEnable": "VK_FALSE", "logicOp": "VK_LOGIC_OP_CLEAR",
                                     "attachmentCount": len(masks), "pAttachments": [blend(mask) for mask in masks],
                                     "blendConstants": [0, 0, 0, 0]},
                "pDynamicState": {"sType": s_type("PIPELINE_DYNAMIC_STATE"), "pNext": "NULL", "flags": 0,
                                  "dynamicStateCount": len(dynamic),
                                  "pDynamicStates": ["VK_DYNAMIC_STATE_" + name for name in dynamic]},
                "layout": 14, "renderPass": 6, "subpass": 0, "basePipelineHandle": "", "basePipelineIndex": 0},
            "ShaderFileNames": [{"stage": flag, "filename": name} for flag, name in shaders],
            "PhysicalDeviceFeatures": {"sType": "VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2", "pNext": "NULL",
                                       "features": {"robustBufferAccess": "VK_TRUE"}}},
        "EnabledExtensions": [], "PipelineUUID": list(range(16))}


def compute(name):
    flag = "VK_SHADER_STAGE_COMPUTE_BIT"
    return {"ComputePipelineState": {
        "PipelineLayout": {"sType": s_type("PIPELINE_LAYOUT"), "pNext": "NULL", "flags": 0, "setLayoutCount": 0,
                           "pSetLayouts": "NULL", "pushConstantRangeCount": 0, "pPushConstantRanges": "NULL"},
        "ComputePipeline": {"sType": s_type("COMPUTE_PIPELINE"), "pNext": "NULL", "flags": "0", "stage": stage(flag),
                            "layout": 2, "basePipelineHandle": "", "basePipelineIndex": 0},
        "ShaderFileNames": [{"stage": flag, "filename": name}]}, "PipelineUUID": list(range(16, 32))}


def check_counts(value):
    """Each count of the schema is that of the list beside it."""
    if isinstance(value, list):
        for element in value:
            check_counts(element)
    if not isinstance(value, dict):
        return
    for count, name in COUNTS.items():
        if count in value and name in value:
            elements = [] if value[name] == "NULL" else value[name]
            assert len(elements) == value[count], f"{count} is {value[count]}, {name} has {len(elements)}"
    for member in value.values():
        check_counts(member)


def check_module(path, stages):
    """The words of a module that has an entry point for the one stage."""
    words = struct.unpack(f"<{path.stat().st_size // 4}I", path.read_bytes())
    assert words[0] == 0x07230203, f"{path} is no SPIR-V"
    at, found = 5, False
    while at < len(words):
        length, opcode = words[at] >> 16, words[at] & 0xffff
        assert length > 0, f"{path}: an instruction without words"
        if opcode == 15:
            name = struct.pack(f"<{length - 3}I", *words[at + 3:at + length]).split(b"\0")[0].decode()
            found = found or (words[at + 1] == MODELS[stages["stage"]] and name == stages["pName"])
        at += length
    assert found, f"{path} has no entry point {stages['pName']} for {stages['stage']}"
    return words


def check_pipeline(path):
    """One file as a compiler reads it. Returns its JSON and the words of its modules by stage."""
    pipeline = json.loads(path.read_text())
    assert pipeline.keys() & {"GraphicsPipelineState", "ComputePipelineState"}, path
    assert len(pipeline.get("PipelineUUID", [0] * 16)) == 16, path
    is_graphics = "GraphicsPipelineState" in pipeline
    state = pipeline["GraphicsPipelineState" if is_graphics else "ComputePipelineState"]
    assert state.keys() <= (GRAPHICS_MEMBERS if is_graphics else COMPUTE_MEMBERS), path
    check_counts(pipeline)
    stages = state["GraphicsPipeline"]["pStages"] if is_graphics else [state["ComputePipeline"]["stage"]]
    by_flag = {each["stage"]: each for each in stages}
    files = state["ShaderFileNames"]
    assert sorted(by_flag) == sorted(each["stage"] for each in files), path
    keys = {key for each in state.get("DescriptorSetLayouts", []) for key in each}
    sets = state["PipelineLayout"]["pSetLayouts"]
    assert all(str(key) in keys for key in ([] if sets == "NULL" else sets)), path
    return pipeline, {each["stage"]: check_module(path.parent / each["filename"], by_flag[each["stage"]]) for each in files}


def check_folder(folder):
    """Every pipeline of a folder, by name."""
    return {path.stem: check_pipeline(path) for path in sorted(pathlib.Path(folder).glob("*.json"))}


if __name__ == "__main__":
    import sys
    for name, (_, modules) in check_folder(sys.argv[1]).items():
        print(name, " ".join(f"{flag}:{len(words)}" for flag, words in modules.items()))
