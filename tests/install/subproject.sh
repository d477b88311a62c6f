#!/usr/bin/env bash
# Builds Varylink as a part of another project and runs a program that uses it. All of the library is compiled once more,
# so that this is a step of .ci/run and not of every test run; tests/install/subproject_test.py looks at the plan only.
#
#   tests/install/subproject.sh VARYLINK_COMMAND
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
varylink=$1
build=$root/build/subproject
rm -rf "$build/modules"
cmake -S "$root/tests/install/subproject" -B "$build" -G Ninja -DCMAKE_CXX_FLAGS=-O0 -DCMAKE_UNITY_BUILD=ON > "$build.log"
cmake --build "$build" --target link_files -j "$(nproc)" -- --quiet
"$varylink" link -O0 "$root"/samples/shaders/quick.vert "$root"/samples/shaders/quick.frag -o "$build/modules" > /dev/null
said=$("$build/link_files" "$build"/modules/*.spv)
expected=$("$varylink" link "$build"/modules/*.spv | sed -n 's/.*components \([0-9]*\) → \([0-9]*\),.*/vert to frag: \1 components before, \2 after/p')
if [[ -z "$expected" || "$said" != "$expected" ]]; then
  printf 'subproject: it says "%s", the command "%s"\n' "$said" "$expected" >&2
  exit 1
fi
printf 'subproject: ok\n'
