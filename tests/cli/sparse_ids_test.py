"""Ids may lie anywhere below the bound: what a module costs and what becomes of it follow its instructions."""

import re
import subprocess
import unittest

from harness import FRAG, VERT, CliTest

LARGEST = 0x3FFFFE  # the bound of SPIR-V is 4,194,303


class SparseIds(CliTest):
    def spread(self, name, factor, offset):
        """The assembly of a module with each id times `factor`, plus `offset`."""
        text = subprocess.run(["spirv-dis", "--raw-id", "--no-color", name], cwd=self.dir, check=True, capture_output=True,
                              text=True).stdout
        return re.sub(r"%(\d+)", lambda found: f"%{int(found.group(1)) * factor + offset}", text)

    def setUp(self):
        super().setUp()
        self.write("a.vert", VERT)
        self.write("a.vert.spv", self.spirv("a.vert", VERT, alone=True))
        self.write("b.frag.spv", self.spirv("b.frag", FRAG))

    def linked(self, folder, factor, offset):
        names = [self.write(f"{folder}/{name}asm", self.spread(name, factor, offset)) for name in ("a.vert.spv", "b.frag.spv")]
        self.assert_ok(self.run_cli("link", *names, "-o", folder + "/out"))
        results = sorted((self.dir / folder / "out").iterdir(), key=lambda path: path.name.split(".")[-2])
        self.assertEqual(len(results), 2)
        return names, [path.read_bytes() for path in results]

    def test_the_result_does_not_depend_on_the_gaps(self):
        near = self.linked("near", 4000, 0)[1]
        self.assertEqual(self.linked("far", 9000, 70000)[1], near)

    def test_ids_up_to_the_largest(self):
        names, results = self.linked("last", 1, LARGEST - 400)
        for result in results:
            self.assertLess(int.from_bytes(result[12:16], "little"), 1000)
        self.assert_ok(self.run_cli("check", *names))
        self.assert_ok(self.run_cli("prove", *names, "--against", "last/out"))

    def test_lines_of_the_source_are_found(self):
        self.write("bad.frag", FRAG.replace("in vec4 color", "flat in ivec4 color"))
        self.assert_ok(self.run_cli("link", "-O0", "-g", "a.vert", "-o", "lines", "--no-fragment"))
        said = []
        for folder, factor, offset in (("as_written", 1, 0), ("spread", 9000, 70000)):
            name = self.write(f"{folder}.vert.spvasm", self.spread("lines/a.vert.spv", factor, offset))
            run = self.run_cli("check", name, "bad.frag")
            self.assertIn("(see a.vert:6)", run.err, run)
            said.append(run.err.replace(folder, ""))
        self.assertEqual(said[0], said[1])


if __name__ == "__main__":
    unittest.main()
