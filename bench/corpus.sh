#!/usr/bin/env bash
# Links whole sets of real pipelines and prints one Markdown row per set: what was linked, how much smaller the
# interfaces got, how close that is to what an independent reader says can be had, time and memory.
#
#   bench/corpus.sh [-O1] [--keep DIR] MANIFEST...
#
# VARYLINK   the command to measure (default: build/release/varylink, built if missing)
# SPVIO      the independent SPIR-V interface reader, a Python module (default: ../shared/corpus/spvio.py beside the
#            checkout); without it the columns that need it stay empty
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

if [[ -z "${VARYLINK:-}" ]]; then
  VARYLINK=$root/build/release/varylink
  cmake -S "$root" -B "$root/build/release" -G Ninja -DCMAKE_BUILD_TYPE=Release >/dev/null
  cmake --build "$root/build/release" --target varylink -- --quiet >&2
fi
if [[ -z "${SPVIO:-}" && -f "$root/../shared/corpus/spvio.py" ]]; then
  SPVIO=$root/../shared/corpus/spvio.py
fi
export VARYLINK SPVIO=${SPVIO:-}
exec python3 -B "$root/bench/corpus.py" "$@"
