"""What cpack makes: everything in its place, and no need of what only developers have."""

import os
import pathlib
import re
import shutil
import tempfile
import unittest

from harness import CMAKE, run

WANTED = ("usr/bin/varylink", "usr/include/varylink/varylink.h", "usr/include/varylink/varylink.hpp",
          "usr/lib/cmake/varylink/varylink-config.cmake", "usr/lib/pkgconfig/varylink.pc", "usr/share/man/man1/varylink.1",
          "usr/share/bash-completion/completions/varylink", "usr/share/zsh/site-functions/_varylink",
          "usr/share/fish/vendor_completions.d/varylink.fish",
          "usr/share/doc/varylink/README.md", "usr/share/doc/varylink/docs/cli.md")


@unittest.skipIf("VARYLINK_INSTRUMENTED" in os.environ, "nobody installs a library with sanitizers")
class Package(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.scratch = pathlib.Path(scratch.name)

    def pack(self, generator):
        cpack = pathlib.Path(CMAKE).with_name("cpack")
        run(cpack if cpack.exists() else "cpack", "-G", generator, "-B", self.scratch, "--config",
            pathlib.Path(os.environ["VARYLINK_BUILD"]) / "CPackConfig.cmake", cwd=os.environ["VARYLINK_BUILD"])

    @unittest.skipUnless(shutil.which("dpkg-shlibdeps"), "dpkg-dev is not installed")
    def test_deb(self):
        self.pack("DEB")
        package = next(self.scratch.glob("varylink_*.deb"))
        files = {line.split()[5].removeprefix("./") for line in run("dpkg-deb", "-c", package).splitlines()}
        self.assertEqual(set(WANTED) - files, set())
        depends = re.search(r"Depends: (.*)", run("dpkg-deb", "-I", package)).group(1)
        self.assertIn("libstdc++6", depends)
        self.assertNotRegex(depends, r"-dev\b|-tools\b|vulkan|png|tbb")
        self.assertRegex(run("dpkg-deb", "-I", package), r"Maintainer: .+ <.+@.+>")

    def test_archive(self):
        self.pack("TGZ")
        archive = next(self.scratch.glob("varylink-*.tar.gz"))
        files = {line.split("/", 1)[1] for line in run("tar", "-tf", archive).splitlines() if "/" in line}
        self.assertEqual({name.removeprefix("usr/") for name in WANTED} - files, set())


if __name__ == "__main__":
    unittest.main()
