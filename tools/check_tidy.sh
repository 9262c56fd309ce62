#!/usr/bin/env bash
# Runs clang-tidy on the modules' sources, with the compile commands of the dev build, but of each
# source alone.
#
#   tools/check_tidy.sh            the sources without LibTorch's headers
#   tools/check_tidy.sh --all      also those with them, which take three times as long each
#   tools/check_tidy.sh FILE…      the named ones
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tools/progress.sh

export tidy=.setup/clang-tidy/bin/clang-tidy
[[ -x $tidy ]] || { echo 'clang-tidy is missing: run tools/setup.sh --checks'; exit 1; }
withLibTorch='^(compiler/(aot|frames|frontend|runtime)|collector/torch)/'
[[ ${1-} == --all ]] && { withLibTorch='^$'; shift; }

cmake --preset dev -B build/tidy -DJITSCOPE_UNITY=OFF >/dev/null
# Only what the build compiles: a part that this machine lacks has no compile commands.
mapfile -t built < <(sed -nE "s|^ *\"file\": \"$PWD/(.*)\",?$|\1|p" build/tidy/compile_commands.json |
  grep -E '^(trace|kernels|compiler|collector|analyzer|gui)/' | grep -Ev "$withLibTorch" | sort -u)
files=("${@:-${built[@]}}")

# libstdc++ 12 sorts with a function of its own that newer compilers call deprecated.
export noise='--extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-deprecated-declarations'

# One file a process, so that a file with faults is named by its own line.
checkOne() {
  if output=$("$tidy" -p build/tidy --quiet $noise "$1" 2>&1); then
    echo "[$2] $1"
  else
    printf '%s\n%s: faults\n' "$output" "$1"
    return 1
  fi
}
export -f checkOne
count=${#files[@]}
for index in "${!files[@]}"; do printf '%s\0%s\0' "${files[index]}" "$((index + 1))/$count"; done |
  xargs -0 -n 2 -P "$(nproc)" bash -c 'checkOne "$@"' check | condense
echo "tidy: $count files hold"
