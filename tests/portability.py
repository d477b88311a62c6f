#!/usr/bin/env python3
"""Links pipelines and fails if other tools take what came in but not what came out.

    tests/portability.py build/release/varylink samples/pipelines.jsonl tests/pipelines ...

Each argument behind the command is a manifest or a folder of pipeline cases. Every pipeline goes to each target as it came,
linked, and linked with --portable: through spirv-cross (package spirv-cross), or naga, then

    GLSL 450, 330, ESSL 310, 300, 100   glslang (package glslang-tools), and the linker of the system's GL driver
    Vulkan GLSL                         glslang; with --round-trip, `varylink verify` draws both
    HLSL 5.1, and with user semantics   whether semantics are unique and the same in both stages
    MSL 2.1                             spirv-cross alone
    WGSL, MSL, HLSL by naga             naga alone, which node runs where third_party/install-naga.sh has got it
    WGSL by naga, for Tint              Tint, where there is a Chromium that has WebGPU

A pipeline may be refused by a target that refused it before, and by no other. --default-may-fail: what is refused without
--portable is listed but does not fail. --table: the result as a table for docs. --every N: of the cases one in N, by their names,
so that a case that is added takes the place of no other. --targets RE: only these. A target whose tools are missing is left out; exit status 77 without spirv-cross or glslang.
"""
import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import tint

SKIPPED, TIMED_OUT = 77, 124
STAGES = ("vert", "tesc", "tese", "geom", "task", "mesh", "frag")
VARIANTS = ("default", "portable")
HERE = pathlib.Path(__file__).resolve().parent
MOST_FILES = 100  # of one run of glslang
MOST_TEXTS = 500  # of one page

Target = collections.namedtuple("Target", "name cross glslang driver check naga tint", defaults=[None, False])


def run(*command, **more):
    try:
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, errors="replace", check=False,
                              timeout=600, **more)
    except subprocess.TimeoutExpired:
        return TIMED_OUT, "", f"{command[0]} does not come to its end"
    return done.returncode, done.stdout, (done.stdout + done.stderr).strip()


def first_error(message, fallback):
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    return next((line for line in lines if "error" in line.lower()), lines[-1] if lines else fallback)


# HLSL: semantics of one structure are unique, and what one stage reads another one writes.


def semantics_of(hlsl, structure):
    body = re.search(rf"^struct {structure}\s*\{{(.*?)^\}};", hlsl, re.M | re.S)
    return re.findall(r":\s*(\w+);", body.group(1)) if body else []


def hlsl_objection(texts):
    written = None
    for stage in (one for one in STAGES if one in texts):
        for structure in ("SPIRV_Cross_Input", "SPIRV_Cross_Output"):
            semantics = semantics_of(texts[stage], structure)
            twice = [one for one, count in collections.Counter(semantics).items() if count > 1]
            if twice:
                return f"{stage}: two members have the semantic {twice[0]}"
        reads = semantics_of(texts[stage], "SPIRV_Cross_Input")
        missing = [one for one in reads if written is not None and one not in written and not one.startswith("SV_")]
        if missing:
            return f"{stage}: nothing writes the semantic {missing[0]}"
        written = semantics_of(texts[stage], "SPIRV_Cross_Output")
    return ""


def naga_package():
    """Folder of what third_party/install-naga.sh gets; None if it is not there, or cannot be run."""
    cache = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    folder = pathlib.Path(os.environ.get("VARYLINK_NAGA") or pathlib.Path(cache) / "varylink/naga")
    package = folder / "node_modules/naga-wasm"
    return package if shutil.which("node") and (package / "dist/node.js").exists() else None


def targets():
    found = []
    for version in ("450", "330"):
        found.append(Target(f"GLSL {version}", ["--version", version, "--no-es"], ["-l"], "gl", None))
    for version in ("310", "300", "100"):
        found.append(Target(f"ESSL {version}", ["--version", version, "--es"], ["-l"], "es", None))
    vulkan = ["-V", "--target-env", "vulkan1.3"]
    found.append(Target("Vulkan GLSL", ["--version", "460", "-V"], vulkan, None, None))
    found.append(Target("HLSL 5.1", ["--hlsl", "--shader-model", "51"], None, None, hlsl_objection))
    if "--hlsl-user-semantic" in run("spirv-cross", "--help")[2]:
        found.append(Target("HLSL 5.1, user semantics", ["--hlsl", "--shader-model", "51", "--hlsl-user-semantic"], None,
                            None, hlsl_objection))
    found.append(Target("MSL 2.1", ["--msl", "--msl-version", "20100"], None, None, None))
    if naga_package():
        for language in ("wgsl", "msl", "hlsl"):
            found.append(Target(f"{language.upper()} by naga", None, None, None, None, language))
        if tint.available():
            found.append(Target("WGSL by naga, for Tint", None, None, None, None, "wgsl", True))
    return found


# Pipelines: manifests as they are, cases as a manifest.


def case_stages(text, folder):
    """The sources of a case as files by stage, and what its options say beside."""
    head, *sections = re.split(r"^== ", text, flags=re.M)
    options = shlex.split(" ".join(re.findall(r"^;; link:(.*)$", head, re.M)), comments=False)
    stages = {}
    for section in sections:
        title, _, body = section.partition("\n")
        stage, _, kind = title.strip().partition(" ")
        if stage not in STAGES:
            continue
        path = folder / f"{stage}.{stage}{'.spvasm' if kind == 'spvasm' else ''}"
        path.write_text(body, encoding="utf-8")
        stages[stage] = str(path)
    return stages, options


def manifest_of_cases(root, folder, every=1):
    lines = []
    for case in sorted(pathlib.Path(root).rglob("*.case")):
        if int(hashlib.sha256(str(case.relative_to(root)).encode()).hexdigest()[:8], 16) % every:
            continue
        own = folder / case.relative_to(root).with_suffix("")
        own.mkdir(parents=True)
        stages, options = case_stages(case.read_text(encoding="utf-8"), own)
        if len(stages) > 1 and not {"-e", "-D", "--spec"} & set(options):
            lines.append(json.dumps({"name": str(case.relative_to(root).with_suffix("")), "stages": stages}))
    path = folder / "cases.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def link(varylink, level, manifest, folder, *options):
    """Pipelines by name, each its modules by stage, as they came or as they came out."""
    report = folder.with_suffix(".json")
    run(*varylink, "link", level, *options, "--manifest", manifest, "-o", folder, "--report", report, "-q")
    pipelines = {}
    for pipeline in json.loads(report.read_text(encoding="utf-8"))["pipelines"]:
        stages = {one["stage"]: pathlib.Path(one["output"]) for one in pipeline.get("stages", [])
                  if one.get("output") and pathlib.Path(one["output"]).exists()}
        if stages:
            pipelines[pipeline["name"]] = stages
    return pipelines


# One target: texts of all modules, what is said of each, and what is said of the pipelines.


class Trial:
    def __init__(self, target, scratch, pool):
        self.target, self.scratch, self.pool = target, scratch, pool
        self.texts, self.compiled, self.linked = {}, {}, {}  # what is known: by digest and stage, by file, by files

    def translate(self, stage, module):
        """Path of the text; an objection if there is none. Equal modules are one."""
        digest = hashlib.sha256(module.read_bytes()).hexdigest()[:24]
        path = self.scratch / f"{digest}.{stage}"
        if path not in self.texts:
            self.texts[path] = self.translate_new(stage, module, path)
        return self.texts[path]

    def translate_new(self, stage, module, path):
        status, _, message = run("spirv-cross", *self.target.cross, "--output", path, module)
        return path, "" if status == 0 else f"{stage}: {first_error(message, 'spirv-cross fails')}"

    def translate_by_naga(self, modules):
        """translate() of many: one process has them all, up to the one that it does not survive."""
        paths = {module: self.scratch / f"{hashlib.sha256(module.read_bytes()).hexdigest()[:24]}.{stage}"
                 for module, stage in modules.items()}
        new = {path: module for module, path in paths.items() if path not in self.texts}
        waiting = list(new)
        while waiting:
            lines = [json.dumps({"module": str(new[path]), "output": str(path)}) for path in waiting]
            _, text, _ = run("node", HERE / "naga.mjs", naga_package(), self.target.naga, input="\n".join(lines) + "\n")
            answers = text.split("\n")[:-1]
            if len(answers) < len(waiting):
                answers.append("naga dies")
            for path, answer in zip(waiting, answers):
                self.texts[path] = path, answer and f"{path.suffix[1:]}: {answer}"
            waiting = waiting[len(answers):]
        return {module: self.texts[path] for module, path in paths.items()}

    def judge(self, pipelines):
        """What is said of each pipeline (a dict of modules by stage): empty if it is taken."""
        modules = {module: stage for stages in pipelines for stage, module in stages.items()}
        if self.target.naga:
            texts = self.translate_by_naga(modules)
        else:
            texts = dict(zip(modules, self.pool.map(lambda item: self.translate(item[1], item[0]), modules.items())))
        said = [next((texts[module][1] for module in stages.values() if texts[module][1]), "") for stages in pipelines]
        sources = [{stage: texts[module][0] for stage, module in stages.items()} for stages in pipelines]
        if self.target.glslang or self.target.tint:
            self.ask(said, sources, self.compile)
        if self.target.driver:
            self.ask(said, sources, self.link_programs)
        if self.target.check:
            self.ask(said, sources, lambda programs: [self.target.check({stage: path.read_text(errors="replace")
                                                                         for stage, path in program.items()})
                                                      for program in programs])
        return said

    def ask(self, said, sources, question):
        open_ones = [i for i, one in enumerate(said) if not one]
        for i, answer in zip(open_ones, question([sources[i] for i in open_ones])):
            said[i] = answer

    def compile(self, programs):
        files = sorted({path for program in programs for path in program.values()} - self.compiled.keys())
        compile_files, most = (self.compile_by_tint, MOST_TEXTS) if self.target.tint else (self.compile_files, MOST_FILES)
        chunks = [files[i:i + most] for i in range(0, len(files), most)]
        self.compiled.update(dict.fromkeys(files, ""))
        for answers in self.pool.map(compile_files, chunks):
            self.compiled.update(answers)
        return [next((self.compiled[path] for path in program.values() if self.compiled[path]), "") for program in programs]

    def compile_files(self, files):
        """What glslang says of each. For Vulkan it would link what it gets at once."""
        if self.target.glslang[0] != "-V":
            status, _, message = run("glslangValidator", *files)
            if status in (0, 2):  # else it did not survive one of them
                return self.said_by_file(files, message)
        vulkan = self.target.glslang if self.target.glslang[0] == "-V" else []
        said = {}
        for path in files:
            output = ["-o", path.with_name(path.name + ".spv")] if vulkan else []
            status, _, message = run("glslangValidator", *vulkan, *output, path)
            if status != 0:
                said[path] = f"{path.suffix[1:]}: {first_error(message, 'glslang refuses it')}"
        return said

    @staticmethod
    def compile_by_tint(files):
        objections = tint.objections([path.read_text(errors="replace") for path in files])
        return {path: f"{path.suffix[1:]}: {objection}" for path, objection in zip(files, objections) if objection}

    @staticmethod
    def said_by_file(files, message):
        """Its name stands in front of what is said of each."""
        names, said, path = {str(path): path for path in files}, {}, None
        for line in message.splitlines():
            path = names.get(line.strip(), path)
            if path and line.startswith("ERROR") and path not in said:
                said[path] = f"{path.suffix[1:]}: {line}"
        return said

    def link_programs(self, programs):
        keys = [tuple(sorted(str(path) for path in program.values())) for program in programs]
        new = {key: program for key, program in zip(keys, programs) if key not in self.linked}
        self.linked.update(zip(new, self.link_new(list(new.values()))))
        return [self.linked[key] for key in keys]

    def link_new(self, programs):
        answers = []
        while len(answers) < len(programs):
            waiting = [json.dumps({stage: str(path) for stage, path in one.items()}) for one in programs[len(answers):]]
            status, text, _ = run(sys.executable, "-B", HERE / "gl_link.py", self.target.driver,
                                  input="\n".join(waiting) + "\n")
            if status == SKIPPED:
                return [""] * len(programs)
            answers += text.split("\n")[:-1]
            if len(answers) < len(programs):
                answers.append("the driver dies")
        return answers


def round_trip(varylink, before, after, trial, scratch):
    """Names of pipelines whose picture differs once what was linked has been GLSL, and whose picture did not before."""
    def manifest(pipelines, name, of):
        path = scratch / name
        path.write_text("".join(json.dumps({"name": one, "stages": {stage: str(of(stage, module))
                                                                     for stage, module in pipelines[one].items()}}) + "\n"
                                for one in sorted(pipelines)), encoding="utf-8")
        return path

    def recompiled(stage, module):
        path = trial.translate(stage, module)[0]
        return path.with_name(path.name + ".spv")

    def differing(pipelines, names, of=recompiled):
        chosen = {one: pipelines[one] for one in names}
        originals = manifest({one: before[one] for one in names}, "originals.jsonl", lambda _, module: module)
        results = manifest(chosen, "results.jsonl", of)
        text = run(*varylink, "verify", "--manifest", originals, "--against", results)[1]
        if names and not re.search(r"^\d+ \w+.* on ", text, re.M):
            raise RuntimeError(f"verify does not come to its end: {text}")
        return {one for one in names if re.search(rf"^{re.escape(one)}: different", text, re.M)}, text

    taken = [[name for name, said in zip(sorted(one), trial.judge([one[name] for name in sorted(one)])) if not said]
             for one in (before, after)]
    names = sorted(set(taken[0]) & set(taken[1]))
    # spirv-cross puts loads behind InterpolateAt instructions, and drivers of Mesa 22.3 give them what these read. The
    # text of a constant keeps neither the sign of zero nor a NaN, which a shader sees that takes bits out of floats.
    def is_kept(name):
        texts = [trial.translate(stage, module)[0].read_bytes() for stage, module in after[name].items()]
        return not any(word in text for text in texts for word in (b"interpolateAt", b"floatBitsTo"))

    names = [name for name in names if is_kept(name)]
    worse, text = differing(after, names)
    worse -= differing(before, sorted(worse))[0] if worse else set()
    # Where an undefined operation gives another value than the driver, the result differs without a round trip as well.
    worse -= differing(after, sorted(worse), lambda _, module: module)[0] if worse else set()
    return worse, len(names), text.splitlines()[-1] if text else "verify said nothing"


# The matrix.


def check_set(options, subject, scratch, pool):
    manifest = subject
    if pathlib.Path(subject).is_dir():
        manifest = manifest_of_cases(subject, scratch / "cases", options.every)
    before = link(options.varylink, "-O0", manifest, scratch / "before")
    after = {"default": link(options.varylink, options.level, manifest, scratch / "default"),
             "portable": link(options.varylink, options.level, manifest, scratch / "portable", "--portable")}
    names = sorted(set(before) & set(after["default"]) & set(after["portable"]))
    if not names:
        print(f"{subject}: nothing was linked, so nothing was compared")
        return False
    good, rows = True, []
    for target in targets():
        if not options.targets.match(target.name):
            continue
        own = scratch / re.sub(r"\W", "_", target.name)
        own.mkdir()
        trial = Trial(target, own, pool)
        taken = [one for one, said in zip(names, trial.judge([before[name] for name in names])) if not said]
        row = [target.name, str(len(names)), str(len(taken))]
        for variant in VARIANTS:
            said = trial.judge([after[variant][name] for name in names])
            worse = [(name, message) for name, message in zip(names, said) if message and name in taken]
            may_fail = variant == "default" and options.default_may_fail
            good = good and (may_fail or not worse)
            for name, message in worse:
                print(f"{subject}: {target.name}: {variant}: {name}: {message}")
            row += [str(sum(not one for one in said)), str(len(worse))]
        rows.append(row)
        if options.round_trip and target.name == "Vulkan GLSL":
            for variant in VARIANTS:
                worse, count, summary = round_trip(options.varylink, before, after[variant], trial, own)
                print(f"{subject}: round trip: {variant}: {count} pipelines, {len(worse)} differ: {summary}")
                for name in sorted(worse):
                    print(f"{subject}: round trip: {variant}: {name}")
                good = good and not worse
    head = ["target", "pipelines", "as they came", "linked", "worse", "--portable", "worse"]
    print(f"{subject}:")
    if options.table:
        print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for row in rows if options.table else [head] + rows:
        print("| " + " | ".join(row) + " |" if options.table else "  ".join(f"{one:>12}" for one in row))
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("varylink", type=shlex.split)
    parser.add_argument("subjects", nargs="+")
    parser.add_argument("--level", default="-O2")
    parser.add_argument("--default-may-fail", action="store_true")
    parser.add_argument("--round-trip", action="store_true")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--targets", type=re.compile, default="")
    options = parser.parse_args()
    missing = [tool for tool in ("spirv-cross", "glslangValidator") if not shutil.which(tool)]
    if missing:
        print("not found:", *missing)
        sys.exit(SKIPPED)
    if not naga_package():
        print("naga is left out: third_party/install-naga.sh gets it where there are npm and node")
    good = True
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for subject in options.subjects:
            with tempfile.TemporaryDirectory() as scratch:
                good = check_set(options, subject, pathlib.Path(scratch), pool) and good
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
