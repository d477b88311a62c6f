"""Every command of README.md and docs/ runs: each line of a code block that begins with varylink, jq or a loop over varylink, and each
last cell of a table that is a command, in the order of its page, in a folder with the files that the pages name."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import unittest

import capture_test
import fossilize_test
import one_module_test
import vulkan_sc_test
from harness import CliTest

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMAND = re.compile(r"(?:    )?(?=(?:varylink|jq) |for i in )(.*?)(?:   +# .*)?$")
IN_TABLE = re.compile(r"\|.*\| `(varylink [^`]*)` \|$")
# A form and no command, or about the shaders of a program that is not here.
NOT_TRIED = re.compile(r"^varylink COMMAND")
# Statuses besides 0 that are no mistake of the page: no driver, or one that has no statistics (docs/cli.md).
MAY_END_WITH = {"verify": {7, 8}, "measure": {7, 8}, "--verify": {7, 8}, "--measure": {7, 8}}
OTHER_PROGRAMS = ("chromium", "dot", "gfxrecon-replay", "jq", "man", "wine")

VERT = """#version 450
layout(location = 0) in vec4 position;
layout(location = 1) in vec2 coordinate;
layout(set = 0, binding = 1) uniform Look { vec4 tint; float fade; } look;
layout(location = 0) out vec4 color;
layout(location = 1) out vec2 uv;
layout(location = 2) out vec4 unread;
layout(location = 4) out float half_way;
void main() { gl_Position = position; color = look.tint * position.x; uv = coordinate; unread = position; half_way = 0.5; }
"""
FRAG = """#version 450
layout(set = 0, binding = 1) uniform Look { vec4 tint; float fade; } look;
layout(location = 0) in vec4 color;
layout(location = 1) in vec2 uv;
layout(location = 4) in float half_way;
layout(location = 0) out vec4 target;
void main() { target = color * look.fade + vec4(uv, half_way, 1.0); }
"""
# The entry points are called as the pages call them.
BOTH = one_module_test.MODULE.replace('"vs"', '"main_vs"').replace('"fs"', '"main_fs"')


def commands(text):
    found, fence = [], None
    for line in text.splitlines():
        if line.startswith("```"):
            fence = line[3:] if fence is None else None
        elif match := IN_TABLE.match(line):
            found.append(match[1])
        elif (fence == "" or line.startswith("    ")) and (match := COMMAND.match(line)) and not NOT_TRIED.match(match[1]):
            found.append(match[1])
    return found


class DocCommands(CliTest):
    def setUp(self):
        super().setUp()
        for name in ("samples", "docs"):
            os.symlink(ROOT / name, self.dir / name)
        self.write("lit.vert", VERT)
        self.write("lit.frag", FRAG)
        self.write("mesh.vert", VERT)
        self.write("a.txt", VERT)
        self.write("b.spv", self.spirv("b.frag", FRAG))
        self.write("lit.frag.spv", self.spirv("b.frag", FRAG))
        self.write("lit.vert.spv", self.spirv("a.vert", VERT, alone=True))
        self.write("both.spv", BOTH)
        pipelines = ({"name": "lit", "stages": {"vert": "lit.vert", "frag": "lit.frag"}},
                     {"name": "depth", "stages": {"vert": "mesh.vert"}, "noFragment": True},
                     {"name": "again", "stages": {"vert": "mesh.vert", "frag": "lit.frag"}})
        self.write("pipelines.jsonl", "".join(json.dumps(each) + "\n" for each in pipelines))
        self.write("limits.json", '{"maxVertexOutputComponents": 64, "maxFragmentInputComponents": 64}')
        self.write("layout.json", '{"bindings": [{"set": 0, "binding": 1, "stages": ["vert", "frag"]}]}')
        self.write("recorded/options.txt", "--target-env vulkan1.3\n")
        self.write("recorded/manifest.jsonl", json.dumps({"name": "lit", "stages": {"vert": "../lit.vert", "frag": "../lit.frag"}}))
        self.write("game", "#!/bin/sh\nexit 0\n")
        os.chmod(self.dir / "game", 0o755)
        for folder in (".zsh", ".config/fish/completions", "other"):
            (self.dir / folder).mkdir(parents=True)
        self.add_formats()
        self.add_results()

    def add_formats(self):
        database = fossilize_test.Fossilize("link")
        database.setUp()
        self.addCleanup(database.doCleanups)
        database.database(database.pipeline(1))
        shutil.copy(database.dir / "game.foz", self.dir / "game.foz")
        folder = vulkan_sc_test.VulkanSc("link")
        folder.setUp()
        self.addCleanup(folder.doCleanups)
        folder.pipeline("one")
        shutil.copytree(folder.dir / "in", self.dir / "pipelines")
        capture = capture_test.Captures("manifest")
        capture.setUp()
        self.addCleanup(capture.doCleanups)
        capture.create(capture_test.pipeline(*capture.pair(11)))
        capture.write_calls()
        shutil.copytree(capture.dir / "bin", self.dir / "bin")
        shutil.copy(capture.dir / "game.gfxr", self.dir / "game.gfxr")

    def add_results(self):
        self.assert_ok(self.run_cli("link", "lit.vert", "lit.frag", "-o", "out", "--report", "old.json"))
        self.assert_ok(self.run_cli("link", "--manifest", "pipelines.jsonl", "-o", "out", "--report", "old.json"))
        for tool in OTHER_PROGRAMS:  # where one is not installed, what would be done with the output is not looked at
            if not shutil.which(tool):
                self.write(f"other/{tool}", "#!/bin/sh\ncat > /dev/null\n")
                os.chmod(self.dir / "other" / tool, 0o755)

    def run_line(self, line):
        program = pathlib.Path(os.environ["VARYLINK"]).resolve()
        path = f"{self.dir / 'bin'}:{program.parent}:{os.environ['PATH']}:{self.dir / 'other'}"
        return subprocess.run(["bash", "-c", line], cwd=self.dir, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=120, check=False, env=dict(os.environ, PATH=path, HOME=str(self.dir), TERM="dumb"))

    def check_page(self, page):
        has_layer = self.run_line("varylink run -- ./game").returncode == 0
        tried = 0
        for line in commands(page.read_text(encoding="utf-8")):
            name = line.split()[1]
            if name == "run" and not has_layer:
                continue
            allowed = {0}.union(*(statuses for word, statuses in MAY_END_WITH.items() if word in line.split()))
            with self.subTest(f"{page.name}: {line}"):
                run = self.run_line(line)
                self.assertIn(run.returncode, allowed, f"{run.stdout}\n{run.stderr}")
            tried += 1
        return tried

    def test_readme(self):
        self.assertGreaterEqual(self.check_page(ROOT / "README.md"), 4)

    def test_docs(self):
        self.assertIn("varylink check lit.vert lit.frag", commands((ROOT / "docs/check.md").read_text(encoding="utf-8")))
        for page in sorted((ROOT / "docs").glob("*.md")):
            if page.name != "formats.md":
                self.check_page(page)

    def test_formats(self):
        os.remove(self.dir / "game")  # the folder of the page's import
        self.check_page(ROOT / "docs/formats.md")


if __name__ == "__main__":
    unittest.main()
