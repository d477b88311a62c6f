"""Modules that use what this build does not know, as compilers newer than it write them."""

import struct
import unittest

from harness import FRAG, VERT, CliTest

HEADER_WORDS = 5


def instructions(words):
    at = HEADER_WORDS
    while at < len(words):
        yield at, words[at] & 0xFFFF
        at += words[at] >> 16


class NewerModule(CliTest):
    def setUp(self):
        super().setUp()
        self.vert = self.spirv("a.vert", VERT, alone=True)
        self.frag = self.spirv("b.frag", FRAG)
        self.write("a.vert.spv", self.vert)

    def with_instruction(self, before, *words):
        """The fragment module with an instruction in front of the first one with opcode `before`."""
        module = list(struct.unpack(f"<{len(self.frag) // 4}I", self.frag))
        at = next(at for at, opcode in instructions(module) if opcode == before)
        module[at:at] = [(len(words) << 16) | words[0], *words[1:]]
        return struct.pack(f"<{len(module)}I", *module)

    def assert_passed_through(self, frag, reason):
        self.write("b.frag.spv", frag)
        run = self.assert_ok(self.run_cli("link", "a.vert.spv", "b.frag.spv", "-o", "out"))
        self.assertIn("passed through as it came, unchecked", run.err)
        self.assertIn(reason, run.err)
        self.assertEqual((self.dir / "out/a.vert.spv").read_bytes(), self.vert)
        self.assertEqual((self.dir / "out/b.frag.spv").read_bytes(), frag)

    def test_unknown_opcode(self):
        self.assert_passed_through(self.with_instruction(253, 6999, 1), "6999")  # OpReturn

    def test_unknown_capability(self):
        self.assert_passed_through(self.with_instruction(17, 17, 7777), "7777")  # OpCapability

    def test_beside_glsl_whose_varyings_have_no_locations(self):
        self.write("b.frag.spv", self.with_instruction(253, 6999, 1))
        self.write("a.vert", VERT)
        self.assert_refused(3, "b.frag.spv: error", "link", "a.vert", "b.frag.spv", "-o", "out")

    def test_other_pipelines_of_the_manifest(self):
        self.write("b.frag.spv", self.with_instruction(253, 6999, 1))
        self.write("c.frag.spv", self.frag)
        self.write("all.jsonl", '{"name": "new", "stages": {"vert": "a.vert.spv", "frag": "b.frag.spv"}}\n'
                                '{"name": "old", "stages": {"vert": "a.vert.spv", "frag": "c.frag.spv"}}\n')
        self.assert_ok(self.run_cli("link", "--manifest", "all.jsonl", "-o", "out"))
        self.assertEqual((self.dir / "out/new/vert.spv").read_bytes(), self.vert)
        self.assertLess(len((self.dir / "out/old/vert.spv").read_bytes()), len(self.vert))


if __name__ == "__main__":
    unittest.main()
