"""Runs that are ended while they write: what they leave, and what the next run makes of it."""

import fcntl
import json
import os
import random
import shutil
import signal
import subprocess
import time
import unittest

from harness import CliTest

NAMES = ["a.vert.spv", "b.frag.spv"]
PIPELINES = 30
# How often a batch is ended at another moment: VARYLINK_ENDED_RUNS=2000 is what to try after changes to src/services/platform.
MOMENTS = int(os.environ.get("VARYLINK_ENDED_RUNS", "24"))


class EndedRun(CliTest):
    def setUp(self):
        super().setUp()
        self.write_pair()
        self.out = self.dir / "out"
        self.out.mkdir()

    def link(self):
        self.assert_ok(self.run_cli("link", "a.vert", "b.frag", "-o", "out"))

    def hidden(self):
        return sorted(name for name in os.listdir(self.out) if name.startswith("."))

    def end_while_writing(self, how):
        """One result leads into a pipe that nobody reads: the run waits there, with the other result still in its
        temporary file."""
        pipe = self.out / "b.frag.spv"
        os.mkfifo(pipe)
        run = subprocess.Popen([os.environ["VARYLINK"], "link", "a.vert", "b.frag", "-o", "out"], cwd=self.dir,
                               stdout=subprocess.DEVNULL)
        while not self.hidden() and run.poll() is None:
            time.sleep(0.01)
        run.send_signal(how)
        self.assertEqual(run.wait(), -how)
        pipe.unlink()
        self.assertEqual([name for name in os.listdir(self.out) if not name.startswith(".")], [])

    def end_and_link_again(self, how):
        self.end_while_writing(how)
        self.assertEqual(len(self.hidden()), 1)
        self.link()
        self.assertEqual(sorted(os.listdir(self.out)), NAMES)

    def test_the_next_run_removes_what_a_killed_one_left(self):
        self.end_and_link_again(signal.SIGKILL)

    def test_the_next_run_removes_what_a_terminated_one_left(self):
        self.end_and_link_again(signal.SIGTERM)

    def test_files_of_a_run_that_goes_on_stay(self):
        with open(self.out / ".a.vert.spv.varylink-1-0", "wb") as busy:
            fcntl.flock(busy, fcntl.LOCK_EX)
            self.link()
            self.assertEqual(self.hidden(), [".a.vert.spv.varylink-1-0"])

    def test_other_hidden_files_stay(self):
        for name in (".a.vert.spv.varylink-notes", ".a.vert.spv", ".varylink-"):
            (self.out / name).write_bytes(b"")
        self.link()
        self.assertEqual(self.hidden(), [".a.vert.spv", ".a.vert.spv.varylink-notes", ".varylink-"])

    def batch(self, out):
        return subprocess.Popen([os.environ["VARYLINK"], "link", "-q", "--manifest", "m.jsonl", "-o", out, "-j3", "--cache",
                                 out + ".cache"], cwd=self.dir, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def test_files_of_a_pipeline_appear_together(self):
        """Whichever signal comes when, and however many: a pipeline has both of its files or none, and an entry of the cache
        is whole or not there."""
        self.link()
        stages = {"vert": "out/a.vert.spv", "frag": "out/b.frag.spv"}
        self.write("m.jsonl", "".join(json.dumps({"name": f"p{i}", "stages": stages}) + "\n" for i in range(PIPELINES)))
        begin = time.monotonic()
        self.assertEqual(self.batch("whole").wait(), 0)
        whole_s = time.monotonic() - begin
        moments = random.Random(1)
        for moment in range(MOMENTS):
            out, how = f"ended{moment}", [signal.SIGHUP, signal.SIGTERM, signal.SIGINT][moment % 3]
            run = self.batch(out)
            while not (self.dir / out).exists() and run.poll() is None:
                time.sleep(0.0005)
            time.sleep(moments.random() * whole_s)
            for _ in range(1 + moment % 2):
                run.send_signal(how)
            self.assertIn(run.wait(), (0, -how))
            for folder in (self.dir / out).iterdir():
                names = sorted(name for name in os.listdir(folder) if not name.startswith("."))
                self.assertIn(names, ([], ["frag.spv", "vert.spv"]), f"{folder} after signal {how}")
            self.assertEqual([path for path in (self.dir / (out + ".cache")).rglob(".*") if path.is_file()], [])
            shutil.rmtree(self.dir / out)
            shutil.rmtree(self.dir / (out + ".cache"), ignore_errors=True)


if __name__ == "__main__":
    unittest.main()
