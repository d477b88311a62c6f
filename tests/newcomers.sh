#!/usr/bin/env bash
# What a newcomer types for three tasks, from README.md alone: link my pair; put it into CMake; see what a game would win.
#
#   tests/newcomers.sh                 first the commands under "Install", but for git clone and the test suite. On an empty machine:
#                                      tests/fresh_machine.sh -- tests/newcomers.sh
#   tests/newcomers.sh PREFIX [GAME]   with the installation at PREFIX; GAME is a Vulkan program with its arguments
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# Code of README.md under heading $1: lines of indented blocks, or with $2 of the fenced block in that language. Without comments.
code_under() {
  awk -v heading="## $1" -v fence='```'"${2:-}" '
    /^## / { here = $0 == heading }
    here && fence != "```" && $0 == "```" { inside = 0 }
    here && inside { print }
    here && fence != "```" && $0 == fence { inside = 1 }
    here && fence == "```" && /^    / { print substr($0, 5) }' "$root/README.md" | sed 's/  *# .*//'
}

type_in() {
  printf '$ %s\n' "$1"
  bash -euo pipefail -c "$1"
}

if (($# == 0)); then
  cd "$root"
  while read -r line; do
    case $line in git\ clone* | cd\ * | tests/run) ;; *) type_in "$line" </dev/null ;; esac
  done < <(code_under Install)
  prefix=/usr/local game=
else
  prefix=$(realpath "$1") game=${*:2}
fi
export PATH=$prefix/bin:$PATH LD_LIBRARY_PATH=$prefix/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

cat >lit.vert <<'SHADER'
#version 450
layout(location = 0) in vec4 position;
layout(location = 0) out vec4 color;
layout(location = 1) out vec4 unread;
void main() { gl_Position = position; color = position; unread = sqrt(position); }
SHADER
cat >lit.frag <<'SHADER'
#version 450
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 target;
void main() { target = color; }
SHADER

printf '\n=== link my pair\n'
link=$(code_under "Link your own pair" | grep '^varylink link' | head -n 1)
type_in "$link"
[[ -s out/lit.vert.spv && -s out/lit.frag.spv ]]
type_in "varylink check out/lit.vert.spv out/lit.frag.spv"

printf '\n=== put it into CMake\n'
mkdir engine
cp lit.vert lit.frag engine/
{ printf 'cmake_minimum_required(VERSION 3.25)\nproject(engine LANGUAGES NONE)\n' && code_under "In your engine" cmake; } >engine/CMakeLists.txt
type_in "cmake -S engine -B engine/build -G Ninja -DCMAKE_PREFIX_PATH='$prefix' && cmake --build engine/build"
[[ -s engine/build/lit.vert.spv && -s engine/build/lit.frag.spv ]]

printf '\n=== see what a game would win\n'
printf '#!/bin/sh\nexec %s\n' "${game:-true}" >game
chmod +x game
while read -r line; do
  type_in "$line" 2>&1 | tee log
  [[ -z $game ]] || grep -q 'graphics pipeline' log
done < <(code_under "In your engine" | grep '^varylink run')
[[ -z $game || -s recorded/manifest.jsonl ]]
printf '\nnewcomers: all three tasks done\n'
