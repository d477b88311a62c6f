#!/usr/bin/env bash
# Installs what Varylink needs on Debian 12 and later, Ubuntu 24.04 and later. Does nothing when all of it is there.
#
#   third_party/install-debian.sh           everything to build, test and measure
#   third_party/install-debian.sh --build   only what a build of the command needs
#   third_party/install-debian.sh --browser everything, and a browser and Graphviz for tests of pictures, which else skip
#   third_party/install-debian.sh --programs everything, and programs that tests run under the Vulkan layer, which else skip
#   third_party/install-debian.sh --renderdoc everything, and RenderDoc, for a test that else skips
#   third_party/install-debian.sh --windows everything, and what builds for Windows and runs that here (tools/windows)
#   third_party/install-debian.sh --list    prints what the built command needs to run, installs nothing
#   third_party/install-debian.sh --list-verify    prints what `verify` opens besides: a driver, and libpng for pictures
#   third_party/install-debian.sh --list-developers    prints what is needed to build, test and measure, installs nothing
set -euo pipefail

# The package of mimalloc is named for its version, which differs between releases.
run_packages() {
  printf '%s\n' libc6 libgcc-s1 libstdc++6 zlib1g
  apt-cache depends libmimalloc-dev | sed -n 's/.*Depends: \(libmimalloc[0-9.]*\)$/\1/p'
}
verify_packages=(libpng16-16 libvulkan1 mesa-vulkan-drivers)
build_packages=(
  ca-certificates cmake g++ git ninja-build
  glslang-dev libcli11-dev libmimalloc-dev nlohmann-json3-dev spirv-headers spirv-tools
  zlib1g-dev
)
test_packages=(
  catch2 ccache clang clang-format fish glslang-tools libbenchmark-dev libclang-rt-dev libpng-dev libvulkan-dev
  make meson mesa-vulkan-drivers mmdebstrap pkg-config python3 spirv-cross vulkan-validationlayers
)

packages=("${build_packages[@]}" "${test_packages[@]}")
case "${1:-}" in
  "") ;;
  --build) packages=("${build_packages[@]}") ;;
  --browser) packages+=(chromium-headless-shell graphviz) ;;
  --farms) packages+=(bazel-bootstrap munge openssh-client openssh-server parallel rsync slurm-wlm) ;;
  --programs)
    packages+=(apitrace gfxreconstruct glmark2-x11 mangohud piglit vkbasalt
      qml-qt6 qml6-module-qt5compat-graphicaleffects qml6-module-qtqml-workerscript qml6-module-qtquick qml6-module-qtquick-window vulkan-tools xvfb) ;;
  --renderdoc) packages+=(librenderdoc python3-renderdoc renderdoccmd) ;;
  --windows) packages+=(dpkg-dev g++-mingw-w64-x86-64-posix wine64) ;;
  --list) run_packages && exit 0 ;;
  --list-verify) printf '%s\n' "${verify_packages[@]}" && exit 0 ;;
  --list-developers) printf '%s\n' "${packages[@]}" && exit 0 ;;
  *) echo "usage: ${0##*/} [--build|--browser|--farms|--programs|--renderdoc|--windows|--list|--list-verify|--list-developers]" >&2 && exit 1 ;;
esac

is_installed() { [[ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" == installed ]]; }

missing=()
for package in "${packages[@]}"; do
  is_installed "$package" || missing+=("$package")
done
((${#missing[@]} == 0)) && exit 0

run_as_root=()
if ((EUID != 0)); then
  command -v sudo >/dev/null || { echo "error: missing packages: ${missing[*]}; run this as root" >&2; exit 1; }
  run_as_root=(sudo)
fi
echo "installing: ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
install() { "${run_as_root[@]}" apt-get install -y -q --no-install-recommends "${missing[@]}"; }
# A fresh container has no package lists, and old lists may name files that the mirror has dropped.
if ! compgen -G '/var/lib/apt/lists/*_Packages*' >/dev/null || ! install; then
  "${run_as_root[@]}" apt-get update -q
  install
fi
