#!/usr/bin/env bash
# Runs a command of README.md alone, and first, on an empty Debian: a new root of its smallest variant with a copy of this
# tree, uncommitted changes included, and nothing else in it.
#
#   tests/fresh_machine.sh [--release bookworm|trixie]... [--keep FOLDER] [--tests | --package FILE.deb | -- COMMAND...]
#
#   --release   one release; without it, each that README.md promises
#   --keep      leaves the roots in FOLDER; with the roots of an earlier call there, goes on in them with the tree as it is now
#   --tests     tests/run instead of samples/run
#   --package   installs what cpack made, and links a sample with it
#   COMMAND     another command, run in the copy of the tree
#
# Exit status: 0 if it worked on each release, 1 if not, 77 if it could not be tried, with a line that says why.
# Needs root, mmdebstrap and the mirror that this machine's apt uses. Bases and packages are kept in $VARYLINK_FRESH_CACHE
# (default: varylink/fresh in the user's cache folder); roots are made under $TMPDIR and removed, unless --keep is given.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=${VARYLINK_FRESH_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/varylink/fresh}

failed=0
skip() {
  printf 'fresh_machine: skipped: %s\n' "$*"
  exit $((failed ? 1 : 77))
}

releases=()
command=(samples/run)
package=
roots=
while (($#)); do
  case $1 in
    --release) releases+=("${2:?--release needs a name}") && shift 2 ;;
    --keep) mkdir -p "${2:?--keep needs a folder}" && roots=$(realpath "$2") && shift 2 ;;
    --tests) command=(tests/run) && shift ;;
    --package)
      package=$(realpath "${2:?--package needs a file}")
      command=(sh -c 'apt-get update -q && apt-get install -y -q --no-install-recommends /varylink/varylink.deb &&
        varylink link samples/shaders/quick.vert samples/shaders/quick.frag -o out && ls -l out')
      shift 2
      ;;
    --) shift && command=("$@") && break ;;
    *) sed -n '5,12s/^# *//p' "$0" >&2 && exit 1 ;;
  esac
done
((${#releases[@]})) || releases=(bookworm trixie)

((EUID == 0)) || skip "making a root needs root"
command -v mmdebstrap >/dev/null || skip "mmdebstrap is not installed"

scratch=$(mktemp -d)
trap 'rm -rf --one-file-system "$scratch"' EXIT
mkdir -p "$cache"

# The archive that this machine takes its own release from has the other releases, too. Empty where there is none, for which
# mmdebstrap has a default.
mirror=$(. /etc/os-release
  apt-get indextargets --format '$(REPO_URI) $(RELEASE)' "Created-By: Packages" 2>/dev/null |
    awk -v release="${VERSION_CODENAME:-}" '$2 == release { print $1; exit }')
# How this machine reaches it: proxies, retries and the like.
apt-config dump 2>/dev/null | grep '^Acquire::' >"$scratch/apt.conf" || true

make_base() {
  local release=$1 log=$scratch/$1.log
  [[ -s $cache/$release.tar ]] && return
  printf 'fresh_machine: making an empty %s\n' "$release"
  if ! mmdebstrap --variant=minbase --aptopt="$scratch/apt.conf" "$release" "$scratch/$release.tar" $mirror >"$log" 2>&1; then
    tail -n 5 "$log"
    skip "mmdebstrap could not make $release from ${mirror:-its default mirror}"
  fi
  mv "$scratch/$release.tar" "$cache/$release.tar"
}

# Runs "$@" in the root at $1, which sees no mount and no process of this machine but its own.
in_root() {
  local fresh=$1
  shift
  env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
    unshare --mount --pid --fork --kill-child bash -euc '
      fresh=$1 packages=$2
      shift 2
      mount -t proc proc "$fresh/proc"
      mount --rbind /dev "$fresh/dev"
      mount --bind "$packages" "$fresh/var/cache/apt/archives"
      exec chroot "$fresh" "$@"' in_root "$fresh" "$packages" "$@"
}

# What git knows of this tree or would, without what was deleted from it.
copy_tree() {
  mkdir -p "$1"
  (cd "$root" && comm -z -23 <(git ls-files -z --cached --others --exclude-standard | sort -zu) <(git ls-files -z --deleted | sort -zu) |
    tar -c --null -T -) | tar -x -C "$1"
}

# An empty root of release $1 at $2, whose package manager reaches the mirror.
make_root() {
  local release=$1 fresh=$2
  make_base "$release"
  mkdir -p "$fresh"
  tar -xf "$cache/$release.tar" -C "$fresh" --exclude='./dev/*' || return 1
  cp -L /etc/resolv.conf /etc/hosts "$fresh/etc/"
  printf 'force-unsafe-io\n' >"$fresh/etc/dpkg/dpkg.cfg.d/fresh_machine" # nothing here outlives the machine
  if ! in_root "$fresh" apt-get update -q -o APT::Update::Error-Mode=any >"$scratch/log" 2>&1; then
    tail -n 5 "$scratch/log"
    skip "the package mirror does not answer"
  fi
  rm -rf "$fresh"/var/lib/apt/lists/*
}

try() {
  local release=$1
  local fresh=${roots:-$scratch}/$release
  packages=$cache/$release.packages
  mkdir -p "$packages/partial"
  local state="an empty $release"
  if [[ -d $fresh/varylink ]]; then
    state="a kept $release"
  else
    make_root "$release" "$fresh" || return 1
  fi
  copy_tree "$fresh/varylink" || return 1
  [[ -z $package ]] || cp "$package" "$fresh/varylink/varylink.deb" || return 1

  printf 'fresh_machine: %s on %s\n' "${command[*]}" "$state"
  local start=$SECONDS
  if ! in_root "$fresh" sh -c 'cd /varylink && exec "$@"' sh "${command[@]}" </dev/null; then
    printf 'fresh_machine: %s on %s: FAILED\n' "${command[*]}" "$state" >&2
    return 1
  fi
  printf 'fresh_machine: %s on %s: ok (%d s)\n' "${command[*]}" "$state" $((SECONDS - start))
  [[ -n $roots ]] || rm -rf --one-file-system "$fresh"
}

for release in "${releases[@]}"; do
  try "$release" || failed=1
done
exit "$failed"
