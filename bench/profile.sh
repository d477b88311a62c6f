#!/usr/bin/env bash
# Shows where linking spends its time: the share of each step in driver::link_pipeline, as a Markdown table.
#
#   bench/profile.sh [MANIFEST...]     default: the samples
#
# Needs perf. LINK_BENCH names the benchmark program (default: build/profile/bench/link_bench, built if missing).
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

if [[ -z "${LINK_BENCH:-}" ]]; then
  build=$root/build/profile
  LINK_BENCH=$build/bench/link_bench
  cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DVARYLINK_BUILD_BENCH=ON \
    -DVARYLINK_BUILD_TESTS=OFF >/dev/null
  cmake --build "$build" --target link_bench -- --quiet >&2
fi
data=$(mktemp)
trap 'rm -f "$data"' EXIT
perf record -q -o "$data" --call-graph dwarf,16384 -F 400 "$LINK_BENCH" --benchmark_filter='^link' "$@" >/dev/null 2>&1

steps=(
  "driver::open_stage|read a stage and validate it"
  "driver::prepare|inline, promote locals, unroll"
  "varyings::plan_side|plan how to take the interface apart"
  "varyings::scalarize_io|scalarize varyings"
  "driver::clean_up_after_scalarize|clean up after scalarizing"
  "passes::run_pass|passes, with the clean-up after each"
  "varyings::vectorize_io|vectorize varyings"
  "driver::finish|last clean-up"
  "link::check_pair|pair check of the result"
  "link::check_contract|contract check of the result"
  "|all steps together contain:"
  "spirv::validate|SPIR-V validator"
  "spirv::run_clean_up|clean-ups"
  "spirv::read_module|words to modules"
  "spirv::write_module|modules to words"
)
perf report -i "$data" --children -g none --percent-limit 0 --stdio 2>/dev/null |
  awk -v steps="$(printf '%s;' "${steps[@]}")" '
    # The shares of a function that is inlined in some places add up.
    /varylink::/ { name = $0; sub(/.*\] /, "", name); sub(/ *\(inlined\)/, "", name); sub(/^.*varylink::/, "", name)
                   gsub(/ /, "", name); share[name] += $1 }
    END {
      total = share["driver::link_pipeline"]
      if (total == 0) { print "no samples of link_pipeline" > "/dev/stderr"; exit 1 }
      print "| step | share of link_pipeline |\n|---|---|"
      count = split(steps, rows, ";")
      for (i = 1; i < count; ++i) {
        split(rows[i], row, "|")
        if (row[1] == "") { printf "| *%s* | |\n", row[2]; continue }
        printf "| %s (`%s`) | %.0f %% |\n", row[2], row[1], 100 * share[row[1]] / total
      }
    }'
