"""What the tests of the installed package share: an installation, and a way to run tools.

The environment says what to install and with what to use it: VARYLINK_BUILD (a build tree), VARYLINK_SOURCE, CMAKE, CC and
CXX. VARYLINK_INSTRUMENTED is set if programs without its instrumentation cannot link the library.
"""

import os
import pathlib
import shutil
import subprocess
import tempfile
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
