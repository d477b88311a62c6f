"""docs/walkthrough.md shows what the command prints: links its pipeline again and compares every block with a heading
comment. Each step is shown, of at least one stage. Skipped where spirv-dis, which shows the results, is missing.

usage: walkthrough_test.py VARYLINK [--write]     --write puts what is printed now into the page
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/walkthrough.md"
STAGES = ("vert", "frag")
BLOCK = re.compile(r"(<!-- (?P<step>(?!end)[\w -]+) -->\n)(?P<text>.*?)(?=<!-- end -->)", re.DOTALL)
KEPT = re.compile(r"OpEntryPoint|OpDecorate .* (Location|Component)|OpVariable .* (Input|Output)\b")


def essence(assembly):
    """Interface and code; without names, types and constants, which only fill the page."""
    lines = [line.rstrip() for line in assembly.splitlines() if not line.startswith(";")]
    start = next(i for i, line in enumerate(lines) if "OpFunction " in line)
    return "\n".join([line for line in lines[:start] if KEPT.search(line)] + lines[start:]).rstrip()


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True, encoding="utf-8").stdout


def steps(varylink):
    """Text of each step by its heading, in the order in which they happen."""
    sources = [str(ROOT / f"docs/walkthrough.{stage}.spvasm") for stage in STAGES]
    texts = {f"words in, {stage}": essence(pathlib.Path(source).read_text(encoding="utf-8"))
             for stage, source in zip(STAGES, sources)}
    with tempfile.TemporaryDirectory() as out:
        printed = run(varylink, "link", *sources, "-o", out, "--dump-after", "all")
        pieces = re.split(r"^; (after [\w-]+): (\w+)\n", printed, flags=re.M)
        for name, stage, text in zip(pieces[1::3], pieces[2::3], pieces[3::3]):
            texts[f"{name}, {stage}"] = essence(text.split("vert→frag")[0])
        texts["sizes"] = next(line for line in printed.splitlines() if line.startswith("vert→frag"))
        for stage in STAGES:
            result = next(pathlib.Path(out).glob(f"*{stage}*.spv"))
            texts[f"words out, {stage}"] = essence(run("spirv-dis", "--no-color", str(result)))
    return texts


def indented(text):
    return "\n" + "".join(f"    {line}\n" if line else "\n" for line in text.splitlines()) + "\n"


def main():
    if not shutil.which("spirv-dis"):
        print("skipped: spirv-dis is missing")
        return 0
    texts = steps(sys.argv[1])
    texts = {name.replace(",", ""): text for name, text in texts.items()}
    page = PAGE.read_text(encoding="utf-8")
    shown = [match["step"] for match in BLOCK.finditer(page)]
    unknown = sorted(set(shown) - set(texts))
    steps_shown = {name.rpartition(" ")[0] for name in shown}
    lost = sorted({name.rpartition(" ")[0] for name in texts} - steps_shown)
    if unknown or lost:
        print(*(f"{name}: no such step" for name in unknown), *(f"{name}: the page lacks this step" for name in lost), sep="\n")
        return 1
    new = BLOCK.sub(lambda match: match[1] + indented(texts[match["step"]]), page)
    if "--write" in sys.argv:
        PAGE.write_text(new, encoding="utf-8")
    elif new != page:
        for match in BLOCK.finditer(page):
            if match["text"] != indented(texts[match["step"]]):
                print(f"{match['step']}: the page says\n{match['text']}but now it is\n{indented(texts[match['step']])}")
        return 1
    print(f"{len(shown)} texts are as docs/walkthrough.md shows them")
    return 0


if __name__ == "__main__":
    sys.exit(main())
