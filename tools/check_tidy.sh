#!/usr/bin/env bash
# Runs clang-tidy on the modules' sources, with the compile commands of the dev build.
#
#   tools/check_tidy.sh            all, several at once as the build compiles them: a quarter of the time
#   tools/check_tidy.sh FILE…      the named ones, each alone, so that each includes what it needs
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tools/progress.sh

export tidy=.setup/clang-tidy/bin/clang-tidy
[[ -x $tidy ]] || { echo 'clang-tidy is missing: run tools/setup.sh --checks'; exit 1; }
modules='(trace|compiler|collector|analyzer|gui)'
cmake --preset dev -B build/tidy -DJITSCOPE_UNITY="$( (($#)) && echo OFF || echo ON)" >/dev/null
# Only what the build compiles: a part that this machine lacks has no compile commands.
mapfile -t built < <(sed -nE "s|^ *\"file\": \"$PWD/(.*)\",?$|\1|p" build/tidy/compile_commands.json |
  grep -E "^(build/tidy/$modules/.*/Unity|$modules)/" | sort -u)
files=("${@:-${built[@]}}")

# libstdc++ 12 sorts with a function of its own that newer compilers call deprecated.
export noise='--extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-deprecated-declarations'
# Several at once are sources that one source includes.
(($#)) || noise+=' --checks=-bugprone-suspicious-include'

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
