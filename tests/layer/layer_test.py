"""A program of its own, run with and without the Vulkan layer: the same pictures, and what the summary says.

VARYLINK is the command, LAYER_SCENE the program (scene.cpp). Skips itself (77) where there is no Vulkan driver.
"""

import hashlib
import json
import os
import pathlib
import pty
import re
import resource
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
ROOM = 1 << 20  # bytes, more than any other file has that a program writes

# Way to come by pipelines -> what becomes of them: linked and unchanged ones, and those that are passed through.
LINKED = {"modules": 1, "inline": 1, "mixed": 1, "first-stream": 1, "destroyed-modules": 2,
          "unused-attachment": 2, "dynamic-blending": 2, "specialized": 2, "several": 4,
          "allocation-callbacks": 2, "threads": 8, "probed": 1, "libraries": 0, "optimized-libraries": 0,
          "library-of-all-shaders": 1}
PASSED_THROUGH = {"probed": {"the program wants it only if nothing has to be compiled": 1},
                  "libraries": {"it is a part of a pipeline (a pipeline library)": 2,
                                "it is made of pipeline libraries": 1},
                  "optimized-libraries": {"it is a part of a pipeline (a pipeline library)": 2,
                                          "it is made of pipeline libraries, and optimized by the driver": 1},
                  "library-of-all-shaders": {"it is a part of a pipeline (a pipeline library)": 2,
                                             "it is made of pipeline libraries": 1}}


def environment(**more):
    # Drivers keep memory until the process ends, and so does the program.
    quiet = {"LP_NUM_THREADS": "2", "MESA_SHADER_CACHE_DISABLE": "true", "ASAN_OPTIONS": "detect_leaks=0"}
    return {**{key: value for key, value in os.environ.items() if not key.startswith("VK_")},
            **{key: value for key, value in os.environ.items() if key in ("VK_ICD_FILENAMES", "VK_DRIVER_FILES")},
            **quiet, **more}


def read_terminal(terminal):
    """All that was written to the other end, which is closed."""
    said = b""
    try:
        while more := os.read(terminal, 1 << 16):
            said += more
    except OSError:  # Linux's way to say that it is the end
        pass
    os.close(terminal)
    return said.decode()


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

    def under(self, way, *options, env=None, ends=()):
        """What `varylink run` reports about the program. The picture is the same."""
        if self.plain(way) is None:
            self.skipTest(f"no {way} on this driver")
        report = self.dir / "report.json"
        run = self.run_program(VARYLINK, "run", *options, "--report", report, "--", SCENE, way, self.dir,
                               self.dir / "frame", *ends, env=env)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual((self.dir / "frame").read_bytes(), self.plain(way))
        return json.loads(report.read_text()), run.stderr


    def check_way(self, way, linked, reasons):
        """The report: so many are linked, with less than half of the components, and the others passed through for `reasons`."""
        report, _ = self.under(way)
        summary = report["summary"]
        self.assertEqual(summary["linked"], linked, report)
        self.assertEqual(summary["reasons"], reasons)
        if linked:
            self.assertLess(summary["after"]["components"], summary["before"]["components"] / 2)
        return report


class Ways(LayerTest):
    """Every way to hand pipelines to Vulkan."""

    def test_pictures_are_the_same_and_pipelines_linked(self):
        for way, linked in LINKED.items():
            with self.subTest(way):
                self.check_way(way, linked, PASSED_THROUGH.get(way, {}))

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

    def test_options_are_of_devices_that_made_pipelines(self):
        recorded = self.dir / "recorded4"
        self.under("second-device", "--record", recorded)
        self.assertIn("--target-env vulkan1.3\n", (recorded / "options.txt").read_text())

    def names_in(self, recorded):
        """Of the manifest, each line of which is whole. `link` takes it."""
        self.command("link", f"@{recorded}/options.txt", "-O0", "-q", "--manifest", recorded / "manifest.jsonl", "-o",
                     f"{recorded}.out")
        return [json.loads(line)["name"] for line in (recorded / "manifest.jsonl").read_text().splitlines()]

    def test_options_of_earlier_runs_stay(self):
        recorded = self.dir / "recorded6"
        recorded.mkdir()
        (recorded / "options.txt").write_text("--target-env vulkan1.0\n--scalar-block-layout\n")
        self.under("modules", "--record", recorded)
        self.assertEqual((recorded / "options.txt").read_text(),
                         "--target-env vulkan1.3\n--scalar-block-layout\n--allow-localsizeid\n")

    def test_a_line_that_was_left_half_goes(self):
        recorded = self.dir / "recorded3"
        recorded.mkdir()
        (recorded / "manifest.jsonl").write_text('{"name": "half')
        self.under("modules", "--record", recorded)
        self.assertEqual([len(name) for name in self.names_in(recorded)], [32])

    def test_a_last_line_without_its_end_stays(self):
        recorded = self.dir / "recorded7"
        self.under("modules", "--record", recorded)
        manifest = recorded / "manifest.jsonl"
        manifest.write_text(manifest.read_text().rstrip("\n"))
        report, _ = self.under("specialized", "--record", recorded)
        self.assertEqual(report["summary"]["recorded"], 2)
        self.assertEqual(len(set(self.names_in(recorded))), 3)

    def test_instances_and_processes_record_each_pipeline_once(self):
        if self.plain("specialized") is None:
            self.skipTest("no driver")
        recorded, report = self.dir / "recorded8", self.dir / "report.json"
        programs = " & ".join(f'"$@" "$0/frame{number}"' for number in range(2))
        run = self.run_program(VARYLINK, "run", "--record", recorded, "--report", report, "--", "sh", "-c",
                               programs + " & wait", self.dir, SCENE, "instances", self.dir)
        self.assertEqual(run.returncode, 0, run.stderr)
        summary = json.loads(report.read_text())["summary"]
        self.assertEqual((summary["recorded"], summary["reasons"]), (20, {}))
        names = self.names_in(recorded)
        self.assertEqual((len(names), len(set(names))), (2, 2))
        self.assertEqual([path.name for path in recorded.rglob("*") if path.suffix not in (".spv", ".jsonl", ".txt")],
                         ["modules"])

    def run_with_file_limit(self, limit, *words, **more):
        """Every file ends at `limit` bytes, as if the disk had no more."""
        def set_limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        run = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=TIMEOUT, check=False,
                             env=environment(**more), cwd=self.dir, preexec_fn=set_limit, restore_signals=False)
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_a_line_for_which_there_is_no_room(self):
        recorded, report = self.dir / "recorded9", self.dir / "report.json"
        self.under("modules", "--record", recorded)
        manifest = recorded / "manifest.jsonl"
        manifest.write_text(manifest.read_text().rstrip("\n") + " " * ROOM + "\n")
        before = manifest.read_bytes()
        self.run_with_file_limit(len(before) + 100, VARYLINK, "run", "-q", "--record", recorded, "--report", report, "--",
                                 SCENE, "specialized", self.dir, self.dir / "frame")
        summary = json.loads(report.read_text())["summary"]
        self.assertEqual((summary["recorded"], sum(summary["reasons"].values())), (0, 2))
        self.assertEqual(manifest.read_bytes(), before)
        self.under("specialized", "--record", recorded)
        self.assertEqual(len(set(self.names_in(recorded))), 3)

    def test_a_program_that_has_closed_its_standard_streams(self):
        """What it says to them does not get into a file of the layer."""
        if self.plain("modules") is None:
            self.skipTest("no driver")
        recorded, report = self.dir / "recorded5", self.dir / "report.json"
        run = self.run_program(VARYLINK, "run", "-q", "--record", recorded, "--report", report, "--", "sh", "-c",
                               'exec "$@" <&- >&- 2>&-', "sh", SCENE, "modules", self.dir, self.dir / "frame")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(json.loads(report.read_text())["summary"]["recorded"], 1)
        lines = (recorded / "manifest.jsonl").read_text().splitlines()
        self.assertEqual([len(json.loads(line)["name"]) for line in lines], [32])


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


class Cache(LayerTest):
    """`run --cache`: what a run has linked is there in the next one."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.count = 0

    def setUp(self):
        type(self).count += 1
        self.cache = self.dir / f"cache{self.count}"

    def run_with(self, way="modules", *options, env=None):
        return self.under(way, "--cache", self.cache, *options, env=env)

    def entries(self):
        return sorted(path for path in self.cache.rglob("*") if path.is_file())

    def assert_from_cache(self, count, way="modules", *options, **more):
        report, said = self.run_with(way, *options, **more)
        self.assertEqual(report["summary"]["fromCache"], count, report)
        return report, said

    def test_the_second_run_takes_all_from_the_first(self):
        for way, distinct in (("modules", 1), ("specialized", 2), ("inline", 1)):
            with self.subTest(way):
                self.cache = self.dir / f"cache-{way}"
                first, _ = self.assert_from_cache(0, way)
                second, said = self.assert_from_cache(distinct, way)
                self.assertIn(f"from the cache: {distinct}", said)
                for member in ("linked", "before", "after", "reasons"):
                    self.assertEqual(first["summary"][member], second["summary"][member])
                self.assertEqual(len(self.entries()), distinct)

    def test_what_is_not_linked_is_kept_as_well(self):
        self.run_with("modules", "-O", "0")
        report, _ = self.assert_from_cache(1, "modules", "-O", "0")
        self.assertEqual(report["summary"]["unchanged"], 1)

    def test_other_settings_have_other_results(self):
        self.run_with()
        self.assert_from_cache(0, "modules", "-O", "2")
        self.assert_from_cache(0, "modules", "--assume-single-pass")
        self.assertEqual(len(self.entries()), 3)
        self.assert_from_cache(1)

    def test_a_probe_is_answered_from_the_cache(self):
        before, _ = self.run_with("probed")
        self.assertEqual((before["summary"]["linked"], before["summary"]["passedThrough"]), (1, 1))
        after, _ = self.assert_from_cache(1, "probed")
        # A driver that takes it has made the pipeline; one that would have to compile says so, and is asked again.
        self.assertIn(after["summary"]["reasons"], ({}, {"the driver created nothing": 1}))

    def test_entries_that_are_damaged_cut_or_of_something_else(self):
        self.run_with()
        entry, = self.entries()
        whole = entry.read_bytes()
        checksummed = hashlib.sha256((entry.parent.name + entry.name).encode() + b"none").hexdigest().encode() + b"none"
        for content in (b"", whole[:70], whole[:-1] + bytes([whole[-1] ^ 1]), checksummed, bytes(200)):
            entry.write_bytes(content)
            report, _ = self.assert_from_cache(0)
            self.assertEqual(report["summary"]["linked"], 1)
            self.assertEqual(entry.read_bytes(), whole)

    def test_an_entry_in_the_place_of_another_one(self):
        self.run_with("specialized")
        first, second = self.entries()
        first.write_bytes(second.read_bytes())
        self.assert_from_cache(1, "specialized")

    def test_links_are_not_followed(self):
        self.run_with()
        entry, = self.entries()
        victim = self.dir / "victim"
        victim.write_text("precious")
        entry.unlink()
        entry.symlink_to(victim)
        self.assert_from_cache(0)
        self.assertEqual(victim.read_text(), "precious")
        self.assertFalse(entry.is_symlink())

    def test_a_cache_that_cannot_be_written(self):
        self.cache.write_text("a file")
        report, said = self.assert_from_cache(0)
        self.assertEqual(report["summary"]["linked"], 1)
        self.assertIn("could not be written", said)

    def test_a_disk_without_room(self):
        if not pathlib.Path("/dev/full").exists():
            self.skipTest("no /dev/full")
        self.cache.symlink_to("/dev/full")
        report, _ = self.assert_from_cache(0)
        self.assertEqual(report["summary"]["linked"], 1)

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_a_folder_for_reading_only(self):
        self.run_with()
        self.cache.chmod(0o555)
        self.addCleanup(self.cache.chmod, 0o755)
        self.assert_from_cache(1)
        report, said = self.run_with("specialized")
        self.assertEqual(report["summary"]["linked"], 2)
        self.assertIn("could not be written", said)

    def test_a_folder_that_others_may_write_to(self):
        self.cache.mkdir()
        self.cache.chmod(0o777)
        _, said = self.run_with()
        self.assertEqual(said.count("other users may write to the cache"), 1, said)

    def test_a_limit_empties_it(self):
        self.run_with("modules", "--cache-limit", "0")
        self.assertEqual(self.entries(), [])

    def test_the_command_keeps_its_results_beside(self):
        self.command("link", "-q", SHADERS / "scene.vert", SHADERS / "scene.frag", "--cache", self.cache, "-o", f"{self.dir}/out")
        before = {path: path.read_bytes() for path in self.entries()}
        self.run_with()
        self.assertEqual(len(self.entries()), len(before) + 1)
        self.assertEqual({path: path.read_bytes() for path in before}, before)
        self.assert_from_cache(1)


class Budget(LayerTest):
    REASON = "linking it takes more steps than the budget has"

    def test_steps_are_the_same_in_every_run(self):
        steps = {self.under("modules")[0]["pipelines"][0]["steps"] for _ in range(2)}
        self.assertEqual(len(steps), 1)
        enough, = steps
        for budget, linked in ((enough, 1), (enough - 1, 0), (0, 0)):
            report, _ = self.under("modules", "--link-budget", budget)
            self.assertEqual(report["summary"]["linked"], linked)
            self.assertEqual(report["summary"]["reasons"], {} if linked else {self.REASON: 1})

    def test_over_it_a_pipeline_is_linked_for_the_next_run(self):
        options = ("--link-budget", "0", "--cache", self.dir / "later")
        first, said = self.under("specialized", *options, ends=["destroy"])
        self.assertEqual(first["summary"]["reasons"], {self.REASON: 2})
        # The program may have ended before the second one was begun.
        self.assertIn(first["summary"]["linkedLater"], (1, 2))
        self.assertIn(f"in the cache for the next run: {first['summary']['linkedLater']}", said)
        while first["summary"]["linkedLater"] == 1:
            first, _ = self.under("specialized", *options, ends=["destroy"])
        last, _ = self.under("specialized", *options)
        self.assertEqual((last["summary"]["fromCache"], last["summary"]["linked"]), (2, 2))
        plain, _ = self.under("specialized")
        self.assertEqual(last["summary"]["after"], plain["summary"]["after"])

    def test_a_pipeline_that_is_made_again_stays_as_it_came(self):
        report, _ = self.under("destroyed-modules", "--link-budget", "0", "--cache", self.dir / "again")
        self.assertEqual(report["summary"]["reasons"], {self.REASON: 2})

    def test_programs_that_leave_without_a_word(self):
        """The thread in the background ends with a program that destroys nothing."""
        for number in range(5):
            self.under("specialized", "--link-budget", "0", "--cache", self.dir / f"left{number}")

    def test_a_child_by_fork_ends(self):
        """It has no thread in the background that it could wait for."""
        self.frames["forked"] = self.plain("modules")
        report, _ = self.under("forked", "--link-budget", "0", "--cache", self.dir / "forked",
                               env=environment(LP_NUM_THREADS="0"))
        self.assertEqual(report["summary"]["reasons"], {self.REASON: 3})

    def test_many_threads(self):
        for ends in ((), ("destroy",)):
            report, _ = self.under("threads", "--link-budget", "0", "--cache", self.dir / f"threads{len(ends)}", ends=ends)
            self.assertEqual(report["summary"]["reasons"], {self.REASON: 8})


class Page(LayerTest):
    def pipelines(self, way, *options):
        page = self.dir / "page.html"
        self.under(way, "--html", page, *options)
        held = re.search(r'<script type="application/json" id="report">\n(.*?)</script>', page.read_text(), re.DOTALL)[1]
        return json.loads(held)

    def test_each_pipeline_with_its_components(self):
        page = self.pipelines("specialized")
        self.assertEqual([each["status"] for each in page["pipelines"]], ["linked", "linked"])
        interface = page["pipelines"][0]["interfaces"][0]
        self.assertLess(interface["after"]["components"], interface["before"]["components"])
        self.assertEqual({len(each["reason"]) > 0 for each in interface["components"] if each["fate"] != "kept"}, {True})
        self.assertEqual(page["summary"]["pipelines"], 2)

    def test_reasons_of_what_is_passed_through(self):
        page = self.pipelines("probed", "--link-budget", "0")
        self.assertEqual({each["failure"] for each in page["pipelines"]} & {Budget.REASON}, {Budget.REASON})
        self.assertEqual(page["summary"]["linked"], 0)

    def test_the_same_page_from_the_cache(self):
        first = self.pipelines("modules", "--cache", self.dir / "page-cache")
        self.assertEqual(first, self.pipelines("modules", "--cache", self.dir / "page-cache"))

    def test_a_page_over_the_report(self):
        run = self.run_program(VARYLINK, "run", "--report", "x.json", "--html", "x.json", "--", "true")
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("names a file that another option names", run.stderr)
        self.assertFalse((self.dir / "x.json").exists())


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

    def test_names_that_are_empty(self):
        """A variable of a shell that is not set: nothing is run as if the option was not there."""
        for option, kind in {"--record": "folder", "--use": "folder", "--cache": "folder", "--report": "file", "--html": "file"}.items():
            for words in ((option, ""), (f"{option}=",)):
                run = self.run_program(VARYLINK, "run", *words, "--", "echo", "started")
                self.assertEqual((run.returncode, run.stdout), (1, ""), words)
                self.assertIn(f"{option}: the name of the {kind} is empty", run.stderr)

    def test_a_signal_that_ends_the_program(self):
        self.assertEqual(self.run_program(VARYLINK, "run", "--", "sh", "-c", "kill -SEGV $$").returncode,
                         128 + signal.SIGSEGV)

    def test_progress_on_a_terminal(self):
        """A line while the program runs, which is gone at its end."""
        terminal, end = pty.openpty()
        slow = ["sh", "-c", f"'{SCENE}' specialized '{self.dir}' '{self.dir}/frame'; sleep 2"]
        run = subprocess.run([VARYLINK, "run", "--", *slow], stdout=subprocess.PIPE, stderr=end, timeout=TIMEOUT, env=environment(),
                             check=False)
        os.close(end)
        said = read_terminal(terminal)
        self.assertEqual(run.returncode, 0, said)
        line = "\r\033[Kvarylink: 2 graphics pipelines, 2 linked, components "
        self.assertIn(line, said)
        self.assertLess(said.index(line), said.index("\r\033[Kvarylink: 2 graphics pipelines: 2 linked, 0 recorded"))

    def test_no_progress_elsewhere(self):
        _, said = self.under("modules")
        self.assertNotIn("\033", said)

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
