#!/usr/bin/env bash
# Shows that a change of the sources changes no result: links manifests with two builds at -O1 and at -O2, and fails unless
# both write the same files with the same bytes.
#
#   bench/same_results.sh BASE_VARYLINK NEW_VARYLINK MANIFEST...
set -euo pipefail
if (($# < 3)); then
  echo "usage: ${0##*/} BASE_VARYLINK NEW_VARYLINK MANIFEST..." >&2
  exit 1
fi
base=$1 new=$2
shift 2
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
for level in -O1 -O2; do
  echo "$level"
  "$root/tests/same_bytes.sh" --results "$base link $level" "$new link $level" "$@"
done
