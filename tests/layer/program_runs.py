"""Runs the programs of program_table.py without a screen, with and without the layer, and compares their frames.

VARYLINK is the command. Nothing is left behind: files go to a temporary folder, processes end with the one that needs them.
"""

import collections
import dataclasses
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile

from pictures import largest_difference
from program_table import PIGLIT_FOLDERS, PIGLIT_OPTIONS, PIGLIT_SLOW

VARYLINK = pathlib.Path(os.environ["VARYLINK"]).resolve()  # programs run in folders of their own
TIMEOUT, TIMEOUT_OF_LARGE = 90, 600  # seconds for one process
CAPTURE_LAYER = "VK_LAYER_LUNARG_gfxreconstruct"
# OpenGL through Vulkan. zink of Debian 12 presents by itself only so.
ZINK = {"LIBGL_ALWAYS_SOFTWARE": "1", "MESA_LOADER_DRIVER_OVERRIDE": "zink", "GALLIUM_DRIVER": "zink", "LIBGL_KOPPER_DRI2": "true"}
PIGLIT = pathlib.Path("/usr/lib/x86_64-linux-gnu/piglit")
# Draws the same wherever the pipeline is, whatever comes from the vertex stage.
WRONG_FRAGMENT = "#version 450\nlayout(location = 0) out vec4 color;\nvoid main() { color = vec4(0.9, 0.3, 0.6, 1.0); }\n"
ANY_VERTEX = "#version 450\nvoid main() { gl_Position = vec4(0.0); }\n"


class ProgramFailed(Exception):
    """A step on the way to the frames went wrong; the text says which and how."""


def is_installed(package):
    status = subprocess.run(["dpkg-query", "-W", "-f=${db:Status-Status}", package], capture_output=True, text=True, check=False)
    return status.stdout == "installed"


def missing_packages(packages):
    if shutil.which("dpkg-query") is None:
        return list(packages)
    return [package for package in packages if not is_installed(package)]


@dataclasses.dataclass
class Ended:
    status: int
    said: str  # both streams


class Place:
    """A folder, a display and an environment, as a context."""

    def __enter__(self):
        self.temporary = tempfile.TemporaryDirectory(prefix="varylink-programs-", ignore_cleanup_errors=True)
        self.dir = pathlib.Path(self.temporary.name)
        for name in ("home", "runtime"):
            (self.dir / name).mkdir(mode=0o700)
        try:
            self.display = self.start_display()
        except BaseException:
            self.temporary.cleanup()
            raise
        return self

    def __exit__(self, *_):
        self.screen.terminate()
        self.screen.wait()
        self.temporary.cleanup()

    def start_display(self):
        reading, writing = os.pipe()
        self.screen = subprocess.Popen(["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x1024x24", "-nolisten", "tcp"],
                                       pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(writing)
        with os.fdopen(reading) as number:
            display = number.readline().strip()
        if not display:
            raise ProgramFailed("Xvfb does not start")
        return ":" + display

    def environment(self, variables):
        kept = {key: value for key, value in os.environ.items()
                if key in ("VK_ICD_FILENAMES", "VK_DRIVER_FILES") or not key.startswith(("VK_", "GFXRECON_"))}
        return {**kept, "DISPLAY": self.display, "HOME": str(self.dir / "home"), "XDG_RUNTIME_DIR": str(self.dir / "runtime"),
                "XDG_CACHE_HOME": str(self.dir / "home/.cache"), "LP_NUM_THREADS": "2", "MESA_SHADER_CACHE_DISABLE": "true",
                "NODEVICE_SELECT": "1", "ASAN_OPTIONS": "detect_leaks=0", **variables}

    def device(self):
        """The name of the first Vulkan device."""
        said = self.run(["vulkaninfo", "--summary"]).said
        return re.search(r"^\s*deviceName\s*= (.*)$", said, re.MULTILINE)[1]

    def run(self, words, variables=None, seconds=TIMEOUT, folder=None, is_ended=False):
        """`is_ended`: the program would go on for ever, so that its time is no failure."""
        out = tempfile.TemporaryFile(dir=self.dir)
        process = subprocess.Popen([str(word) for word in words], env=self.environment(variables or {}), cwd=folder or self.dir,
                                   stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, start_new_session=True)
        in_time = True
        try:
            process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            in_time = False
        finally:
            end_group(process)
        out.seek(0)
        said = out.read().decode(errors="replace")
        out.close()
        if not in_time and not is_ended:
            raise ProgramFailed(f"{words[0]} took more than {seconds} s:\n{said[-2000:]}")
        return Ended(process.returncode if in_time else 0, said)


def end_group(process):
    """Ends what the process has started as well."""
    for number, patience in ((signal.SIGTERM, 10), (signal.SIGKILL, None)):
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:
            pass
        try:
            process.wait(timeout=patience)
        except subprocess.TimeoutExpired:
            continue


@dataclasses.dataclass
class Compared:
    report: dict  # of `varylink run`
    plain: dict  # frame -> its bytes
    linked: dict

    def same(self):
        return sum(self.linked.get(frame) == picture for frame, picture in self.plain.items())

    def differ(self, at_most):
        """Frames that are there once, or of which a channel differs by more, of 255."""
        return [frame for frame in sorted({*self.plain, *self.linked}) if frame not in self.plain or frame not in self.linked or
                largest_difference(self.plain[frame], self.linked[frame]) > at_most]


def read_report(file):
    return json.loads(file.read_text())


def under_layer(report, *options):
    return [VARYLINK, "run", "-q", "--report", report, *options, "--"]


class ProgramRun:
    """One program in a place."""

    def __init__(self, place, name, program):
        self.place, self.program = place, program
        self.timeout = TIMEOUT_OF_LARGE if program.is_large else TIMEOUT
        self.folder = place.dir / name.replace(" ", "-")
        self.folder.mkdir()
        for file, text in program.files.items():
            (self.folder / file).write_text(text)
        self.fetch_npm()
        self.command = [self.filled(word) for word in program.command]
        self.count = 0

    def filled(self, text):
        text = text.replace("{folder}", str(self.folder))
        return text.replace("{device}", self.place.device()) if "{device}" in text else text

    def fetch_npm(self):
        for file, (package, path) in self.program.npm.items():
            packed = self.place.run(["npm", "pack", "--silent", package], folder=self.folder)
            if packed.status != 0:
                raise ProgramFailed(f"{package} cannot be had from npm:\n{packed.said[-1000:]}")
            archive = next(self.folder.glob("*.tgz"))
            unpacked = self.place.run(["tar", "-xzf", archive, "-O", path], folder=self.folder)
            (self.folder / file).write_text(unpacked.said)
            archive.unlink()

    def start(self, prefix=(), **variables):
        """The program itself. It may draw for ever; `seconds` of the table end it then."""
        seconds = self.program.seconds
        ended = self.place.run([*prefix, *self.command], {**self.program.variables, **variables}, seconds or self.timeout, self.folder,
                               is_ended=seconds != 0)
        if ended.status != 0:
            raise ProgramFailed(f"{self.command[0]} ended with {ended.status}:\n{ended.said[-3000:]}")
        return ended

    def record_pipelines(self, folder):
        """Those that the program creates, as a manifest with modules in the folder."""
        zink = ZINK if self.program.frames_by == "apitrace" else {}
        self.start([VARYLINK, "run", "-q", "--record", folder, *self.program.options, "--"], **zink)

    def record_calls(self):
        """Makes self.recording, the calls of one run without our layer."""
        if self.program.frames_by == "gfxreconstruct":
            self.recording = self.folder / "capture.gfxr"
            self.start(VK_INSTANCE_LAYERS=CAPTURE_LAYER, GFXRECON_CAPTURE_FILE=str(self.recording),
                       GFXRECON_CAPTURE_FILE_TIMESTAMP="false", GFXRECON_CAPTURE_FILE_FLUSH="true", GFXRECON_LOG_LEVEL="error",
                       GFXRECON_PAGE_GUARD_ALIGN_BUFFER_SIZES="true")
        elif self.program.frames_by == "apitrace":
            self.recording = self.folder / "calls.trace"
            self.start(["apitrace", "trace", "-o", self.recording], LIBGL_ALWAYS_SOFTWARE="1")

    def frames(self, *under):
        """The frames of the recorded calls, or of the program if it writes pictures itself."""
        self.count += 1
        out = self.folder / f"frames{self.count}"
        if self.program.frames_by == "pictures":
            (self.folder / "pictures").mkdir()
            self.start(under)
            shutil.move(self.folder / "pictures", out)
        else:
            out.mkdir()
            self.play(under, out)
        found = {path.name: path.read_bytes() for path in sorted(out.iterdir())}
        shutil.rmtree(out)
        return found

    def play(self, under, out):
        if self.program.frames_by == "gfxreconstruct":
            words, variables = ["gfxrecon-replay", "--screenshot-all", "--screenshot-dir", out, self.recording], {}
        else:
            words, variables = ["glretrace", "-b", "-S", "*/frame", "-s", f"{out}/", self.recording], ZINK
        ended = self.place.run([*under, *words], variables, self.timeout, self.folder)
        if ended.status != 0:
            raise ProgramFailed(f"{words[0]} ended with {ended.status}:\n{ended.said[-3000:]}")

    def compare(self):
        report = self.folder / "report.json"
        self.record_calls()
        plain = self.frames()
        linked = self.frames(*under_layer(report, *self.program.options))
        return Compared(read_report(report), plain, linked)

    def frames_of_wrong_modules(self):
        """Frames with a fragment stage of ours in each pipeline: a comparison has to find them."""
        recorded, wrong = self.folder / "recorded", self.folder / "wrong"
        self.frames(VARYLINK, "run", "-q", "--record", recorded, *self.program.options, "--")
        write_wrong_results(self.place, recorded, wrong)
        return self.frames(VARYLINK, "run", "-q", "--use", wrong, *self.program.options, "--")


def write_wrong_results(place, recorded, wrong):
    """A folder for `run --use` in which each recorded pipeline has the fragment stage WRONG_FRAGMENT."""
    wrong.mkdir()
    for name, text in (("wrong.vert", ANY_VERTEX), ("wrong.frag", WRONG_FRAGMENT)):
        (wrong / name).write_text(text)
    made = place.run([VARYLINK, "link", f"@{recorded}/options.txt", "-O0", "-q", wrong / "wrong.vert", wrong / "wrong.frag", "-o", f"{wrong}/"])
    if made.status != 0:
        raise ProgramFailed(made.said)
    for line in (recorded / "manifest.jsonl").read_text().splitlines():
        pipeline = json.loads(line)
        (wrong / pipeline["name"]).mkdir()
        for stage, module in pipeline["stages"].items():
            module = module["file"] if isinstance(module, dict) else module
            shutil.copy(wrong / "wrong.frag.spv" if stage == "frag" else recorded / module, wrong / pipeline["name"] / f"{stage}.spv")


def validation_messages(run, under=()):
    """What the validation layer at the driver says about the program: message -> how often.

    It is asked for good practice as well, so that it has something to say about every program.
    """
    (run.folder / "vk_layer_settings.txt").write_text(
        "khronos_validation.report_flags = error,warn,perf\nkhronos_validation.debug_action = VK_DBG_LAYER_ACTION_LOG_MSG\n"
        "khronos_validation.enables = VK_VALIDATION_FEATURE_ENABLE_BEST_PRACTICES_EXT\n")
    ended = run.start(under, VK_INSTANCE_LAYERS="VK_LAYER_KHRONOS_validation")
    return collections.Counter(re.findall(r"^.*Validation.*?: \[ (\S+) \] Object 0", ended.said, re.MULTILINE))


def evenly(items, count):
    """`count` of the items, or all, spread over the list."""
    return [items[i * len(items) // count] for i in range(count)] if count < len(items) else items


def piglit_tests(is_large):
    """Names of shader tests below PIGLIT, the same on every machine with the same package."""
    chosen = {}
    for folder, counts in PIGLIT_FOLDERS.items():
        tests = sorted(str(path.relative_to(PIGLIT)) for path in (PIGLIT / folder).rglob("*.shader_test"))
        tests = [test for test in tests if not test.startswith(PIGLIT_SLOW)]
        # Folders lie in each other, and a test is taken once.
        chosen.update(dict.fromkeys(evenly([test for test in tests if test not in chosen], counts[is_large])))
    return list(chosen)


def run_piglit(place, test, under=()):
    """"pass", "fail", "skip", or how the process ended."""
    try:
        ended = place.run([*under, PIGLIT / "bin/shader_runner", test, "-auto", "-fbo"],
                          {**ZINK, "PIGLIT_PLATFORM": "surfaceless_egl", "PIGLIT_SPIRV_AS_BINARY": "spirv-as"}, folder=PIGLIT)
    except ProgramFailed:
        return "not ended in time"
    found = re.search(r'^PIGLIT: \{"result": "(\w+)" \}', ended.said, re.MULTILINE)
    # As a shell has it, which the command is here.
    return found[1] if found else f"ended with {ended.status if ended.status >= 0 else 128 - ended.status}"


def sum_of(reports):
    """The summary of several reports of `varylink run`."""
    total = collections.Counter()
    for report in reports:
        summary = report["summary"]
        total.update({"pipelines": summary["pipelines"], "linked": summary["linked"]})
        for side in ("before", "after"):
            total.update({(side, unit): summary[side][unit] for unit in ("components", "locations")})
    return total


def compare_piglit(place, tests, say_differs=lambda line: None):
    """(test -> result without the layer, the same with it, sum of the reports)"""
    plain, linked, reports = {}, {}, []
    report = place.dir / "piglit.json"
    for test in tests:
        report.unlink(missing_ok=True)
        plain[test] = run_piglit(place, test)
        linked[test] = run_piglit(place, test, under_layer(report, *PIGLIT_OPTIONS))
        if report.exists():
            reports.append(read_report(report))
        if linked[test] != plain[test]:
            say_differs(f"{test}: {plain[test]} without the layer, {linked[test]} with it")
    return plain, linked, sum_of(reports)
