"""The installed command starts where nothing is but what third_party/install-debian.sh --list names."""

import os
import pathlib
import re
import shutil
import unittest

from harness import SAMPLES, SOURCE, InstallTest, run

QUICK = [SAMPLES / "shaders/quick.vert", SAMPLES / "shaders/quick.frag"]
INSTRUMENTED = "VARYLINK_INSTRUMENTED" in os.environ
NO_DRIVER = 8


@unittest.skipIf("VARYLINK_NO_GLSL" in os.environ, "the shaders are GLSL")
class Command(InstallTest):
    def setUp(self):
        self.command = self.prefix / "bin/varylink"
        # Whoever looks for one of these finds a file that is no library, and ends with an error.
        self.broken = self.scratch / self.id()
        self.broken.mkdir()
        for name in ("libvulkan.so.1", "libpng16.so.16", "libtbb.so.12"):
            (self.broken / name).touch()
        self.env = {"LD_LIBRARY_PATH": str(self.broken)}
        self.out = self.broken / "out"

    @unittest.skipIf(INSTRUMENTED, "sanitizers bring libraries of their own")
    @unittest.skipUnless(shutil.which("dpkg"), "no Debian")
    def test_needs_what_the_list_says(self):
        owners = set()
        for path in re.findall(r"(/\S+) \(0x", run("ldd", self.command)):
            # dpkg knows a file by the one of its two names under which the package has it.
            names = [path, "/usr" + path, path.removeprefix("/usr"), os.path.realpath(path)]
            owner = next(said for said in (self.owner(name) for name in names) if said)
            owners.add(owner)
        listed = run(SOURCE / "third_party/install-debian.sh", "--list").split()
        self.assertEqual(owners, set(listed))

    def owner(self, path):
        for folder in pathlib.Path("/var/lib/dpkg/info").glob("*.list"):
            if path in folder.read_text(encoding="utf-8", errors="replace").splitlines():
                return folder.stem.split(":")[0]
        return None

    def test_links_without_what_only_drawing_needs(self):
        self.assertIn("components 14", run(self.command, "link", *QUICK, "-o", self.out, env=self.env))
        run(self.command, "check", *QUICK, env=self.env)
        run(self.command, "prove", *QUICK, "--against", self.out, env=self.env)
        self.assertIn("Usage", run(self.command, "verify", "--help", env=self.env))

    def test_verify_says_what_it_misses(self):
        run(self.command, "link", *QUICK, "-o", self.out, env=self.env)
        verify = (self.command, "verify", *QUICK, "--against", self.out)
        said = run(*verify, env=self.env, status=NO_DRIVER)
        if "built without Vulkan" in said:
            self.skipTest(said)
        self.assertIn("no Vulkan loader", said)
        self.assertIn("libvulkan1", said)
        self.assertIn("libpng", run(*verify, "--png", self.out / "pictures", env=self.env, status=NO_DRIVER))


if __name__ == "__main__":
    unittest.main()
