"""Modules that use what this build does not know, as compilers newer than it write them."""

import json
import struct
import unittest

from harness import FRAG, VERT, CliTest

HEADER_WORDS = 5
EXTENSION, IMPORT, MEMORY_MODEL, CAPABILITY, CONSTANT, VARIABLE = 10, 11, 14, 17, 43, 59
LOAD, STORE, DECORATE, LABEL, RETURN = 61, 62, 71, 248, 253
EXECUTION_MODE, INPUT = 16, 1
SAMPLE, BIAS = 87, 1
DEFINING = {43, 44, 59, 61, 65, 80, 81, 83, 129, 133, 142}  # constants, variables and values of the shaders here


def first(all, opcode):
    return next(words for words in all if words[0] == opcode)


def twice(all):
    at = next(i for i, words in enumerate(all) if words[0] == LOAD)
    all.insert(at, list(all[at]))


def set_word(opcode, position, value):
    def damage(all):
        first(all, opcode)[position] = value
    return damage


# By what they do to the instructions of a module, each a list of words that begins with the opcode.
DAMAGES = {
    "defined twice": twice,
    "beyond the bound": set_word(STORE, 1, 5000),
    "no type": lambda all: set_word(LOAD, 1, first(all, LOAD)[2])(all),
    "result 0": set_word(LOAD, 2, 0),
    "type 0": set_word(LOAD, 1, 0),
    "short": lambda all: first(all, DECORATE).pop(),
    "storage": set_word(VARIABLE, 3, 7777),
    "opcode": set_word(LOAD, 0, LOAD | 1 << 11),
    "behind the functions": lambda all: all.append([LABEL, 3]),
    "sections in another order": lambda all: all.insert(0, all.pop(next(
        i for i, words in enumerate(all) if words[0] == DECORATE))),
    "no end of the function": lambda all: all.pop(),
}


def instructions(words):
    at = HEADER_WORDS
    while at < len(words):
        yield at, words[at] & 0xFFFF
        at += words[at] >> 16


def everything(module):
    """All instructions, each a list of words that begins with the opcode."""
    words = struct.unpack(f"<{len(module) // 4}I", module)
    return [[words[at] & 0xFFFF, *words[at + 1:at + (words[at] >> 16)]] for at, _ in instructions(words)]


def damaged(module, damage, bound=None):
    words = list(struct.unpack(f"<{len(module) // 4}I", module))
    if bound:
        words[3] = bound
    all = [[words[at] & 0xFFFF, *words[at + 1:at + (words[at] >> 16)]] for at, _ in instructions(words)]
    damage(all)
    words[HEADER_WORDS:] = [word for each in all for word in [len(each) << 16 | each[0], *each[1:]]]
    return struct.pack(f"<{len(words)}I", *words)


class NewerModule(CliTest):
    def setUp(self):
        super().setUp()
        self.vert = self.spirv("a.vert", VERT, alone=True)
        self.frag = self.spirv("b.frag", FRAG)
        self.write("a.vert.spv", self.vert)

    def with_instruction(self, before, *words, of=None):
        """The fragment module, or the one given, with an instruction in front of the first one with opcode `before`."""
        module = of or self.frag
        module = list(struct.unpack(f"<{len(module) // 4}I", module))
        at = next(at for at, opcode in instructions(module) if opcode == before)
        module[at:at] = [(len(words) << 16) | words[0], *words[1:]]
        return struct.pack(f"<{len(module)}I", *module)

    def newer(self):
        """The fragment module with an extension and an instruction that nobody knows."""
        name = struct.unpack("<4I", b"SPV_NEW_thing\0\0\0")
        return self.with_instruction(IMPORT, EXTENSION, *name, of=self.with_instruction(RETURN, 6999, 1))

    def unreadable(self):
        """The same with something that may change what an input means."""
        variable = next(words for words in everything(self.frag) if words[0] == VARIABLE and words[3] == INPUT)
        return self.with_instruction(DECORATE, DECORATE, variable[2], 7777, of=self.newer())

    def assert_linked(self, frag, kept):
        """What is not known stays, word for word, and what crosses is linked."""
        self.write("b.frag.spv", frag)
        run = self.assert_ok(self.run_cli("link", "a.vert.spv", "b.frag.spv", "-o", "out"))
        self.assertEqual(run.err.count("the module is newer than SPIRV-Tools"), 1, run.err)
        self.assertNotIn("passed through", run.err)
        self.assertIn(kept, everything((self.dir / "out/b.frag.spv").read_bytes()))
        self.assertLess(len((self.dir / "out/a.vert.spv").read_bytes()), len(self.vert))
        self.assertIn("components 8 → 2", run.out)

    def assert_passed_through(self, frag, reason):
        self.write("b.frag.spv", frag)
        run = self.assert_ok(self.run_cli("link", "a.vert.spv", "b.frag.spv", "-o", "out"))
        self.assertIn("passed through as it came, unchecked", run.err)
        self.assertIn(reason, run.err)
        self.assertEqual((self.dir / "out/a.vert.spv").read_bytes(), self.vert)
        self.assertEqual((self.dir / "out/b.frag.spv").read_bytes(), frag)

    def test_unknown_opcode(self):
        self.assert_linked(self.newer(), [6999, 1])

    def test_words_that_are_maybe_ids(self):
        """Each id of the module may be a literal as well: it stays what it is."""
        bound = struct.unpack_from("<I", self.frag, 12)[0]
        for word in range(0, bound + 1, 3):
            module = self.with_instruction(STORE, 6999, word, of=self.newer())
            self.write("b.frag.spv", module)
            self.assert_ok(self.run_cli("link", "a.vert.spv", "b.frag.spv", "-o", "out"))
            after = everything((self.dir / "out/b.frag.spv").read_bytes())
            self.assertIn([6999, word], after)
            defined = {words[2] for words in everything(module) if words[0] in DEFINING}
            if word in defined:
                self.assertIn(word, {words[2] for words in after if words[0] in DEFINING}, word)

    def test_what_may_change_the_meaning_of_the_rest(self):
        entry = next(words for words in everything(self.frag) if words[0] == LABEL)
        for module in (self.unreadable(),
                       self.with_instruction(RETURN, 6999, entry[1], of=self.newer()),  # maybe a merge instruction
                       self.with_instruction(DECORATE, EXECUTION_MODE, 4, 7777, of=self.newer())):
            self.assert_passed_through(module, "SPV_NEW_thing")
        ends = damaged(self.newer(), lambda all: all.__setitem__(all.index([RETURN]), [6998]))
        self.assert_passed_through(ends, "SPV_NEW_thing")

    def test_unknown_opcode_that_nothing_declared_enables(self):
        self.assert_damaged(self.with_instruction(RETURN, 6999, 1), "Invalid opcode: 6999")

    def test_unknown_capability(self):
        self.assert_linked(self.with_instruction(CAPABILITY, CAPABILITY, 7777), [CAPABILITY, 7777])

    def test_a_report_reads_the_result_as_the_original(self):
        """An operand that nobody knows makes its instruction opaque, before as after."""
        frag = self.spirv("b.frag", """#version 450
            layout(location = 0) in vec2 uv; layout(location = 0) out vec4 color;
            layout(set = 0, binding = 0) uniform sampler2D image;
            void main() { color = texture(image, uv, uv.x * 2.0); }""")
        frag = self.with_instruction(CAPABILITY, CAPABILITY, 7777, of=frag)
        self.write("b.frag.spv", damaged(frag, lambda all: first(all, SAMPLE).__setitem__(5, BIAS | 1 << 20)))
        self.write("a.vert.spv", self.spirv("a.vert", """#version 450
            layout(location = 0) in vec4 p; layout(location = 0) out vec2 uv;
            void main() { gl_Position = p; uv = p.xy; }""", alone=True))
        self.assert_ok(self.run_cli("link", "-O0", "a.vert.spv", "b.frag.spv", "-o", "out", "--report", "report.json"))
        stage = json.loads((self.dir / "report.json").read_text())["pipelines"][0]["stages"][1]
        self.assertEqual(stage["cost"]["before"], stage["cost"]["after"])
        self.assertEqual(stage["kept"]["instructions"], stage["kept"]["of"])

    def test_newer_and_damaged(self):
        newer = self.newer()
        for kind, damage in DAMAGES.items():
            if kind in ("storage", "opcode"):
                continue  # may be what the extension allows
            with self.subTest(kind):
                self.assert_damaged(damaged(newer, damage), "")

    def test_longer_instructions_are_newer(self):
        longer = damaged(self.newer(), lambda all: first(all, STORE).extend([7, 7, 7]))
        self.assert_linked(longer, next(words for words in everything(longer) if words[0] == STORE))

    def test_ids_that_no_unknown_instruction_can_define(self):
        def use_other_ids(all):
            first(all, STORE)[1], first(all, STORE)[2] = 41, 42
        self.assert_damaged(damaged(self.newer(), use_other_ids, bound=50), "")

    def test_it_is_counted_and_refused_with_werror(self):
        self.write("b.frag.spv", self.unreadable())
        self.write("all.jsonl", '{"name": "new", "stages": {"vert": "a.vert.spv", "frag": "b.frag.spv"}}\n')
        run = self.assert_ok(self.run_cli("link", "--manifest", "all.jsonl", "-o", "out", "--report", "r.json",
                                          "--cache", "cache"))
        self.assertIn("1 of the linked passed through unchecked\n  unchecked: new (extension SPV_NEW_thing)", run.out)
        again = self.assert_ok(self.run_cli("link", "--manifest", "all.jsonl", "-o", "out", "--cache", "cache"))
        self.assertIn("unchecked: new (extension SPV_NEW_thing)", again.out)
        report = json.loads((self.dir / "r.json").read_text())
        self.assertEqual(report["summary"]["unchecked"], 1)
        self.assertEqual(report["pipelines"][0]["unchecked"], "extension SPV_NEW_thing")
        run = self.run_cli("link", "a.vert.spv", "b.frag.spv", "-o", "no", "--werror")
        self.assertNotEqual(run.status, 0)
        self.assertFalse((self.dir / "no").exists())

    def test_damaged(self):
        for kind, damage in DAMAGES.items():
            with self.subTest(kind):
                self.assert_damaged(damaged(self.frag, damage), "")

    def assert_damaged(self, frag, reason):
        self.write("b.frag.spv", frag)
        for command in (["link", "a.vert.spv", "b.frag.spv", "-o", "damaged"], ["check", "a.vert.spv", "b.frag.spv"]):
            run = self.run_cli(*command)
            self.assertEqual(run.status, 3, run.err)
            self.assertIn("b.frag.spv", run.out + run.err)
            self.assertIn(reason, run.out + run.err)
        self.assertFalse((self.dir / "damaged").exists())

    def test_beside_glsl_whose_varyings_have_no_locations(self):
        self.write("b.frag.spv", self.newer())
        self.write("a.vert", VERT)
        run = self.assert_ok(self.run_cli("link", "a.vert", "b.frag.spv", "-o", "out"))
        self.assertNotIn("passed through", run.err)
        self.write("b.frag.spv", self.unreadable())
        self.assert_refused(3, "b.frag.spv: error", "link", "a.vert", "b.frag.spv", "-o", "out")

    def test_other_pipelines_of_the_manifest(self):
        self.write("b.frag.spv", self.unreadable())
        self.write("c.frag.spv", self.frag)
        self.write("all.jsonl", '{"name": "new", "stages": {"vert": "a.vert.spv", "frag": "b.frag.spv"}}\n'
                                '{"name": "old", "stages": {"vert": "a.vert.spv", "frag": "c.frag.spv"}}\n')
        self.assert_ok(self.run_cli("link", "--manifest", "all.jsonl", "-o", "out"))
        self.assertEqual((self.dir / "out/new/vert.spv").read_bytes(), self.vert)
        self.assertLess(len((self.dir / "out/old/vert.spv").read_bytes()), len(self.vert))


if __name__ == "__main__":
    unittest.main()
