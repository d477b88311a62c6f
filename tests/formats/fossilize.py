"""Fossilize databases: writes inputs for tests, and reads what varylink wrote. Shares nothing with varylink.

python3 fossilize.py FILE prints what a database holds and checks it: checksums, sizes, words of modules, references,
and that the hashes of modules are those of their words.
"""
import base64
import json
import struct
import sys
import zlib

MAGIC = b"\x81FOSSILIZEDB\0\0\0\x06"
APPLICATION, SAMPLER, SET_LAYOUT, PIPELINE_LAYOUT, MODULE, RENDER_PASS, GRAPHICS, COMPUTE, LINK = range(9)
SECTIONS = {SET_LAYOUT: ("setLayouts",), PIPELINE_LAYOUT: ("pipelineLayouts",), MODULE: ("shaderModules",),
            RENDER_PASS: ("renderPasses", "renderPasses2"), GRAPHICS: ("graphicsPipelines",), COMPUTE: ("computePipelines",)}
MASK = (1 << 64) - 1


def fnv(values):
    hashed = 0xcbf29ce484222325
    for value in values:
        hashed = (hashed * 0x100000001b3 & MASK) ^ (value & 0xffffffff)
    return hashed


def halves(value):
    return value & 0xffffffff, value >> 32


def module_hash(words):
    return fnv([*words, 0])


def link_hash(application, tag, target):
    return fnv([*halves(application), tag, *halves(target)])


def text(hashed):
    return f"{hashed:016x}"


def varint(words):
    data = bytearray()
    for word in words:
        while word >= 128:
            data.append(word & 127 | 128)
            word >>= 7
        data.append(word)
    return bytes(data)


def words_of_varint(data):
    words, word, shift = [], 0, 0
    for byte in data:
        word |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            assert word < 1 << 32
            words.append(word)
            word, shift = 0, 0
    assert shift == 0, "the last word is cut off"
    return words


def entry(tag, hashed, payload, deflate=True, checksum=True):
    stored = zlib.compress(payload, 1) if deflate else payload
    return (f"{tag:024x}{hashed:016x}".encode() +
            struct.pack("<4I", len(stored), 2 if deflate else 1, zlib.crc32(stored) if checksum else 0, len(payload)) + stored)


def json_entry(tag, hashed, value, **options):
    section = SECTIONS[tag][options.pop("section", 0)]
    document = {"version": 6, section: {text(hashed): value}}
    return entry(tag, hashed, json.dumps(document, separators=(",", ":")).encode(), **options)


def module_entry(words, **options):
    data, hashed = varint(words), module_hash(words)
    head = {"version": 6, "shaderModules": {text(hashed): {"varintOffset": 0, "varintSize": len(data),
                                                          "codeSize": 4 * len(words), "flags": 0}}}
    return entry(MODULE, hashed, json.dumps(head, separators=(",", ":")).encode() + b"\0" + data, **options)


def link_entry(application, tag, target):
    document = {"version": 6, "link": {"application": text(application), "tag": tag, "hash": text(target)}}
    return entry(LINK, link_hash(application, tag, target), json.dumps(document, separators=(",", ":")).encode(), deflate=False)


def entries(data):
    """(tag, hash, payload, all bytes) of each entry"""
    assert data[:16] in (MAGIC, MAGIC[:15] + b"\x05"), "no database"
    at, found = 16, []
    while at < len(data):
        assert at + 56 <= len(data), "cut off"
        tag, hashed = int(data[at:at + 24], 16), int(data[at + 24:at + 40], 16)
        stored_size, flags, checksum, size = struct.unpack_from("<4I", data, at + 40)
        stored = data[at + 56:at + 56 + stored_size]
        assert len(stored) == stored_size, "cut off"
        assert checksum in (0, zlib.crc32(stored)), f"{hashed:016x}: checksum"
        payload = zlib.decompress(stored) if flags == 2 else stored
        assert len(payload) == size and flags in (1, 2), f"{hashed:016x}: size"
        found.append((tag, hashed, payload, data[at:at + 56 + stored_size]))
        at += 56 + stored_size
    return found


def object_of(tag, hashed, payload):
    document = json.loads(payload.split(b"\0")[0])
    for section in SECTIONS[tag]:
        if section in document:
            assert list(document[section]) == [text(hashed)], f"{hashed:016x}: key"
            return document[section][text(hashed)]
    raise AssertionError(f"{hashed:016x}: no {SECTIONS[tag][0]}")


def words_of_module(hashed, payload):
    head, data = object_of(MODULE, hashed, payload), payload[payload.index(b"\0") + 1:]
    words = words_of_varint(data[head["varintOffset"]:head["varintOffset"] + head["varintSize"]])
    assert 4 * len(words) == head["codeSize"], f"{hashed:016x}: codeSize"
    return words


class Database:
    """What a database holds by tag and hash; checks that references resolve."""

    def __init__(self, data):
        self.entries = entries(data)
        self.objects, self.modules, self.links = {}, {}, []
        for tag, hashed, payload, _ in self.entries:
            assert (tag, hashed) not in self.objects, f"{hashed:016x} stands twice"
            if tag == MODULE:
                self.modules[hashed] = words_of_module(hashed, payload)
            self.objects[tag, hashed] = object_of(tag, hashed, payload) if tag in SECTIONS else payload
            if tag == LINK:
                link = json.loads(payload)["link"]
                target = (link["tag"], int(link["hash"], 16))
                assert hashed == link_hash(int(link["application"], 16), *target), f"{hashed:016x}: hash of the link"
                self.links.append(target)
        for target in self.links:
            assert target in self.objects, f"a link to {target[1]:016x}, which is not there"

    def pipelines(self):
        return {hashed: value for (tag, hashed), value in self.objects.items() if tag == GRAPHICS}

    def check_pipeline(self, hashed):
        pipeline = self.objects[GRAPHICS, hashed]
        for stage in pipeline["stages"]:
            module = int(stage["module"], 16)
            assert module in self.modules, f"module {stage['module']} is not there"
            assert module == module_hash(self.modules[module]), f"hash of module {stage['module']}"


# --- objects for tests

def pipeline(stages, layout=0, render_pass=0, attributes=((0, 109), (1, 109)), samples=1, masks=(15,), dynamic=(), flags=0,
             topology=3, chain=(), discard=0, polygon_mode=0):
    """stages: (bit, hash of the module, specialization or None); attributes: (location, VkFormat)"""
    value = {
        "flags": flags, "basePipelineHandle": text(0), "basePipelineIndex": -1, "layout": text(layout),
        "renderPass": text(render_pass), "subpass": 0,
        "dynamicState": {"flags": 0, "dynamicState": list(dynamic)},
        "multisampleState": {"flags": 0, "rasterizationSamples": samples, "sampleShadingEnable": 0,
                             "minSampleShading": 0.30000001192092896, "alphaToOneEnable": 0, "alphaToCoverageEnable": 0},
        "vertexInputState": {"flags": 0,
                             "attributes": [{"location": place, "binding": 0, "offset": 16 * place, "format": form}
                                            for place, form in attributes],
                             "bindings": [{"binding": 0, "stride": 64, "inputRate": 0}]},
        "rasterizationState": {"flags": 0, "depthBiasConstantFactor": 0, "depthBiasSlopeFactor": 0, "depthBiasClamp": 0,
                               "depthBiasEnable": 0, "depthClampEnable": 0, "polygonMode": polygon_mode,
                               "rasterizerDiscardEnable": discard, "frontFace": 0, "lineWidth": 1, "cullMode": 0},
        "inputAssemblyState": {"flags": 0, "topology": topology, "primitiveRestartEnable": 0},
        "colorBlendState": {"flags": 0, "logicOp": 0, "logicOpEnable": 0, "blendConstants": [0.0, 0.0, 0.0, 0.0],
                            "attachments": [{"dstAlphaBlendFactor": 0, "srcAlphaBlendFactor": 0, "dstColorBlendFactor": 0,
                                             "srcColorBlendFactor": 0, "colorWriteMask": mask, "alphaBlendOp": 0,
                                             "colorBlendOp": 0, "blendEnable": 0} for mask in masks]},
        "stages": []}
    for bit, module, data in stages:
        stage = {"flags": 0, "name": "main", "module": text(module), "stage": bit}
        if data:
            stage["specializationInfo"] = data
        value["stages"].append(stage)
    if chain:
        value["pNext"] = list(chain)
    return value


def specialization(values):
    data, places = b"", []
    for number, form, value in values:
        places.append({"offset": len(data), "size": struct.calcsize(form), "constantID": number})
        data += struct.pack("<" + form, value)
    return {"dataSize": len(data), "data": base64.b64encode(data).decode(), "mapEntries": places}


def render_pass(colors, unused=()):
    """colors: VkFormat by location"""
    return {"flags": 0,
            "attachments": [{"flags": 0, "format": form, "finalLayout": 1, "initialLayout": 0, "loadOp": 0, "storeOp": 0,
                             "samples": 1, "stencilLoadOp": 0, "stencilStoreOp": 0} for form in colors],
            "subpasses": [{"flags": 0, "pipelineBindPoint": 0,
                           "colorAttachments": [{"attachment": 0xffffffff if place in unused else place, "layout": 2}
                                                for place in range(len(colors))]}]}


def main(path):
    with open(path, "rb") as file:
        database = Database(file.read())
    for hashed, value in database.pipelines().items():
        database.check_pipeline(hashed)
        print(text(hashed), " ".join(f"{each['stage']}:{each['module']}" for each in value["stages"]))
    print(f"{len(database.entries)} entries, {len(database.modules)} modules, {len(database.pipelines())} graphics pipelines")


if __name__ == "__main__":
    main(sys.argv[1])
