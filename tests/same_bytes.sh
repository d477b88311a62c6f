#!/usr/bin/env bash
# Links manifests with two commands and fails unless both write the same files with the same bytes.
#
#   tests/same_bytes.sh "build/a/varylink link -j1" "build/b/varylink link -j2" samples/pipelines.jsonl ...
#
# Each command is split into words and gets `--manifest M -o OUT` appended. Both must agree on the exit status too.
set -euo pipefail
if (($# < 3)); then
  echo "usage: ${0##*/} COMMAND_A COMMAND_B MANIFEST..." >&2
  exit 1
fi
read -ra command_a <<<"$1"
read -ra command_b <<<"$2"
shift 2

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for manifest in "$@"; do
  rm -rf "$scratch/a" "$scratch/b"
  mkdir "$scratch/a" "$scratch/b"
  status_a=0 status_b=0
  "${command_a[@]}" --manifest "$manifest" -o "$scratch/a" >"$scratch/log_a" 2>&1 || status_a=$?
  "${command_b[@]}" --manifest "$manifest" -o "$scratch/b" >"$scratch/log_b" 2>&1 || status_b=$?
  if ((status_a != status_b)); then
    echo "$manifest: exit status $status_a against $status_b"
    tail -5 "$scratch/log_a" "$scratch/log_b"
    exit 1
  fi
  count=$(find "$scratch/a" -name '*.spv' | wc -l)
  if ((count == 0)); then
    echo "$manifest: nothing was linked, so nothing was compared"
    tail -5 "$scratch/log_a"
    exit 1
  fi
  diff -rq "$scratch/a" "$scratch/b" || { echo "$manifest: the bytes differ"; exit 1; }
  echo "$manifest: $count modules, same bytes"
done
