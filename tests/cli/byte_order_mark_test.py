"""Texts that an editor put a byte order mark in front of."""

import unittest

from harness import FRAG, VERT, CliTest

MARK = b"\xef\xbb\xbf"


class ByteOrderMark(CliTest):
    def setUp(self):
        super().setUp()
        self.write("plain/a.vert", VERT)
        self.write("plain/b.frag", FRAG)
        self.write("marked/a.vert", MARK + VERT.encode())
        self.write("marked/b.frag", MARK + FRAG.encode())

    def linked(self, folder, *arguments):
        """What a.vert and b.frag of a folder become."""
        self.assert_ok(self.run_cli("link", "a.vert", "b.frag", "-o", "out", *arguments, cwd=self.dir / folder))
        return [(self.dir / folder / "out" / name).read_bytes() for name in ("a.vert.spv", "b.frag.spv")]

    def test_glsl(self):
        self.assertEqual(self.linked("plain"), self.linked("marked"))
        self.assertEqual(self.linked("plain", "-g"), self.linked("marked", "-g"))

    def test_glsl_on_standard_input(self):
        run = self.run_cli("link", "vert=-", "plain/b.frag", "-o", "out", stdin=MARK + VERT.encode())
        self.assert_ok(run)

    def test_included_files(self):
        including = VERT.replace("layout", '#extension GL_GOOGLE_include_directive : require\n'
                                 '#include "one.glsl"\nlayout', 1).replace("* 2.0", "* TWO")
        for folder, mark in (("plain", b""), ("marked", MARK)):
            self.write(f"{folder}/one.glsl", mark + b'#include "two.glsl"\n')
            self.write(f"{folder}/two.glsl", mark + b"#define TWO 2.0\n")
            self.write(f"{folder}/a.vert", mark + including.encode())
        self.assertEqual(self.linked("plain"), self.linked("marked"))

    def test_lines_of_messages(self):
        for line, text in ((1, "broken\n" + VERT), (6, VERT.replace("position * 2.0", "nothing"))):
            self.write("c.vert", MARK + text.encode())
            self.assert_refused(2, f"c.vert:{line}: error", "link", "c.vert", "plain/b.frag")

    def test_assembly(self):
        self.assert_ok(self.run_cli("link", "plain/a.vert", "plain/b.frag", "--dump-after", "remove-dead-varyings",
                                    "--dump-dir", "dump"))
        for suffix in ("", ".spvasm"):
            for stage in ("vert", "frag"):
                dump = next((self.dir / "dump").glob(f"*.{stage}.spvasm")).read_bytes()
                self.write(f"assembly/x.{stage}{suffix}", MARK + dump)
            self.assert_ok(self.run_cli("link", f"assembly/x.vert{suffix}", f"assembly/x.frag{suffix}"))

    def test_response_files(self):
        self.write("arguments", MARK + b"link plain/a.vert plain/b.frag\n@more")
        self.write("more", MARK + b"-o out")
        self.assert_ok(self.run_cli("@arguments"))
        self.assertTrue((self.dir / "out/a.vert.spv").exists())

    def test_manifests(self):
        line = b'{"name": "p", "stages": {"vert": "plain/a.vert", "frag": "plain/b.frag"}}\n'
        for text in (line, b"\n" + line, b"\r\n" + line):
            self.write("m.jsonl", MARK + text)
            self.assert_ok(self.run_cli("link", "--manifest", "m.jsonl", "-o", "out"))

    def test_a_mark_that_stands_elsewhere_is_no_mark(self):
        self.write("c.vert", b" " + MARK + VERT.encode())
        self.assert_refused(2, "c.vert:1: error", "link", "c.vert", "plain/b.frag")
        self.write("d.vert", MARK)
        self.assert_refused(2, "d.vert: error: the file is empty", "link", "d.vert", "plain/b.frag")


if __name__ == "__main__":
    unittest.main()
