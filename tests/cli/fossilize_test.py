#!/usr/bin/env python3
"""Fossilize databases in and out: docs/formats.md. What comes out is read by tests/formats/fossilize.py."""
import json
import pathlib
import struct
import sys
import unittest

from harness import CliTest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "formats"))
import fossilize as foz  # noqa: E402
from shaders import FRAG, SIZED_VERT, VERT  # noqa: E402

RGBA8, RGBA32F, RG32F = 37, 109, 103
APPLICATION, LAYOUT, PASS, SETS = 0xa11ce, 0x1a1, 0x9a55, 0x5e7


def words(data):
    return list(struct.unpack(f"<{len(data) // 4}I", data))


class Fossilize(CliTest):
    DISCARDING = FRAG.replace("void main() {", "void main() {\n  if (gl_FragCoord.x < 0.0) discard;")

    def setUp(self):
        super().setUp()
        self.vert, self.frag = words(self.spirv("a.vert", VERT, alone=True)), words(self.spirv("b.frag", FRAG))
        self.v, self.f = foz.module_hash(self.vert), foz.module_hash(self.frag)
        self.objects = [
            foz.entry(foz.APPLICATION, 0xa, b'{"version":6,"applicationInfo":{}}', deflate=False),
            foz.json_entry(foz.SET_LAYOUT, SETS, {"flags": 0, "bindings": [
                {"descriptorType": 6, "descriptorCount": 1, "stageFlags": 17, "binding": 0}]}),
            foz.json_entry(foz.PIPELINE_LAYOUT, LAYOUT, {"flags": 0, "pushConstantRanges": [], "setLayouts": [foz.text(SETS)]}),
            foz.json_entry(foz.RENDER_PASS, PASS, foz.render_pass((RGBA8, RGBA8))),
            foz.module_entry(self.vert), foz.module_entry(self.frag, deflate=False)]

    def stages(self, data=None):
        return [(1, self.v, None), (16, self.f, data)]

    def pipeline(self, hashed, data=None, **facts):
        facts = {"layout": LAYOUT, "render_pass": PASS, "masks": (15, 15), **facts}
        return foz.json_entry(foz.GRAPHICS, hashed, foz.pipeline(self.stages(data), **facts))

    def pipeline_of(self, hashed, vert, frag, **facts):
        stages = [(1, foz.module_hash(vert), None), (16, foz.module_hash(frag), None)]
        return foz.json_entry(foz.GRAPHICS, hashed,
                              foz.pipeline(stages, layout=LAYOUT, render_pass=PASS, masks=(15, 15), **facts))

    def database(self, *more, name="game.foz", tail=b""):
        self.write(name, foz.MAGIC + b"".join([*self.objects, *more]) + tail)

    def link(self, *arguments, status=0):
        run = self.run_cli("link", "game.foz", "-o", "out", "--report", "r.json", *arguments)
        self.assertEqual(run.status, status, run)
        return run

    def after(self, name="game.foz"):
        return foz.Database((self.dir / "out" / name).read_bytes())

    def before(self):
        return foz.Database((self.dir / "game.foz").read_bytes())

    def components(self):
        report = json.loads((self.dir / "r.json").read_text())
        return {int(each["name"], 16): sum(side["after"]["components"] for side in each["interfaces"])
                for each in report["pipelines"]}

    def test_polygon_modes(self):
        sized = words(self.spirv("a.vert", SIZED_VERT, alone=True))
        self.objects.append(foz.module_entry(sized))
        fill, line, point = range(3)
        self.database(*(self.pipeline_of(1 + mode, sized, self.frag, polygon_mode=mode) for mode in (fill, line, point)),
                      self.pipeline_of(4, sized, self.frag, polygon_mode=fill, dynamic=(1000455004,)))
        self.link()
        report = json.loads((self.dir / "r.json").read_text())
        assumed = [each["assumes"]["state"].get("polygonMode") for each in report["pipelines"]]
        self.assertEqual(assumed, ["FILL", "LINE", None, None])
        self.assert_ok(self.run_cli("import", "game.foz", "-o", "m"))
        lines = [json.loads(line) for line in (self.dir / "m/manifest.jsonl").read_text().splitlines()]
        self.assertEqual([line["state"].get("polygonMode") for line in lines], ["FILL", "LINE", "POINT", None])

    def test_what_link_wrote_is_proved_against_the_original(self):
        # The second differs from the first in its state alone, the third in a module.
        other = words(self.spirv("b.frag", self.DISCARDING))
        self.objects.append(foz.module_entry(other))
        self.database(self.pipeline(1), self.pipeline(2, masks=(15, 0)), self.pipeline_of(3, self.vert, other))
        self.link()
        for given in (["game.foz"], ["--manifest", "game.foz"]):
            for against in ("out", "out/game.foz"):
                run = self.assert_ok(self.run_cli("prove", *given, "--against", against))
                self.assertIn("3 proved", run.out)
        self.assert_refused(1, "none.foz", "prove", "game.foz", "--against", "none.foz")

    def test_equal_results_of_several_pipelines(self):
        # Modules of the vertex stage differ only in the place of an output that nothing reads. With Fossilize's hashes,
        # pipelines that come out equal are one.
        def vert(location):
            dead = f"layout(location = {location}) out vec4 dead;\nvoid main() {{\n  dead = position;"
            return words(self.spirv("a.vert", VERT.replace("void main() {", dead), alone=True))

        other = words(self.spirv("b.frag", self.DISCARDING))
        modules = [vert(location) for location in (9, 10)]
        self.objects += [foz.module_entry(each) for each in [*modules, other]]
        pipelines = [self.pipeline_of(number, each, self.frag) for number, each in enumerate(modules, 1)]
        result = self.pipeline_of(7, self.vert, self.frag)
        self.database(*pipelines)
        self.database(result, name="linked.foz")
        self.assertIn("2 proved", self.assert_ok(self.run_cli("prove", "game.foz", "--against", "linked.foz")).out)
        # With a third that differs in its modules only, two results could be of any two of the three.
        self.database(*pipelines, self.pipeline_of(3, modules[0], other))
        self.database(result, self.pipeline_of(8, self.vert, other), name="linked.foz")
        self.assert_refused(1, ["linked.foz: error", "does not tell which pipeline was made of " + foz.text(3)], "prove",
                            "game.foz", "--against", "linked.foz")

    def test_linked_pipelines_refer_to_linked_modules_and_the_rest_is_as_it_was(self):
        unknown = foz.entry(77, 5, b"something newer", checksum=False)
        self.database(self.pipeline(1), foz.link_entry(APPLICATION, foz.GRAPHICS, 1), unknown,
                      foz.json_entry(foz.COMPUTE, 8, {"stage": {"module": foz.text(self.v)}}))
        run = self.link()
        self.assertIn("0000000000000008: passed through: it is a compute pipeline", run.out)
        before, after = self.before(), self.after()
        (new, linked), = after.pipelines().items()
        self.assertNotEqual(new, 1)
        after.check_pipeline(new)
        modules = [int(stage["module"], 16) for stage in linked["stages"]]
        self.assertTrue(set(modules).isdisjoint(before.modules), modules)
        for stage, original in zip(linked["stages"], before.pipelines()[1]["stages"]):
            self.assertEqual({**stage, "module": original["module"]}, original)
        linked["stages"] = before.pipelines()[1]["stages"]
        self.assertEqual(linked, before.pipelines()[1])
        # The bytes of all other entries, in their order.
        changed = {(foz.GRAPHICS, 1), *((tag, hashed) for tag, hashed, *_ in before.entries if tag == foz.LINK)}
        kept = [each[3] for each in before.entries if each[:2] not in changed]
        known = {each[3] for each in before.entries}
        self.assertEqual([each[3] for each in after.entries if each[3] in known], kept)
        self.assertEqual(sorted(after.links), sorted([(foz.GRAPHICS, new), *((foz.MODULE, each) for each in modules)]))

    def test_nothing_to_change_is_the_same_file(self):
        self.database(self.pipeline(1), foz.link_entry(APPLICATION, foz.GRAPHICS, 1))
        self.link("-O0")
        self.assertEqual((self.dir / "out/game.foz").read_bytes(), (self.dir / "game.foz").read_bytes())

    def test_a_linked_database_links_again_to_itself(self):
        self.database(self.pipeline(1), self.pipeline(2, masks=(15, 0)))
        self.link()
        self.assert_ok(self.run_cli("link", "out/game.foz", "-o", "again.foz"))
        self.assertEqual((self.dir / "again.foz").read_bytes(), (self.dir / "out/game.foz").read_bytes())

    def test_any_number_of_threads_gives_the_same_bytes(self):
        self.database(*(self.pipeline(number, masks=(15, number & 15)) for number in range(1, 9)))
        self.link("-j", "1")
        self.assert_ok(self.run_cli("link", "game.foz", "-o", "other.foz", "-j", "4"))
        self.assertEqual((self.dir / "other.foz").read_bytes(), (self.dir / "out/game.foz").read_bytes())

    def test_state(self):
        known = foz.specialization([(3, "i", 4), (7, "f", 0.5)])
        rendering = {"sType": 1000044002, "viewMask": 0, "colorAttachmentFormats": [RGBA8, 0],
                     "depthAttachmentFormat": 0, "stencilAttachmentFormat": 0}
        self.database(self.pipeline(1), self.pipeline(2, known), self.pipeline(3, masks=(15, 0)),
                      self.pipeline(4, masks=(15, 0), dynamic=(1000455012,)),
                      self.pipeline(5, known, attributes=((0, RGBA32F), (1, RG32F))),
                      self.pipeline(6, render_pass=0, chain=[rendering]),
                      self.pipeline(7, masks=(15, 0), discard=1))
        self.link()
        # 4 of tint, 1 of other, 4 of third; known constants leave out other, the mask third, the format two of tint. The
        # database keeps the fragment stage of a pipeline that rasterizes nothing.
        self.assertEqual(self.components(), {1: 9, 2: 8, 3: 5, 4: 9, 5: 6, 6: 5, 7: 5})
        for hashed in self.after().pipelines():
            self.after().check_pipeline(hashed)

    def rendering(self, *chain, masks=(15, 15), formats=(RGBA8, RGBA8)):
        rendering = {"sType": 1000044002, "viewMask": 0, "colorAttachmentFormats": list(formats),
                     "depthAttachmentFormat": 0, "stencilAttachmentFormat": 0}
        return {"render_pass": 0, "masks": masks, "chain": [rendering, *chain]}

    def test_attachments_have_the_locations_that_the_chain_says(self):
        def places(*locations):
            return {"sType": 1000232001, "colorAttachmentLocations": list(locations)}
        unused = 0xffffffff
        # Location 0 takes tint and other, location 1 the four of third: 5 and 4.
        self.database(self.pipeline(1, **self.rendering(places(0, 1))), self.pipeline(2, **self.rendering(places(1), formats=(RGBA8,))),
                      self.pipeline(3, **self.rendering(places(unused, 0))),
                      self.pipeline(4, **self.rendering(places(1, 0), masks=(0, 15))),
                      self.pipeline(5, **self.rendering(places(1, 0), masks=(15, 0))),
                      self.pipeline(6, **self.rendering({"sType": 1000232001})),
                      self.pipeline(7, **self.rendering(places(1, 1))))
        self.link()
        everything = self.components()
        self.assertEqual(everything, {1: 9, 2: everything[5], 3: 5, 4: 5, 5: everything[5], 6: 9, 7: 9})
        self.assertLess(everything[5], 9)

    def test_structures_take_assumptions_away(self):
        external = {"sType": 1000129005, "externalFormat": 7}
        self.database(self.pipeline(1, masks=(15, 0)), self.pipeline(2, masks=(15, 0), chain=[external]),
                      self.pipeline(3, masks=(15, 0), chain=[{**external, "externalFormat": 0}]),
                      self.pipeline(4, masks=(15, 0), dynamic=(1999999999,)))
        self.link()
        self.assertEqual(self.components(), {1: 5, 2: 9, 3: 5, 4: 9})

    def test_a_render_pass_that_is_elsewhere_may_be_any(self):
        known, other = self.pipeline(1, masks=(15, 0)), self.pipeline(2, masks=(15, 0), render_pass=0x777)
        self.database(known, other)
        self.link()
        self.assertEqual(self.components(), {1: 5, 2: 9})

    def test_structures_that_are_not_known_and_what_changes_the_stages(self):
        stream = {"sType": 1000028002, "flags": 0, "rasterizationStream": 1}
        of_raster = foz.pipeline(self.stages(), layout=LAYOUT, render_pass=PASS, masks=(15, 15))
        of_raster["rasterizationState"]["pNext"] = [stream]
        of_stage = foz.pipeline(self.stages(), layout=LAYOUT, render_pass=PASS, masks=(15, 15))
        of_stage["stages"][1]["pNext"] = [{"sType": 1999999999}]
        robust = foz.pipeline(self.stages(), layout=LAYOUT, render_pass=PASS, masks=(15, 15))
        robust["stages"][0]["pNext"] = [{"sType": 1000068000, "storageBuffers": 0, "uniformBuffers": 2}]
        self.database(self.pipeline(20, chain=[{"sType": 1999999999}]), foz.json_entry(foz.GRAPHICS, 21, of_raster),
                      foz.json_entry(foz.GRAPHICS, 22, of_stage), foz.json_entry(foz.GRAPHICS, 25, robust), self.pipeline(23, chain=[{"sType": 1000470005, "flags": 1 << 36}]),
                      self.pipeline(24, chain=[{"sType": 1000470005, "flags": 0x800}]))
        run = self.link()
        for hashed, reason in ((20, "structure that is not known here, of type 1999999999"), (21, "RASTERIZATION_STATE_STREAM"),
                               (22, "structure that is not known"), (23, "flags that change"), (24, "it is a pipeline library"),
                               (25, "its stages differ in robustness")):
            self.assertRegex(run.out, f"{hashed:016x}: passed through: .*{reason}")
        self.assertEqual((self.dir / "out/game.foz").read_bytes(), (self.dir / "game.foz").read_bytes())

    def test_what_is_not_for_linking(self):
        library = {"sType": 1000320002, "flags": 3}
        parts = {"sType": 1000290000, "libraries": [foz.text(10)]}
        derived = {**foz.pipeline(self.stages()), "flags": 4, "basePipelineHandle": foz.text(30)}
        lost = foz.pipeline([(1, self.v, None), (16, 0x404, None)])
        identified = foz.pipeline([(1, 0, None), (16, self.f, None)])
        damaged = bytearray(self.pipeline(24))
        damaged[-3] ^= 1
        self.database(self.pipeline(20, flags=0x800, chain=[library]), self.pipeline(21, chain=[parts]),
                      foz.json_entry(foz.GRAPHICS, 22, derived), self.pipeline(30),
                      foz.json_entry(foz.GRAPHICS, 23, lost), bytes(damaged), foz.json_entry(foz.GRAPHICS, 25, identified),
                      foz.entry(foz.GRAPHICS, 26, b"{"), foz.entry(foz.GRAPHICS, 27, b'{"graphicsPipelines":{}}'))
        run = self.link()
        for hashed, reason in ((20, "it is a pipeline library"), (21, "it is made of pipeline libraries"),
                               (22, "it derives from another"), (30, "other pipelines derive from it"),
                               (23, "there is no module 0000000000000404"), (24, "its checksum is another one"),
                               (25, "has no module, only its identifier"), (26, "is not JSON"), (27, "needs")):
            self.assertRegex(run.out, f"{hashed:016x}: passed through: .*{reason}")
        self.assertEqual((self.dir / "out/game.foz").read_bytes(), (self.dir / "game.foz").read_bytes())

    def test_a_pipeline_that_does_not_link_stays(self):
        other = words(self.spirv("c.frag", "#version 450\nlayout(location = 0) in ivec4 tint;\nlayout(location = 0) out ivec4 o;\n"
                                           "void main() { o = tint; }\n".replace("in ivec4", "flat in ivec4")))
        bad = foz.pipeline([(1, self.v, None), (16, foz.module_hash(other), None)])
        self.database(foz.module_entry(other), foz.json_entry(foz.GRAPHICS, 1, bad), self.pipeline(2))
        self.link(status=4)
        self.assertEqual(self.after().objects[foz.GRAPHICS, 1], bad)
        self.assertNotIn(2, self.after().pipelines())

    def test_the_last_entry_may_be_cut_off(self):
        self.database(self.pipeline(1), tail=self.pipeline(2)[:-7])
        run = self.link()
        self.assertIn("the last entry is cut off", run.err)
        self.assertEqual(len(self.after().pipelines()), 1)

    def test_wrong_files(self):
        good = foz.MAGIC + b"".join([*self.objects, self.pipeline(1)])
        for bad, said in ((b"", "is no Fossilize database"), (good[:15], "is no Fossilize database"),
                          (good[:15] + b"\x07" + good[16:], "version 7"), (good[:16] + b"?" * 40 + b"\0" * 16, "does not begin an entry")):
            self.write("game.foz", bad)
            self.assert_refused(1, said, "link", "game.foz", "-o", "out")
        # Sizes that are made up get no memory, and are not for linking.
        for size in (0xffffffff, 0x10000000, 1):
            entry = bytearray(self.pipeline(1))
            entry[52:56] = struct.pack("<I", size)
            self.database(bytes(entry))
            self.assertRegex(self.link().out, "it cannot be inflated|it would be larger than any")
        for end in range(17, len(good), 211):
            self.write("game.foz", good[:end])
            self.assertIn(self.run_cli("link", "game.foz", "-o", "out").status, (0, 1))

    def test_damaged_modules(self):
        data = foz.varint(self.vert)
        for body, size in ((data[:-1], len(data) - 1), (data + b"\x01", len(data) + 1), (b"\xff" * len(data), len(data)),
                           (data, len(data) + 5), (data, -1)):
            head = {"version": 6, "shaderModules": {foz.text(self.v): {"varintOffset": 0, "varintSize": size,
                                                                      "codeSize": 4 * len(self.vert), "flags": 0}}}
            self.objects[4] = foz.entry(foz.MODULE, self.v, json.dumps(head).encode() + b"\0" + body)
            self.database(self.pipeline(1))
            self.assertIn("0000000000000001: passed through", self.link().out)
            self.assertEqual((self.dir / "out/game.foz").read_bytes(), (self.dir / "game.foz").read_bytes())

    def test_other_commands_read_it(self):
        self.database(self.pipeline(1))
        self.assert_ok(self.run_cli("check", "game.foz"))

    def test_inputs_are_never_overwritten(self):
        self.database(self.pipeline(1))
        self.assert_refused(1, "game.foz", "link", "game.foz", "-o", "game.foz")
        self.assert_refused(1, "game.foz", "link", "game.foz", "-o", ".")


if __name__ == "__main__":
    unittest.main()
