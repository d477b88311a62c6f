#!/usr/bin/env python3
"""Fails when a C++ file has more than 600 lines or a function more than 100.

usage: check_sizes.py [--all] [ROOT]     --all also lists what is over the aim of 300 and 60 lines (no failure)
"""
import pathlib
import re
import sys

FILE_LIMIT, FILE_AIM = 600, 300
FUNCTION_LIMIT, FUNCTION_AIM = 100, 60
FOLDERS = ("src", "include", "tests", "bench", "samples")

# Comments, string and character literals and preprocessor lines, which may hold braces that mean nothing.
NOISE = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<tag>[^(\s]*)\(.*?\)(?P=tag)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|^[ \t]*#(?:\\\n|[^\n])*',
    re.DOTALL | re.MULTILINE)
NOT_A_FUNCTION = re.compile(r"\s*(?:if|for|while|switch|else|do|try|catch|namespace|class|struct|enum|union|extern)\b")
# "...) const noexcept -> T" or a constructor's ") : a_(x), b_(y)" just before the opening brace
ACCESS_LABEL = re.compile(r"(?:\s*(?:public|private|protected)\s*:)+")
SIGNATURE_END = re.compile(r"\)\s*(?:const|noexcept|override|final|mutable|\s)*(?:->\s*[\w:<>,&*\s]+|:\s.*)?\s*$", re.DOTALL)


def without_noise(text):
    """The text with noise blanked out; line breaks stay where they are."""
    return NOISE.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def functions(text):
    """(first line, number of lines, head) of every function and lambda body."""
    text = without_noise(text)
    stack, start = [], 0
    for position, character in enumerate(text):
        if character == "{":
            label = ACCESS_LABEL.match(text, start, position)
            start = label.end() if label else start
            head = text[start:position]
            is_function = bool(SIGNATURE_END.search(head)) and not NOT_A_FUNCTION.match(head)
            first = start + len(head) - len(head.lstrip())
            stack.append((is_function, first, " ".join(head.split())))
        elif character == "}" and stack:
            is_function, first, head = stack.pop()
            if is_function:
                line = text.count("\n", 0, first) + 1
                yield line, text.count("\n", first, position) + 1, head
        if character in "{};":
            start = position + 1


def main():
    arguments = [a for a in sys.argv[1:] if a != "--all"]
    show_all = len(arguments) + 1 < len(sys.argv)
    root = pathlib.Path(arguments[0]) if arguments else pathlib.Path(__file__).resolve().parent.parent
    failures = 0

    def report(lines, limit, aim, what):
        nonlocal failures
        failures += lines > limit
        if lines > limit or (show_all and lines > aim):
            print(f"{what}: {lines} lines, {'limit ' + str(limit) if lines > limit else 'aim ' + str(aim)}")

    for folder in FOLDERS:
        for path in sorted(p for p in (root / folder).rglob("*") if p.suffix in (".h", ".hpp", ".cpp")):
            text = path.read_text(encoding="utf-8")
            name = path.relative_to(root).as_posix()
            report(text.count("\n"), FILE_LIMIT, FILE_AIM, name)
            for line, lines, head in functions(text):
                report(lines, FUNCTION_LIMIT, FUNCTION_AIM, f"{name}:{line}: {head[:80]}")
    if not failures:
        print("sizes: ok")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
