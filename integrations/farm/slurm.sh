#!/usr/bin/env bash
# Links a manifest as a Slurm job array: the same results and report as the command alone.
#
#   slurm.sh [--shards N] [--attempts N] [--seconds N] [--sbatch OPTION]... -- varylink link --manifest FILE -o DIR --report FILE [OPTION...]
#
#   --shards     parts of the manifest, which cost alike (8)
#   --attempts   how often a part is given out until it is done (3)
#   --seconds    how long one may take (3600)
#   --sbatch     an option for sbatch, such as --partition=cpu
#
# Nodes need the command, and one file system for what it reads and writes. What messages say comes in the order of the parts.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

sbatch_options=()
while (($#)) && [[ $1 != -- ]]; do
  (($# >= 2)) || fail "$1 needs a value"
  if [[ $1 == --sbatch ]]; then
    sbatch_options+=("$2")
  else
    read_common_option "$1" "$2" || fail "there is no option $1"
  fi
  shift 2
done
read_command "${@:2}"
make_job "$PWD"

for ((attempt = 1; attempt <= attempts; ++attempt)); do
  list=$(parts_to_do | paste -sd,)
  [[ -n $list ]] || break
  # Slurm's limit is the second one, for jobs whose own did not work.
  sbatch --wait --parsable --job-name=varylink --array="$list" --time=$((seconds / 60 + 2)) --output=/dev/null \
    ${sbatch_options[@]+"${sbatch_options[@]}"} "$parts/job.sh" >"$parts/job" || [[ -s $parts/job ]] || fail "sbatch refused the job"
done
finish
