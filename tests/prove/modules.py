"""Mutants of SPIR-V modules, made on their words: one decoration, execution mode or declaration is dropped, added or changed.

They need not be valid; whoever finds one that is proved asks the validator.
"""
import struct

(MEMORY_MODEL, ENTRY_POINT, MODE, TYPE_INT, TYPE_FLOAT, TYPE_ARRAY, TYPE_STRUCT, TYPE_POINTER, CONSTANT, SPEC_CONSTANT, VARIABLE,
 DECORATE, MEMBER_DECORATE, FUNCTION) = 14, 15, 16, 21, 22, 28, 30, 32, 43, 50, 59, 71, 72, 54
INPUT, OUTPUT = 1, 3
RESOURCES, PUSH_CONSTANT = (0, 2, 12), 9  # UniformConstant, Uniform, StorageBuffer
FLOAT_ARITHMETIC = (127, 129, 131, 133, 136, 142, 143, 144, 145, 146, 148)
INTEGER_ARITHMETIC = (126, 128, 130, 132)
MEMORY_OPERANDS, ORDERING, CONTROL_BARRIER = {61: 4, 62: 3}, 0x38, 224  # of loads and stores: where they begin
ACCESSES = (61, 65, 66)  # loads and access chains
ADDED_TO_INPUTS = ("Flat", "NoPerspective", "Centroid", "Sample")
MEMORY = ("Aliased", "Coherent", "NonReadable", "NonWritable", "Restrict", "Volatile")
# What takes a stage other than the vertex stage from declaring a built-in: by stage, storage class, number.
DECLARED = {"frag": ((INPUT, "SampleId"), (INPUT, "SampleMask"), (OUTPUT, "SampleMask"), (OUTPUT, "FragDepth")),
            "vert": ((OUTPUT, "Layer"), (OUTPUT, "ViewportIndex")), "tese": ((OUTPUT, "Layer"),), "geom": ((OUTPUT, "Layer"),)}


class Module:
    def __init__(self, data):
        words = struct.unpack(f"<{len(data) // 4}I", data)
        self.header, self.insts = list(words[:5]), []
        at = 5
        while at < len(words):
            self.insts.append(list(words[at:at + (words[at] >> 16)]))
            at += words[at] >> 16
        self.defs = {inst[at]: inst for inst in self.insts for at in [self.result(inst)] if at}

    @staticmethod
    def result(inst):
        op = inst[0] & 0xffff
        if TYPE_INT - 2 <= op <= 39:
            return 1
        return 2 if CONSTANT - 2 <= op <= SPEC_CONSTANT + 2 or op == VARIABLE or op in ACCESSES + FLOAT_ARITHMETIC + INTEGER_ARITHMETIC else 0

    def bytes(self, insts, new_ids=0):
        header = self.header[:3] + [self.header[3] + new_ids] + self.header[4:]
        words = header + [word for inst in insts for word in [len(inst) << 16 | inst[0] & 0xffff] + inst[1:]]
        return struct.pack(f"<{len(words)}I", *words)

    def again(self):
        """Other words that say the same."""
        return self.bytes(self.insts, 1)

    def variables(self, *storage):
        return [inst for inst in self.insts if inst[0] & 0xffff == VARIABLE and inst[3] in storage]

    def held(self, variable):
        """The type of the variable, without arrays."""
        kind = self.defs[variable[1]][3]
        while self.defs[kind][0] & 0xffff in (TYPE_ARRAY, TYPE_ARRAY + 1):
            kind = self.defs[kind][2]
        return kind

    def is_float(self, variable):
        kind = self.held(variable)
        while self.defs[kind][0] & 0xffff in (TYPE_FLOAT + 1, TYPE_FLOAT + 2):
            kind = self.defs[kind][2]
        return self.defs[kind][0] & 0xffff == TYPE_FLOAT

    def first(self, op):
        return next(i for i, inst in enumerate(self.insts) if inst[0] & 0xffff == op)


class Mutator:
    """`numbers`: by kind of the grammar and name; `listed`: names by treatment and kind (docs/proof.md)."""

    def __init__(self, numbers, listed):
        self.numbers = numbers
        self.names = {kind: {numbers[kind][name]: name for treatment in listed.values() for name in treatment[kind]}
                      for kind in numbers}
        self.modes = listed["compared"]["ExecutionMode"]

    def mutants(self, data, stage, before_fragments):
        """(name of the observable, what was done, words) of every mutant; of a stage in front of the rasterizer or not."""
        module = Module(data)
        for make in (self.changed_annotations, self.added_decorations, self.modes_changed):
            yield from make(module, stage)
        if before_fragments or stage == "frag":
            yield from self.sizes(module, stage)
            yield from self.declared(module, stage)

    def decoration(self, name):
        return self.numbers["Decoration"][name]

    def has(self, module, target, name, width=2):
        """Whether an id, or a member of a type, is decorated so."""
        return any(inst[0] & 0xffff == (DECORATE if width == 2 else MEMBER_DECORATE) and inst[1:width] == list(target) and
                   inst[width] == self.decoration(name) for inst in module.insts)

    @staticmethod
    def replaced(module, at, *insts):
        return module.bytes(module.insts[:at] + list(insts) + module.insts[at + 1:])

    def changed_annotations(self, module, stage):
        interpolated = {target for inst in module.variables(INPUT) for target in (inst[2], module.held(inst))
                        if self.has(module, (inst[2],), "Location") or module.is_float(inst)}
        resources = {module.held(inst) for inst in module.variables(*RESOURCES, PUSH_CONSTANT)}
        captured = {inst[1] for inst in module.insts
                    if inst[0] & 0xffff in (DECORATE, MEMBER_DECORATE) and self.decoration("Offset") in inst[2:4]}
        for at, inst in enumerate(module.insts):
            op = inst[0] & 0xffff
            if op not in (DECORATE, MEMBER_DECORATE):
                continue
            operand = 2 if op == DECORATE else 3
            name = self.names["Decoration"].get(inst[operand])
            if name is None or name in ("RelaxedPrecision", "NoSignedWrap", "NoUnsignedWrap", "FPFastMathMode"):
                continue
            if name == "NonUniform" and module.defs.get(inst[1], [0])[0] & 0xffff not in ACCESSES:
                continue  # what counts is the operand of the access
            # Of outputs, only the input's counts. Blocks of interfaces are blocks by their place, and what has no Offset is not
            # captured.
            if name in ADDED_TO_INPUTS and not (stage == "frag" and inst[1] in interpolated) or \
                    name == "Block" and inst[1] not in resources or \
                    name in ("XfbBuffer", "XfbStride", "Stream") and inst[1] not in captured:
                continue
            text = f"{name} of {inst[1:operand]}"
            if name == "ColMajor":
                yield name, f"{text} is RowMajor", self.replaced(module, at, inst[:operand] + [self.decoration("RowMajor")])
            elif name not in ("Stream", "Index") or inst[-1] != 0:  # 0 is the default
                yield name, f"{text} dropped", self.replaced(module, at)
            if len(inst) <= operand + 1:
                continue
            other = list(inst)
            if name == "BuiltIn":
                built_in = self.names["BuiltIn"].get(inst[-1])
                other[-1] = self.numbers["BuiltIn"]["PointSize" if built_in != "PointSize" else "Layer"]
                yield from ((each, f"{built_in} is another built-in", self.replaced(module, at, other))
                            for each in ("BuiltIn", built_in) if each)
                continue
            other[-1] += 4 if name in ("Offset", "XfbStride") else 16 if name.endswith("Stride") else 1
            yield name, f"{text} {inst[-1]} is {other[-1]}", self.replaced(module, at, other)

    def added_decorations(self, module, stage):
        def decorated(*words):
            return module.bytes(module.insts[:at] + [[DECORATE, *words]] + module.insts[at:])

        def member_decorated(*words):
            return module.bytes(module.insts[:at] + [[MEMBER_DECORATE, *words]] + module.insts[at:])

        def has(target, name, width=2):
            return self.has(module, target, name, width)

        if not any(inst[0] & 0xffff == DECORATE for inst in module.insts):
            return
        at = module.first(DECORATE)
        if stage == "frag":
            for variable in module.variables(INPUT):
                held = module.defs[module.held(variable)]
                members = range(len(held) - 2) if held[0] & 0xffff == TYPE_STRUCT else ()
                if not has((variable[2],), "Location") or has((variable[2],), "PerPrimitiveEXT"):
                    continue
                for name in ADDED_TO_INPUTS:
                    if not has((variable[2],), name) and not has((variable[2],), "Flat"):
                        yield name, f"{name} of {variable[2]} added", decorated(variable[2], self.decoration(name))
                    for member in members:
                        if not has((held[1], member), name, 3) and not has((held[1], member), "Flat", 3):
                            yield name, f"{name} of {held[1]} {member} added", member_decorated(
                                held[1], member, self.decoration(name))
        for variable in module.variables(*RESOURCES):
            for name in MEMORY:
                if not has((variable[2],), name):
                    yield name, f"{name} of {variable[2]} added", decorated(variable[2], self.decoration(name))
        # NoContraction is none of these: it takes a permission away, which the linked pipeline may do.
        for name, ops in (("RelaxedPrecision", FLOAT_ARITHMETIC),
                          ("FPFastMathMode", FLOAT_ARITHMETIC), ("NoSignedWrap", INTEGER_ARITHMETIC),
                          ("NoUnsignedWrap", INTEGER_ARITHMETIC)):
            for inst in module.insts:
                if inst[0] & 0xffff not in ops or has((inst[2],), name):
                    continue
                if name == "RelaxedPrecision" and any(each[0] & 0xffff == DECORATE and each[2] == self.decoration(name)
                                                      for each in module.insts):
                    continue
                flags = [1] if name == "FPFastMathMode" else []
                yield name, f"{name} of {inst[2]} added", decorated(inst[2], self.decoration(name), *flags)

    def modes_changed(self, module, stage):
        entry = module.first(ENTRY_POINT)
        function = module.insts[entry][2]
        present = set()
        for at, inst in enumerate(module.insts):
            op = inst[0] & 0xffff
            if op == MODE:
                name = self.names["ExecutionMode"].get(inst[2], "")
                present.add(name)
                yield name, f"{name} dropped", self.replaced(module, at)
                if len(inst) > 3:
                    yield name, f"{name} {inst[3]} is {inst[3] + 1}", self.replaced(module, at, inst[:3] + [inst[3] + 1] + inst[4:])
            if op == MEMORY_MODEL:
                yield "memory model", "another memory model", self.replaced(module, at, [op, inst[1], 3 if inst[2] == 1 else 1])
            if op in MEMORY_OPERANDS and len(inst) > MEMORY_OPERANDS[op] and inst[MEMORY_OPERANDS[op]] & ORDERING:
                yield "memory operands", "not ordered", self.replaced(module, at, inst[:MEMORY_OPERANDS[op]])
            if op == CONTROL_BARRIER:
                other = next((each[2] for each in module.insts if each[0] & 0xffff == CONSTANT and
                              each[1] == module.defs[inst[3]][1] and each[3] != module.defs[inst[3]][3]), None)
                yield from (("barrier", f"operand {i} of a barrier", self.replaced(module, at, inst[:i] + [other] + inst[i + 1:]))
                            for i in (1, 2, 3) if other not in (None, inst[i]))
            if op == SPEC_CONSTANT:
                yield "SpecId", "another default", self.replaced(module, at, inst[:3] + [inst[3] ^ 1] + inst[4:])
        at = next(i for i, inst in enumerate(module.insts) if i > entry and inst[0] & 0xffff not in (ENTRY_POINT, MODE, 331))
        literals = {"Invocations": [2], "OutputVertices": [3], "LocalSize": [1, 2, 1], "DenormPreserve": [32],
                    "DenormFlushToZero": [32], "SignedZeroInfNanPreserve": [32], "RoundingModeRTE": [32], "RoundingModeRTZ": [32]}
        for name in self.modes:
            if name not in present:
                number = self.numbers["ExecutionMode"][name]
                if name == "LocalSizeId":
                    constant = next((inst[2] for inst in module.insts if inst[0] & 0xffff == CONSTANT), 1)
                    mode = [331, function, number, constant, constant, constant]
                else:
                    mode = [MODE, function, number, *literals.get(name, [])]
                yield name, f"{name} added", module.bytes(module.insts[:at] + [mode] + module.insts[at:])

    def sizes(self, module, stage):
        """Arrays of built-in outputs get an element more."""
        numbers = {inst[1]: inst[-1] for inst in module.insts
                   if inst[0] & 0xffff == DECORATE and inst[2] == self.decoration("BuiltIn")}
        members = {(inst[1], inst[2]): inst[-1] for inst in module.insts
                   if inst[0] & 0xffff == MEMBER_DECORATE and inst[3] == self.decoration("BuiltIn")}
        per_vertex = stage in ("mesh", "tesc")
        arrays = []
        for variable in module.variables(OUTPUT):
            held = module.held(variable)
            if variable[2] in numbers and not per_vertex:
                arrays.append((module.defs[variable[1]][3], numbers[variable[2]]))
            arrays += [(member, members[held, i]) for i, member in enumerate(module.defs[held][2:])
                       if module.defs[held][0] & 0xffff == TYPE_STRUCT and (held, i) in members]
        for kind, number in arrays:
            name = self.names["BuiltIn"].get(number)
            if name not in ("ClipDistance", "CullDistance", "SampleMask") or module.defs[kind][0] & 0xffff != TYPE_ARRAY:
                continue
            at = module.insts.index(module.defs[kind])
            length = module.defs[module.defs[kind][3]]
            constant = [CONSTANT, length[1], module.header[3], length[3] + 1]
            array = module.defs[kind][:3] + [module.header[3]]
            insts = module.insts[:at] + [constant, array] + module.insts[at + 1:]
            # The type of that length may be there already, and may not be twice: such mutants are not valid.
            yield name, f"{name} has an element more", module.bytes(insts, 1)

    def declared(self, module, stage):
        """A built-in is declared that was not, and is not used."""
        declared = {inst[-1] for inst in module.insts
                    if inst[0] & 0xffff in (DECORATE, MEMBER_DECORATE) and self.decoration("BuiltIn") in inst[2:4]}
        for storage, name in DECLARED.get(stage, ()):
            number = self.numbers["BuiltIn"][name]
            if number in declared:
                continue
            wanted = [TYPE_FLOAT, 32] if name == "FragDepth" else [TYPE_INT, 32, 1]
            scalar = next((inst[1] for inst in module.insts if [inst[0] & 0xffff] + inst[2:] == wanted), None)
            new = module.header[3]
            types = []
            if scalar is None:
                scalar = new
                types.append([wanted[0], scalar, *wanted[1:]])
            kind = scalar
            if name == "SampleMask":
                types += [[TYPE_INT, new + 1, 32, 0]] if not any(
                    inst[0] & 0xffff == TYPE_INT and inst[2:] == [32, 0] for inst in module.insts) else []
                unsigned = next((inst[1] for inst in module.insts + types if inst[0] & 0xffff == TYPE_INT and inst[2:] == [32, 0]))
                types += [[CONSTANT, unsigned, new + 2, 1], [TYPE_ARRAY, new + 3, scalar, new + 2]]
                kind = new + 3
            types += [[TYPE_POINTER, new + 4, storage, kind], [VARIABLE, new + 4, new + 5, storage]]
            decorations = [[DECORATE, new + 5, self.decoration("BuiltIn"), number]]
            if stage == "frag" and storage == INPUT:
                decorations.append([DECORATE, new + 5, self.decoration("Flat")])
            capability = {"Layer": 5254, "ViewportIndex": 5254, "SampleId": 35}.get(name)
            entry, function = module.first(ENTRY_POINT), module.first(FUNCTION)
            before = next(i for i, inst in enumerate(module.insts) if inst[0] & 0xffff in (DECORATE, MEMBER_DECORATE))
            insts = ([[17, capability]] if capability else []) + module.insts[:entry] + [module.insts[entry] + [new + 5]]
            insts += module.insts[entry + 1:before] + decorations + module.insts[before:function] + types + module.insts[function:]
            yield name, f"{name} declared", module.bytes(insts, 6)
