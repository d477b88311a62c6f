"""The example that README.md starts with must be true: runs each of its `$` lines and compares what is printed. So must the pictures
of README.md and docs/.

usage: readme_test.py VARYLINK
"""
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def example(text):
    """(command, expected output) of every `$` line in the first indented block"""
    lines = text.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("    $ "))
    commands = []
    for line in lines[start:]:
        if line.startswith("    $ "):
            commands.append((line[6:], []))
        elif line.startswith("    "):
            commands[-1][1].append(line[4:])
        elif line:
            break
    return commands


def main():
    varylink = pathlib.Path(sys.argv[1]).resolve()
    commands = example((ROOT / "README.md").read_text(encoding="utf-8"))
    environment = dict(os.environ, PATH=f"{varylink.parent}:{os.environ['PATH']}", LC_ALL="C.UTF-8")
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(ROOT / "samples", pathlib.Path(folder) / "samples")
        for command, expected in commands:
            result = subprocess.run(command, shell=True, cwd=folder, env=environment, capture_output=True, text=True)
            if result.stdout.splitlines() != expected:
                print(f"$ {command}\nREADME.md says:\n" + "\n".join(expected))
                print("but it prints:\n" + result.stdout + result.stderr)
                return 1
    print(f"{len(commands)} commands print what README.md says")
    if subprocess.run([sys.executable, "-B", ROOT / "tools/docs/draw.py", varylink, "--check"], check=False).returncode != 0:
        return 1
    return 0 if any("varylink link" in command for command, _ in commands) else 1


if __name__ == "__main__":
    sys.exit(main())
