"""A program of its own, run with and without the Vulkan layer: the same pictures, and what the summary says.

VARYLINK is the command, LAYER_SCENE the program (scene.cpp). Skips itself (77) where there is no Vulkan driver.
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

VARYLINK = os.environ["VARYLINK"]
SCENE = os.environ["LAYER_SCENE"]
SHADERS = pathlib.Path(__file__).parent / "shaders"
SKIP = 77
TIMEOUT = 120  # seconds for one program

# Way to come by pipelines -> what becomes of them: linked and unchanged ones, and those that are passed through.
LINKED = {"modules": 1, "inline": 1, "mixed": 1, "destroyed-modules": 2, "specialized": 2, "several": 4,
          "allocation-callbacks": 2, "threads": 8, "probed": 1, "libraries": 0,
          "library-of-all-shaders": 1}
PASSED_THROUGH = {"probed": {"the program wants it only if nothing has to be compiled": 1},
                  "libraries": {"it is a part of a pipeline (a pipeline library)": 2,
                                "it is made of pipeline libraries": 1},
                  "library-of-all-shaders": {"it is a part of a pipeline (a pipeline library)": 2,
                                             "it is made of pipeline libraries": 1}}


def environment(**more):
    # Drivers keep memory until the process ends, and so does the program.
    quiet = {"LP_NUM_THREADS": "2", "MESA_SHADER_CACHE_DISABLE": "true", "ASAN_OPTIONS": "detect_leaks=0"}
    return {**{key: value for key, value in os.environ.items() if not key.startswith("VK_")},
            **{key: value for key, value in os.environ.items() if key in ("VK_ICD_FILENAMES", "VK_DRIVER_FILES")},
            **quiet, **more}


class LayerTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.dir = pathlib.Path(cls.folder.name)
        cls.command("link", "-O0", "-q", SHADERS / "scene.vert", SHADERS / "scene.frag", "-o", f"{cls.dir}/")
        cls.frames = {}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def run_program(cls, *words, env=None):
        return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=TIMEOUT,
                              env=env or environment(), cwd=cls.dir)

    @classmethod
    def command(cls, *words):
        run = cls.run_program(VARYLINK, *words)
        assert run.returncode == 0, run.stderr
        return run

    def plain(self, way):
        """The bytes that the program draws without the layer; None: the driver cannot do it."""
        if way not in self.frames:
            # Debian 12's lavapipe ends with a fault of its own on a library of all shaders. The sanitizer leaves the
            # signal alone, so that every build ends in the same way.
            run = self.run_program(SCENE, way, self.dir, self.dir / f"{way}.plain",
                                   env=environment(ASAN_OPTIONS="detect_leaks=0:handle_segv=0"))
            self.assertIn(run.returncode, (0, SKIP, -signal.SIGSEGV), run.stderr)
            self.frames[way] = (self.dir / f"{way}.plain").read_bytes() if run.returncode == 0 else None
        return self.frames[way]

    def under(self, way, *options, env=None):
        """What `varylink run` reports about the program. The picture is the same."""
        if self.plain(way) is None:
            self.skipTest(f"no {way} on this driver")
        report = self.dir / "report.json"
        run = self.run_program(VARYLINK, "run", *options, "--report", report, "--", SCENE, way, self.dir,
                               self.dir / "frame", env=env)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual((self.dir / "frame").read_bytes(), self.plain(way))
        return json.loads(report.read_text()), run.stderr


class Ways(LayerTest):
    """Every way to hand pipelines to Vulkan."""

    def test_pictures_are_the_same_and_pipelines_linked(self):
        for way, linked in LINKED.items():
            with self.subTest(way):
                report, _ = self.under(way)
                summary = report["summary"]
                self.assertEqual(summary["linked"], linked, report)
                self.assertEqual(summary["reasons"], PASSED_THROUGH.get(way, {}))
                if linked:
                    self.assertLess(summary["after"]["components"], summary["before"]["components"] / 2)

    def test_libraries_that_are_hidden(self):
        if self.plain("libraries") is None:
            self.skipTest("no libraries")
        seen, _ = self.under("libraries-if-there")
        self.assertEqual(seen["summary"]["linked"], 0)
        hidden, _ = self.under("libraries-if-there", "--hide-libraries")
        self.assertEqual((hidden["summary"]["linked"], hidden["summary"]["passedThrough"]), (1, 0))

    def test_a_pipeline_that_is_made_again_has_the_key_of_the_first(self):
        report, _ = self.under("destroyed-modules")
        self.assertEqual(len({pipeline["pipeline"] for pipeline in report["pipelines"]}), 1)

    def test_specialization_values_make_other_pipelines(self):
        report, _ = self.under("specialized")
        self.assertEqual(len({pipeline["pipeline"] for pipeline in report["pipelines"]}), 2)

    def test_a_wrong_module_is_seen_in_the_picture(self):
        """The control: what is compared can differ."""
        if self.plain("specialized") is None:
            self.skipTest("no driver")
        self.assertNotEqual(self.plain("modules"), self.plain("specialized"))

    def test_the_validation_layer_below_says_nothing_new(self):
        env = environment(VK_INSTANCE_LAYERS="VK_LAYER_KHRONOS_validation")
        probe = self.run_program(SCENE, "modules", self.dir, self.dir / "frame", env=env)
        if probe.returncode != 0:
            self.skipTest("no validation layer")
        for way in ("modules", "inline", "several", "specialized"):
            with self.subTest(way):
                if self.plain(way) is None:
                    continue
                alone = self.run_program(SCENE, way, self.dir, self.dir / "frame", env=env)
                linked = self.run_program(VARYLINK, "run", "-q", "--", SCENE, way, self.dir, self.dir / "frame", env=env)
                self.assertEqual(linked.stdout.count("VUID"), alone.stdout.count("VUID"), linked.stdout)


class RecordAndUse(LayerTest):
    def test_what_was_recorded_is_linked_and_used(self):
        recorded, out = self.dir / "recorded", self.dir / "out"
        report, said = self.under("specialized", "--record", recorded)
        self.assertEqual(report["summary"]["recorded"], 2)
        self.assertIn(f"varylink link @{recorded}/options.txt --manifest {recorded}/manifest.jsonl", said)
        lines = [json.loads(line) for line in (recorded / "manifest.jsonl").read_text().splitlines()]
        self.assertEqual([line["name"] for line in lines], [each["pipeline"] for each in report["pipelines"]])
        self.assertEqual(lines[0]["stages"]["frag"]["specialization"], {"0": 2})
        self.assertEqual(lines[0]["state"]["rasterizationSamples"], 1)
        self.assertEqual(lines[0]["layout"]["pushConstants"], [{"offset": 0, "size": 24, "stages": ["vert", "frag"]}])
        self.under("specialized", "--record", recorded)  # nothing new
        self.assertEqual(len((recorded / "manifest.jsonl").read_text().splitlines()), 2)
        self.command("link", f"@{recorded}/options.txt", "-O1", "-q", "--manifest", recorded / "manifest.jsonl", "-o", out)
        used, _ = self.under("specialized", "--use", out)
        self.assertEqual(used["summary"]["linked"], 2)
        other, _ = self.under("modules", "--use", out)
        self.assertEqual(other["summary"]["reasons"], {"there is no result for it": 1})

    def test_a_damaged_result_is_not_used(self):
        recorded, out = self.dir / "recorded2", self.dir / "out2"
        report, _ = self.under("modules", "--record", recorded)
        folder = out / report["pipelines"][0]["pipeline"]
        folder.mkdir(parents=True)
        for stage in ("vert", "frag"):
            (folder / f"{stage}.spv").write_bytes(b"\x03\x02\x23\x07" + bytes(range(64)))
        used, _ = self.under("modules", "--use", out)
        self.assertEqual(used["summary"]["reasons"], {"its result is not valid": 1})

    def test_a_folder_that_cannot_be_written(self):
        (self.dir / "file").write_text("")
        report, said = self.under("modules", "--record", self.dir / "file")
        self.assertEqual(report["summary"]["recorded"], 0)
        self.assertIn("cannot be written", said)

    def test_a_line_that_was_left_half_is_not_continued(self):
        recorded = self.dir / "recorded3"
        recorded.mkdir()
        (recorded / "manifest.jsonl").write_text('{"name": "half')
        self.under("modules", "--record", recorded)
        self.assertEqual(len(json.loads((recorded / "manifest.jsonl").read_text().splitlines()[1])["name"]), 32)


class Settings(LayerTest):
    def test_positions_of_a_single_pass(self):
        for options in ((), ("--assume-single-pass",)):
            report, _ = self.under("modules", *options)
            self.assertEqual(report["summary"]["linked"], 1)

    def test_level_0_changes_nothing(self):
        report, _ = self.under("modules", "-O", "0")
        self.assertEqual(report["summary"]["unchanged"], 1)

    def layer_folder(self):
        return pathlib.Path(VARYLINK).resolve().parent / "layer"

    def run_by_hand(self, **more):
        journal = self.dir / "journal.jsonl"
        journal.unlink(missing_ok=True)
        env = environment(VK_ADD_LAYER_PATH=str(self.layer_folder()), VK_INSTANCE_LAYERS="VK_LAYER_VARYLINK_link", **more)
        run = self.run_program(SCENE, "modules", self.dir, self.dir / "frame", env=env)
        self.assertEqual(run.returncode, 0, run.stderr)
        lines = [json.loads(line) for line in journal.read_text().splitlines()] if journal.exists() else []
        return lines, run.stderr

    def test_settings_file(self):
        if self.plain("modules") is None:
            self.skipTest("no driver")
        settings = self.dir / "vk_layer_settings.txt"
        settings.write_text(f"# comment\nvarylink_link.mode = off\nvarylink_link.journal = {self.dir}/journal.jsonl\n"
                            "khronos_validation.mode = link\n")
        self.addCleanup(settings.unlink)
        for more in ({}, {"VK_LAYER_SETTINGS_PATH": str(settings)}, {"VK_LAYER_SETTINGS_PATH": str(self.dir)}):
            lines, _ = self.run_by_hand(**more)
            self.assertEqual([line.get("reason") for line in lines], [None, "linking is off"])
        lines, _ = self.run_by_hand(VK_VARYLINK_LINK_MODE="link")  # goes before the file
        self.assertEqual(lines[1]["outcome"], "linked")

    def test_what_means_nothing_is_said(self):
        if self.plain("modules") is None:
            self.skipTest("no driver")
        _, said = self.run_by_hand(VK_VARYLINK_LINK_LEVEL="many", VK_VARYLINK_LINK_MODE="record")
        self.assertIn("setting level: 'many' means nothing", said)
        self.assertIn("record and use need a setting folder", said)

    def test_a_journal_that_cannot_be_written(self):
        if self.plain("modules") is None:
            self.skipTest("no driver")
        _, said = self.run_by_hand(VK_VARYLINK_LINK_JOURNAL=str(self.dir / "no/such/folder"))
        self.assertIn("cannot be written", said)


class Programs(LayerTest):
    """What `varylink run` does with a program, be it of Vulkan or not."""

    def test_a_program_without_vulkan(self):
        run = self.run_program(VARYLINK, "run", "--", "sh", "-c", "echo out; exit 7")
        self.assertEqual((run.returncode, run.stdout), (7, "out\n"))
        self.assertIn("the program made no Vulkan instance", run.stderr)

    def test_words_of_the_program_stay_as_they_are(self):
        run = self.run_program(VARYLINK, "run", "-q", "--", "printf", "%s ", "-MD", "@x", "--", "--diagnostics=json", "-O9")
        self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "-MD @x -- --diagnostics=json -O9 ", ""))

    def test_a_program_that_is_not_there(self):
        run = self.run_program(VARYLINK, "run", "--", "no-such-program")
        self.assertEqual(run.returncode, 127)
        self.assertIn("no-such-program: error: cannot be run", run.stderr)

    def test_a_signal_that_ends_the_program(self):
        self.assertEqual(self.run_program(VARYLINK, "run", "--", "sh", "-c", "kill -SEGV $$").returncode,
                         128 + signal.SIGSEGV)

    def test_signals_are_passed_on(self):
        process = subprocess.Popen([VARYLINK, "run", "-q", "--", "sh", "-c", "trap 'exit 9' TERM; echo ready; while :; do sleep 0.1; done"],
                                   stdout=subprocess.PIPE, text=True, env=environment())
        self.assertEqual(process.stdout.readline(), "ready\n")
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=TIMEOUT), 9)
        process.stdout.close()


def has_driver():
    with tempfile.TemporaryDirectory() as folder:
        link = subprocess.run([VARYLINK, "link", "-O0", "-q", SHADERS / "scene.vert", SHADERS / "scene.frag", "-o", f"{folder}/"],
                              check=False)
        run = subprocess.run([SCENE, "modules", folder, f"{folder}/frame"], env=environment(), check=False)
        return link.returncode != 0 or run.returncode != SKIP


if __name__ == "__main__":
    if not has_driver():
        sys.exit(SKIP)
    unittest.main()
