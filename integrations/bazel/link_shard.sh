#!/usr/bin/env bash
# Links one part of a manifest for varylink_manifest. A run that is killed or takes too long is made again from nothing.
#
#   link_shard.sh FOLDER REPORT ATTEMPTS SECONDS VARYLINK MANIFEST SHARD [OPTION...]
set -euo pipefail
folder=$1 attempts=$3 seconds=$4 shard=$7
report=$(realpath -m "$2") varylink=$PWD/$5
# How FOLDER sees the folder that all other paths are relative to: reports must not say where this machine has it.
manifest=$(sed 's|[^/][^/]*|..|g' <<<"$folder")/$6
shift 7

cd "$folder"
for ((attempt = 1; attempt <= attempts; ++attempt)); do
  find . -mindepth 1 -delete
  status=0
  timeout --kill-after=10 "$seconds" "$varylink" link --manifest "$manifest" -o . --report "$report" --shard "$shard" --quiet "$@" ||
    status=$?
  ((status < 124)) && exit "$status" # it ended by itself: timeout says 124, signals say more
  printf 'varylink: part %s ended with status %d in attempt %d of %d\n' "$shard" "$status" "$attempt" "$attempts" >&2
done
exit 1
