#!/usr/bin/env bash
# CPU time of samples/run on a new copy of this checkout's commit, and of other commits, in relation to a yardstick: compiling the
# program below, which includes two of the libraries that Varylink includes, with -O2. Without ccache.
#
#   bench/build_time.sh [COMMIT]...          default: HEAD
#
# Prints one line of a table for each commit.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export CCACHE_DISABLE=1
unset VARYLINK_BUILD_DIR VARYLINK_SAMPLES_OUT
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# CPU seconds of "$@", user and system, of all its processes.
cpu_seconds() {
  local TIMEFORMAT='%U %S'
  { time "$@" >"$scratch/log" 2>&1; } 2>&1 | awk '{ printf "%.1f", $1 + $2 }'
}

cat >"$scratch/yardstick.cpp" <<'CODE'
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
int main(int argc, char** argv) {
  CLI::App app;
  std::string text;
  app.add_option("text", text);
  CLI11_PARSE(app, argc, argv);
  return static_cast<int>(nlohmann::json::parse(text).size());
}
CODE
compile_yardstick() {
  for _ in 1 2 3; do g++ -std=c++20 -O2 -c "$scratch/yardstick.cpp" -o "$scratch/yardstick.o"; done
}

(($#)) || set -- HEAD
printf '| commit | samples/run, CPU s | yardstick, CPU s | ratio |\n|---|---|---|---|\n'
for commit; do
  mkdir "$scratch/tree"
  git -C "$root" archive "$commit" | tar -x -C "$scratch/tree"
  before=$(cpu_seconds compile_yardstick)
  took=$(cpu_seconds "$scratch/tree/samples/run")
  after=$(cpu_seconds compile_yardstick)
  awk -v c="$(git -C "$root" rev-parse --short "$commit")" -v t="$took" -v y="$before" -v z="$after" \
    'BEGIN { yard = (y + z) / 6; printf "| %s | %.0f | %.1f | %.1f |\n", c, t, yard, t / yard }'
  rm -rf "$scratch/tree"
done
