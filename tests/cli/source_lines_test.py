"""Lines of linked fragment shaders are the lines of the source that their code was written in: in at least 20 shaders every
instruction has a line that an instruction of this kind has in the module before linking, and calls of functions of the
language stand in a statement that has the name of the function."""

import pathlib
import re
import shutil
import subprocess
import sys
import unittest

from harness import CliTest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from source_lines import SAID, SAMPLES, shaders, statement_at  # noqa: E402

COMPILER = shutil.which("glslangValidator")
CASES = 30  # of tests/pipelines, beside the samples
LEAST_SHADERS, LEAST_LINES = 20, 3
# Arithmetic that linking writes anew where it writes out a product or a weight; it has the line of what it stands for.
WRITTEN_ANEW = {"OpFMul", "OpFAdd", "OpFSub", "OpFNegate", "OpVectorTimesScalar", "OpSelect", "OpPhi", "OpCopyObject", "OpBitcast",
                "OpLoad", "OpStore", "OpAccessChain", "OpCompositeExtract", "OpCompositeInsert", "OpCompositeConstruct",
                "OpVectorShuffle", "OpBranch", "OpBranchConditional", "OpSelectionMerge", "OpLoopMerge", "OpVariable"}


def lines_of(path):
    """The instructions of a module's code, each with its line in the source, 0 if it has none."""
    listing = subprocess.run(["spirv-dis", "--no-header", path], capture_output=True, text=True, check=True).stdout
    numbers, line, code, in_function = {}, 0, [], False
    for text in map(str.strip, listing.splitlines()):
        if not (parts := re.match(r"(?:(%\w+) = )?(Op\w+)(.*)", text)):
            continue  # of the source text
        result, operation, rest = parts.groups()
        words = rest.split()
        if operation == "OpConstant":
            numbers[result] = words[-1]
        in_function = in_function or operation == "OpFunction"
        if not in_function:
            continue
        if operation in ("OpFunctionEnd", "OpNoLine", "OpLabel"):
            line = 0
        elif operation == "OpLine":
            line = int(words[1])
        elif operation == "OpExtInst" and words[2] == "DebugLine":
            line = int(numbers[words[4]])
        elif operation == "OpExtInst" and words[2] == "DebugNoLine":
            line = 0
        elif operation != "OpExtInst" or not words[2].startswith("Debug"):
            code.append((words[2] if operation == "OpExtInst" else operation, line))
    return code


@unittest.skipUnless(shutil.which("spirv-dis"), "no spirv-dis")
class SourceLinesTest(CliTest):
    def check(self, name, source, before, after):
        """The share of instructions behind linking that have a line."""
        known, source = set(lines_of(before)), source.splitlines()
        lines = {line for _, line in known}
        linked = lines_of(after)
        for operation, line in linked:
            if line == 0:
                self.assertFalse(operation in SAID and (operation, 0) not in known and not self.is_new(operation, known),
                                 f"{name}: {operation} has no line")
                continue
            self.assertIn(line, lines, f"{name}: {operation} at line {line}, which has no code")
            if operation not in WRITTEN_ANEW and any(operation == other for other, _ in known):
                self.assertIn((operation, line), known, f"{name}: {operation} at line {line}, which has none")
            if operation in SAID and (operation, line) in known:
                self.assertRegex(statement_at(source, line), SAID[operation], f"{name}: {operation} at line {line}")
        return sum(line != 0 for _, line in linked) / max(1, len(linked))

    @staticmethod
    def is_new(operation, known):
        return all(operation != other for other, _ in known)

    def sources(self, name, vert, frag):
        """Two files in a folder of their own."""
        folder = self.dir / name
        folder.mkdir(exist_ok=True)
        for header in SAMPLES.glob("*.glsl"):
            shutil.copy(header, folder)
        files = folder / "a.vert", folder / "b.frag"
        for file, text in zip(files, (vert, frag)):
            file.write_text(text, encoding="utf-8")
        return files

    def link(self, files, *options):
        """The fragment module before and after."""
        folder = files[0].parent
        for out, level in (("before", "-O0"), ("after", "-O2")):
            self.assert_ok(self.run_cli("link", *options, level, *map(str, files), "-o", str(folder / out), "-q"))
        return [next((folder / out).glob("b.frag*")) for out in ("before", "after")]

    def compile(self, files):
        """The modules with NonSemantic.Shader.DebugInfo.100; none where varylink would have to give locations first."""
        modules = []
        for file in files:
            modules.append(file.with_name(file.name + ".spv"))
            run = subprocess.run([COMPILER, "-gVS", "-V", "--target-env", "vulkan1.2", file.name, "-o", modules[-1].name],
                                 cwd=file.parent, stdout=subprocess.PIPE, text=True, check=False)
            if run.returncode != 0:
                self.assertIn("requires location", run.stdout)
                return []
        return modules

    def check_all(self, names, link):
        shares = []
        for name, vert, frag in names:
            with self.subTest(name=name):
                if not (modules := link(self.sources(name, vert, frag))):
                    continue
                if len({line for _, line in lines_of(modules[1])} - {0}) >= LEAST_LINES:
                    shares.append(self.check(name, frag, *modules))
        self.assertGreaterEqual(len(shares), LEAST_SHADERS)
        self.assertGreater(min(shares), 0.5)

    def test_lines(self):
        self.check_all(shaders(CASES), lambda files: self.link(files, "-g"))

    @unittest.skipUnless(COMPILER, "no glslangValidator")
    def test_debug_lines(self):
        def link(files):
            modules = self.compile(files)
            return modules and self.link(modules)

        self.check_all(shaders(CASES), link)


if __name__ == "__main__":
    unittest.main()
