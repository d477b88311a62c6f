"""What the tests of the installed package share: an installation, and a way to run tools.

The environment says what to install and with what to use it: VARYLINK_BUILD (a build tree), VARYLINK_SOURCE, CMAKE, CC and
CXX. VARYLINK_INSTRUMENTED is set if programs without its instrumentation cannot link the library.
"""

import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest

SOURCE = pathlib.Path(os.environ["VARYLINK_SOURCE"])
SAMPLES = SOURCE / "samples"
CMAKE, CC, CXX = os.environ["CMAKE"], os.environ["CC"], os.environ["CXX"]


def run(*arguments, cwd=None, env=None, status=0):
    """Standard output and error of a command that has to end with `status`."""
    completed = subprocess.run([str(a) for a in arguments], cwd=cwd, env={**os.environ, **(env or {})}, timeout=240, check=False,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace")
    if completed.returncode != status:
        raise AssertionError(f"{arguments}: status {completed.returncode}\n{completed.stdout}")
    return completed.stdout


class InstallTest(unittest.TestCase):
    """An installation that was moved after it was made, in a folder whose name has a space."""

    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.scratch = pathlib.Path(scratch.name)
        run(CMAKE, "--install", os.environ["VARYLINK_BUILD"], "--prefix", cls.scratch / "first")
        cls.prefix = cls.scratch / "moved there"
        shutil.move(cls.scratch / "first", cls.prefix)
        cls.lib = next(cls.prefix.glob("lib*/**/libvarylink.so")).parent

    def configure(self, source, build, *options):
        return run(CMAKE, "-S", source, "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={self.prefix}",
                   f"-DCMAKE_C_COMPILER={CC}", f"-DCMAKE_CXX_COMPILER={CXX}", *options)

    def build(self, build, *targets):
        return run(CMAKE, "--build", build, *(["--target", *targets] if targets else []))


class SourceTest(InstallTest):
    """A project in self.source whose build, beside it, has to notice what changes. Builds compare times of files."""

    def write(self, name, text):
        self.wait_for_a_new_time()
        (self.source / name).write_text(text)

    def edit(self, name, old, new):
        text = (self.source / name).read_text()
        self.assertIn(old, text)
        self.write(name, text.replace(old, new))

    def touch(self, name):
        self.wait_for_a_new_time()
        os.utime(self.source / name)

    def wait_for_a_new_time(self):
        """Returns when a file written now is newer than all of the project and its build: clocks of file systems tick coarsely."""
        folder = self.source.parent
        newest = max(path.lstat().st_mtime_ns for path in folder.rglob("*"))
        probe = self.scratch / "now"
        probe.touch()
        while probe.stat().st_mtime_ns <= newest:
            time.sleep(0.002)
            probe.touch()
