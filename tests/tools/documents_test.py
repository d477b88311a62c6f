"""Paths and headings that the documents name must exist."""
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOP = {path.name for path in ROOT.iterdir()}
# `code` with a slash in it, or a Markdown link to something in this repository
QUOTED = re.compile(r"`([^`\s]+)`|\]\((?!https?:|#)([^)#\s]+)[^)]*\)")
IN_DRAWING = re.compile(r"(?<![\w/])((?:src|tests|tools|bench|samples|third_party)/[\w./-]*\w)")


def named_paths(text):
    for match in QUOTED.finditer(text):
        yield match.group(1) or match.group(2)
    yield from IN_DRAWING.findall(text)


def is_path_of_ours(name):
    return name.split("/")[0] in TOP and not re.search(r"[<>*{}$]", name)


def missing_paths(text, folder):
    return sorted({name for name in named_paths(text)
                   if is_path_of_ours(name) and not (ROOT / name).exists() and not (folder / name).exists()
                   and not name.startswith("build/")})


LINK_TO_HEADING = re.compile(r"\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)")


def anchors(text):
    """Of all headings, as web pages of repositories make them."""
    headings = re.findall(r"^#+ (.*)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def missing_headings(text, folder):
    targets = [(name, anchor, (folder / name).read_text(encoding="utf-8") if name else text)
               for name, anchor in LINK_TO_HEADING.findall(text)]
    return [f"{name}#{anchor}" for name, anchor, target in targets if anchor not in anchors(target)]


class Documents(unittest.TestCase):
    def test_a_missing_path_is_found(self):
        self.assertEqual(missing_paths("see `src/nowhere/a.h` and `src/core/base/result.h`", ROOT), ["src/nowhere/a.h"])
        self.assertEqual(missing_paths("   |  src/nowhere   text", ROOT), ["src/nowhere"])

    def test_a_missing_heading_is_found(self):
        self.assertEqual(missing_headings("## Device limits\n[a](#device-limits) [b](#limits)", ROOT), ["#limits"])

    def test_all_named_paths_exist(self):
        for document in [*ROOT.glob("*.md"), *ROOT.glob("*/README.md"), *ROOT.glob("docs/*.md")]:
            if document.exists():
                with self.subTest(document.name):
                    text = document.read_text(encoding="utf-8")
                    self.assertEqual(missing_paths(text, document.parent), [])
                    self.assertEqual(missing_headings(text, document.parent), [])

    def test_architecture_names_every_folder_of_the_source(self):
        text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
        folders = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "src").glob("*/*") if path.is_dir())
        self.assertIn("src/core/passes", folders)
        self.assertEqual([folder for folder in folders if f"`{folder}`" not in text], [])


if __name__ == "__main__":
    unittest.main()
