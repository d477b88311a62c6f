"""--diagnostics json: the same document from every command."""

import json
import re
import unittest

from harness import FRAG, VERT, CliTest

SHORT_VERT = VERT.replace("out vec4 color", "out float color").replace("color = position * 2.0", "color = position.x")


class DiagnosticsJson(CliTest):
    def setUp(self):
        super().setUp()
        self.write("a.vert", SHORT_VERT)
        self.write("b.frag", FRAG)
        self.write("good.vert", VERT)

    def document(self, status, *arguments, stream="err"):
        run = self.run_cli(*arguments, "--diagnostics", "json")
        self.assertEqual(run.status, status, run)
        document = json.loads(getattr(run, stream))
        self.assertIn("SPIRV-Tools", document.pop("validator"))
        return document

    def test_a_mismatch_is_told_alike(self):
        linked = self.document(4, "link", "a.vert", "b.frag", "-o", "out")
        checked = self.document(4, "check", "a.vert", "b.frag", stream="out")
        for document, rule in ((linked, "interface-mismatch"), (checked, "missing-component")):
            pipeline, = document["pipelines"]
            self.assertEqual(pipeline["name"], "a.vert+b.frag")
            issue, = pipeline["issues"]
            self.assertEqual((issue["rule"], issue["severity"], issue["file"], issue["line"], issue["vuid"]),
                             (rule, "error", "b.frag", 4, "VUID-RuntimeSpirv-OpEntryPoint-08743"))
        explained = self.document(4, "explain", "a.vert", "b.frag")
        self.assertEqual(explained, linked)

    def test_the_line_stands_in_front_of_every_message_about_a_file(self):
        self.write("int.frag", FRAG.replace("in vec4 color", "flat in ivec4 color"))
        mismatch = "location 0.x is ivec4 in input 'color' but vec4 in output 'color' of good.vert (see good.vert:"
        link = ["link", "-g", "good.vert", "int.frag", "-o", "out", "--cache", "cache"]
        for arguments in (["check", "good.vert", "int.frag"], link, link):  # the second time the cache knows it
            run = self.run_cli(*arguments)
            self.assertEqual(run.status, 4, run)
            self.assertRegex(run.err, r"(?m)^int\.frag:\d+: error: " + re.escape(mismatch) + r"\d+\)")

    def test_a_result_of_the_cache_names_the_files_of_the_day(self):
        self.write("same.vert", SHORT_VERT)
        self.write("other.frag", FRAG)
        for vert, frag in (("a.vert", "b.frag"), ("same.vert", "other.frag")):
            run = self.run_cli("link", "-g", vert, frag, "-o", "out", "--cache", "cache")
            self.assertIn(f"{frag}:4: error: location 0.y of input 'color' (vec4) is read, but {vert} declares", run.err)
            self.assertIn(f"(see {vert}:", run.err)

    def test_nothing_to_say(self):
        self.assertEqual(self.document(0, "link", "good.vert", "b.frag"),
                         {"pipelines": [{"name": "good.vert+b.frag", "issues": []}]})
        self.assertEqual(self.document(0, "generate", "bash"), {"pipelines": []})

    def test_manifest(self):
        self.write("m.jsonl", '{"name": "bad", "stages": {"vert": "a.vert", "frag": "b.frag"}}\n'
                              '{"name": "good", "stages": {"vert": "good.vert", "frag": "b.frag"}}\n'
                              '{"name": "none", "stages": {"vert": "good.vert", "frag": "no.frag"}}\n')
        pipelines = self.document(4, "link", "--manifest", "m.jsonl")["pipelines"]
        self.assertEqual([(pipeline["name"], [issue["rule"] for issue in pipeline["issues"]]) for pipeline in pipelines],
                         [("bad", ["interface-mismatch"]), ("good", []), ("none", ["cannot-read"])])

    def test_what_is_wrong_with_the_run(self):
        for arguments in (["link", "--reprot", "x"], ["link"], ["lnik"], ["diff", "none.json", "none.json"],
                          ["merge-reports", "none.json"], ["analyze", "none.vert"], ["verify", "a.vert", "b.frag",
                                                                                    "--against", "none.spv", "x.spv"],
                          ["explain", "none.vert"], ["prove", "none.vert", "--against", "x.spv"], ["generate"]):
            with self.subTest(arguments=arguments):
                run = self.run_cli(*arguments, "--diagnostics=json")
                self.assertIn(run.status, (1, 8), run)
                document = json.loads(run.err)
                issues = document.get("issues", []) + [issue for pipeline in document["pipelines"]
                                                       for issue in pipeline["issues"]]
                self.assertTrue(issues)
                self.assertTrue(all(issue["message"] for issue in issues))
        issue, = json.loads(self.run_cli("check", "--reprot", "--diagnostics", "json").out)["issues"]
        self.assertEqual((issue["rule"], issue["severity"]), ("usage", "error"))


if __name__ == "__main__":
    unittest.main()
