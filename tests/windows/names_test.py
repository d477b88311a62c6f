"""Names of files as Windows has them, given to the command and written by it: backslashes, drive letters, other scripts,
long paths, names of devices. Runs under Wine, where drive Z: is this machine's file system."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
from harness import FRAG, VERT, CliTest  # noqa: E402

GCC = "x86_64-w64-mingw32-gcc-posix"


class Names(CliTest):
    def on_drive(self, name):
        """The absolute name of a file in the scratch folder, as Windows writes it."""
        return "Z:" + str(self.dir / name).replace("/", "\\")

    def test_backslashes_come_in_and_slashes_go_out(self):
        self.write("in/a.vert", VERT)
        self.write("in/b.frag", FRAG)
        run = self.assert_ok(self.run_cli("link", r"in\a.vert", r"in\b.frag", "-o", r"out\of", "--report", r"new\r.json", "-v"))
        self.assertEqual(sorted(path.name for path in (self.dir / "out/of").iterdir()), ["a.vert.spv", "b.frag.spv"])
        text = (self.dir / "new/r.json").read_text()
        self.assertNotIn("\\\\", text)
        stages = json.loads(text)["pipelines"][0]["stages"]
        self.assertEqual([stage["output"] for stage in stages], ["out/of/a.vert.spv", "out/of/b.frag.spv"])
        self.assertNotIn("\\", run.out)

    def test_absolute_names(self):
        """With a drive and without: "/a/b" is no option."""
        self.write_pair()
        self.assert_ok(self.run_cli("link", str(self.dir / "a.vert"), self.on_drive("b.frag"), "-o", str(self.dir / "out")))
        self.assertTrue((self.dir / "out/b.frag.spv").exists())

    def test_manifest_with_backslashes(self):
        self.write("in/a.vert", VERT)
        self.write("in/b.frag", FRAG)
        self.write("m.jsonl", json.dumps({"name": "game/one", "stages": {"vert": r"in\a.vert", "frag": "in/b.frag"}}) + "\r\n")
        self.assert_ok(self.run_cli("link", "--manifest", "m.jsonl", "-o", "out", "--report", "r.json"))
        self.assertTrue((self.dir / "out/game/one/vert.spv").exists())
        self.assertNotIn("\\\\", (self.dir / "r.json").read_text())

    def test_lines_end_as_on_windows(self):
        """The same modules as from lines that end as elsewhere."""
        for folder, end in (("unix", "\n"), ("windows", "\r\n")):
            self.write(f"{folder}/a.vert", VERT.replace("\n", end))
            self.write(f"{folder}/b.frag", FRAG.replace("\n", end))
            self.write(f"{folder}/m.jsonl", end.join(["", '{"name": "x", "stages": {"vert": "a.vert", "frag": "b.frag"}}', ""]))
            self.write(f"{folder}/arguments", end.join(["link --manifest m.jsonl", "-o out", ""]))
            self.assert_ok(self.run_cli("@arguments", cwd=self.dir / folder))
        for stage in ("vert", "frag"):
            one, other = ((self.dir / folder / f"out/x/{stage}.spv").read_bytes() for folder in ("unix", "windows"))
            self.assertEqual(one, other)

    def test_standard_streams_are_bytes(self):
        """A module has bytes that text would lose: 0x0a, 0x0d and 0x1a."""
        self.write_pair()
        self.assert_ok(self.run_cli("link", "a.vert", "b.frag", "-o", "out"))
        completed = subprocess.run([os.environ["VARYLINK"], "link", "a.vert", "b.frag", "-o", "frag=-", "-o", "vert=v.spv"],
                                   cwd=self.dir, capture_output=True, check=True)
        self.assertEqual(completed.stdout, (self.dir / "out/b.frag.spv").read_bytes())
        module = self.spirv("b.frag", FRAG.replace("0.0, 1.0", "float(0x0a0d1a0a), 1.0"))
        self.write("c.frag.spv", module)
        self.assert_ok(self.run_cli("link", "a.vert", "c.frag.spv", "-o", "vert=1.spv", "-o", "frag=2.spv"))
        self.assert_ok(self.run_cli("link", "a.vert", "frag=-", "-o", "vert=3.spv", "-o", "frag=4.spv", stdin=module))
        self.assertEqual((self.dir / "2.spv").read_bytes(), (self.dir / "4.spv").read_bytes())

    def test_other_scripts(self):
        names = ["\u30b7\u30a7\u30fc\u30c0.vert", "\u0446\u0432\u0435\u0442 \u00fc.frag"]
        self.write(names[0], VERT)
        self.write(names[1], FRAG)
        self.assert_ok(self.run_cli("link", *names, "-o", "\u51fa\u529b", "--report", "r.json", "-MD"))
        self.assertEqual(sorted(path.name for path in (self.dir / "\u51fa\u529b").iterdir() if path.suffix == ".spv"),
                         sorted(name + ".spv" for name in names))
        self.assertIn(names[0], (self.dir / "r.json").read_text(encoding="utf-8"))
        run = self.run_cli("link", "\u043d\u0435\u0442.vert", "-o", "x")
        self.assertIn("\u043d\u0435\u0442.vert: error", run.err)

    def test_long_paths(self):
        deep = "/".join(["a folder whose name is long enough to matter"] * 7)
        self.assertGreater(len(deep), 300)
        self.write(f"{deep}/a.vert", VERT)
        self.write(f"{deep}/b.frag", FRAG)
        self.assert_ok(self.run_cli("link", f"{deep}/a.vert", f"{deep}/b.frag", "-o", f"{deep}/out", "--cache", f"{deep}/cache"))
        self.assertTrue((self.dir / deep / "out/a.vert.spv").exists())

    def test_names_that_windows_takes_for_something_else(self):
        self.write_pair()
        for name in ("aux.spv", "a:b.spv", "v.spv.", "v.spv "):
            with self.subTest(name):
                self.assert_refused(1, "error", "link", "a.vert", "b.frag", "-o", f"vert=new/{name}", "-o", "frag=f.spv")

    def test_case_does_not_tell_names_apart(self):
        self.write_pair()
        self.assert_refused(1, "written to", "link", "a.vert", "b.frag", "-o", "vert=X.spv", "-o", "frag=x.spv")
        self.assert_refused(1, "error", "link", "a.vert", "b.frag", "-o", "vert=A.VERT", "-o", "frag=x.spv")

    def test_what_a_killed_run_left_goes(self):
        self.write_pair()
        self.write("out/.a.vert.spv.varylink-1-0", "half")
        self.assert_ok(self.run_cli("link", "a.vert", "b.frag", "-o", "out"))
        self.assertEqual(sorted(path.name for path in (self.dir / "out").iterdir()), ["a.vert.spv", "b.frag.spv"])

    def depfile(self):
        """Of results and inputs with drive letters, spaces, # and $ in their names."""
        self.write("in put/a#1.vert", VERT)
        self.write("in put/b$2.frag", FRAG)
        out = self.on_drive("out put")
        self.assert_ok(self.run_cli("link", self.on_drive("in put/a#1.vert"), self.on_drive("in put/b$2.frag"), "-o", out,
                                    "-MF", "all.d"))
        return (self.dir / "all.d").read_text()

    @unittest.skipUnless(shutil.which(GCC), GCC + " is not installed")
    def test_depfile_is_written_as_gcc_for_windows_writes_them(self):
        text = self.depfile()
        for name in ("in put/a#1.vert", "in put/b$2.frag", "out put/a#1.vert.spv", "out put/b$2.frag.spv"):
            self.write("none.c", "")
            named = self.on_drive(name).replace("\\", "/")
            rule = subprocess.run([GCC, "-M", "-MQ", named, "none.c"], cwd=self.dir, capture_output=True, text=True, check=True).stdout
            self.assertIn(rule.removesuffix(": none.c\n"), text)
        self.assertNotIn("\r", text)

    @unittest.skipUnless(shutil.which("ninja"), "ninja is not installed")
    def test_ninja_reads_the_depfile(self):
        """Z: is a link to the root here, so that the names of Windows lead to the files for this machine's Ninja."""
        text = self.depfile()
        (self.dir / "Z:").symlink_to("/")
        target = self.on_drive("out put/a#1.vert.spv").replace("\\", "/")
        escaped = target.replace("$", "$$").replace(" ", "$ ").replace(":", "$:")
        self.write("given.d", text)
        self.write("build.ninja", "rule link\n  command = cp given.d all.d && echo ran >> count\n  depfile = all.d\n  deps = gcc\n"
                   f"build {escaped}: link\n")

        def runs():
            subprocess.run(["ninja"], cwd=self.dir, check=True, capture_output=True)
            return (self.dir / "count").read_text().count("ran")

        self.assertEqual([runs(), runs()], [1, 1])
        later = (self.dir / target).stat().st_mtime + 100
        os.utime(self.dir / "in put/b$2.frag", (later, later))
        self.assertEqual(runs(), 2)


if __name__ == "__main__":
    unittest.main()
