"""What the tests of the farms share: a manifest, what one process makes of it, and a command that is killed in the middle.

$VARYLINK names the program under test. An engine that is not installed skips its tests: exit status 77, and a line that says why.
"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FARM = ROOT / "integrations" / "farm"
SHARDS = 3
SKIPPED = 77

# Runs the program under test. The first run of part 2 with an output folder is killed in the middle: one result of its last pipeline
# leads into a pipe that nobody reads, so that the others of its part are there, and of this one a temporary file.
KILLED_ONCE = """#!{python}
import json, os, pathlib, signal, subprocess, sys, time
program, ledger, arguments = {program!r}, pathlib.Path({ledger!r}), sys.argv[1:]
is_victim = arguments[:1] == ["link"] and "--shard" in arguments and arguments[arguments.index("--shard") + 1] == "2/{shards}"
if arguments[:1] == ["link"]:
    with open(ledger / "runs", "a") as runs:
        runs.write(arguments[arguments.index("--shard") + 1] + "\\n")
if not is_victim or (ledger / "killed").exists():
    os.execv(program, [program, *arguments])
output, report = arguments.index("-o"), arguments.index("--report")
plan = str(ledger / "plan.json")
subprocess.run([program, *arguments[:output], *arguments[output + 2 : report], "--report", plan, *arguments[report + 2 :]],
               check=True, stdout=subprocess.DEVNULL)
names = [pipeline["name"] for pipeline in json.load(open(plan))["pipelines"]]
results = pathlib.Path(arguments[output + 1])
folder = results / names[-1]
folder.mkdir(parents=True)
os.mkfifo(folder / "frag.spv")
run = subprocess.Popen([program, *arguments])
while not any(entry.name.startswith(".") for entry in folder.iterdir()):
    assert run.poll() is None
    time.sleep(0.01)
whole = sum((results / name / "vert.spv").exists() for name in names)
assert not pathlib.Path(arguments[report + 1]).exists()
run.send_signal(signal.SIGKILL)
run.wait()
(folder / "frag.spv").unlink()
(ledger / "killed").write_text(f"{{whole}} of {{len(names)}}")
{also}
os.kill(os.getpid(), signal.SIGKILL)
"""


def need(*programs):
    """Ends this script if one of the programs is not there. The daemons of Debian are not on everybody's path."""
    os.environ["PATH"] += os.pathsep + "/usr/sbin" + os.pathsep + "/sbin"
    for program in programs:
        if not shutil.which(program):
            print(f"{pathlib.Path(sys.argv[0]).stem}: skipped: {program} is not installed")
            sys.exit(SKIPPED)


def files_below(folder):
    """Everything below a folder by its path, hidden files included."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if not path.is_dir()}


class FarmTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="varylink-farm-")
        self.addCleanup(scratch.cleanup)
        self.dir = pathlib.Path(scratch.name)
        self.program = str(pathlib.Path(os.environ["VARYLINK"]).resolve())
        self.work = self.dir / "work"
        self.write_manifest(self.work)

    def write_manifest(self, folder):
        """The samples, each at two levels' worth of names, so that every part has several pipelines."""
        shutil.copytree(ROOT / "samples" / "shaders", folder / "shaders")
        lines = []
        for name in ("pipelines.jsonl", "shared.jsonl"):
            for line in (ROOT / "samples" / name).read_text().splitlines():
                pipeline = json.loads(line)
                lines.append(json.dumps({**pipeline, "name": f"{name.split('.')[0]}/{pipeline['name']}"}))
        (folder / "pipelines.jsonl").write_text("\n".join(lines) + "\n")

    def one_process(self):
        """Links everything in one process; returns the bytes of all results, and of the report."""
        subprocess.run([self.program, "link", "--manifest", "pipelines.jsonl", "-o", "one", "--report", "one.json", "-q"],
                       cwd=self.work, check=True)
        # The folder is called otherwise; nothing else may differ.
        return files_below(self.work / "one"), (self.work / "one.json").read_text().replace('"one/', '"out/')

    def killed_once(self, also=""):
        """A program that kills its part 2 once. `also` is Python that runs then."""
        program = self.dir / "bin" / "varylink"
        program.parent.mkdir(exist_ok=True)
        program.write_text(KILLED_ONCE.format(python=sys.executable, program=self.program, ledger=str(self.dir), shards=SHARDS,
                                              also=also))
        program.chmod(0o755)
        return str(program)

    def assert_killed_once(self):
        """Part 2 was killed with results already there, and was linked twice; the others were linked once."""
        whole, total = map(int, (self.dir / "killed").read_text().split(" of "))
        self.assertGreater(whole, 0)
        self.assertLess(whole, total)
        self.assertEqual(sorted((self.dir / "runs").read_text().split()),
                         sorted([f"{part}/{SHARDS}" for part in range(1, SHARDS + 1)] + [f"2/{SHARDS}"]))
        print(f"{self.id().split('.')[-1]}: part 2 killed with {whole} of {total} pipelines written; done again")

    @staticmethod
    def farm(script):
        return str(FARM / script)

    @staticmethod
    def path_of(program):
        return shutil.which(program)

    def link_on_farm(self, script, options, program, *more, **environment):
        """Runs the command of one process by way of a script of the farm; returns what one_process returns."""
        command = [self.farm(script), "--shards", str(SHARDS), *options, "--", program, "link", "--manifest", "pipelines.jsonl",
                   "-o", "out", "--report", "report.json", *more]
        run = subprocess.run(command, cwd=self.work, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                             env={**os.environ, **environment}, timeout=240)
        self.assertEqual(run.returncode, 0, run.stdout)
        self.assertEqual(list(self.work.glob("report.json.parts*")), [])
        return files_below(self.work / "out"), (self.work / "report.json").read_text()
