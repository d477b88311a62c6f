#!/usr/bin/env bash
# Builds what Varylink stands on for Windows x64, from the source packages of the distribution that this machine runs, in
# the versions that are installed here: so that both builds of Varylink stand on the same code.
#
#   tools/windows/dependencies.sh FOLDER     installs to FOLDER/prefix; does again only what changed its version
#
# VARYLINK_WINDOWS_OPTIMIZE is the level of optimization, -O2 without it; builds for tests alone are done in half the time
# with -O1. Ends with status 77, and one line that says why, where packages are missing. Reads sources from where apt takes packages.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mkdir -p "$1" && cd "$1" && pwd)
prefix=$work/prefix
optimize=${VARYLINK_WINDOWS_OPTIMIZE:--O2}

# Source package, a binary package of it that a build for Linux takes, and options for CMake. In the order of what needs what.
dependencies=(
  "spirv-tools spirv-tools -DSPIRV-Headers_SOURCE_DIR=$prefix -DSPIRV_SKIP_TESTS=ON -DSPIRV_SKIP_EXECUTABLES=ON -DSPIRV_WERROR=OFF"
  "glslang glslang-dev -DENABLE_CTEST=OFF -DENABLE_GLSLANG_BINARIES=ON -DENABLE_HLSL=OFF -DENABLE_OPT=ON -DGLSLANG_TESTS=OFF -DALLOW_EXTERNAL_SPIRV_TOOLS=ON"
  "catch2 catch2 -DCATCH_BUILD_TESTING=OFF -DCATCH_DEVELOPMENT_BUILD=OFF -DCATCH_INSTALL_DOCS=OFF"
  "zlib zlib1g-dev"
)

# Binary packages that are headers and CMake files and nothing else: the same files serve every system.
headers=(spirv-headers nlohmann-json3-dev libcli11-dev)

skip() {
  echo "tools/windows: skipped: $*"
  exit 77
}

private_apt() {
  local tool=$1
  shift
  "$tool" -q -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$work/apt/sources" \
    -o Dir::State::Lists="$work/apt/lists" -o Dir::Cache="$work/apt/cache" -o APT::Sandbox::User=root "$@"
}

# An apt of its own, which reads sources from where the machine's apt takes the distribution's packages. Leaves the
# machine's lists and settings as they are.
make_private_apt() {
  mkdir -p "$work"/apt/{sources,lists/partial,cache/archives/partial}
  apt-get indextargets --format '$(ORIGIN) $(SOURCESENTRY)' "Created-By: Packages" |
    sed -nE 's/^(Debian|Ubuntu) (.*):[0-9]+$/\2/p' | sort -u |
    while read -r list; do
      sed -E -e 's/^Types:.*/Types: deb-src/' -e 's/^deb(-src)?[ \t]/deb-src /' "$list" >"$work/apt/sources/${list##*/}"
    done
  compgen -G "$work/apt/sources/*" >/dev/null || skip "apt of this machine names no archive of a distribution"
  private_apt apt-get update >"$work/apt/log" 2>&1 || { tail -n 3 "$work/apt/log"; skip "no source packages can be had"; }
}

version_of() { dpkg-query -W -f='${source:Version}' "$1" 2>/dev/null || true; }

build() {
  local source=$1 version=$2 folder=$work/build/$1
  shift 2
  rm -rf "$work/source/$source" "$folder"
  mkdir -p "$work/source/$source" "$folder"
  (cd "$work/source/$source" && private_apt apt-get source --only-source "$source=$version") >"$folder.log" 2>&1 ||
    { tail -n 3 "$folder.log"; skip "the source of $source $version cannot be had"; }
  local tree=("$work/source/$source"/*/)
  # SPIRV-Tools tells its date and the commit it finds itself in, which are part of the keys of caches: the date that the
  # distribution's build has, and no commit, as there, wherever FOLDER lies (inside a checkout of Varylink, git would find that).
  SOURCE_DATE_EPOCH=$(dpkg-parsechangelog -l "${tree[0]}/debian/changelog" -S Timestamp)
  GIT_CEILING_DIRECTORIES=$work/source/$source
  export SOURCE_DATE_EPOCH GIT_CEILING_DIRECTORIES
  local launcher=()
  command -v ccache >/dev/null && launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  # What of SPIRV-Tools nobody here links.
  [[ $source != spirv-tools ]] || sed -i -E "/^add_subdirectory\((reduce|fuzz|link|lint|diff)\)/d" "${tree[0]}/source/CMakeLists.txt"
  # zlib has no option for the static library alone; a program that found the DLL would have to travel with it.
  [[ $source != zlib ]] || sed -i -E -e '/^add_library\(zlib SHARED/s/SHARED/SHARED EXCLUDE_FROM_ALL/' -e 's/install\(TARGETS zlib /install(TARGETS /' \
    -e '/^# Example binaries/,$d' "${tree[0]}/CMakeLists.txt"
  cmake -S "${tree[0]}" -B "$folder" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$here/toolchain.cmake" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_C_FLAGS_RELEASE="$optimize -DNDEBUG" -DCMAKE_CXX_FLAGS_RELEASE="$optimize -DNDEBUG" \
    -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR=lib -DBUILD_SHARED_LIBS=OFF \
    -DBUILD_TESTING=OFF "${launcher[@]}" "$@" >>"$folder.log" 2>&1 &&
    cmake --build "$folder" -j "$(nproc)" >>"$folder.log" 2>&1 && cmake --install "$folder" >>"$folder.log" 2>&1 ||
    { tail -n 30 "$folder.log"; echo "tools/windows: $source $version does not build, see $folder.log"; exit 1; }
  rm -rf "$work/source/$source" "$folder"
}

for tool in x86_64-w64-mingw32-g++-posix dpkg-source cmake ninja; do
  command -v "$tool" >/dev/null ||
    skip "$tool is not installed (Debian: apt-get install cmake dpkg-dev g++-mingw-w64-x86-64-posix ninja-build)"
done

version_or_skip() {
  local version
  version=$(version_of "$1")
  [[ -n $version ]] || skip "$1 is not installed (third_party/install-debian.sh installs it)"
  echo "$version"
}

mkdir -p "$prefix" "$work/built" "$work/build"
for package in "${headers[@]}"; do
  version=$(version_or_skip "$package") || { echo "$version" && exit 77; }
  [[ -f $work/built/$package && $(<"$work/built/$package") == "$version" ]] && continue
  dpkg -L "$package" | sed -n 's|^/usr/||p' | grep -v '^share/doc' |
    tar -c -C /usr --no-recursion --verbatim-files-from -T - | tar -x -C "$prefix"
  echo "$version" >"$work/built/$package"
done

for line in "${dependencies[@]}"; do
  read -r source package options <<<"$line"
  version=$(version_or_skip "$package") || { echo "$version" && exit 77; }
  wanted="$version $options $optimize $(cat "$here/toolchain.cmake" "$0" | sha256sum) $(x86_64-w64-mingw32-g++-posix -dumpfullversion)"
  [[ -f $work/built/$source && $(<"$work/built/$source") == "$wanted" ]] && continue
  [[ -d $work/apt ]] || make_private_apt
  start=$SECONDS
  # shellcheck disable=SC2086 # options are several words
  build "$source" "$version" $options
  echo "$wanted" >"$work/built/$source"
  echo "tools/windows: built $source $version in $((SECONDS - start)) s"
done

# Vulkan's headers are the same everywhere, and the loader is opened late.
if [[ -f /usr/include/vulkan/vulkan_win32.h ]]; then
  mkdir -p "$prefix/include"
  cp -r /usr/include/vulkan /usr/include/vk_video "$prefix/include/" 2>/dev/null || true
fi
