#!/usr/bin/env bash
# What takes too long for every change: which of the faults that are seeded in the linker the tests notice, one after the
# other. The exit status is 1 if one is not noticed. The counts go into bench/README.md, to be committed with what they
# made better; the whole table is left in the build folder.
#
# usage: tools/nightly.sh [--faults a,b] [...]     options are those of tests/fuzz/mutation_check.py
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
build=build/faults

cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DVARYLINK_BUILD_TESTS=ON -DVARYLINK_SEEDED_FAULTS=ON
cmake --build "$build" --target unit_tests pipeline_tests fuzz_pipelines -j "$(nproc)" -- --quiet
tests/fuzz/mutation_check.py "$build" --out "$build/mutation_check.md" --summary bench/README.md "$@"
