"""Names that work on a terminal: what the command says to people has none of their control characters."""

import struct
import unittest

from harness import FRAG, VERT, CliTest

NAME = "color"
HOSTILE = "\x1b]0;x\x07\n\u202e"  # sets the title of a window, forges a line, turns the rest around
COMMANDS = [["link", "-v"], ["link", "--dump-after", "remove-dead-varyings"], ["explain"], ["check"], ["prove"],
            ["analyze"], ["link", "--werror", "-e", "vert=\x1b[31m"]]


def renamed(module, old, new):
    """The module with another text for the OpName and OpMemberName of `old`."""
    words = list(struct.unpack(f"<{len(module) // 4}I", module))
    out, at = words[:5], 5
    while at < len(words):
        length, opcode = words[at] >> 16, words[at] & 0xFFFF
        each, at = words[at:at + length], at + length
        texts = {5: 2, 6: 3}.get(opcode)
        if texts and struct.pack(f"<{length - texts}I", *each[texts:]).rstrip(b"\0") == old.encode():
            text = new.encode() + b"\0"
            text += b"\0" * (-len(text) % 4)
            each = each[:texts] + list(struct.unpack(f"<{len(text) // 4}I", text))
            each[0] = len(each) << 16 | opcode
        out += each
    return struct.pack(f"<{len(out)}I", *out)


class HostileNames(CliTest):
    def setUp(self):
        super().setUp()
        self.write("a.vert.spv", renamed(self.spirv("a.vert", VERT.replace("unused", "color2"), alone=True),
                                         "color2", HOSTILE))
        self.write("b.frag.spv", renamed(self.spirv("b.frag", FRAG), NAME, HOSTILE))

    def assert_harmless(self, run, *arguments):
        for text in (run.out, run.err):
            for character in text:
                harmless = character == "\n" or ord(character) >= 0x20 and not 0x7F <= ord(character) <= 0x9F
                self.assertTrue(harmless and character != "\u202e", f"{character!r} of {arguments}:\n{text!r}")
        if "--dump-after" not in arguments:  # strings of a listing have the line breaks that they have
            self.assertNotIn("\n\\u202e", run.out + run.err, arguments)

    def test_names_in_modules(self):
        said = ""
        for command in COMMANDS:
            files = ["a.vert.spv"] if command == ["analyze"] else ["a.vert.spv", "b.frag.spv"]
            run = self.run_cli(*command, *files)
            self.assert_harmless(run, *command)
            said += run.out
        self.assertIn("\\x1b]0;x\\x07\\n\\u202e", said)

    def test_names_of_files(self):
        self.write("e\x1b[2J\n.frag", "int main")
        self.assert_harmless(self.run_cli("link", "a.vert.spv", "e\x1b[2J\n.frag"))
        self.assert_harmless(self.run_cli("link", "\x1b[2J"))
        self.assert_harmless(self.run_cli("link", "--no\x1b[2J"))

    def test_names_of_pipelines(self):
        self.write("m.jsonl", '{"name": "p\u202e\u0085", "stages": {"vert": "a.vert.spv", "frag": "none.frag"}}\n')
        for arguments in (["link"], ["link", "--print-cache-key"], ["check"], ["prove"]):
            self.assert_harmless(self.run_cli(*arguments, "--manifest", "m.jsonl"), *arguments)

    def test_texts_of_glsl_compilers(self):
        self.write("e.frag", "#version 450\n#error \x1b[31m\nvoid main() {}\n")
        self.assert_harmless(self.run_cli("link", "a.vert.spv", "e.frag"))


if __name__ == "__main__":
    unittest.main()
