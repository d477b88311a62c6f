"""What a newcomer types for three tasks, from README.md alone (tests/newcomers.sh), with the installed package."""

import os
import pathlib
import subprocess
import unittest

from harness import SOURCE, InstallTest, run


@unittest.skipIf("VARYLINK_NO_GLSL" in os.environ, "the shaders are GLSL")
class Newcomers(InstallTest):
    def game(self):
        """The program of tests/layer, if there is a driver on which it draws."""
        scene = pathlib.Path(os.environ["VARYLINK_BUILD"]) / "tests/layer_scene"
        if not scene.exists() or "VARYLINK_INSTRUMENTED" in os.environ:
            return []
        shaders = self.scratch / "shaders"
        run(self.prefix / "bin/varylink", "link", "-O0", "-q", *(SOURCE / "tests/layer/shaders" / f"scene.{stage}"
                                                               for stage in ("vert", "frag")), "-o", f"{shaders}/")
        words = [str(scene), "modules", str(shaders), str(self.scratch / "frame")]
        return words if subprocess.run(words, capture_output=True, timeout=120, check=False).returncode == 0 else []

    def test_three_tasks(self):
        said = run(SOURCE / "tests/newcomers.sh", self.prefix, *self.game())
        self.assertIn("all three tasks done", said)


if __name__ == "__main__":
    unittest.main()
