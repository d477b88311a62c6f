"""`varylink run --record DIR --fossilize`: what the program gets, and what is said.

VARYLINK is the command, LAYER_SCENE the program (scene.cpp). A manifest stands for Fossilize's layer, but for the last test, which
needs the layer itself and skips itself without.
"""

import json
import os
import pathlib
import tempfile
import unittest

import layer_test

NAME = "VK_LAYER_fossilize"


class Fossilize(layer_test.LayerTest):
    @classmethod
    def setUpClass(cls):  # needs no driver
        cls.folder = tempfile.TemporaryDirectory()
        cls.dir = pathlib.Path(cls.folder.name)

    def setUp(self):
        self.layers = self.dir / "layers"
        self.layers.mkdir(exist_ok=True)
        (self.layers / "VkLayer_fossilize.json").write_text(json.dumps({"layer": {"name": NAME}}))
        (self.layers / "other.json").write_text("[1")
        self.record = self.dir / self.id().rpartition(".")[2]

    def start(self, *program, env):
        none = str(self.dir / "nothing")
        elsewhere = {"HOME": none, "XDG_CONFIG_HOME": none, "XDG_CONFIG_DIRS": none, "XDG_DATA_HOME": none, "XDG_DATA_DIRS": none}
        return self.run_program(layer_test.VARYLINK, "run", "--record", self.record, "--fossilize", "--", *program,
                                env=layer_test.environment(**{**elsewhere, **env}))

    def assert_found(self, **env):
        run = self.start("env", env=env)
        self.assertEqual(run.returncode, 0, run.stderr)
        lines = run.stdout.splitlines()
        self.assertIn(f"VK_INSTANCE_LAYERS={NAME}:VK_LAYER_VARYLINK_link", lines)
        self.assertIn(f"FOSSILIZE_DUMP_PATH={self.record}/recorded", lines)

    def assert_not_found(self, **env):
        run = self.start("echo", "started", env=env)
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        self.assertIn("--fossilize needs the Vulkan layer of Fossilize", run.stderr)
        self.assertIn("https://github.com/ValveSoftware/Fossilize", run.stderr)

    def test_the_layer_is_in_front(self):
        self.assert_found(VK_ADD_LAYER_PATH=f"/nothing:{self.layers}")

    def test_where_it_is_looked_for(self):
        self.assert_found(VK_LAYER_PATH=str(self.layers))
        self.assert_found(VK_LAYER_PATH=str(self.layers / "VkLayer_fossilize.json"))
        self.assert_not_found()
        self.assert_not_found(VK_ADD_LAYER_PATH=str(self.layers), VK_LAYER_PATH=str(self.dir))  # loaders look at one
        folder = self.dir / "data/vulkan/explicit_layer.d"
        folder.mkdir(parents=True)
        (folder / "any.json").write_text(json.dumps({"layers": [{"name": "another"}, {"name": NAME}]}))
        self.assert_found(XDG_DATA_DIRS=f"/nothing:{self.dir}/data")

    def test_without_record(self):
        run = self.run_program(layer_test.VARYLINK, "run", "--fossilize", "--", "true")
        self.assertEqual(run.returncode, 1)
        self.assertIn("--record", run.stderr)

    def test_new_databases_are_named(self):
        self.record.mkdir()
        (self.record / "recorded.00.1.foz").write_text("of an earlier run")
        env = {"VK_ADD_LAYER_PATH": str(self.layers)}
        said = self.start("sh", "-c", "echo > $FOSSILIZE_DUMP_PATH.00.2.foz", env=env).stderr
        self.assertIn(f"varylink link {self.record}/recorded.00.2.foz -o OUT", said)
        self.assertNotIn("recorded.00.1.foz", said)
        self.assertIn("Fossilize wrote no database", self.start("true", env=env).stderr)


class RealLayer(layer_test.LayerTest):
    def test_what_it_recorded_is_linked(self):
        record = self.dir / "recorded"
        env = layer_test.environment(**{key: os.environ[key] for key in ("VK_ADD_LAYER_PATH",) if key in os.environ})
        run = self.run_program(layer_test.VARYLINK, "run", "--record", record, "--fossilize", "--", layer_test.SCENE, "specialized",
                               self.dir, self.dir / "frame", "destroy", env=env)
        if "--fossilize needs" in run.stderr or run.returncode == layer_test.SKIP:
            self.skipTest("no layer of Fossilize, or no driver")
        self.assertEqual(run.returncode, 0, run.stderr)
        database, = record.glob("recorded.*.foz")
        self.assertIn(f"varylink link {database} -o OUT", run.stderr)
        self.assertEqual(len((record / "manifest.jsonl").read_text().splitlines()), 2)
        linked = self.command("link", database, "-o", self.dir / "out.foz")
        self.assertIn("2 pipelines: 2 linked", linked.stdout + linked.stderr)


if __name__ == "__main__":
    unittest.main()
