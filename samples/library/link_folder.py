#!/usr/bin/env python3
"""Links every pair a.vert, a.frag of a folder, as a step of an asset pipeline would, and says what was won.

usage: link_folder.py [-D NAME=VALUE]... SHADERS RESULTS

Writes RESULTS/a.vert.spv and RESULTS/a.frag.spv. A pair that does not link is reported and left out; the exit status is 1 then.
"""
import argparse
import pathlib
import sys

import varylink


def link_pair(vertex, results, defines):
    """Components of the interface before and after."""
    def include(path):
        file = pathlib.Path(path)
        return file.read_text(encoding="utf-8") if file.is_file() else None

    linked = varylink.link([varylink.glsl_file(vertex), varylink.glsl_file(vertex.with_suffix(".frag"))], name=vertex.stem,
                           defines=defines, include=include, prove="fallback")
    for module in linked.modules:
        (results / f"{vertex.stem}.{module.stage}.spv").write_bytes(module.code)
    return linked.interfaces[0].before.components, linked.interfaces[0].after.components


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-D", dest="defines", action="append", default=[], metavar="NAME=VALUE", help="a macro for GLSL")
    parser.add_argument("shaders", type=pathlib.Path)
    parser.add_argument("results", type=pathlib.Path)
    arguments = parser.parse_args()
    arguments.results.mkdir(parents=True, exist_ok=True)
    defines = dict(define.partition("=")[::2] for define in arguments.defines)
    failed = False
    for vertex in sorted(arguments.shaders.glob("*.vert")):
        if not vertex.with_suffix(".frag").exists():
            continue
        try:
            before, after = link_pair(vertex, arguments.results, defines)
            print(f"{vertex.stem}: {before} -> {after} components")
        except varylink.LinkError as error:
            print(error, file=sys.stderr)
            failed = True
    return failed


if __name__ == "__main__":
    sys.exit(main())
