# What slurm.sh and parallel.sh have in common: the arguments, the job that links one part of a manifest, and what comes after the last
# one. A part is done when its status file is there; until then it is given out again.

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
shards=8 attempts=3 seconds=3600

fail() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

# Sets `number`, `attempts` and `seconds` from one of the options that both scripts have; false if $1 is another one.
read_common_option() {
  case $1 in
    --shards) shards=$2 ;;
    --attempts) attempts=$2 ;;
    --seconds) seconds=$2 ;;
    *) return 1 ;;
  esac
  [[ $2 =~ ^[1-9][0-9]*$ ]] || fail "$1 needs a number"
}

# Takes the command line of one process apart: `command` without its report, `report`, `manifest`, `output`.
read_command() {
  command=() report= manifest= output=
  [[ ${2:-} == link ]] || fail "behind -- comes the command of one process: varylink link --manifest ... -o ... --report ..."
  while (($#)); do
    case $1 in
      --report=* | --manifest=*) set -- "${1%%=*}" "${1#*=}" "${@:2}" && continue ;;
      --report) report=${2:?} && shift 2 && continue ;;
      --manifest) manifest=${2:?} ;;
      -o) output=${2:?} ;;
      --shard | --shard=* | --report-lines | --report-lines=* | --html | --html=* | --dot | --dot=* | -MF | --depfile | --depfile=*)
        fail "${1%%=*} is about one process and cannot be used here" ;;
    esac
    command+=("$1")
    shift
  done
  [[ -n $report && -n $manifest && -n $output ]] || fail "the command needs --manifest, -o and --report"
}

# Makes `parts`, a folder beside the report for what the parts say, with job.sh, which links part $1. $1: the folder that job.sh
# starts in; $2: what it calls `parts`.
make_job() {
  parts=$(mktemp -d "$(realpath -m "$report").parts.XXXXXX")
  cp "$here/shard.sh" "$parts/shard.sh"
  {
    echo '#!/usr/bin/env bash'
    printf 'cd %q && exec bash %q ' "$1" "${2:-$parts}/shard.sh"
    printf '"${1:-${SLURM_ARRAY_TASK_ID:?}}" %q' "$shards"
    printf ' %q' "${2:-$parts}" "$seconds" "${command[@]}"
    echo
  } >"$parts/job.sh"
  chmod +x "$parts/job.sh"
}

parts_to_do() {
  local part
  for ((part = 1; part <= shards; ++part)); do [[ -e $parts/$part.status ]] || echo "$part"; done
}

# Prints what the parts said, in their order, and merges their reports. Exits like one process would.
finish() {
  local part status=0 worst=0
  for part in $(parts_to_do); do
    [[ ! -e $parts/$part.log ]] || tail -n 5 "$parts/$part.log" >&2
    fail "part $part of $shards was not done in $attempts attempts; see $parts"
  done
  for ((part = 1; part <= shards; ++part)); do
    cat "$parts/$part.log" >&2
    status=$(<"$parts/$part.status")
    ((status <= worst)) || worst=$status
  done
  "${command[0]}" merge-reports "$parts"/*.json -o "$report" || fail "the reports do not fit together; see $parts"
  rm -rf "$parts"
  exit "$worst"
}
