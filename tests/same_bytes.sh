#!/usr/bin/env bash
# Links manifests with two commands and fails unless both write the same files with the same bytes: results, the report,
# and the cache.
#
#   tests/same_bytes.sh "build/a/varylink link -j1" "build/b/varylink link -j2" samples/pipelines.jsonl ...
#
# Each command is split into words, gets `--manifest M -o out --report report.json --cache cache` appended, and runs in a
# folder of its own. Both must agree on the exit status too. With --results in front of the commands only results are compared, for
# builds of two commits: reports and keys of the cache say which commit they are of.
set -euo pipefail
compared=everything
if [[ ${1:-} == --results ]]; then
  compared=out
  shift
fi
if (($# < 3)); then
  echo "usage: ${0##*/} COMMAND_A COMMAND_B MANIFEST..." >&2
  exit 1
fi
read -ra command_a <<<"$1"
read -ra command_b <<<"$2"
shift 2
command_a[0]=$(realpath "$(command -v "${command_a[0]}")")
command_b[0]=$(realpath "$(command -v "${command_b[0]}")")

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# run FOLDER MANIFEST COMMAND...
run() {
  local folder=$1 manifest=$2
  shift 2
  rm -rf "$folder"
  mkdir "$folder"
  (cd "$folder" && "$@" --manifest "$manifest" -o out --report report.json --cache cache) >"$folder.out" 2>"$folder.err"
}

for manifest in "$@"; do
  status_a=0 status_b=0
  run "$scratch/a" "$(realpath "$manifest")" "${command_a[@]}" || status_a=$?
  run "$scratch/b" "$(realpath "$manifest")" "${command_b[@]}" || status_b=$?
  if ((status_a != status_b)); then
    echo "$manifest: exit status $status_a against $status_b"
    tail -n 5 "$scratch/a.err" "$scratch/b.err"
    exit 1
  fi
  count=$(find "$scratch/a/out" -name '*.spv' | wc -l)
  if ((count == 0)); then
    echo "$manifest: nothing was linked, so nothing was compared"
    tail -n 5 "$scratch/a.err"
    exit 1
  fi
  if [[ $compared == out ]]; then
    diff -rq "$scratch/a/out" "$scratch/b/out" >"$scratch/differ" || { head -20 "$scratch/differ"; echo "$manifest: the bytes differ"; exit 1; }
    echo "$manifest: $count modules have the same bytes"
    continue
  fi
  diff -rq "$scratch/a" "$scratch/b" >"$scratch/differ" || { head -20 "$scratch/differ"; echo "$manifest: the bytes differ"; exit 1; }
  # Which of two threads finds a step in the cache that the other one took there depends on who comes first.
  { diff "$scratch/a.err" "$scratch/b.err" &&
    diff <(grep -v '^cache: ' "$scratch/a.out") <(grep -v '^cache: ' "$scratch/b.out"); } ||
    { echo "$manifest: the messages differ"; exit 1; }
  echo "$manifest: $count modules, the report and $(find "$scratch/a/cache" -type f | wc -l) entries of the cache have the same bytes"
done
