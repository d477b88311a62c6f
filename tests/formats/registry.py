#!/usr/bin/env python3
"""Holds the lists of src/tools/formats, and that of formats in src/core/state, to Vulkan's registry.

usage: registry.py [VK.XML]      exit status 1 and a word for each structure that may stand in the chains of a graphics pipeline,
                                 each dynamic state of one, and each format of one plane that is not compressed, that the lists
                                 lack or have by another number; 77 without a registry
The lists may have more: what newer registries have.
"""
import pathlib
import re
import sys
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
REGISTRY = "/usr/share/vulkan/registry/vk.xml"
PARENTS = {f"VkPipeline{state}StateCreateInfo" for state in
           ("VertexInput", "InputAssembly", "Tessellation", "Viewport", "Rasterization", "Multisample", "DepthStencil", "ColorBlend",
            "Dynamic")} | {
    "VkGraphicsPipelineCreateInfo", "VkPipelineShaderStageCreateInfo", "VkPipelineLayoutCreateInfo", "VkDescriptorSetLayoutCreateInfo",
    "VkRenderPassCreateInfo", "VkRenderPassCreateInfo2", "VkAttachmentDescription2", "VkAttachmentReference2", "VkSubpassDescription2",
    "VkSubpassDependency2"}
NO_GRAPHICS = {"RAY_TRACING_PIPELINE_STACK_SIZE_KHR"}


def enumerants(registry, name):
    """number by name; aliases have none of their own"""
    numbers = {each.get("name"): int(each.get("value")) for group in registry.findall(f"enums[@name='{name}']")
               for each in group.findall("enum") if each.get("value")}
    for extension in [*registry.findall("feature"), *registry.findall("extensions/extension")]:
        for each in extension.iter("enum"):
            if each.get("extends") == name and each.get("offset"):
                number = int(each.get("extnumber") or extension.get("number"))
                numbers[each.get("name")] = 1000000000 + 1000 * (number - 1) + int(each.get("offset"))
    return numbers


def structures(registry):
    numbers = enumerants(registry, "VkStructureType")
    for each in registry.findall("types/type[@category='struct']"):
        if each.get("alias") or not PARENTS & set((each.get("structextends") or "").split(",")):
            continue
        kind = next(member.get("values") for member in each.findall("member") if member.find("name").text == "sType")
        yield re.sub("_(KHR|EXT)$", "", kind.removeprefix("VK_STRUCTURE_TYPE_")), numbers[kind]


def dynamic_states(registry):
    for name, number in enumerants(registry, "VkDynamicState").items():
        name = name.removeprefix("VK_DYNAMIC_STATE_")
        if name not in NO_GRAPHICS:
            yield re.sub("_(KHR|EXT)$", "", name), number


def formats(registry):
    """Those whose names say all about a texel: no blocks, no planes, no numbers of other kinds than shaders have."""
    for name, number in enumerants(registry, "VkFormat").items():
        name = name.removeprefix("VK_FORMAT_")
        if not re.search("BLOCK|PLANE|_42[02]_|FPENCODING|BOOL|SFIXED|S10_5", name):
            yield name, number


def listed_formats():
    first = re.search(r"kFormats\[\] = {([^}]*)}", (ROOT / "src/core/state/format_names.cpp").read_text(encoding="utf-8"))[1]
    return {**{name: number for number, name in enumerate(re.findall(r'"(\w+)"', first))}, **rows("core/state/format_names.cpp")}


def rows(file):
    text = (ROOT / "src" / file).read_text(encoding="utf-8")
    found = {}
    for row in re.finditer(r'\{(\d+),\s*"([A-Z0-9_]+)"', text):
        found[re.sub("_(KHR|EXT)$", "", row[2])] = int(row[1])
    return found


def main(path):
    if not pathlib.Path(path).exists():
        return 77
    registry = xml.etree.ElementTree.parse(path).getroot()
    wrong = []
    for what, expected, listed in (("structure", structures(registry), rows("tools/formats/chained_structures.cpp")),
                                   ("dynamic state", dynamic_states(registry), rows("tools/formats/fossilize/vulkan_numbers.cpp")),
                                   ("format", formats(registry), listed_formats())):
        expected = dict(expected)
        assert len(expected) > 40, f"{path} is no registry"
        wrong += [f"{what} {name}: {number}, listed as {listed.get(name)}" for name, number in sorted(expected.items())
                  if listed.get(name) != number]
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:] or [REGISTRY]))
