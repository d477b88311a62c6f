#!/usr/bin/env bash
# Builds Varylink for Windows x64 on Debian: what it stands on first, then Varylink itself.
#
#   tools/windows/build.sh [TARGET...]     without one, everything that is built by default
#
# Works in build/windows, or in the folder that VARYLINK_WINDOWS_WORK names; VARYLINK_WINDOWS_OPTIMIZE is the level of
# optimization, -O2 without it. Ends with status 77, and one line that says why,
# where packages are missing. tools/windows/wine runs what was built.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=${VARYLINK_WINDOWS_WORK:-$root/build/windows}

"$root/tools/windows/dependencies.sh" "$work"
cmake -S "$root" -B "$work/varylink" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$root/tools/windows/toolchain.cmake" \
  -DCMAKE_PREFIX_PATH="$(cd "$work" && pwd)/prefix" -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_CXX_FLAGS_RELEASE="${VARYLINK_WINDOWS_OPTIMIZE:--O2} -DNDEBUG" -DCMAKE_UNITY_BUILD=ON \
  -DCMAKE_UNITY_BUILD_BATCH_SIZE=16 -DVARYLINK_WERROR=ON
cmake --build "$work/varylink" ${1:+--target "$@"}
