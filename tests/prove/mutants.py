"""Wrong versions of a linked module: one small change each, of the kinds that a linker gets wrong.

Works on the assembly that spirv-dis prints with --raw-id. `mutants(text, random, count)` yields (what was changed, text).
"""
import re
import subprocess

OPCODES = {
    "OpFAdd": "OpFSub", "OpFSub": "OpFAdd", "OpFMul": "OpFAdd", "OpFDiv": "OpFMul", "OpIAdd": "OpISub", "OpISub": "OpIAdd",
    "OpIMul": "OpIAdd", "OpFOrdLessThan": "OpFOrdGreaterThanEqual", "OpFOrdGreaterThan": "OpFOrdLessThan",
    "OpFOrdLessThanEqual": "OpFOrdGreaterThan", "OpFOrdGreaterThanEqual": "OpFOrdLessThan", "OpSLessThan": "OpSGreaterThan",
    "OpULessThan": "OpUGreaterThan", "OpLogicalAnd": "OpLogicalOr", "OpLogicalOr": "OpLogicalAnd", "OpIEqual": "OpINotEqual",
    "OpFOrdEqual": "OpFOrdNotEqual", "OpBitwiseAnd": "OpBitwiseOr", "OpBitwiseOr": "OpBitwiseXor",
    "OpShiftRightLogical": "OpShiftRightArithmetic", "OpShiftLeftLogical": "OpShiftRightLogical",
    "OpDPdx": "OpDPdy", "OpDPdy": "OpDPdx", "OpMatrixTimesVector": "OpMatrixTimesVector",
}
FUNCTIONS = {"FMin": "FMax", "FMax": "FMin", "Floor": "Ceil", "Fract": "Floor", "Sin": "Cos", "Cos": "Sin", "Sqrt": "InverseSqrt",
             "FAbs": "FSign", "FMix": "FClamp", "Exp": "Exp2", "Normalize": "Normalize", "SMax": "SMin", "SMin": "SMax"}
DEFINITION = re.compile(r"^\s*(%\d+) = (\w+)(.*)$")


def component(line, random):
    """Another component is taken out of a composite."""
    match = re.match(r"^(\s*%\d+ = OpCompositeExtract %\d+ %\d+(?: \d+)*) (\d+)$", line)
    return f"{match[1]} {(int(match[2]) + random.choice((1, 2, 3))) % 4}" if match else None


def shuffle(line, random):
    """Components of a vector change places."""
    match = re.match(r"^(\s*%\d+ = OpVectorShuffle %\d+ %\d+ %\d+) ([\d ]+)$", line)
    if not match:
        return None
    indices = match[2].split()
    at = random.randrange(len(indices))
    indices[at] = str((int(indices[at]) + 1) % 3)
    return f"{match[1]} {' '.join(indices)}"


def construct(line, random):
    """Two parts of a composite change places."""
    match = re.match(r"^(\s*%\d+ = OpCompositeConstruct %\d+) (%\d+(?: %\d+)+)$", line)
    if not match:
        return None
    parts = match[2].split()
    a, b = random.sample(range(len(parts)), 2)
    parts[a], parts[b] = parts[b], parts[a]
    return f"{match[1]} {' '.join(parts)}"


def store(line, random):
    """A store is dropped."""
    return "" if re.match(r"^\s*OpStore ", line) else None


def constant(line, random):
    """A constant has another value."""
    match = re.match(r"^(\s*%\d+ = OpConstant %\d+) (-?[\d.]+)(e[-+]?\d+)?$", line)
    if not match:
        return None
    if "." in match[2] or match[3]:
        return f"{match[1]} {float(match[2] + (match[3] or '')) * 1.5 + 0.25}"
    return f"{match[1]} {int(match[2]) + 1}"


def opcode(line, random):
    """Another operation of the same types."""
    match = DEFINITION.match(line)
    if not match:
        return None
    if match[2] in OPCODES:
        return line.replace(match[2], OPCODES[match[2]], 1)
    for name, other in FUNCTIONS.items():
        if match[2] == "OpExtInst" and f" {name} " in line and name != other:
            return line.replace(f" {name} ", f" {other} ", 1)
    return None


def operands(line, random):
    """Two operands of an operation that is not symmetric change places."""
    match = re.match(r"^(\s*%\d+ = Op(?:FSub|ISub|FDiv|FMod|SDiv|UDiv|FOrdLessThan|SLessThan|Dot) %\d+) (%\d+) (%\d+)$", line)
    if match and match[2] != match[3]:
        return f"{match[1]} {match[3]} {match[2]}"
    match = re.match(r"^(\s*%\d+ = OpSelect %\d+ %\d+) (%\d+) (%\d+)$", line)
    return f"{match[1]} {match[3]} {match[2]}" if match and match[2] != match[3] else None


def condition(line, random):
    """The two sides of a branch change places."""
    match = re.match(r"^(\s*OpBranchConditional %\d+) (%\d+) (%\d+)(.*)$", line)
    return f"{match[1]} {match[3]} {match[2]}{match[4]}" if match else None


def location(line, random):
    """An interface variable has another location or component."""
    match = re.match(r"^(\s*OpDecorate %\d+ (?:Location|Component)) (\d+)$", line)
    return f"{match[1]} {(int(match[2]) + 1) % 3}" if match else None


def interpolation(line, random):
    """A varying is interpolated in another way."""
    if re.match(r"^\s*OpDecorate %\d+ (Flat|NoPerspective|Centroid|Sample)$", line):
        return ""
    match = re.match(r"^(\s*OpDecorate %\d+) Location (\d+)$", line)
    return f"{line}\n{match[1]} {random.choice(('NoPerspective', 'Centroid', 'Flat'))}" if match else None


def offset(line, random):
    """A member of a buffer is read from another place."""
    match = re.match(r"^(\s*OpMemberDecorate %\d+ \d+ Offset) (\d+)$", line)
    return f"{match[1]} {int(match[2]) + 16}" if match else None


def binding(line, random):
    """A resource has another binding."""
    match = re.match(r"^(\s*OpDecorate %\d+ Binding) (\d+)$", line)
    return f"{match[1]} {int(match[2]) + 1}" if match else None


def decoration(line, random):
    """A decoration with meaning is lost."""
    return "" if re.match(r"^\s*OpDecorate %\d+ (NonUniform|NoContraction|Volatile|Coherent)$", line) else None


KINDS = (component, shuffle, construct, store, constant, opcode, operands, condition, location, interpolation, offset, binding,
         decoration)


def mutants(text, random, count):
    lines = text.split("\n")
    places = [(kind, at) for kind in KINDS for at, line in enumerate(lines) if kind(line, random) is not None]
    # as many of each kind as there are, at most their share
    random.shuffle(places)
    taken = {}
    for kind, at in places:
        if taken.setdefault(kind, 0) * len(KINDS) > count:
            continue
        changed = kind(lines[at], random)
        if changed == lines[at]:
            continue
        taken[kind] += 1
        yield f"{kind.__name__}: {lines[at].strip()}", "\n".join(lines[:at] + [changed] + lines[at + 1:])


def valid_mutants(linked, folder, random, count):
    """(what was changed, file) of those wrong versions of the module in the file `linked` that are valid SPIR-V."""
    def run(*words, **options):
        return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, **options)

    text = run("spirv-dis", "--raw-id", linked).stdout
    version = text.partition("Version: ")[2][:3]
    for number, (what, wrong) in enumerate(mutants(text, random, count)):
        path = folder / f"{linked.stem}-{number}{linked.suffix}"
        made = run("spirv-as", "--preserve-numeric-ids", "--target-env", f"spv{version}", "-", "-o", path, input=wrong)
        if made.returncode == 0 and run("spirv-val", "--target-env", "vulkan1.3", path).returncode == 0:
            yield what, path
