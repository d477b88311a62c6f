"""SPIR-V assembly to words, with instructions that the installed SPIRV-Tools do not know yet.

The grammar of the installed SPIRV-Headers says what the others are. Constants are of 32 bits.
"""
import json
import re
import shlex
import struct

TYPED, UNTYPED, NOTHING = "type and result", "result", "nothing"
# SPV_KHR_untyped_pointers, SPV_EXT_descriptor_heap, SPV_EXT_long_vector, SPV_EXT_shader_64bit_indexing.
NEWER = {"OpTypeUntypedPointerKHR": (4417, UNTYPED), "OpUntypedVariableKHR": (4418, TYPED),
         "OpUntypedAccessChainKHR": (4419, TYPED), "OpUntypedArrayLengthKHR": (4425, TYPED),
         "OpTypeBufferEXT": (5115, UNTYPED), "OpBufferPointerEXT": (5119, TYPED),
         "OpMemberDecorateIdEXT": (5127, NOTHING), "OpConstantSizeOfEXT": (5129, TYPED), "OpTypeVectorIdEXT": (5288, UNTYPED)}
NEWER_VALUES = {"UntypedPointersKHR": 4473, "SamplerHeapEXT": 5122, "ResourceHeapEXT": 5123, "ArrayStrideIdEXT": 5124,
                "OffsetIdEXT": 5125, "DescriptorHeapEXT": 5128, "LongVectorEXT": 5425, "Shader64BitIndexingEXT": 5426}
NEWER_MODES = {"Shader64BitIndexingEXT": 5427}
MAGIC, VERSION, HEADER_WORDS = 0x07230203, 0x00010500, 5


def value_of(text):
    return int(text, 16) if text.startswith("0x") else int(text)


class Assembler:
    def __init__(self, grammar):
        with open(grammar, encoding="utf-8") as file:
            described = json.load(file)
        self.opcodes, self.values = dict(NEWER), dict(NEWER_VALUES)
        for each in described["instructions"]:
            kinds = [operand["kind"] for operand in each.get("operands", [])]
            shape = TYPED if "IdResultType" in kinds else UNTYPED if "IdResult" in kinds else NOTHING
            self.opcodes.setdefault(each["opname"], (each["opcode"], shape))
        for kind in described["operand_kinds"]:
            for each in kind.get("enumerants", []):
                self.values.setdefault((kind["kind"], each["enumerant"]), value_of(str(each["value"])))
        self.kinds = {each["opname"]: [operand["kind"] for operand in each.get("operands", [])]
                      for each in described["instructions"]}

    def named(self, op, name, place):
        if op == "OpExecutionMode" and name in NEWER_MODES:
            return NEWER_MODES[name]
        if name in self.values:
            return self.values[name]
        kinds = [kind for kind in self.kinds.get(op, []) if (kind, name) in self.values]
        kinds += ["StorageClass", "BuiltIn", "Decoration"]  # of operands of operands, and of newer instructions
        found = next((self.values[kind, name] for kind in kinds if (kind, name) in self.values), None)
        if found is None:
            raise ValueError(f"{place}: {name} is nothing that {op} takes")
        return found

    def words_of(self, op, token, ids, place):
        if token.startswith("%"):
            return [ids.setdefault(token, len(ids) + 1)]
        if token.startswith('"'):
            data = token[1:-1].encode() + b"\0"
            return list(struct.unpack(f"<{(len(data) + 3) // 4}I", data.ljust((len(data) + 3) // 4 * 4, b"\0")))
        if re.fullmatch(r"-?\d+", token):
            return [int(token) & 0xFFFFFFFF]
        if re.fullmatch(r"-?\d+\.\d*", token):
            return list(struct.unpack("<I", struct.pack("<f", float(token))))
        value = 0
        for name in token.split("|"):
            value |= self.named(op, name, place)
        return [value]

    def assemble(self, text, version=VERSION):
        """The words of a module. `%name = OpName operands`; each line is an instruction, `;` starts a comment."""
        ids, body = {}, []
        for number, line in enumerate(text.splitlines(), 1):
            tokens = shlex.split(line.partition(";")[0], posix=False)
            if not tokens:
                continue
            result = tokens[0] if tokens[1:2] == ["="] else None
            op, *operands = tokens[2:] if result else tokens
            opcode, shape = self.opcodes[op]
            if (shape == NOTHING) != (result is None):
                raise ValueError(f"line {number}: {op} and its result")
            if result:
                operands.insert(1 if shape == TYPED else 0, result)
            words = [word for token in operands for word in self.words_of(op, token, ids, f"line {number}")]
            body += [(len(words) + 1) << 16 | opcode, *words]
        return [MAGIC, version, 0, len(ids) + 1, 0, *body]


def instructions(words):
    """Each as a list of words that begins with the opcode."""
    at = HEADER_WORDS
    while at < len(words):
        length = words[at] >> 16
        yield [words[at] & 0xFFFF, *words[at + 1:at + length]]
        at += length
