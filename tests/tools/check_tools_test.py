"""The checks that CI relies on must be able to fail."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Tree(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        self.addCleanup(self.folder.cleanup)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def run_tool(self, name, *arguments):
        return subprocess.run([sys.executable, ROOT / "tools" / name, *(arguments or [self.root])], capture_output=True,
                              text=True)

    def assert_fails(self, tool, *words):
        result = self.run_tool(tool)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        for word in words:
            self.assertIn(word, result.stdout)

    def assert_passes(self, tool):
        result = self.run_tool(tool)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)


class Layers(Tree):
    def test_lower_folder_is_allowed(self):
        self.write("src/core/base/a.h", "")
        self.write("src/core/spirv/ir/b.h", '#include "base/a.h"\n')
        self.assert_passes("check_layers.py")

    def test_higher_folder_is_refused(self):
        self.write("src/core/base/a.h", '\n#include "spirv/ir/b.h"\n')
        self.write("src/core/spirv/ir/b.h", "")
        self.assert_fails("check_layers.py", 'src/core/base/a.h:2: "spirv/ir/b.h" is not below base/')

    def test_lower_room_of_the_same_folder_is_allowed(self):
        self.write("src/core/spirv/ir/a.h", "")
        self.write("src/core/spirv/cleanup/b.h", '#include "spirv/ir/a.h"\n')
        self.write("src/core/passes/packing/c.h", "")
        self.write("src/core/passes/d.h", '#include "passes/packing/c.h"\n')
        self.assert_passes("check_layers.py")

    def test_higher_room_of_the_same_folder_is_refused(self):
        self.write("src/core/spirv/ir/a.h", '#include "spirv/cleanup/b.h"\n')
        self.write("src/core/spirv/cleanup/b.h", "")
        self.write("src/core/passes/packing/c.h", '#include "passes/d.h"\n')
        self.write("src/core/passes/d.h", "")
        self.assert_fails(
            "check_layers.py",
            'src/core/spirv/ir/a.h:1: "spirv/cleanup/b.h" is not below spirv/ir/',
            'src/core/passes/packing/c.h:1: "passes/d.h" is not below passes/packing/',
        )

    def test_rooms_side_by_side_do_not_know_each_other(self):
        self.write("src/core/passes/packing/a.h", '#include "passes/motion/b.h"\n')
        self.write("src/core/passes/motion/b.h", "")
        self.assert_fails("check_layers.py", "not below passes/packing/")

    def test_file_between_rooms(self):
        self.write("src/core/spirv/a.h", "")
        self.assert_fails("check_layers.py", "src/core/spirv/a.h: folder spirv/ has no layer")

    def test_room_without_a_layer(self):
        self.write("src/core/spirv/misc/a.h", "")
        self.assert_fails("check_layers.py", "src/core/spirv/misc/a.h: folder spirv/misc/ has no layer")

    def test_outside_library_in_the_wrong_room(self):
        self.write("src/core/spirv/ir/a.cpp", "#include <spirv-tools/libspirv.hpp>\n")
        self.assert_fails("check_layers.py", "only be included from spirv/tools/")

    def test_outside_library_in_a_room_of_its_folder(self):
        self.write("src/tools/cli/batch/a.cpp", "#include <CLI/CLI.hpp>\n")
        self.assert_passes("check_layers.py")

    def test_arrows_are_counted(self):
        self.write("src/core/base/a.h", "\n")
        self.write("src/core/spirv/ir/b.h", '#include "base/a.h"\n#include "spirv/ir/c.h"\n')
        self.write("src/core/spirv/ir/c.h", '#include "base/a.h"\n')
        result = self.run_tool("check_layers.py", "--arrows", self.root)
        self.assertEqual(
            result.stdout,
            "base: 1 files, 1 lines\n"
            "spirv/ir: 2 files, 3 lines -> base 2\n"
            "2 rooms, 3 files, 4 lines, 1 arrows, 2 #include lines across rooms\n",
        )

    def test_folders_side_by_side_do_not_know_each_other(self):
        self.write("src/core/passes/a.h", '#include "frontend/b.h"\n')
        self.write("src/services/frontend/b.h", "")
        self.assert_fails("check_layers.py", "not below passes/")

    def test_outside_library_in_the_wrong_folder(self):
        self.write("src/core/link/model/a.cpp", "#include <spirv-tools/libspirv.hpp>\n")
        self.assert_fails("check_layers.py", "only be included from spirv/tools/")

    def test_circle(self):
        self.write("src/core/link/model/a.h", '#include "link/model/b.h"\n')
        self.write("src/core/link/model/b.h", '#include "link/model/a.h"\n')
        self.assert_fails("check_layers.py", "circle")

    def test_file_that_does_not_exist(self):
        self.write("src/core/link/model/a.h", '#include "../base/b.h"\n')
        self.assert_fails("check_layers.py", "is not a file of a floor of src/")

    def test_room_on_the_wrong_floor(self):
        self.write("src/services/passes/a.h", "")
        self.assert_fails("check_layers.py", "src/services/passes/a.h: folder passes/ has no layer there")

    def test_file_beside_the_floors(self):
        self.write("src/a.h", "")
        self.assert_fails("check_layers.py", "src/a.h: folder / has no layer there")

    def test_folder_without_a_layer(self):
        self.write("src/misc/a.h", "")
        self.assert_fails("check_layers.py", "has no layer")


class Sizes(Tree):
    def test_limits_are_inclusive(self):
        self.write("src/core/base/a.cpp", "void f() {\n" + "  g();\n" * 98 + "}\n" + "\n" * 500)
        self.assert_passes("check_sizes.py")

    def test_long_file(self):
        self.write("src/core/base/a.cpp", "\n" * 601)
        self.assert_fails("check_sizes.py", "src/core/base/a.cpp: 601 lines")

    def test_long_function(self):
        self.write("src/core/base/a.cpp", "void f() {\n" + "  g();\n" * 99 + "}\n")
        self.assert_fails("check_sizes.py", "src/core/base/a.cpp:1: void f()", "101 lines")

    def test_long_method_with_braces_in_strings(self):
        body = '    g("}}}", \'}\');  // }}\n' * 99
        self.write("src/core/base/a.h", "class A {\n public:\n  int f(int a) const {\n" + body + "  }\n};\n")
        self.assert_fails("check_sizes.py", "src/core/base/a.h:3: int f(int a) const", "101 lines")

    def test_long_class_or_namespace_is_no_function(self):
        self.write("src/core/base/a.h", "namespace a {\nclass A {\n" + "  int f() { return 1; }\n" * 150 + "};\n}\n")
        self.assert_passes("check_sizes.py")


class UnnamedNamespaces(Tree):
    def source(self, name, body, space="varylink::a"):
        self.write(name, f"namespace {space} {{\nnamespace {{\n\n{body}\n\n}}  // namespace\n}}  // namespace {space}\n")

    def test_two_sources_with_one_name(self):
        for body in ("class Reader {\n};", "constexpr int kMost = 4;", "int most(int a) {\n  return a;\n}"):
            with self.subTest(body):
                self.source("src/a/x.cpp", body)
                self.source("src/a/b/y.cpp", body)
                name = next(word for word in ("Reader", "kMost", "most") if word in body)
                self.assert_fails("check_unnamed.py", f"varylink::a::{name} is defined in", "src/a/b/y.cpp, src/a/x.cpp")

    def test_what_may_be_there_twice(self):
        for body in ("using Id = spirv::Id;", "using spirv::Id;", "// class Reader {"):
            self.source("src/a/x.cpp", body)
            self.source("src/a/y.cpp", body)
            self.assert_passes("check_unnamed.py")
        self.source("src/a/x.cpp", "int most(int a) {\n  return a;\n}")
        self.source("src/a/y.cpp", "int most(float a) {\n  return a;\n}")
        self.source("src/b/z.cpp", "int most(int a) {\n  return a;\n}", space="varylink::b")
        self.assert_passes("check_unnamed.py")


class CaseLists(Tree):
    def setUp(self):
        super().setUp()
        self.write("src/core/passes/registry.cpp", 'PassInfo{.name = "assign-locations",')
        self.write("tests/pipelines/README.md", "# Cases\n\n| dead | What nobody reads. |\n")
        self.case("unread", "It goes. R-4.1", "vert->frag, vectors, assign-locations")

    def case(self, name, about, covers):
        self.write(f"tests/pipelines/dead/{name}.case", f";; {about}\n;; covers: {covers}\n;; link: -O1\n== vert\n")

    def listed(self, *arguments):
        result = self.run_tool("list_cases.py", "--root", self.root, *arguments)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result.stdout

    def assert_refused(self, *words):
        result = self.run_tool("list_cases.py", "--check", "--root", self.root)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        for word in words:
            self.assertIn(word, result.stdout)

    def test_lists_are_made_of_the_comments(self):
        self.case("kept", "It stays.", "vert->frag, vectors, assign-locations, must-not")
        self.assertEqual(self.listed(), "dead/\n  kept: It stays.\n  unread: It goes. R-4.1\n")
        self.assertEqual(self.listed("other"), "")
        self.assertEqual(self.listed("--covered"),
                         "vert->frag, vectors, assign-locations\n  acts: dead/unread\n  must not: dead/kept\n")
        self.assertEqual(self.listed("--check"), "case comments: ok\n")

    def test_words_that_mean_nothing(self):
        self.case("unread", "It goes.", "vert->frag, vectors, pack-slot")
        self.assert_refused("dead/unread: covers 'pack-slot'")

    def test_a_case_that_does_not_say_what_must_hold(self):
        self.write("tests/pipelines/dead/mute.case", ";; link: -O1\n== vert\n")
        self.assert_refused("dead/mute: does not say what must hold")

    def test_a_folder_without_a_row(self):
        self.write("tests/pipelines/other/a.case", ";; It goes.\n== vert\n")
        self.assert_refused("no row for the folder other")

    def test_a_link_to_a_case_that_is_gone(self):
        self.write("tests/pipelines/README.md", "| dead | See [a](dead/a.case). |\n")
        self.assert_refused("names dead/a.case, which is not there")


class Legality(Tree):
    RULE = "### R-1.1 A rule\nText.\n*Source:* a section. *Without it:* a wrong picture.\n"

    def setUp(self):
        super().setUp()
        self.write("docs/legality.md", self.RULE)
        self.write("src/core/link/a.cpp", "// Rule R-1.1: the same.\n")
        self.write("tests/pipelines/dead/a.case", ";; It goes.\n;; allows: R-1.1\n== vert\n")
        self.write("tests/unit/link/a_test.cpp", "// forbids: R-1.1\n")

    def test_a_rule_that_is_enforced_and_held_both_ways(self):
        self.assert_passes("check_legality.py")

    def test_a_rule_that_is_not_defined(self):
        self.write("src/core/link/b.cpp", "// (rule R-1.2)\n")
        self.assert_fails("check_legality.py", "src/core/link/b.cpp:1: R-1.2 is not defined")
        self.write("src/core/link/b.cpp", "")
        self.write("tests/check/b.case", ";; It stays.\n;; forbids: R-1.3\n== vert\n")
        self.assert_fails("check_legality.py", "tests/check/b.case: R-1.3 is not defined")

    def test_a_rule_that_nothing_enforces(self):
        self.write("src/core/link/a.cpp", "// The same.\n")
        self.assert_fails("check_legality.py", "R-1.1: nothing in src enforces it")

    def test_a_rule_that_is_held_on_one_side_only(self):
        self.write("tests/unit/link/a_test.cpp", "// R-1.1\n")
        self.assert_fails("check_legality.py", "R-1.1: no test forbids something by it")
        self.write("tests/unit/link/a_test.cpp", "// forbids: R-1.1\n")
        self.write("tests/pipelines/dead/a.case", ";; It goes.\n;; no-rule: none\n== vert\n// allows: R-1.1\n")
        self.assert_fails("check_legality.py", "R-1.1: no test allows something by it")

    def test_a_rule_without_a_source(self):
        self.write("docs/legality.md", "### R-1.1 A rule\nText. *Without it:* a wrong picture.\n")
        self.assert_fails("check_legality.py", "R-1.1 has no Source")

    def test_a_rule_that_a_case_only_mentions(self):
        self.write("tests/pipelines/dead/b.case", ";; It goes. R-1.1\n== vert\n")
        self.assert_fails("check_legality.py", "dead/b.case: R-1.1 stands in neither")


    def test_a_case_without_a_rule(self):
        self.write("tests/pipelines/dead/b.case", ";; It goes.\n== vert\n")
        self.assert_fails("check_legality.py", "dead/b.case: a case has ;; allows: or ;; forbids:, or else ;; no-rule:")
        self.write("tests/pipelines/dead/b.case", ";; It goes.\n;; no-rule: an option asks for it\n== vert\n")
        self.assert_passes("check_legality.py")
        self.write("tests/pipelines/dead/b.case", ";; It goes.\n;; no-rule: none\n;; allows: R-1.1\n== vert\n")
        self.assert_fails("check_legality.py", "dead/b.case: a case has ;; allows:")


class Words(Tree):
    def test_a_page_that_somebody_reads(self):
        self.write("docs/a.md", "# A\n\nEach output has an input.\n\n| a | b |\n|---|---|\n| " + "word " * 70 + "| 1 |\n")
        self.assert_passes("check_words.py")

    def test_long_pages(self):
        self.write("docs/a.md", "Short words here. " * 400)
        self.assert_fails("check_words.py", "docs/a.md: 1200 words, limit 900")
        for number in range(50):
            self.write(f"docs/{number}.md", "Short words here. " * 290)
        self.assert_fails("check_words.py", "all pages together:")

    def test_long_sentences(self):
        self.write("docs/a.md", "word " * 61 + ".\n")
        self.assert_fails("check_words.py", "docs/a.md: a sentence of 6", "words a sentence, limit 20")

    def test_a_subject_without_a_name(self):
        self.write("docs/a.md", "Loads stay. What is stored there is not stored.\n")
        self.assert_fails("check_words.py", "docs/a.md: name the subject: What is stored")

    def test_a_header_comment_without_a_name(self):
        self.write("src/core/base/a.h", "// Names. What is read\n// stays.\nint a;  // the name\n")
        self.assert_fails("check_words.py", "src/core/base/a.h:1: name the subject: What is read stays.")
        self.write("src/core/base/a.h", "// A name is read.\nint a;  // nobody reads it\n")
        self.assert_fails("check_words.py", "src/core/base/a.h:2: name the subject: nobody reads it")


class MutationSummary(unittest.TestCase):
    def test_counts_replace_what_was_there(self):
        sys.path.insert(0, str(ROOT / "tests/fuzz"))
        import mutation_check as check
        table = check.summary({"a": "unit tests", "b": "unit tests", "c": "pipeline cases"}, ["d"])
        self.assertIn("| unit tests | 2 |\n| pipeline cases | 1 |\n| nobody | 1: d |\n| together | 4 |", table)
        old = "Text\n" + check.SUMMARY_START + "old\n" + check.SUMMARY_END + "behind\n"
        self.assertEqual(check.put_summary(old, "new\n"),
                         "Text\n" + check.SUMMARY_START + "\nnew\n\n" + check.SUMMARY_END + "behind\n")

    def test_the_place_is_there(self):
        sys.path.insert(0, str(ROOT / "tests/fuzz"))
        import mutation_check as check
        check.put_summary((ROOT / "bench/README.md").read_text(encoding="utf-8"), "")


class Reasons(Tree):
    def setUp(self):
        super().setUp()
        sys.path.insert(0, str(ROOT / "tools"))
        import check_reasons
        self.shown = ""
        for name in check_reasons.SOURCES:
            text = (ROOT / "src/core" / name).read_text(encoding="utf-8")
            self.write("src/core/" + name, text)
            self.shown += "\n".join(check_reasons.reasons(text)) + "\n"

    def test_every_reason_is_shown(self):
        self.write("tests/passes/a.case", self.shown)
        self.assert_passes("check_reasons.py")

    def test_a_reason_without_a_test(self):
        self.write("tests/passes/a.case", self.shown.replace("every store writes the same constant", ""))
        self.assert_fails("check_reasons.py", "passes/propagate_constants.cpp: no test shows the reason")

    def test_a_reason_that_is_gone(self):
        self.write("tests/passes/a.case", self.shown)
        self.write("src/core/passes/shrink_task_payload.cpp", "")
        self.assert_fails("check_reasons.py", "no source has the reason 'it is copied as a whole'")


class ThisRepository(unittest.TestCase):
    def test_legality(self):
        subprocess.run([sys.executable, ROOT / "tools/check_legality.py"], check=True)

    def test_words(self):
        subprocess.run([sys.executable, ROOT / "tools/check_words.py"], check=True)

    def test_reasons(self):
        subprocess.run([sys.executable, ROOT / "tools/check_reasons.py"], check=True)

    def test_case_lists(self):
        subprocess.run([sys.executable, ROOT / "tools/list_cases.py", "--check"], check=True)

    def test_layers(self):
        subprocess.run([sys.executable, ROOT / "tools/check_layers.py"], check=True)

    def test_sizes(self):
        subprocess.run([sys.executable, ROOT / "tools/check_sizes.py"], check=True)
        subprocess.run([sys.executable, ROOT / "tools/check_unnamed.py"], check=True)


if __name__ == "__main__":
    unittest.main()
