"""Links manifests and tabulates the results. Run through bench/corpus.sh, which sets VARYLINK and SPVIO."""
import argparse
import collections
import concurrent.futures
import importlib.util
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

VARYLINK = os.environ.get("VARYLINK", "varylink")
ENV = "vulkan1.3"


def load_reader():
    """The independent reader as a module, or None."""
    path = os.environ.get("SPVIO")
    if not path:
        return None
    spec = importlib.util.spec_from_file_location("spvio", path)
    reader = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(reader)
    return reader


READER = load_reader()


class Sizes:
    """Components and locations, summed over the interfaces of pipelines."""

    def __init__(self, components=0, locations=0):
        self.components, self.locations = components, locations

    def add(self, other):
        self.components += other.components
        self.locations += other.locations

    def __eq__(self, other):
        return (self.components, self.locations) == (other.components, other.locations)

    def exceeds(self, other):
        return self.components > other.components or self.locations > other.locations


def reported(pipeline, which):
    """Sizes of a pipeline's interfaces as the report of varylink has them; `which` is "before" or "after"."""
    total = Sizes()
    for interface in pipeline["interfaces"]:
        total.add(Sizes(interface[which]["components"], interface[which]["locations"]))
    return total


class Needed(Sizes):
    """What the next stage reads; `locations` is the packing bound, four components in each, and `by_class` the same if
    components that interpolate differently must not share a location (VUID-StandaloneSpirv-Input-10604)."""

    def __init__(self, components=0, locations=0, by_class=0):
        super().__init__(components, locations)
        self.by_class = by_class

    def add(self, other):
        super().add(other)
        self.by_class += other.by_class


CLASSES = {"Flat", "NoPerspective", "Centroid", "Sample", "PerVertex", "PerPrimitive", "Patch"}


def locations_by_class(producer, consumer):
    """Packing bound of one interface when each interpolation class has locations of its own."""
    written, read = producer.slots("out"), consumer.slots("in")
    classes = collections.Counter(frozenset(CLASSES & set(leaf.deco)) for slot, (leaf, component) in read.items()
                                  if slot in written and leaf.read >> component & 1)
    return sum((count + 3) // 4 for count in classes.values())


def read_independently(stages, entries, folder="."):
    """(declared, needed) according to the other reader"""
    declared, needed = Sizes(), Needed()
    loaded = READER.load_pipeline(stages, folder, entries)
    for producer, consumer in READER.chain(loaded):
        pair = READER.pair(loaded[producer], loaded[consumer])
        declared.add(Sizes(pair["out_comps"], pair["out_locs"]))
        by_class = locations_by_class(loaded[producer], loaded[consumer])
        needed.add(Needed(pair["live_comps"], pair["min_vec4"], max(pair["min_vec4"], by_class)))
    return declared, needed


def parallel(function, items):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(function, items))


def is_valid(path):
    return subprocess.run(["spirv-val", "--target-env", ENV, path], capture_output=True).returncode == 0


def optimize(job):
    """The module after spirv-opt, or as it is where that takes too long: functions that call each other grow without end."""
    source, target = job
    try:
        subprocess.run(["spirv-opt", "-O", source, "-o", target], capture_output=True, timeout=30)
    except subprocess.TimeoutExpired:
        shutil.copy(source, target)


def read_manifest(manifest):
    with open(manifest, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def link(arguments, manifest, out):
    """Runs the linker; (report or None, exit status, seconds, peak MiB)."""
    report = out / "report.json"
    command = [VARYLINK, "link", *arguments, "--manifest", manifest, "-o", out / "linked", "--report", report]
    (out / "linked").mkdir(parents=True)
    start = time.monotonic()
    with open(out / "log.txt", "w") as log:
        process = subprocess.Popen(list(map(str, command)), stdout=log, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.monotonic() - start
    data = json.loads(report.read_text()) if report.is_file() else None
    return data, process.returncode, seconds, usage.ru_maxrss / 1024


def bounds(manifest, lines, out):
    """What the independent reader says of the inputs after `spirv-opt -O`, per pipeline name. {} without a reader."""
    if not READER:
        return {}
    folder = pathlib.Path(manifest).parent
    targets = {}
    for line in lines:
        for path in line["stages"].values():
            targets.setdefault(path, out / "optimized" / f"{len(targets)}.spv")
    (out / "optimized").mkdir()
    parallel(optimize, [(folder / source, target) for source, target in targets.items()])
    result = {}
    for line in lines:
        stages = {stage: targets[path] for stage, path in line["stages"].items()}
        try:
            result[line["name"]] = read_independently(stages, line.get("entries"))[1]
        except Exception as error:  # the other reader's own limits
            print(f"{line['name']}: the independent reader fails: {error}", file=sys.stderr)
    return result


class Row:
    """One line of the table."""

    def __init__(self, name):
        self.name = name
        self.pipelines = self.linked = self.validated = self.modules = self.worse = self.checked = self.agreed = 0
        self.before, self.after, self.needed = Sizes(), Sizes(), Needed()
        self.reasons = collections.Counter()
        self.notes = []

    def add(self, pipeline, line, out, folder, bound):
        self.pipelines += 1
        if pipeline["status"] != "linked":
            self.reasons[reason_of(pipeline)] += 1
            return
        self.linked += 1
        before, after = reported(pipeline, "before"), reported(pipeline, "after")
        self.before.add(before)
        self.after.add(after)
        if after.exceeds(before):
            self.worse += 1
            self.notes.append(f"{pipeline['name']}: larger than before")
        if bound:
            self.needed.add(bound)
        if READER:
            self.compare(pipeline["name"], line, out, folder, before, after)

    def compare(self, name, line, out, folder, before, after):
        linked = {stage: f"{stage}.spv" for stage in line["stages"]}
        self.checked += 1
        try:
            seen_before = read_independently(line["stages"], line.get("entries"), folder)[0]
            seen_after = read_independently(linked, line.get("entries"), out / "linked" / name)[0]
        except Exception as error:
            self.notes.append(f"{name}: the independent reader fails: {error}")
            return
        if seen_before == before and seen_after == after:
            self.agreed += 1
        else:
            self.notes.append(
                f"{name}: report {before.components}/{before.locations} -> {after.components}/{after.locations}, "
                f"independent reader {seen_before.components}/{seen_before.locations} -> "
                f"{seen_after.components}/{seen_after.locations}")


def reason_of(pipeline):
    """The error that kept a pipeline from being linked, without the parts that differ between pipelines."""
    errors = [d for d in pipeline["diagnostics"] if d["severity"] == "error"]
    if not errors:
        return pipeline["failure"] + ": no reason given"
    message = errors[0]["message"].splitlines()[0] if errors[0]["message"] else "no reason given"
    return f"{pipeline['failure']}: " + re.sub(r"\d+", "N", message)[:160]


def ratio(value, bound):
    return f"{value / bound:.2f}" if bound else ""


def measure(arguments, manifest, out):
    name = pathlib.Path(manifest).stem
    lines = read_manifest(manifest)
    report, status, seconds, mebibytes = link(arguments, manifest, out)
    if report is None:
        tail = (out / "log.txt").read_text()[-2000:]
        print(f"{name}: no report, exit status {status}\n{tail}", file=sys.stderr)
        return None
    row = Row(name)
    by_name = {line["name"]: line for line in lines}
    bound = bounds(manifest, lines, out)
    for pipeline in report["pipelines"]:
        row.add(pipeline, by_name[pipeline["name"]], out, pathlib.Path(manifest).parent, bound.get(pipeline["name"]))
    lost = len(lines) - row.pipelines
    if lost:
        row.reasons["not in the report"] += lost
    modules = sorted((out / "linked").rglob("*.spv"))
    valid = parallel(is_valid, modules)
    row.modules, row.validated = len(modules), sum(valid)
    row.notes += [f"{path}: spirv-val refuses it" for path, ok in zip(modules, valid) if not ok]
    row.seconds, row.mebibytes = seconds, mebibytes
    return row


HEADER = ("set", "pipelines", "linked", "passed through", "modules valid", "components", "read by next stage", "ratio",
          "locations", "packing bound", "ratio", "bound by class", "larger than before", "reader agrees", "seconds", "peak MiB")


def cells(row):
    return (row.name, row.pipelines, row.linked, row.pipelines - row.linked, f"{row.validated} of {row.modules}",
            f"{row.before.components} → {row.after.components}", row.needed.components or "",
            ratio(row.after.components, row.needed.components),
            f"{row.before.locations} → {row.after.locations}", row.needed.locations or "",
            ratio(row.after.locations, row.needed.locations), row.needed.by_class or "", row.worse,
            f"{row.agreed} of {row.checked}" if row.checked else "", f"{row.seconds:.1f}", f"{row.mebibytes:.0f}")


def print_row(values):
    print("| " + " | ".join(map(str, values)) + " |", flush=True)


def largest_pipeline(manifests):
    """(name, manifest, line, bytes) of the pipeline with the most SPIR-V."""
    def size(manifest, line):
        return sum((pathlib.Path(manifest).parent / path).stat().st_size for path in line["stages"].values())

    return max(((line["name"], manifest, line, size(manifest, line)) for manifest in manifests
                for line in read_manifest(manifest)), key=lambda entry: entry[3])


def measure_largest(arguments, manifests, out):
    name, manifest, line, size = largest_pipeline(manifests)
    folder = pathlib.Path(manifest).resolve().parent
    line = dict(line, stages={stage: str(folder / path) for stage, path in line["stages"].items()})
    single = out / "largest.jsonl"
    single.write_text(json.dumps(line) + "\n")
    _, status, seconds, mebibytes = link(arguments, single, out / "largest")
    print(f"\nLargest pipeline: {pathlib.Path(manifest).stem}/{name}, {size} bytes of SPIR-V: {seconds:.2f} s, "
          f"peak {mebibytes:.0f} MiB, exit status {status}")


def main():
    parser = argparse.ArgumentParser(usage="bench/corpus.sh [options] MANIFEST... [-- LINK OPTIONS]")
    parser.add_argument("manifests", nargs="+")
    parser.add_argument("-O", dest="level", choices="0123", default="2")
    parser.add_argument("-j", dest="jobs", default="2")
    parser.add_argument("--keep", help="folder to leave linked modules, reports and logs in")
    parser.add_argument("--notes", type=int, default=10, help="how many remarkable pipelines to name per set")
    options = parser.parse_args()
    arguments = [f"-O{options.level}", "-j", options.jobs]

    with tempfile.TemporaryDirectory() as scratch:
        out = pathlib.Path(options.keep or scratch)
        rows = []
        print_row(HEADER)
        print_row(["---"] * len(HEADER))
        for manifest in options.manifests:
            folder = out / pathlib.Path(manifest).stem
            folder.mkdir(parents=True)
            if row := measure(arguments, manifest, folder):
                print_row(cells(row))
                rows.append(row)
        for row in rows:
            for reason, count in row.reasons.most_common():
                print(f"\n{row.name}: {count} passed through: {reason}")
            for note in row.notes[:options.notes]:
                print(f"\n{row.name}: {note}")
        measure_largest(arguments, options.manifests, out)
    return 0 if len(rows) == len(options.manifests) else 1


if __name__ == "__main__":
    sys.exit(main())
