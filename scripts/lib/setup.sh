# Sourced by the scripts: where the project is, how it speaks, and Debian packages on demand.
# Needs bash and apt only. Nothing here asks a question: standard input is closed off, apt runs non-interactively,
# and where neither root nor a password-free sudo is at hand, the one command to run as root is printed instead.

set -euo pipefail
exec </dev/null
export LC_ALL=C.UTF-8
unset CDPATH
# Ctrl-C ends the script, not only the step it is at.
trap 'exit 130' INT
trap 'exit 143' TERM

project="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"

# What each job needs beyond a minimal Debian 12 with git.
build_packages=(g++ cmake ninja-build libfmt-dev libfast-float-dev zlib1g-dev libbz2-dev liblzma-dev libzstd-dev libcli11-dev
                nlohmann-json3-dev libeigen3-dev libcurl4-openssl-dev libjs-chart.js)
bench_packages=(libbenchmark-dev)
# What `geodescent bench` draws its figures with, when it runs.
figure_packages=(gnuplot-nox)
# The programs that `geodescent bench peers` times ours beside; python3-venv is for what Debian does not have (vw).
peers_packages=(liblinear-tools python3-sklearn python3-venv)
# What scripts/api-reference makes the API reference with.
reference_packages=(doxygen)
# Python, its virtual environments and its headers, for the Python package. All else of it comes from a registry (lib/python.sh).
python_packages=(python3 python3-venv python3-dev)
# A compiler cache; clang with its sanitizer and fuzzer runtimes, its formatter and its checks; the test libraries; the
# compressors whose files the reader is tested on; LIBLINEAR, whose model files we share; pkg-config for the install tests;
# groff for the man page; valgrind for instruction counts; a browser and its driver for the report page; another processor and
# another C library, for scripts/architectures; MPI, for ranks.
test_packages=(ccache clang clang-format clang-tidy libclang-rt-14-dev libgtest-dev
               liblinear-tools bzip2 xz-utils zstd pkgconf groff-base valgrind chromium chromium-driver python3-selenium
               g++-aarch64-linux-gnu qemu-user musl-dev libopenmpi-dev openmpi-bin
               "${bench_packages[@]}" "${figure_packages[@]}" "${reference_packages[@]}")

say() { printf '%s\n' "== $*" >&2; }
die() { printf '%s\n' "$*" >&2; exit 1; }

missing_packages() {
  local name
  for name in "$@"; do
    # The trailing words differ ("install ok installed", "hold ok installed"); only the last one matters.
    [[ "$(dpkg-query --show --showformat='${db:Status-Status}' "$name" 2>/dev/null)" == installed ]] || printf '%s\n' "$name"
  done
}

# ensure_packages NAME...: afterwards all of them are installed. No network and no root when they already are.
ensure_packages() {
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    say "not a Debian system; taking for granted what these packages hold: $*"
    return
  fi
  local missing
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]})) || return 0

  local as_root=()
  if ((EUID != 0)); then
    if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
      as_root=(sudo -n)
    else
      die "Debian packages are missing, and this user is neither root nor allowed to use sudo without a password.
Run this as root, then start again:

  apt-get update && apt-get install --yes --no-install-recommends ${missing[*]}
"
    fi
  fi
  # sudo clears the environment; a proxy has to survive it.
  local name environment=(env DEBIAN_FRONTEND=noninteractive)
  for name in http_proxy https_proxy no_proxy; do
    [[ -z "${!name:-}" ]] || environment+=("$name=${!name}")
  done
  local apt=("${as_root[@]}" "${environment[@]}" apt-get --quiet=2 -o Acquire::Retries=3 -o DPkg::Lock::Timeout=600 -o Dpkg::Use-Pty=0)

  say "installing ${#missing[@]} Debian packages: ${missing[*]}"
  local log
  log="$(mktemp)"
  # A stale index of some unrelated source is no reason to stop; the installation itself is what must succeed.
  "${apt[@]}" update >"$log" 2>&1 || { cat "$log" >&2; say "the package index could not be refreshed in full; trying all the same"; }
  if ! "${apt[@]}" install --yes --no-install-recommends "${missing[@]}" >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    die "the installation of Debian packages failed (its output is above)"
  fi
  rm -f "$log"
}

# use_compiler_cache: compilers run through ccache, where it is installed and has a place to write to. Its folder may be there and
# belong to another user.
use_compiler_cache() {
  [[ -z "${CMAKE_CXX_COMPILER_LAUNCHER:-}" ]] && command -v ccache >/dev/null || return 0
  local folder
  folder="$(ccache --get-config cache_dir 2>/dev/null)" && mkdir -p "$folder/tmp" 2>/dev/null && [[ -w $folder && -w $folder/tmp ]] ||
    return 0
  export CMAKE_CXX_COMPILER_LAUNCHER=ccache
  # Another clone of the same sources finds the results of this one: neither the folder nor the age of a file counts.
  export CCACHE_BASEDIR="$project" CCACHE_NOHASHDIR=1
  # ccache asks for these two before it stores what is compiled with precompiled headers.
  export CCACHE_SLOPPINESS="${CCACHE_SLOPPINESS:-pch_defines,time_macros}"
}

# configure_and_build PRESET [TARGET...]: an up-to-date build/PRESET, or these parts of it. On a terminal one line shows the
# progress. Elsewhere only what the compilers say is printed, and all else goes to build/build-PRESET.log.
configure_and_build() {
  local preset="$1" started=$SECONDS
  shift
  local log="$project/build/build-$preset.log"
  local build=(cmake --build "$project/build/$preset" --parallel "$(nproc)" --target "${@:-all}")
  use_compiler_cache
  say "building preset $preset"
  mkdir -p "$project/build"
  # Presets are looked up in the current folder.
  (cd "$project" && cmake --preset "$preset") >"$log" 2>&1 || { cat "$log" >&2; return 1; }
  if [[ -t 2 ]]; then
    "${build[@]}" >&2 || return 1
  else
    "${build[@]}" >>"$log" 2>&1 || { grep -v '^\[[0-9]*/[0-9]*\] ' "$log" >&2; return 1; }
    sed '1,/^-- Build files have been written/d' "$log" | grep -v '^\[[0-9]*/[0-9]*\] \|^ninja: ' >&2 || true
  fi
  say "preset $preset is built ($((SECONDS - started)) s)"
}
