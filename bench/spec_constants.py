"""The specialization constants of a SPIR-V module, and values for them."""
import pathlib
import struct

OP_DECORATE, OP_TYPE_FLOAT, OP_SPEC_CONSTANT_TRUE, OP_SPEC_CONSTANT_FALSE, OP_SPEC_CONSTANT = 71, 22, 48, 49, 50
SPEC_ID = 1


def instructions(path):
    data = pathlib.Path(path).read_bytes()
    words = struct.unpack(f"<{len(data) // 4}I", data)
    at = 5
    while at < len(words):
        count = words[at] >> 16
        yield words[at] & 0xffff, words[at + 1:at + count]
        at += count


def scalars(path):
    """SpecId -> (default, another value), for constants of at most 32 bits; floats as texts that keep every bit."""
    ids, floats, found = {}, set(), {}
    for op, operands in instructions(path):
        if op == OP_DECORATE and operands[1] == SPEC_ID:
            ids[operands[0]] = operands[2]
        elif op == OP_TYPE_FLOAT:
            floats.add(operands[0])
        elif op in (OP_SPEC_CONSTANT_TRUE, OP_SPEC_CONSTANT_FALSE) and operands[1] in ids:
            found[ids[operands[1]]] = (op == OP_SPEC_CONSTANT_TRUE, op == OP_SPEC_CONSTANT_FALSE)
        elif op == OP_SPEC_CONSTANT and operands[1] in ids and len(operands) == 3:
            found[ids[operands[1]]] = float_pair(operands[2]) if operands[0] in floats else int_pair(operands[2])
    return found


def float_pair(word):
    value = struct.unpack("<f", struct.pack("<I", word))[0]
    return value, value + 1


def int_pair(word):
    value = struct.unpack("<i", struct.pack("<I", word))[0]
    return value, 1 if value != 1 else 2
