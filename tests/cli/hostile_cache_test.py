"""Caches in folders that others may write to: links in them lead nowhere, and the run says that the folder is open."""

import os
import pathlib
import unittest

from harness import CliTest

NOBODY = 65534


class HostileCache(CliTest):
    """As the user who runs the tests; for root also as nobody, see below."""

    user = None

    def setUp(self):
        super().setUp()
        self.write_pair()
        self.victim = self.dir / "victim"
        self.victim.write_text("precious")
        if self.user is not None:
            for path in [self.dir, *self.dir.rglob("*")]:
                os.chown(path, self.user, self.user)

    def link(self, *arguments, out="out"):
        options = {"user": self.user, "group": self.user, "extra_groups": []} if self.user is not None else {}
        return self.run_cli("link", "a.vert", "b.frag", "-o", out, "--cache", "cache", *arguments, **options)

    def entries(self):
        return [path for path in sorted((self.dir / "cache").rglob("*")) if path.is_file()]

    def results(self, out="out"):
        return {path.name: path.read_bytes() for path in (self.dir / out).iterdir()}

    def test_entries_that_are_links(self):
        self.assert_ok(self.link())
        for entry in self.entries():
            entry.unlink()
            entry.symlink_to(self.victim)
        self.assert_ok(self.link(out="again"))
        self.assertEqual(self.victim.read_text(), "precious")
        self.assertEqual(self.results("out"), self.results("again"))
        self.assertFalse(any(entry.is_symlink() for entry in self.entries()))
        self.assertIn("cache: 1 of 1 results known", self.assert_ok(self.link()).out)

    def test_entries_that_are_links_to_nothing(self):
        self.assert_ok(self.link())
        for entry in self.entries():
            entry.unlink()
            entry.symlink_to(self.dir / "new")
        self.assert_ok(self.link(out="again"))
        self.assertFalse((self.dir / "new").exists())

    def test_links_are_not_read(self):
        self.assert_ok(self.link())
        for number, entry in enumerate(self.entries()):
            entry.rename(self.dir / f"moved{number}")
            entry.symlink_to(self.dir / f"moved{number}")
        self.assertIn("cache: 0 of 1 results known", self.assert_ok(self.link(out="again")).out)

    def test_folders_of_entries_that_are_links(self):
        self.assert_ok(self.link())
        elsewhere = self.dir / "elsewhere"
        elsewhere.mkdir()
        if self.user is not None:
            os.chown(elsewhere, self.user, self.user)
        for folder in [path for path in (self.dir / "cache").iterdir() if path.is_dir()]:
            for entry in folder.iterdir():
                entry.unlink()
            folder.rmdir()
            folder.symlink_to(elsewhere)
        self.assertIn("entries could not be written", self.assert_ok(self.link(out="again")).err)
        self.assertEqual(list(elsewhere.iterdir()), [])

    def test_open_folders_are_said_once_and_refused_with_strict(self):
        (self.dir / "cache").mkdir()
        (self.dir / "cache").chmod(0o777)
        if self.user is not None:
            os.chown(self.dir / "cache", self.user, self.user)
        run = self.assert_ok(self.link("-q"))
        self.assertEqual(run.err.count("cache: warning: other users may write to the cache"), 1, run)
        self.assert_refused(1, "other users may write to the cache", "link", "a.vert", "b.frag", "--cache", "cache",
                            "--werror")
        refused = self.link("--strict", out="strict")
        self.assertEqual(refused.status, 1, refused)
        self.assertFalse((self.dir / "strict").exists())
        (self.dir / "cache").chmod(0o755)
        self.assertEqual(self.assert_ok(self.link("--strict")).err, "")


@unittest.skipUnless(hasattr(os, "geteuid") and os.geteuid() == 0, "only root can run the command as another user")
class HostileCacheAsNobody(HostileCache):
    user = NOBODY

    def setUp(self):
        program = pathlib.Path(os.environ["VARYLINK"]).resolve()
        if not all(folder.stat().st_mode & 1 for folder in [program, *program.parents]):
            self.skipTest("nobody cannot run the program where it is")
        super().setUp()

    def test_a_folder_of_another_user(self):
        (self.dir / "cache").mkdir()
        os.chown(self.dir / "cache", 12345, 12345)
        self.assertIn("other users may write to the cache", self.assert_ok(self.link()).err)


if __name__ == "__main__":
    unittest.main()
