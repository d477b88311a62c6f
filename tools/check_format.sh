#!/usr/bin/env bash
# Fails when a C++ file is not formatted as .clang-format says. `tools/check_format.sh --fix` formats them all.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

clang_format=clang-format
command -v clang-format-14 >/dev/null && clang_format=clang-format-14
version=$("$clang_format" --version | grep -oE '[0-9]+' | head -1)
if ((version != 14)); then
  echo "format: not checked, this is clang-format $version and the files are formatted by 14"
  exit 0
fi

folders=()
for folder in src include layer tests bench samples; do [[ -d $folder ]] && folders+=("$folder"); done
mapfile -d '' files < <(find "${folders[@]}" -type f \( -name '*.h' -o -name '*.hpp' -o -name '*.cpp' \) -print0 | sort -z)
if [[ "${1:-}" == --fix ]]; then
  "$clang_format" -i "${files[@]}"
else
  "$clang_format" --dry-run -Werror "${files[@]}"
  echo "format: ok"
fi
