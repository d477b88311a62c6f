"""Programs of the distribution, run with and without the Vulkan layer: the same frames, as exact as program_table.py says.

VARYLINK is the command. `third_party/install-debian.sh --programs` installs the programs; those that are missing skip, and
the test skips itself (77) if none is there, or no Vulkan driver, or if VARYLINK_INSTRUMENTED says that the layer has
sanitizers, which these programs cannot load.
"""

import os
import shutil
import sys
import unittest

import layer_test
import program_runs
from program_runs import ProgramRun, compare_piglit, missing_packages, piglit_tests, run_piglit, under_layer, validation_messages
from program_table import PIGLIT_OPTIONS, PROGRAMS

VALIDATION = "vulkan-validationlayers"


class PlaceTest(unittest.TestCase):
    def setUp(self):
        self.place = self.enterContext(program_runs.Place())

    def need(self, *packages):
        if missing := missing_packages(packages):
            self.skipTest("not installed: " + ", ".join(missing))

    def program(self, name):
        self.need(*PROGRAMS[name].packages)
        return ProgramRun(self.place, name, PROGRAMS[name])


class Frames(PlaceTest):
    """The frames of a program are those without the layer. With a wrong fragment stage, the control, they are not."""

    def check(self, name):
        run = self.program(name)
        compared = run.compare()
        self.assertEqual(compared.differ(PROGRAMS[name].rounding), [])
        self.assertGreaterEqual(len(compared.plain), PROGRAMS[name].least_frames)
        summary = compared.report["summary"]
        self.assertGreater(summary["linked"], 0, compared.report)
        self.assertLess(sum(summary["after"].values()), sum(summary["before"].values()))
        wrong = run.frames_of_wrong_modules()
        self.assertEqual(wrong.keys(), compared.plain.keys())
        found = program_runs.Compared({}, compared.plain, wrong).differ(PROGRAMS[name].rounding)
        self.assertGreater(len(found), len(wrong) / 2)

    def test_vkcube(self):
        self.check("vkcube")

    def test_qt_quick(self):
        self.check("Qt Quick")

    def test_glmark2(self):
        self.check("glmark2 on zink")


class Programs(PlaceTest):
    """The programs themselves under the layer, not their recorded calls."""

    def check(self, name):
        self.need(VALIDATION)
        run = self.program(name)
        alone = validation_messages(run)
        self.assertGreater(len(alone), 0)  # the validation layer is there
        report = run.folder / "report.json"
        linked = validation_messages(run, under_layer(report, *run.program.options))
        self.assertEqual(linked - alone, {})
        self.assertGreater(program_runs.read_report(report)["summary"]["linked"], 0)

    def test_the_validation_layer_below_says_nothing_new_of_vkcube(self):
        self.check("vkcube")

    def test_the_validation_layer_below_says_nothing_new_of_qt_quick(self):
        self.check("Qt Quick")


class Piglit(PlaceTest):
    """Shader tests of OpenGL on zink: each ends as without the layer."""

    def test_a_hundred(self):
        self.need("piglit")
        tests = piglit_tests(is_large=False)
        self.assertEqual(len(tests), 100)
        plain, linked, sums = compare_piglit(self.place, tests)
        self.assertEqual(linked, plain)
        self.assertGreaterEqual(list(plain.values()).count("pass"), 90, plain)
        self.assertGreater(sums["linked"], 40)

    def test_wrong_modules_fail(self):
        """The control."""
        self.need("piglit")
        recorded, wrong = self.place.dir / "recorded", self.place.dir / "wrong"
        layer = [program_runs.VARYLINK, "run", "-q", *PIGLIT_OPTIONS]
        tests = piglit_tests(is_large=False)[::10]
        plain = [run_piglit(self.place, test, [*layer, "--record", recorded, "--"]) for test in tests]
        program_runs.write_wrong_results(self.place, recorded, wrong)
        self.assertNotEqual([run_piglit(self.place, test, [*layer, "--use", wrong, "--"]) for test in tests], plain)


def main():
    if "VARYLINK_INSTRUMENTED" in os.environ or shutil.which("Xvfb") is None or not layer_test.has_driver():
        return layer_test.SKIP
    result = unittest.main(exit=False).result
    if not result.wasSuccessful():
        return 1
    return layer_test.SKIP if len(result.skipped) == result.testsRun else 0


if __name__ == "__main__":
    sys.exit(main())
