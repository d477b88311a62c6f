"""Many pipelines: the cache, shards, and the same bytes whatever way they were made."""

import json
import os
import re
import subprocess
import unittest

from harness import CliTest
from sharing import READS, VERT, fragment, write_manifest

POLICIES = ([], ["--share", "specialize"], ["--share", "union"], ["--share", "cluster", "--max-variants", "2"])


class Batch(CliTest):
    def link(self, out, *arguments):
        """Links the manifest into folder `out`; returns the bytes of everything written, with the report."""
        run = self.run_cli("link", "--manifest", "pipelines.jsonl", "-o", "out", "--report", "report.json", *arguments)
        self.assert_ok(run)
        (self.dir / "out").mkdir(exist_ok=True)  # a shard may have nothing to do
        os.rename(self.dir / "out", self.dir / out)
        os.rename(self.dir / "report.json", self.dir / out / "report.json")
        return {str(p.relative_to(self.dir / out)): p.read_bytes() for p in (self.dir / out).rglob("*") if p.is_file()}

    def entries(self):
        return sorted(p for p in (self.dir / "cache").rglob("*") if p.is_file())

    def keys(self, *arguments):
        run = self.assert_ok(self.run_cli("link", "--manifest", "pipelines.jsonl", "--print-cache-key", *arguments))
        return dict(reversed(line.split("  ")) for line in run.out.splitlines())


class Cache(Batch):
    def test_same_bytes_without_cache_cold_warm_and_for_any_number_of_threads(self):
        write_manifest(self)
        for number, policy in enumerate(POLICIES):
            plain = self.link(f"{number}-plain", *policy, "-j1")
            self.assertEqual(plain, self.link(f"{number}-threads", *policy, "-j2"))
            cache = ["--cache", f"cache{number}"]
            self.assertEqual(plain, self.link(f"{number}-cold", *policy, *cache, "-j2"))
            self.assertEqual(plain, self.link(f"{number}-warm", *policy, *cache, "-j1"))

    def test_results_do_come_from_the_cache(self):
        write_manifest(self, {"xy": READS["xy"]})
        plain = self.link("plain", "--cache", "cache")
        [entry] = [e for e in self.entries() if e.parent.name + e.name == self.keys()["xy"]]
        # An entry with other words and a checksum that fits shows that the second run did not link.
        import hashlib
        content = entry.read_bytes()[64:].replace(b"used with the same", b"USED with the same").replace(
            b"nobody reads it", b"NOBODY READS IT")
        key = (entry.parent.name + entry.name).encode()
        entry.write_bytes(hashlib.sha256(key + content).hexdigest().encode() + content)
        self.assertIn(b"NOBODY READS IT", self.link("warm", "--cache", "cache")["report.json"])
        self.assertNotIn(b"NOBODY READS IT", plain["report.json"])

    def test_what_cannot_be_kept_is_counted(self):
        write_manifest(self, {"xy": READS["xy"]})
        link = ["link", "--manifest", "pipelines.jsonl", "-o", "out", "--cache"]
        run = self.assert_ok(self.run_cli(*link, "/dev/full/cache"))
        self.assertIn("cache: 0 of 1 results known", run.out)
        self.assertRegex(run.err, r"/dev/full/cache: warning: \d+ entries could not be written: ")
        self.assertRegex(self.assert_ok(self.run_cli(*link, "/dev/full/cache", "-q")).err, "entries could not be written")
        self.assertNotIn("could not", self.assert_ok(self.run_cli(*link, "cache")).err)

    def test_folders_are_folders(self):
        write_manifest(self, {"xy": READS["xy"]})
        link = ["link", "--manifest", "pipelines.jsonl", "-o", "out"]
        for option in ("--cache", "--save-repro"):
            self.assert_refused(1, f"{option} needs a folder, and 'shared.vert' is none", *link, option, "shared.vert")

    def steps(self, *arguments):
        """Links with the cache; returns what it says: results known and all, and the same for the steps of each stage."""
        run = self.run_cli("link", "--manifest", "pipelines.jsonl", "--cache", "cache", "-o", "out", *arguments)
        [line] = [line for line in self.assert_ok(run).out.splitlines() if line.startswith("cache: ")]
        known, total = map(int, re.match(r"cache: (\d+) of (\d+) results known", line).groups())
        return known, total, {s: (int(k), int(n)) for s, k, n in re.findall(r"(\w+) (\d+) of (\d+)", line[10:])
                              if len(s) == 4}

    def test_fragment_change_behind_the_interface_finds_all_vertex_work(self):
        write_manifest(self, {"xy": READS["xy"]})
        known, total, steps = self.steps()
        self.assertEqual((known, total, steps["vert"][0], steps["frag"][0]), (0, 1, 0, 0))
        self.assertEqual(self.steps(), (1, 1, {}))
        self.write("xy.frag", fragment("vec4(sin(a.y), cos(a.x), 1.0, 1.0)"))  # the same interface
        plain = self.link("plain")
        known, total, steps = self.steps()
        self.assertEqual((known, total), (0, 1))
        self.assertEqual(steps["vert"][0], steps["vert"][1])
        self.assertGreater(steps["vert"][1], 1)
        self.assertLess(steps["frag"][0], steps["frag"][1])
        self.assertEqual(plain["xy/vert.spv"], (self.dir / "out/xy/vert.spv").read_bytes())
        self.assertEqual(plain["xy/frag.spv"], (self.dir / "out/xy/frag.spv").read_bytes())
        self.write("xy.frag", fragment("a"))  # another interface
        known, total, steps = self.steps()
        self.assertLess(steps["vert"][0], steps["vert"][1])
        self.assertGreater(steps["vert"][0], 0)  # validating and preparing do not depend on it

    def test_damaged_entries_are_no_entries(self):
        write_manifest(self)
        plain = self.link("plain", "--cache", "cache")
        entries = self.entries()
        damages = [lambda b: b"", lambda b: b[:40], lambda b: b[:-1], lambda b: b + b"x",
                   lambda b: b[:64] + bytes([b[-1] ^ 1]) + b[65:], lambda b: b"0" * 64 + b[64:]]
        for start in range(len(damages)):
            for index, entry in enumerate(entries):
                entry.write_bytes(damages[(start + index) % len(damages)](entry.read_bytes()))
            self.assertEqual(plain, self.link(f"repaired{start}", "--cache", "cache"))
        self.assertEqual(plain, self.link("warm", "--cache", "cache"))

    def test_an_entry_in_the_place_of_another_one_is_none(self):
        write_manifest(self)
        plain = self.link("plain", "--cache", "cache")
        entries = self.entries()
        contents = [entry.read_bytes() for entry in entries]
        for entry, content in zip(entries, contents[1:] + contents[:1]):
            entry.write_bytes(content)
        self.assertEqual(plain, self.link("repaired", "--cache", "cache"))
        self.assertEqual(contents, [entry.read_bytes() for entry in self.entries()])

    def test_processes_share_a_cache(self):
        write_manifest(self)
        plain = self.link("plain")
        command = [os.environ["VARYLINK"], "link", "--manifest", "pipelines.jsonl", "--cache", "cache", "--report"]
        started = [subprocess.Popen([*command, f"{n}.json", "-o", f"out{n}"], cwd=self.dir, stdout=subprocess.DEVNULL)
                   for n in range(4)]
        self.assertEqual([process.wait(60) for process in started], [0] * 4)
        for n in range(4):
            for name in READS:
                self.assertEqual((self.dir / f"out{n}" / name / "vert.spv").read_bytes(), plain[f"{name}/vert.spv"])
        entries = [entry.name for entry in self.entries()]
        os.rename(self.dir / "cache", self.dir / "shared-cache")
        self.link("alone", "--cache", "cache")
        self.assertEqual(entries, [entry.name for entry in self.entries()])

    def test_limit_removes_what_was_not_used_for_longest(self):
        write_manifest(self)
        self.link("first", "--cache", "cache")
        for entry in self.entries():
            os.utime(entry, (1, 1))
        self.write("cache/notes.txt", "not an entry")
        write_manifest(self, {"xy": READS["xy"]})
        self.link("used", "--cache", "cache")
        filler = self.dir / "cache" / "ff" / ("f" * 62)
        filler.parent.mkdir(exist_ok=True)
        filler.write_bytes(b"x" * ((1 << 20) - 20000))
        self.link("limited", "--cache", "cache", "--cache-limit", "1")
        self.assertLess(sum(entry.stat().st_size for entry in self.entries()), (1 << 20) + 100)
        self.assertTrue((self.dir / "cache/notes.txt").exists())
        self.assertTrue(filler.exists())
        key = self.keys()["xy"]
        used = next(e for e in self.entries() if e.parent.name + e.name == key)
        self.assertGreater(used.stat().st_mtime, 1)

    def test_a_cache_that_cannot_be_written_is_no_error(self):
        write_manifest(self)
        self.write("file", "")
        self.assertEqual(self.link("plain"), self.link("cached", "--cache", "file/cache"))

    def test_key_says_what_decides_the_result(self):
        write_manifest(self)
        keys = self.keys()
        self.assertEqual(len(set(keys.values())), len(READS))
        self.assertTrue(all(re.fullmatch("[0-9a-f]{64}", key) for key in keys.values()))
        report = json.loads(self.link("out1")["report.json"])
        self.assertEqual(keys, {p["name"]: p["cache_key"] for p in report["pipelines"]})
        self.assertEqual(keys, self.keys("-j1", "--cache", "cache"))
        for options in (["-O1"], ["--passes", "assign-locations"], ["--strip-unused-resources"], ["--fuel", "3"],
                        ["--scalar-block-layout"], ["--target-env", "vulkan1.2"]):
            self.assertEqual(set(keys.values()) & set(self.keys(*options).values()), set(), options)
        # Names of files and comments do not count; words do.
        os.rename(self.dir / "xy.frag", self.dir / "other.frag")
        text = (self.dir / "pipelines.jsonl").read_text().replace("xy.frag", "other.frag")
        self.write("pipelines.jsonl", text)
        self.assertEqual(keys, self.keys())
        self.write("other.frag", fragment("a.xxyy"))
        changed = self.keys()
        self.assertEqual([name for name in keys if keys[name] != changed[name]], ["xy"])
        self.write("shared.vert", VERT.replace("3.0", "4.0"))
        self.assertEqual(set(changed.values()) & set(self.keys().values()), set())


class ReportLines(Batch):
    def test_lines_say_what_the_report_says(self):
        write_manifest(self)
        for policy in POLICIES:
            report = json.loads(self.link("out" + "-".join(policy), *policy, "--report-lines", "sub/lines.jsonl")["report.json"])
            head, *pipelines, tail = [json.loads(line) for line in (self.dir / "sub/lines.jsonl").read_text().splitlines()]
            self.assertEqual(pipelines, report["pipelines"])
            self.assertEqual({**head, "pipelines": pipelines, **tail}, report)

    def test_lines_of_a_shard(self):
        write_manifest(self)
        report = json.loads(self.link("out", "--shard", "1/2", "--report-lines", "lines.jsonl")["report.json"])
        head, *pipelines, _ = [json.loads(line) for line in (self.dir / "lines.jsonl").read_text().splitlines()]
        self.assertEqual(pipelines, report["pipelines"])
        self.assertEqual(head["shard"], {"index": 1, "count": 2, "total": len(READS)})

    def test_a_line_is_there_before_the_next_pipeline_is_linked(self):
        write_manifest(self)
        os.mkfifo(self.dir / "late.frag")  # reading it waits until somebody writes
        with open(self.dir / "pipelines.jsonl", "a", encoding="utf-8") as manifest:
            manifest.write('{"name": "late", "stages": {"vert": "shared.vert", "frag": "late.frag"}}\n')
        command = [os.environ["VARYLINK"], "link", "--manifest", "pipelines.jsonl", "--report-lines", "-", "-j1"]
        with subprocess.Popen(command, cwd=self.dir, stdout=subprocess.PIPE, text=True) as run:
            self.assertIn("options", json.loads(run.stdout.readline()))
            names = [json.loads(run.stdout.readline())["name"] for _ in READS]
            self.assertEqual(names, list(READS))
            (self.dir / "late.frag").write_text(fragment("a"))
            last = [json.loads(line) for line in run.stdout]
        self.assertEqual((run.returncode, last[0]["name"], last[1]["summary"]["linked"]), (0, "late", len(READS) + 1))

    def test_files_that_cannot_be_written(self):
        write_manifest(self)
        self.write("file", "")
        link = ("link", "--manifest", "pipelines.jsonl")
        self.assert_refused(1, "file/lines", *link, "--report-lines", "file/lines")
        self.assert_refused(1, "--report-lines", *link, "--report-lines", "shared.vert")
        self.assert_refused(1, "another option names", *link, "--report-lines", "a", "--report", "a")
        run = self.run_cli(*link, "--report-lines", "/dev/full")
        self.assertEqual(run.status, 1)
        self.assertIn("cannot write all lines", run.err)


class Equals(Batch):
    def write_twins(self):
        """Four pipelines, of which three are made of the same words."""
        write_manifest(self, {"xy": READS["xy"], "b": READS["b"]})
        self.write("copy.frag", fragment(READS["xy"]))
        with open(self.dir / "pipelines.jsonl", "a", encoding="utf-8") as manifest:
            manifest.write('{"name": "twin", "stages": {"vert": "shared.vert", "frag": "xy.frag"}}\n')
            manifest.write('{"name": "copy", "stages": {"vert": "shared.vert", "frag": "copy.frag"}}\n')

    def test_equal_pipelines_are_linked_once(self):
        self.write_twins()
        run = self.run_cli("link", "--manifest", "pipelines.jsonl", "--cache", "cache", "-o", "out", "-j2")
        self.assertIn("cache: 0 of 2 results known", self.assert_ok(run).out)
        for policy in POLICIES:
            files = self.link("out" + "-".join(policy), *policy)
            for name in ("twin", "copy"):
                if f"{name}/frag.spv" in files:
                    self.assertEqual(files[f"{name}/frag.spv"], files["xy/frag.spv"])

    def test_report_says_which_are_equal(self):
        self.write_twins()
        for policy in POLICIES:
            report = json.loads(self.link("out" + "-".join(policy), *policy)["report.json"])
            same = {pipeline["name"]: pipeline.get("same_as") for pipeline in report["pipelines"]}
            self.assertEqual(same, {"xy": None, "b": None, "twin": "xy", "copy": "xy"})
            self.assertEqual(report["summary"]["repeated"], 2)

    def test_messages_of_equal_pipelines_name_their_own_files(self):
        self.write_twins()
        for name in ("xy", "copy"):
            self.write(f"{name}.frag", fragment("vec4(c)").replace("in vec4 c", "flat in ivec4 c"))
        run = self.run_cli("link", "--manifest", "pipelines.jsonl", "-o", "out")
        self.assertEqual(run.status, 4)
        for name in ("xy", "copy"):
            self.assertRegex(run.err, rf"(?m)^{name}: {name}.frag")


class Shards(Batch):
    def shards(self, count, *policy):
        """Runs `count` shards as processes of their own; returns the bytes of all outputs and the merged report."""
        written = {}
        for index in range(1, count + 1):
            files = self.link(f"shard{index}of{count}", *policy, "--shard", f"{index}/{count}")
            self.write(f"{index}.json", files.pop("report.json"))
            for path, data in files.items():
                self.assertEqual(written.setdefault(path, data), data)
        names = [f"{index}.json" for index in range(count, 0, -1)]
        self.assert_ok(self.run_cli("merge-reports", *names, "-o", "merged.json"))
        return {**written, "report.json": (self.dir / "merged.json").read_bytes()}

    def test_more_shards_than_anybody_has(self):
        write_manifest(self)
        for policy in POLICIES:
            for shard, linked in (("1/99999999999", r"[1-9]\d*"), ("99999999999/99999999999", "0")):
                run = self.run_cli("link", "--manifest", "pipelines.jsonl", *policy, "--shard", shard, "-o", "out")
                self.assertRegex(self.assert_ok(run).out, rf"(?m)^\d+ pipelines?: {linked} linked")

    def test_three_shards_give_what_one_run_gives(self):
        write_manifest(self)
        # A group of its own, and a pipeline that is in the manifest twice.
        self.write("other.vert", VERT.replace("2.0", "7.0"))
        with open(self.dir / "pipelines.jsonl", "a", encoding="utf-8") as manifest:
            manifest.write('{"name": "more/other", "stages": {"vert": "other.vert"}, "noFragment": true}\n')
            manifest.write('{"name": "twin", "stages": {"vert": "shared.vert", "frag": "xy.frag"}}\n')
        for number, policy in enumerate(POLICIES):
            one = self.link(f"one{number}", *policy)
            self.assertEqual(one, self.shards(3, *policy))
            for folder in self.dir.glob("shard*"):
                os.rename(folder, self.dir / f"done{number}{folder.name}")

    def test_dependencies_of_a_shard(self):
        write_manifest(self)
        report = json.loads(self.link("a", "--shard", "1/2", "--depfile", "deps.d", "-MT", "stamp")["report.json"])
        rule = (self.dir / "deps.d").read_text().replace(" \\\n ", "")
        read = {stage["file"] for pipeline in report["pipelines"] for stage in pipeline["stages"]}
        self.assertEqual(rule, f"stamp: {' '.join(sorted(read | {'pipelines.jsonl'}))}\n")
        self.assertNotIn(len(read), (0, len(set(self.dir.glob("*.frag")) | set(self.dir.glob("*.vert")))))
        self.assert_refused(1, "needs --depfile", "link", "--manifest", "pipelines.jsonl", "-MT", "stamp")

    def test_merge_refuses_what_does_not_belong_together(self):
        write_manifest(self)
        for index in (1, 2):
            self.write(f"{index}.json", self.link(f"s{index}", "--shard", f"{index}/2")["report.json"])
        self.write("exact.json", self.link("s3", "--shard", "2/2", "-O1")["report.json"])
        self.write("whole.json", self.link("s4")["report.json"])
        self.write("damaged.json", (self.dir / "2.json").read_bytes()[:-9])
        self.write("number.json", '{"shard": 3, "pipelines": []}')
        self.assert_refused(1, "is in none of the reports", "merge-reports", "1.json")
        self.assert_refused(1, "is in two reports", "merge-reports", "1.json", "1.json")
        self.assert_refused(1, "another run", "merge-reports", "1.json", "exact.json")
        self.assert_refused(1, "not the report of a shard", "merge-reports", "1.json", "whole.json")
        self.assert_refused(1, "not the report of a shard", "merge-reports", "1.json", "damaged.json")
        self.assert_refused(1, "damaged", "merge-reports", "number.json", "1.json")
        self.assert_refused(1, "nowhere.json", "merge-reports", "nowhere.json")
        merged = self.assert_ok(self.run_cli("merge-reports", "1.json", "2.json"))
        self.assertEqual(merged.out, (self.dir / "whole.json").read_text())

    def test_wrong_use(self):
        write_manifest(self)
        for text in ("0/3", "4/3", "1", "1/", "/2", "a/b", "1/2x", "-1/2"):
            self.assert_refused(1, "--shard", "link", "--manifest", "pipelines.jsonl", f"--shard={text}")
        self.assert_refused(1, "--cache-limit needs --cache", "link", "--manifest", "pipelines.jsonl", "--cache-limit", "1")


if __name__ == "__main__":
    unittest.main()
