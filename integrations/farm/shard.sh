#!/usr/bin/env bash
# Links one part of a manifest, for slurm.sh and parallel.sh.
#
#   shard.sh PART PARTS FOLDER SECONDS COMMAND...
#
# FOLDER/PART.status appears when the part is whole, and has the exit status of the command. Without it the part was killed, or took
# longer than SECONDS: then this ends with 1, and doing it again repairs what is there, since varylink replaces the files of a
# pipeline all at once and writes its report last.
set -uo pipefail
part=$1 parts=$2 folder=$3 seconds=$4
shift 4

[[ -e $folder/$part.status ]] && exit 0 # given out twice
timeout --kill-after=10 "$seconds" "$@" --shard "$part/$parts" --report "$folder/$part.json" --quiet >"$folder/$part.log" 2>&1
status=$?
if ((status >= 124)) || [[ ! -e $folder/$part.json ]]; then # 124: too long; above: a signal
  printf 'part %s of %s ended with status %d\n' "$part" "$parts" "$status" >>"$folder/$part.log"
  exit 1
fi
echo "$status" >"$folder/$part.status.$$" && mv "$folder/$part.status.$$" "$folder/$part.status"
