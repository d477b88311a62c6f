#!/usr/bin/env bash
# Links a manifest with GNU parallel, on this machine or over ssh: the same results and report as the command alone.
#
#   parallel.sh [--shards N] [--attempts N] [--seconds N] [--sshlogin HOSTS] [--send PATH]...
#               -- varylink link --manifest FILE -o DIR --report FILE [OPTION...]
#
#   --shards     parts of the manifest, which cost alike (8)
#   --attempts   how often a part is given out until it is done (3)
#   --seconds    how long one may take (3600)
#   --sshlogin   where to, as GNU parallel understands it: 4/host1,8/host2; without it, here
#   --send       a file or folder that the command reads, for hosts that do not share a file system with this machine. Paths of the
#                command are relative then, and results are sent back
#
# Hosts need the command. What messages say comes in the order of the parts.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

hosts=() send=()
while (($#)) && [[ $1 != -- ]]; do
  (($# >= 2)) || fail "$1 needs a value"
  case $1 in
    --sshlogin) hosts=(--sshlogin "$2") ;;
    --send) send+=("$2") ;;
    *) read_common_option "$1" "$2" || fail "there is no option $1" ;;
  esac
  shift 2
done
read_command "${@:2}"

# parallel's own limit is the second one, for hosts that do not answer any more.
engine=(parallel --will-cite --retries "$attempts" --timeout $((seconds + 60)) "${hosts[@]}")

# Puts what came back for one part where the command would have written it.
unpack() {
  local part=$1 file
  mkdir "$parts/$part"
  tar -xf "$parts/$part.tar" -C "$parts/$part"
  mkdir -p "$output"
  if [[ -d $parts/$part/$output ]]; then
    while IFS= read -r -d '' file; do
      cmp -s "$parts/$part/$file" "$file" && continue
      mkdir -p "$(dirname "$file")"
      mv -f "$parts/$part/$file" "$file"
    done < <(cd "$parts/$part" && find "$output" -type f -print0)
  fi
  mv "$parts/$part/$part".{json,log,status} "$parts"
}

if ((${#send[@]} == 0)); then
  make_job "$PWD"
  "${engine[@]}" "$(printf %q "$parts/job.sh")" ::: $(parts_to_do) || true
else
  [[ $output != /* && $manifest != /* ]] || fail "with --send, paths are relative"
  make_job . .
  tar -cf "$parts/inputs.tar" "$manifest" "${send[@]}" -C "$parts" job.sh shard.sh
  (cd "$parts" && "${engine[@]}" --workdir ... --transferfile inputs.tar --return '{}.tar' --cleanup \
    "tar -xf inputs.tar && ./job.sh {} && mkdir -p $(printf %q "$output") && tar -cf {}.tar $(printf %q "$output") {}.json {}.log {}.status" \
    ::: $(parts_to_do)) || true
  for part in $(parts_to_do); do [[ ! -e $parts/$part.tar ]] || unpack "$part"; done
fi
finish
