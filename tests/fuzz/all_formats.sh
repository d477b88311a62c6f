#!/usr/bin/env bash
# Every libFuzzer target, one per format that anybody may have made, under ASan and UBSan for the given time each. The exit
# status is 1 if one found something: the input stays in the folder of the target.
#
# usage: tests/fuzz/all_formats.sh SECONDS [BUILD [FOLDER [TARGET...]]]
#
# BUILD: of `cmake --preset fuzz`, default build/fuzz. TARGET: module pair manifest database pipeline_json, default all
set -euo pipefail
seconds=${1:?usage: tests/fuzz/all_formats.sh SECONDS [BUILD [FOLDER]]}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${2:-$root/build/fuzz}
folder=${3:-$(mktemp -d)}
targets=("${@:4}")
if [ ${#targets[@]} -eq 0 ]; then targets=(module pair manifest database pipeline_json); fi

"$build/tests/fuzz/make_corpus" "$folder/corpus" 200
found=()
for target in "${targets[@]}"; do
  mkdir -p "$folder/corpus/$target" "$folder/$target"
  regressions=$root/tests/fuzz/regressions/$target
  seeds=("$folder/corpus/$target")
  if [ -d "$regressions" ]; then seeds+=("$regressions"); fi
  # The first folder takes what is new.
  if ! "$build/tests/fuzz/fuzz_$target" -max_total_time="$seconds" -timeout=20 -print_final_stats=1 \
    -artifact_prefix="$folder/$target/" "${seeds[@]}" >"$folder/$target.log" 2>&1; then
    found+=("$target")
    grep -m 3 -E "ERROR|runtime error|SUMMARY" "$folder/$target.log" || tail -n 5 "$folder/$target.log"
  fi
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$folder/$target.log")
  echo "$target: ${runs:-?} inputs"
done
if [ ${#found[@]} -ne 0 ]; then
  echo "found something: ${found[*]}; inputs and logs are in $folder" >&2
  exit 1
fi
