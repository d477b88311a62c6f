"""Varylink from Python: links the stages of Vulkan pipelines in memory, through the C functions of libvarylink.

    import varylink

    linked = varylink.link([varylink.glsl_file("lit.vert"), varylink.glsl_file("lit.frag")], name="lit")
    for module in linked.modules:
        store(module.stage, module.code)

docs/library.md says what the functions mean; names, options and defaults here are those of varylink/varylink.h. This file is
all there is: no compiled part, nothing outside Python's own library. The shared library is the file that the environment
variable VARYLINK_LIBRARY names, else the one that this file was installed with, else the one that the system finds.

What is wrong with shaders is a LinkError, or a Check that is not ok; what is wrong with a call is a ValueError. Functions may be
called from several threads at once, and let other threads run while they work. Input is never changed.
"""
import ctypes
import dataclasses
import enum
import json
import operator
import os
import pathlib
import typing


class Status(enum.IntEnum):
    SUCCESS = 0
    INVALID_ARGUMENT = -1
    OUT_OF_MEMORY = -2
    INTERNAL = -3
    NOT_SUPPORTED = -4
    INVALID_PIPELINE = -5
    GLSL = -6
    INVALID_SPIRV = -7
    INTERFACE_MISMATCH = -8
    VERIFICATION_FAILED = -9
    INTERRUPTED = -10


STAGES = ("", "vert", "tesc", "tese", "geom", "task", "mesh", "frag")
LEVELS = ("default", "check", "exact", "full", "discontinuous")  # level N of link() is LEVELS[N + 1]
SEVERITIES = ("error", "warning", "note")
FATES = ("kept", "dead", "constant", "uniform", "duplicate", "moved")
PROVE = (None, "report", "require", "fallback")
SHARING = (None, "specialize", "union", "cluster")
UNUSED_KINDS = ("attribute", "binding", "spec_constant")
VERDICTS = ("proved", "not_proved", "refuted")
TARGET_ENVS = (None, "vulkan1.0", "vulkan1.1", "vulkan1.2", "vulkan1.3", "vulkan1.4", "vulkan1.1spv1.4")


# The structs of varylink.h. tests/install/python_test.py holds them to the header.
class _Sized(ctypes.Structure):
    def __init__(self, **fields):
        super().__init__(struct_size=ctypes.sizeof(type(self)), **fields)


_SIZE = ("struct_size", ctypes.c_size_t)
_TEXT = ctypes.c_char_p
_WORDS = ctypes.c_void_p


class _ContextInfo(_Sized):
    C_NAME = "varylink_context_info"
    _fields_ = [_SIZE, ("message", ctypes.c_void_p), ("message_user", ctypes.c_void_p)]


class _Define(ctypes.Structure):
    C_NAME = "varylink_define"
    _fields_ = [("name", _TEXT), ("value", _TEXT)]


_INCLUDE = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, _TEXT, ctypes.POINTER(ctypes.c_size_t))


class _PipelineInfo(_Sized):
    C_NAME = "varylink_pipeline_info"
    _fields_ = [_SIZE, ("name", _TEXT), ("flags", ctypes.c_uint32), ("define_count", ctypes.c_uint32),
                ("defines", ctypes.POINTER(_Define)), ("include", _INCLUDE), ("include_user", ctypes.c_void_p), ("state", _TEXT)]


class _SpirvStage(_Sized):
    C_NAME = "varylink_spirv_stage"
    _fields_ = [_SIZE, ("stage", ctypes.c_int), ("words", _WORDS), ("word_count", ctypes.c_size_t), ("entry_point", _TEXT),
                ("name", _TEXT)]


class _GlslStage(_Sized):
    C_NAME = "varylink_glsl_stage"
    _fields_ = [_SIZE, ("stage", ctypes.c_int), ("source", _TEXT), ("source_length", ctypes.c_size_t), ("entry_point", _TEXT),
                ("name", _TEXT)]


_INTERRUPT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)


class _LinkOptions(_Sized):
    C_NAME = "varylink_link_options"
    _fields_ = [_SIZE, ("level", ctypes.c_int), ("target_env", ctypes.c_int), ("layout_flags", ctypes.c_uint32),
                ("flags", ctypes.c_uint32), ("fuel", ctypes.c_uint64), ("passes", ctypes.POINTER(_TEXT)),
                ("pass_count", ctypes.c_size_t), ("dump", ctypes.c_void_p), ("dump_user", ctypes.c_void_p),
                ("cost_profile", _TEXT), ("prove", ctypes.c_int), ("interrupted", _INTERRUPT), ("interrupt_user", ctypes.c_void_p)]


class _CheckOptions(_Sized):
    C_NAME = "varylink_check_options"
    _fields_ = [_SIZE, ("target_env", ctypes.c_int), ("layout_flags", ctypes.c_uint32), ("flags", ctypes.c_uint32),
                ("limits_json", _TEXT)]


class _StageOutput(_Sized):
    C_NAME = "varylink_stage_output"
    _fields_ = [_SIZE, ("stage", ctypes.c_int), ("words", _WORDS), ("word_count", ctypes.c_size_t), ("entry_point", _TEXT),
                ("name", _TEXT)]


class _Diagnostic(_Sized):
    C_NAME = "varylink_diagnostic"
    _fields_ = [_SIZE, ("severity", ctypes.c_int), ("stage", ctypes.c_int), ("file", _TEXT), ("line", ctypes.c_uint32),
                ("location", _TEXT), ("vuid", _TEXT), ("rule", _TEXT), ("message", _TEXT)]


class InterfaceSize(ctypes.Structure):
    """Components and locations that the producer declares, and the highest location + 1."""
    C_NAME = "varylink_interface_size"
    _fields_ = [("components", ctypes.c_uint32), ("locations", ctypes.c_uint32), ("highest_location", ctypes.c_uint32)]

    def __repr__(self):
        return (f"InterfaceSize(components={self.components}, locations={self.locations}, "
                f"highest_location={self.highest_location})")


class _Interface(_Sized):
    C_NAME = "varylink_interface"
    _fields_ = [_SIZE, ("producer", ctypes.c_int), ("consumer", ctypes.c_int), ("before", InterfaceSize), ("after", InterfaceSize),
                ("component_count", ctypes.c_size_t), ("not_counted_before", ctypes.c_uint32),
                ("not_counted_after", ctypes.c_uint32)]


class _Component(_Sized):
    C_NAME = "varylink_component"
    _fields_ = [_SIZE, ("old_location", ctypes.c_uint32), ("old_component", ctypes.c_uint32), ("fate", ctypes.c_int),
                ("has_new", ctypes.c_uint32), ("new_location", ctypes.c_uint32), ("new_component", ctypes.c_uint32),
                ("reason", _TEXT), ("producer_name", _TEXT), ("consumer_name", _TEXT), ("type", _TEXT), ("interpolation", _TEXT),
                ("patch", ctypes.c_uint32)]


class _Proof(_Sized):
    C_NAME = "varylink_proof"
    _fields_ = [_SIZE, ("verdict", ctypes.c_int), ("level", ctypes.c_int), ("reason", _TEXT), ("output_count", ctypes.c_size_t),
                ("finding_count", ctypes.c_size_t)]


class _Finding(_Sized):
    C_NAME = "varylink_finding"
    _fields_ = [_SIZE, ("stage", ctypes.c_int), ("verdict", ctypes.c_int), ("what", _TEXT), ("original", _TEXT), ("linked", _TEXT),
                ("witness", _TEXT)]


class _Unused(_Sized):
    C_NAME = "varylink_unused"
    _fields_ = [_SIZE, ("kind", ctypes.c_int), ("set", ctypes.c_uint32), ("number", ctypes.c_uint32),
                ("location_count", ctypes.c_uint32), ("name", _TEXT), ("stages", ctypes.c_uint32), ("unused_by_all", ctypes.c_uint32),
                ("was_used", ctypes.c_uint32)]


class _GroupInfo(_Sized):
    C_NAME = "varylink_group_info"
    _fields_ = [_SIZE, ("sharing", ctypes.c_int), ("max_variants", ctypes.c_uint32)]


STRUCTS = (_ContextInfo, _Define, _PipelineInfo, _SpirvStage, _GlslStage, _LinkOptions, _CheckOptions, _StageOutput, _Diagnostic,
           InterfaceSize, _Interface, _Component, _Proof, _Finding, _Unused, _GroupInfo)

# Bits of the flags, by the name that the keyword arguments here have.
PIPELINE_FLAGS = {"no_fragment": 0x1, "debug_info": 0x2, "shared_spec_constants": 0x4}
LINK_FLAGS = {"strip_unused_resources": 0x1, "strip_unused_attributes": 0x2, "validate_each_pass": 0x4,
              "pack_beside_arrays": 0x10, "portable": 0x20, "allow_discontinuous": 0x40, "strict": 0x80,
              "keep_spec_ids": 0x100, "no_dearer_stage": 0x200, "no_report": 0x400}
LIMIT_FUEL = 0x8
CHECK_FLAGS = {"maintenance4": 0x1, "pipeline_library": 0x2}
LAYOUT_FLAGS = {"scalar_block_layout": 0x1, "uniform_buffer_standard_layout": 0x2, "relax_block_layout": 0x4,
                "allow_localsizeid": 0x8}


@dataclasses.dataclass(frozen=True)
class Stage:
    """A stage that goes in. `code` is SPIR-V, as bytes, or GLSL, as text. `stage` is a name of STAGES; empty: what the
    module's entry points or `name` (x.vert) say. `entry_point`: None is the only one of that stage, and main in GLSL. `name`
    is what messages and the report call it, and includes are looked for relative to it."""
    code: typing.Union[bytes, str]
    name: typing.Optional[str] = None
    stage: str = ""
    entry_point: typing.Optional[str] = None


@dataclasses.dataclass(frozen=True)
class Module:
    """A stage that came out: SPIR-V in host byte order."""
    stage: str
    code: bytes
    entry_point: str
    name: str


@dataclasses.dataclass(frozen=True)
class Diagnostic:
    """Texts are empty, and the line is 0, where there is nothing to say."""
    severity: str
    stage: str
    file: str
    line: int
    location: str
    vuid: str
    rule: str
    message: str

    def __str__(self):
        place = f"{self.file}:{self.line}: " if self.line else f"{self.file}: " if self.file else ""
        return f"{place}{self.severity}: {self.message}" + (f" [{self.vuid}]" if self.vuid else "")


@dataclasses.dataclass(frozen=True)
class Component:
    """A component that the producer declared, and its fate, one of FATES. `old` and `new` are (location, component); `new` is
    None where there is no such place any more."""
    old: typing.Tuple[int, int]
    new: typing.Optional[typing.Tuple[int, int]]
    fate: str
    reason: str
    producer_name: str
    consumer_name: str
    type: str
    interpolation: str
    patch: bool


@dataclasses.dataclass(frozen=True)
class Interface:
    producer: str
    consumer: str
    before: InterfaceSize
    after: InterfaceSize
    components: typing.List[Component]
    not_counted_before: int  # variables sized by a specialization constant that has no value
    not_counted_after: int


@dataclasses.dataclass(frozen=True)
class Finding:
    """Something that the outside sees and that is not proved (docs/proof.md)."""
    stage: str
    verdict: str
    what: str
    original: str
    linked: str
    witness: str


@dataclasses.dataclass(frozen=True)
class Proof:
    verdict: str
    level: int
    reason: str
    output_count: int
    findings: typing.List[Finding]


@dataclasses.dataclass(frozen=True)
class Unused:
    """Something that the linked stages declare towards the application and do not use. `kind` is one of UNUSED_KINDS; `number` is
    a location, binding or SpecId."""
    kind: str
    set: int
    number: int
    location_count: int
    name: str
    stages: typing.List[str]
    unused_by_all: bool
    was_used: bool


@dataclasses.dataclass(frozen=True)
class Linked:
    """What link() returns. `report` is the document of docs/report.md, empty with no_report; `proof` is None if none was asked
    for."""
    modules: typing.List[Module]
    diagnostics: typing.List[Diagnostic]
    interfaces: typing.List[Interface]
    proof: typing.Optional[Proof]
    unused: typing.List[Unused]
    report: dict


@dataclasses.dataclass(frozen=True)
class Check:
    """What check() returns. `report` is the document of docs/check.md."""
    status: Status
    diagnostics: typing.List[Diagnostic]
    report: dict

    @property
    def ok(self):
        return self.status == Status.SUCCESS


class LinkError(Exception):
    """The stages cannot be linked. `status` and `diagnostics` say why; `report` is the document of docs/report.md."""

    def __init__(self, status, diagnostics, report):
        errors = [str(found) for found in diagnostics if found.severity == "error"]
        super().__init__("\n".join(errors) or status.name.lower())
        self.status, self.diagnostics, self.report = status, diagnostics, report


@dataclasses.dataclass(frozen=True)
class Analysis:
    """What analyze() returns: by stage and side its interface with every partner, and the size with the partner that is best for
    it. Control, evaluation and geometry stages have two sides, inputs first."""
    status: Status
    interfaces: typing.List[Interface]
    bounds: typing.List[InterfaceSize]
    diagnostics: typing.List[Diagnostic]
    report: dict


@dataclasses.dataclass(frozen=True)
class Pipeline:
    """A pipeline of link_group(), with the arguments of link() that are about it; `flags` are names of PIPELINE_FLAGS."""
    stages: typing.Sequence[Stage]
    name: typing.Optional[str] = None
    defines: typing.Optional[typing.Mapping[str, typing.Any]] = None
    include: typing.Optional[typing.Callable[[str], typing.Optional[str]]] = None
    state: typing.Any = None
    flags: typing.Sequence[str] = ()


@dataclasses.dataclass(frozen=True)
class LinkedGroup:
    """What link_group() returns: for each pipeline a Linked, or the LinkError that says why it cannot be linked. `report` is the
    document of docs/report.md for all of them."""
    pipelines: typing.List[typing.Union[Linked, LinkError]]
    report: dict


def glsl_file(path, stage=""):
    """The stage in a GLSL file."""
    return Stage(pathlib.Path(path).read_text(encoding="utf-8"), str(path), stage)


def spirv_file(path, stage="", entry_point=None):
    """The stage in a SPIR-V file."""
    return Stage(pathlib.Path(path).read_bytes(), str(path), stage, entry_point)


def _load():
    here, problem = pathlib.Path(__file__).resolve(), None
    names = [os.environ.get("VARYLINK_LIBRARY", "libvarylink.so.0")]
    if "VARYLINK_LIBRARY" not in os.environ and here.parts[-4:-1] == ("share", "varylink", "python"):
        prefix = here.parents[3]
        names = [str(path) for lib in ("lib*", "lib*/*") for path in sorted(prefix.glob(f"{lib}/libvarylink.so.0"))] + names
    for name in names:
        try:
            return _declare(ctypes.CDLL(name))
        except OSError as error:
            problem = error
    raise ImportError(f"libvarylink cannot be loaded: {problem}; VARYLINK_LIBRARY names its file")


def _declare(library):
    handle, out = ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)
    functions = {
        "version_string": (_TEXT, []),
        "has_glsl": (ctypes.c_int, []),
        "context_create": (ctypes.c_int, [ctypes.POINTER(_ContextInfo), out]),
        "context_destroy": (None, [handle]),
        "context_error": (_TEXT, [handle]),
        "pipeline_create": (ctypes.c_int, [handle, ctypes.POINTER(_PipelineInfo), out]),
        "pipeline_destroy": (None, [handle]),
        "pipeline_add_spirv": (ctypes.c_int, [handle, ctypes.POINTER(_SpirvStage)]),
        "pipeline_add_glsl": (ctypes.c_int, [handle, ctypes.POINTER(_GlslStage)]),
        "link": (ctypes.c_int, [handle, ctypes.POINTER(_LinkOptions), out]),
        "analyze": (ctypes.c_int, [handle, ctypes.POINTER(_LinkOptions), out]),
        "check": (ctypes.c_int, [handle, ctypes.POINTER(_CheckOptions), out]),
        "result_destroy": (None, [handle]),
        "result_status": (ctypes.c_int, [handle]),
        "result_stage_count": (ctypes.c_size_t, [handle]),
        "result_diagnostic_count": (ctypes.c_size_t, [handle]),
        "result_interface_count": (ctypes.c_size_t, [handle]),
        "result_has_proof": (ctypes.c_int, [handle]),
        "result_get_stage": (ctypes.c_int, [handle, ctypes.c_size_t, ctypes.POINTER(_StageOutput)]),
        "result_get_diagnostic": (ctypes.c_int, [handle, ctypes.c_size_t, ctypes.POINTER(_Diagnostic)]),
        "result_get_interface": (ctypes.c_int, [handle, ctypes.c_size_t, ctypes.POINTER(_Interface)]),
        "result_get_component": (ctypes.c_int, [handle, ctypes.c_size_t, ctypes.c_size_t, ctypes.POINTER(_Component)]),
        "result_get_proof": (ctypes.c_int, [handle, ctypes.POINTER(_Proof)]),
        "result_get_finding": (ctypes.c_int, [handle, ctypes.c_size_t, ctypes.POINTER(_Finding)]),
        "result_unused_count": (ctypes.c_size_t, [handle]),
        "result_get_unused": (ctypes.c_int, [handle, ctypes.c_size_t, ctypes.POINTER(_Unused)]),
        "result_get_bound": (ctypes.c_int, [handle, ctypes.c_size_t, ctypes.POINTER(InterfaceSize)]),
        "result_report": (_TEXT, [handle]),
        "group_create": (ctypes.c_int, [handle, ctypes.POINTER(_GroupInfo), out]),
        "group_destroy": (None, [handle]),
        "group_add_pipeline": (ctypes.c_int, [handle, handle]),
        "group_add_invariance": (ctypes.c_int, [handle, ctypes.POINTER(_TEXT), ctypes.c_size_t]),
        "group_link": (ctypes.c_int, [handle, ctypes.POINTER(_LinkOptions), out]),
        "group_result_destroy": (None, [handle]),
        "group_result_count": (ctypes.c_size_t, [handle]),
        "group_result_get": (handle, [handle, ctypes.c_size_t]),
        "group_result_report": (_TEXT, [handle]),
    }
    for name, (result, arguments) in functions.items():
        function = getattr(library, "varylink_" + name)
        function.restype, function.argtypes = result, arguments
    return library


_library = _load()


def version():
    """Version and commit of the library, such as "0.1.0 (0123456789ab)"; belongs into the key of a cache."""
    return _library.varylink_version_string().decode()


def has_glsl():
    """Whether the library can compile GLSL."""
    return bool(_library.varylink_has_glsl())


def _bytes(text):
    return None if text is None else str(text).encode()


def _flags(known, given):
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise ValueError(f"there is no option {unknown[0]!r}; there are {', '.join(known)}")
    return sum(known[name] for name, value in given.items() if value)


def _index(names, value, what):
    if value not in names:
        raise ValueError(f"{what}: there is no {value!r}; there are {', '.join(str(name) for name in names if name)}")
    return names.index(value)


class _Includer:
    """The callback for #include over a function from a path to a text, or None where there is no such file."""

    def __init__(self, include):
        self.include, self.text, self.error = include, None, None
        self.callback = _INCLUDE(self._find) if include else _INCLUDE()

    def _find(self, _user, path, length):
        try:
            found = self.include(path.decode())
        except Exception as error:  # it must not run into C code; link() and check() raise it again
            self.error = self.error or error
            return None
        if found is None:
            return None
        encoded = found.encode() if isinstance(found, str) else bytes(found)
        self.text = ctypes.create_string_buffer(encoded, len(encoded) + 1)
        length[0] = len(encoded)
        return ctypes.addressof(self.text)


class _Interrupter:
    """The callback that ends a link, over a function without arguments."""

    def __init__(self, interrupted):
        self.interrupted, self.error = interrupted, None
        self.callback = _INTERRUPT(self._ask) if interrupted else _INTERRUPT()

    def _ask(self, _user):
        try:
            return 1 if self.interrupted() else 0
        except BaseException as error:  # it must not run into C code; link() raises it again
            self.error = self.error or error
            return 1


_ABOUT_SHADERS = [status for status in Status if status <= Status.NOT_SUPPORTED]


def _expect(context, status, *more):
    status = Status(status)
    if status in (Status.SUCCESS, *more):
        return status
    reason = _library.varylink_context_error(context) if context else b""
    text = reason.decode() or status.name.lower()
    raise ValueError(text) if status == Status.INVALID_ARGUMENT else RuntimeError(text)


class _Result:
    """What is asked of a varylink_result, which belongs to somebody else."""

    def __init__(self, handle):
        self.handle = handle

    def _all(self, count, get, struct, *before):
        for index in range(count):
            item = struct()
            _expect(None, get(self.handle, *before, index, ctypes.byref(item)))
            yield item

    def modules(self):
        count = _library.varylink_result_stage_count(self.handle)
        return [Module(STAGES[item.stage], ctypes.string_at(item.words, 4 * item.word_count), item.entry_point.decode(),
                       item.name.decode()) for item in self._all(count, _library.varylink_result_get_stage, _StageOutput)]

    def diagnostics(self):
        count = _library.varylink_result_diagnostic_count(self.handle)
        return [Diagnostic(SEVERITIES[item.severity], STAGES[item.stage],
                           **{key: _text(getattr(item, key)) for key in ("file", "line", "location", "vuid", "rule", "message")})
                for item in self._all(count, _library.varylink_result_get_diagnostic, _Diagnostic)]

    def interfaces(self):
        count = _library.varylink_result_interface_count(self.handle)
        items = list(self._all(count, _library.varylink_result_get_interface, _Interface))
        return [Interface(STAGES[item.producer], STAGES[item.consumer], item.before, item.after, self._components(index, item),
                          item.not_counted_before, item.not_counted_after)
                for index, item in enumerate(items)]

    def _components(self, index, interface):
        get = _library.varylink_result_get_component
        return [Component((item.old_location, item.old_component),
                          (item.new_location, item.new_component) if item.has_new else None, FATES[item.fate],
                          *(_text(getattr(item, key)) for key in ("reason", "producer_name", "consumer_name", "type",
                                                                  "interpolation")), bool(item.patch))
                for item in self._all(interface.component_count, get, _Component, index)]

    def proof(self):
        if not _library.varylink_result_has_proof(self.handle):
            return None
        proof = _Proof()
        _expect(None, _library.varylink_result_get_proof(self.handle, ctypes.byref(proof)))
        findings = self._all(proof.finding_count, _library.varylink_result_get_finding, _Finding)
        return Proof(VERDICTS[proof.verdict], proof.level - 1, _text(proof.reason), proof.output_count,
                     [Finding(STAGES[item.stage], VERDICTS[item.verdict],
                              *(_text(getattr(item, key)) for key in ("what", "original", "linked", "witness")))
                      for item in findings])

    def unused(self):
        count = _library.varylink_result_unused_count(self.handle)
        return [Unused(UNUSED_KINDS[item.kind], item.set, item.number, item.location_count, _text(item.name),
                       [stage for bit, stage in enumerate(STAGES) if item.stages >> bit & 1], bool(item.unused_by_all),
                       bool(item.was_used))
                for item in self._all(count, _library.varylink_result_get_unused, _Unused)]

    def bounds(self):
        sizes = [InterfaceSize() for _ in range(_library.varylink_result_interface_count(self.handle))]
        for index, size in enumerate(sizes):
            _expect(None, _library.varylink_result_get_bound(self.handle, index, ctypes.byref(size)))
        return sizes

    def report(self):
        return _report(_library.varylink_result_report(self.handle))

    def linked(self):
        """A Linked, or the LinkError that says why it is none."""
        status = Status(_library.varylink_result_status(self.handle))
        if status != Status.SUCCESS:
            return LinkError(status, self.diagnostics(), self.report())
        return Linked(self.modules(), self.diagnostics(), self.interfaces(), self.proof(), self.unused(), self.report())


class _Handles:
    """The context and the pipelines of one call. Each of the pipelines is a Pipeline."""

    def __init__(self, pipelines):
        self.context, self.pipelines, self.includers = ctypes.c_void_p(), [], []
        _expect(None, _library.varylink_context_create(None, ctypes.byref(self.context)))
        try:
            for pipeline in pipelines:
                self._create(pipeline)
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        for pipeline in self.pipelines:
            _library.varylink_pipeline_destroy(pipeline)
        _library.varylink_context_destroy(self.context)

    def expect(self, status, *more):
        return _expect(self.context, status, *more)

    def _create(self, pipeline):
        includer = _Includer(pipeline.include)
        names = [_Define(_bytes(key), _bytes("" if value is None else value)) for key, value in (pipeline.defines or {}).items()]
        state = pipeline.state
        info = _PipelineInfo(name=_bytes(pipeline.name), flags=_flags(PIPELINE_FLAGS, dict.fromkeys(pipeline.flags, True)),
                             define_count=len(names), defines=(_Define * len(names))(*names), include=includer.callback,
                             state=_bytes(state if state is None or isinstance(state, str) else json.dumps(state)))
        made = ctypes.c_void_p()
        self.expect(_library.varylink_pipeline_create(self.context, ctypes.byref(info), ctypes.byref(made)))
        self.pipelines.append(made)
        self.includers.append(includer)
        for stage in pipeline.stages:
            self._add(made, stage)

    def _add(self, pipeline, stage):
        what = {"stage": _index(STAGES, stage.stage, "stage"), "entry_point": _bytes(stage.entry_point), "name": _bytes(stage.name)}
        if isinstance(stage.code, str):
            source = stage.code.encode()
            added = _GlslStage(source=source, source_length=len(source), **what)
            self.expect(_library.varylink_pipeline_add_glsl(pipeline, ctypes.byref(added)))
            return
        if len(stage.code) % 4:
            raise ValueError(f"{stage.name or 'a module'}: {len(stage.code)} bytes are no whole number of words")
        words = ctypes.create_string_buffer(bytes(stage.code), max(len(stage.code), 4))
        added = _SpirvStage(words=ctypes.addressof(words), word_count=len(stage.code) // 4, **what)
        self.expect(_library.varylink_pipeline_add_spirv(pipeline, ctypes.byref(added)))

    def raise_again(self, *others):
        for each in (*self.includers, *others):
            if each.error:
                raise each.error

    def run(self, function, options, read, interrupter=None):
        """What `read` makes of the status and the result of a call for the only pipeline."""
        result = ctypes.c_void_p()
        try:
            status = function(self.pipelines[0], ctypes.byref(options), ctypes.byref(result))
            self.raise_again(*([interrupter] if interrupter else []))
            return read(self.expect(status, *_ABOUT_SHADERS), _Result(result))
        finally:
            _library.varylink_result_destroy(result)


def _text(value):
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def _report(document):
    """The library's document, which is empty if none was asked for."""
    return json.loads(document) if document else {}


def _split(options, *kinds):
    """The flags of each kind out of keyword arguments; what belongs to none is left in the last."""
    parts = [{name: options[name] for name in kind if name in options} for kind in kinds]
    rest = {name: value for name, value in options.items() if not any(name in kind for kind in kinds)}
    if rest:
        _flags({name: 0 for kind in kinds for name in kind}, rest)
    return parts


def link(stages, *, name=None, defines=None, include=None, state=None, level=2, target_env=None, fuel=None, passes=None,
         profile=None, prove=None, interrupted=None, **flags):
    """Links the stages of one pipeline.

    stages      Stage objects, in any order
    name        of the pipeline, for the report
    defines     macros for GLSL: a dict from names to values
    include     for #include in GLSL: a function from a path to the text, or None where there is no such file
    state       what is known about the pipeline besides its shaders (docs/pipeline-state.md): a dict, or JSON
    level       N of the command's -ON
    target_env  "vulkan1.0" to "vulkan1.4", or "vulkan1.1spv1.4" (with VK_KHR_spirv_1_4)
    fuel        stop after so many rewrites
    passes      names of passes, in the order to run, instead of those of the level
    profile     name of a cost profile, or a profile as JSON
    prove       "report", "require" or "fallback"
    interrupted a function that is asked again and again: True ends the link
    flags       each name of PIPELINE_FLAGS, LINK_FLAGS and LAYOUT_FLAGS, as True

    Returns a Linked. Raises LinkError for shaders that cannot be linked, ValueError for a call that makes no sense, and what
    `include` or `interrupted` raised.
    """
    of_pipeline, of_link, of_layout = _split(flags, PIPELINE_FLAGS, LINK_FLAGS, LAYOUT_FLAGS)
    options, interrupter = _link_options(level, target_env, fuel, passes, profile, prove, interrupted, of_link, of_layout)
    with _Handles([Pipeline(stages, name, defines, include, state, [flag for flag in of_pipeline if of_pipeline[flag]])]) as handles:
        linked = handles.run(_library.varylink_link, options, lambda _, result: result.linked(), interrupter)
    if isinstance(linked, LinkError):
        raise linked
    return linked


def _count(name, value, bits):
    """A whole number that a field of C with so many bits holds; ctypes would cut off what does not fit."""
    number = operator.index(value)
    if not 0 <= number < 1 << bits:
        raise ValueError(f"{name}: {number} is not from 0 to {(1 << bits) - 1}")
    return number


def _link_options(level, target_env, fuel, passes, profile, prove, interrupted, of_link, of_layout):
    levels = range(len(LEVELS) - 1)
    if level not in levels:
        raise ValueError(f"level: there is no {level!r}; there are {', '.join(map(str, levels))}")
    if fuel is not None:
        fuel = _count("fuel", fuel, 64)
    names = None if passes is None else [_bytes(one) for one in passes]
    interrupter = _Interrupter(interrupted)
    return _LinkOptions(level=level + 1, target_env=_index(TARGET_ENVS, target_env, "target_env"),
                        layout_flags=_flags(LAYOUT_FLAGS, of_layout),
                        flags=_flags(LINK_FLAGS, of_link) | (0 if fuel is None else LIMIT_FUEL), fuel=fuel or 0,
                        passes=None if names is None else (_TEXT * max(len(names), 1))(*names), pass_count=len(names or ()),
                        cost_profile=_bytes(profile), prove=_index(PROVE, prove, "prove"),
                        interrupted=interrupter.callback), interrupter


def link_group(pipelines, *, sharing=None, max_variants=2, invariance_groups=(), level=2, target_env=None, fuel=None, passes=None,
               profile=None, prove=None, interrupted=None, **flags):
    """Links pipelines that share modules, or whose positions have to stay the same (docs/batch.md).

    pipelines          Pipeline objects; modules with equal words, stage and entry point are one
    sharing            "specialize", "union" or "cluster"
    max_variants       of a module, with "cluster"
    invariance_groups  lists of names of pipelines
    flags              each name of LINK_FLAGS and LAYOUT_FLAGS, as True

    Everything else is as for link(). Returns a LinkedGroup; raises ValueError for a call that makes no sense, and what a function
    of the caller raised.
    """
    of_link, of_layout = _split(flags, LINK_FLAGS, LAYOUT_FLAGS)
    options, interrupter = _link_options(level, target_env, fuel, passes, profile, prove, interrupted, of_link, of_layout)
    info = _GroupInfo(sharing=_index(SHARING, sharing, "sharing"), max_variants=_count("max_variants", max_variants, 32))
    group, result = ctypes.c_void_p(), ctypes.c_void_p()
    with _Handles(pipelines) as handles:
        try:
            handles.expect(_library.varylink_group_create(handles.context, ctypes.byref(info), ctypes.byref(group)))
            for pipeline in handles.pipelines:
                handles.expect(_library.varylink_group_add_pipeline(group, pipeline))
            for names in invariance_groups:
                texts = (_TEXT * max(len(names), 1))(*map(_bytes, names))
                handles.expect(_library.varylink_group_add_invariance(group, texts, len(names)))
            status = _library.varylink_group_link(group, ctypes.byref(options), ctypes.byref(result))
            handles.raise_again(interrupter)
            handles.expect(status, *_ABOUT_SHADERS)
            count = _library.varylink_group_result_count(result)
            return LinkedGroup([_Result(_library.varylink_group_result_get(result, index)).linked() for index in range(count)],
                               _report(_library.varylink_group_result_report(result)))
        finally:
            _library.varylink_group_result_destroy(result)
            _library.varylink_group_destroy(group)


def analyze(stages, *, name=None, defines=None, include=None, state=None, level=2, target_env=None, passes=None, profile=None,
            **flags):
    """Says what linking could win for stages whose partners are not known; each is looked at alone. Arguments as those of link().

    Returns an Analysis. Raises ValueError for a call that makes no sense, and what `include` raised.
    """
    of_pipeline, of_link, of_layout = _split(flags, PIPELINE_FLAGS, LINK_FLAGS, LAYOUT_FLAGS)
    options, _ = _link_options(level, target_env, None, passes, profile, None, None, of_link, of_layout)
    with _Handles([Pipeline(stages, name, defines, include, state, [flag for flag in of_pipeline if of_pipeline[flag]])]) as handles:
        return handles.run(_library.varylink_analyze, options, lambda status, result: Analysis(
            status, result.interfaces(), result.bounds(), result.diagnostics(), result.report()))


def check(stages, *, name=None, defines=None, include=None, state=None, target_env=None, limits=None, **flags):
    """Says where the stages of one pipeline do not fit (docs/check.md); arguments as those of link().

    limits      device limits: a dict, or JSON
    flags       each name of PIPELINE_FLAGS, CHECK_FLAGS and LAYOUT_FLAGS, as True

    Returns a Check. Raises ValueError for a call that makes no sense, and what `include` raised.
    """
    of_pipeline, of_check, of_layout = _split(flags, PIPELINE_FLAGS, CHECK_FLAGS, LAYOUT_FLAGS)
    options = _CheckOptions(target_env=_index(TARGET_ENVS, target_env, "target_env"),
                            layout_flags=_flags(LAYOUT_FLAGS, of_layout), flags=_flags(CHECK_FLAGS, of_check),
                            limits_json=_bytes(limits if limits is None or isinstance(limits, str) else json.dumps(limits)))
    with _Handles([Pipeline(stages, name, defines, include, state, [flag for flag in of_pipeline if of_pipeline[flag]])]) as handles:
        return handles.run(_library.varylink_check, options,
                           lambda status, result: Check(status, result.diagnostics(), result.report()))
