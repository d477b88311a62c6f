#!/usr/bin/env bash
# Gets naga, which tests/portability.py asks where it is there: the npm package naga-wasm. Does nothing when it has been got.
#
# Exit status: 77 where there is no npm, or its registry does not answer.
set -euo pipefail
version=30.1.0
folder=${VARYLINK_NAGA:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/varylink/naga}
[[ -f $folder/node_modules/naga-wasm/dist/node.js ]] && exit 0
command -v npm >/dev/null || { echo "no npm: tests do without naga" && exit 77; }
mkdir -p "$folder"
npm install --prefix "$folder" --no-save --no-audit --no-fund --ignore-scripts --loglevel=error "naga-wasm@$version" ||
  { echo "npm does not get naga-wasm: tests do without naga" && exit 77; }
