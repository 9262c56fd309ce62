#!/usr/bin/env bash
# Makes this machine able to build jitscope (Debian 12, Ubuntu 24.04). Run it as often as you like:
# it does only what is still missing, and says in one line what it leaves out.
#
#   tools/setup.sh            what building, testing and the window need
#   tools/setup.sh --checks   also the tools of .ci/run: clang-format, clang-tidy, clang for the fuzzer
#
# Leaves .setup/found.cmake for CMakeLists.txt and .setup/env.sh for the scripts. Packages come from
# apt; torch from the python3 on PATH, else from PyPI into .venv, and there pyarrow with it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tools/progress.sh

readonly kTorchSeries=2.11 kTorchVersion=2.11.0
readonly kTidyVersion=23.1.4 kTidyFolder=.setup/clang-tidy  # of one version everywhere: another one finds other faults
readonly kArrowSeries=26
readonly kVenvMark=.venv/complete      # written last, so a half-made venv is recognised
readonly kRefusedMark=.setup/refused   # optional packages that apt could not bring; not asked for again
readonly kNoArrowMark=.setup/no_arrow  # pip could not bring Arrow; not asked for again
readonly kVenvSizeGiB=9                # torch with its libraries, and the downloads while pip unpacks

say() { printf 'setup: %s\n' "$*"; }

# part | test | package | what it is | why it is needed.
# A missing `build` line ends the set-up; the other parts are left out with one line.
readonly kNeeds='
build  | command c++             | g++                | a C++20 compiler              | compiles everything
build  | recent cmake 3.25       | cmake              | CMake 3.25 or newer           | plans the build
build  | command ninja           | ninja-build        | ninja                         | runs the build
build  | recent python3 3.9      | python3            | Python 3.9 or newer           | brings torch, runs the checks
build  | header fmt/core.h       | libfmt-dev         | fmt                           | formats text
build  | header zstd.h           | libzstd-dev        | zstd                          | compresses traces
build  | header zlib.h           | zlib1g-dev         | zlib                          | unpacks traces of other tools
build  | header nlohmann/json.hpp| nlohmann-json3-dev | nlohmann-json                 | reads and writes JSON
gate   | header toml++/toml.h    | libtomlplusplus-dev | toml++                       | reads the limits of jitscope check
query  | header sqlite3.h        | libsqlite3-dev     | SQLite                        | queries, exports of Nsight Systems
venv   | module ensurepip        | python3-venv       | venv for Python               | holds torch inside the repository
stacks | header elfutils/libdwfl.h | libdw-dev        | elfutils                      | file and line of an address
tests  | header gtest/gtest.h    | libgtest-dev       | GoogleTest                    | runs the tests
tests  | header benchmark/benchmark.h | libbenchmark-dev | Google Benchmark           | measures
inductor | pythonHeaders         | python3-dev        | headers of Python             | torch.compile builds kernels with them
gui    | config Qt6Widgets       | qt6-base-dev       | Qt 6                          | draws the window
gui    | header GL/gl.h          | libgl1-mesa-dev    | OpenGL headers                | Qt 6 asks for them
gui    | font                    | fonts-dejavu-core  | a font                        | letters in the window
bench  | header simdjson.h      | libsimdjson-dev    | simdjson                      | is what importing is measured against
speed  | command ccache          | ccache             | ccache                        | builds again quickly
speed  | command mold            | mold               | mold                          | links quickly
checks | command git             | git                | git                           | lists the sources
checks | command clang-format-14 | clang-format-14    | clang-format 14               | checks the format
checks | command clang-14        | clang-14           | clang 14                      | builds the fuzzer
checks | file /usr/lib/llvm-14/lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a | libclang-rt-14-dev | libFuzzer | runs the fuzzer
'

# --- tests of the table --------------------------------------------------------------------------

hasCommand() { command -v "$1" >/dev/null; }
hasFile() { compgen -G "$1" >/dev/null; }
hasModule() { python3 -c "import $1" 2>/dev/null; }
hasPythonHeaders() {
  python3 -c 'import os, sys, sysconfig
sys.exit(not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")))' 2>/dev/null
}
hasFont() { hasFile '/usr/share/fonts/*/*/*.[ot]tf' || hasFile '/usr/share/fonts/*/*.[ot]tf'; }
hasHeader() { [[ $knownHeaders == *" $1 "* ]]; }

hasRecent() {  # COMMAND VERSION
  hasCommand "$1" || return 1
  local found
  found=$("$1" --version 2>/dev/null | grep -oE '[0-9]+(\.[0-9]+)+' | head -n 1) || return 1
  [[ $(printf '%s\n' "$2" "$found" | sort -V | head -n 1) == "$2" ]]
}

hasConfig() {  # CMake package
  local prefix prefixes=${CMAKE_PREFIX_PATH:-}
  for prefix in ${prefixes//[:;]/ } /usr /usr/local; do
    hasFile "$prefix/lib*/cmake/$1/$1Config.cmake" && return
    hasFile "$prefix/lib/*/cmake/$1/$1Config.cmake" && return
  done
  return 1
}

# Sets knownHeaders to those of the table that the compiler finds: one compiler run for all of them.
findHeaders() {
  local names
  knownHeaders=' '
  hasCommand c++ || return 0
  names=$(grep -oP '\| header \K[^ |]+' <<<"$kNeeds")
  knownHeaders=" $(sed 's|.*|#if __has_include(<&>)\nfound &\n#endif|' <<<"$names" |
    c++ -std=c++20 -E -P -x c++ - 2>/dev/null | sed -n 's/^found //p' | tr -d ' ' | tr '\n' ' ') "
}

# --- what is missing -----------------------------------------------------------------------------

# Fills missing (lines of the table) for the wanted parts.
findMissing() {
  local part test package what why kind arguments
  missing=()
  findHeaders
  while IFS='|' read -r part test package what why; do
    read -r part <<<"$part"
    [[ " $wantedParts " == *" $part "* ]] || continue
    read -r kind arguments <<<"$test"
    # Unquoted: the words of a test are its arguments.
    # shellcheck disable=SC2086
    "has${kind^}" $arguments || missing+=("$part|$(xargs <<<"$package")|$(xargs <<<"$what")|$(xargs <<<"$why")")
  done < <(grep . <<<"$kNeeds")
}

missingPackages() {  # PARTS: the packages missing for these parts
  local line part package rest packages=()
  for line in ${missing[@]+"${missing[@]}"}; do
    IFS='|' read -r part package rest <<<"$line"
    [[ " $1 " == *" $part "* ]] && packages+=("$package")
  done
  echo "${packages[*]}"
}

lacks() { [[ -n $(missingPackages "$1") ]]; }

# --- what brings it ------------------------------------------------------------------------------

asRoot() { if [[ $(id -u) == 0 ]]; then "$@"; else sudo "$@"; fi; }

canInstall() {
  hasCommand apt-get || return 1
  [[ $(id -u) == 0 ]] && return
  hasCommand sudo && { [[ -t 0 ]] || sudo -n true 2>/dev/null; }
}

# Asks apt once for everything that is missing. Whether it helped, findMissing says afterwards.
installMissing() {
  local packages
  packages=$(missingPackages "$wantedParts")
  [[ -n $packages ]] || return 0
  if ! lacks 'build venv checks' && [[ -f $kRefusedMark && $(<"$kRefusedMark") == "$packages" ]]; then
    return 0
  fi
  if ! canInstall; then
    say "cannot install packages here: apt-get with root's rights is needed"
    return 0
  fi
  say "installing with apt: $packages"
  # Without a network apt shall give up soon; what that leaves open is reported below.
  local options=(-q -o Acquire::Retries=1 -o Acquire::http::Timeout=20 -o DPkg::Lock::Timeout=120)
  # shellcheck disable=SC2086
  {
    asRoot apt-get "${options[@]}" update &&
      asRoot env DEBIAN_FRONTEND=noninteractive \
        apt-get "${options[@]}" install -y --no-install-recommends $packages
  } 2>&1 | condense || say 'apt could not bring everything'
  findMissing
  lacks 'build venv checks' || missingPackages "$wantedParts" >"$kRefusedMark"
}

stopIfIncomplete() {
  lacks 'build venv checks' || return 0
  local line part package what why
  say 'cannot go on, because this is missing:'
  for line in "${missing[@]}"; do
    IFS='|' read -r part package what why <<<"$line"
    [[ $part =~ ^(build|venv|checks)$ ]] && printf '  %s (%s)\n' "$what" "$why"
  done
  printf 'Get it with\n  sudo apt-get update && sudo apt-get install %s\nand run this again.\n' \
    "$(missingPackages 'build venv checks')"
  exit 1
}

# --- torch ---------------------------------------------------------------------------------------

# Prints "VERSION FOLDER PYTHON" of the torch that a Python has, without the seconds its import takes.
describeTorch() {  # PYTHON
  "$1" - 2>/dev/null <<'PYTHON'
import importlib.metadata, importlib.util, os, sys
root = importlib.util.find_spec("torch").submodule_search_locations[0]
for part in ("lib/libtorch_cpu.so", "lib/libc10.so", "include/ATen/core/Tensor.h"):
    if not os.path.exists(os.path.join(root, part)):
        sys.exit(1)
print(importlib.metadata.version("torch"), root, sys.executable)
PYTHON
}

isWantedTorch() { [[ $1 == "$kTorchSeries".* ]]; }

# Sets torchVersion, torchRoot and torchPython from the python3 on PATH or from a complete .venv.
findTorch() {
  read -r torchVersion torchRoot torchPython < <(describeTorch python3) || true
  isWantedTorch "${torchVersion:-}" && return
  otherTorch=${torchVersion:-}
  [[ -f $kVenvMark ]] || return 1
  read -r torchVersion torchRoot torchPython < <(describeTorch .venv/bin/python3) || return 1
  isWantedTorch "$torchVersion"
}

makeVenv() {
  local freeGiB
  freeGiB=$(df --output=avail -BG . | tail -n 1 | tr -dc 0-9)
  if ((freeGiB < kVenvSizeGiB)); then
    say "cannot install torch: $PWD has $freeGiB GiB free, $kVenvSizeGiB are needed"
    exit 1
  fi
  [[ -z $otherTorch ]] || say "python3 has torch $otherTorch, but jitscope is tested with $kTorchSeries"
  say "installing torch $kTorchVersion into .venv (a download of about 2.5 GB)"
  rm -rf .venv
  python3 -m venv .venv
  if ! .venv/bin/python3 -m pip install --progress-bar off "torch==$kTorchVersion" 2>&1 | condense; then
    say "cannot install torch $kTorchVersion: pip failed, see above. With a network that reaches PyPI, run"
    printf '  tools/setup.sh\nagain, or put a python3 that has torch %s first on PATH.\n' "$kTorchSeries"
    exit 1
  fi
  local description
  if ! description=$(describeTorch .venv/bin/python3); then
    say 'pip said that it installed torch, but .venv has no complete one: run tools/setup.sh again'
    exit 1
  fi
  printf '%s\n' "$description" >"$kVenvMark"
  findTorch
}

# clang-tidy comes from PyPI: Debian's looks into the headers of libraries too, which takes three
# times as long.
makeTidy() {
  [[ $("$kTidyFolder/bin/clang-tidy" --version 2>/dev/null) != *" $kTidyVersion"* ]] || return 0
  say "installing clang-tidy $kTidyVersion into $kTidyFolder"
  rm -rf "$kTidyFolder"
  if ! { python3 -m venv "$kTidyFolder" &&
    "$kTidyFolder/bin/python3" -m pip install -q "clang-tidy==$kTidyVersion"; }; then
    say "cannot install clang-tidy $kTidyVersion: pip failed, see above. With a network that reaches PyPI, run"
    printf '  tools/setup.sh --checks\nagain.\n'
    exit 1
  fi
}

# --- Arrow ---------------------------------------------------------------------------------------

# Sets arrowRoot to the package pyarrow of torch's Python, which holds Arrow's C++ libraries.
findArrow() {
  arrowRoot=$("$torchPython" - "$kArrowSeries" 2>/dev/null <<'PYTHON'
import glob, importlib.metadata, importlib.util, os, sys
root = importlib.util.find_spec("pyarrow").submodule_search_locations[0]
for part in ("libarrow.so.*", "libparquet.so.*", "include/parquet/arrow/writer.h"):
    if not glob.glob(os.path.join(glob.escape(root), part)):
        sys.exit(1)
if importlib.metadata.version("pyarrow").split(".")[0] != sys.argv[1]:
    sys.exit(1)
print(root)
PYTHON
  )
}

isOwnVenv() {  # PYTHON
  [[ -f $kVenvMark && $(cd "${1%/*}" && pwd -P) == $(cd .venv/bin && pwd -P) ]]
}

# Optional, so only an environment of our own is changed, and without a network it is asked for once.
bringArrow() {
  findArrow && return
  if isOwnVenv "$torchPython" && [[ ! -f $kNoArrowMark ]]; then
    say "installing Arrow (pyarrow $kArrowSeries) into .venv"
    .venv/bin/python3 -m pip install -q --disable-pip-version-check --retries 1 --timeout 20 \
      --only-binary :all: --no-deps "pyarrow==$kArrowSeries.*" &>/dev/null || touch "$kNoArrowMark"
    findArrow && return
  fi
  say "exports to Parquet are left out, Arrow is not installed; to have it:" \
    "$torchPython -m pip install 'pyarrow==$kArrowSeries.*'"
}

# --- what was found ------------------------------------------------------------------------------

replaceFile() {  # FILE: takes stdin; an equal file stays untouched, so that CMake does not run again
  cat >"$1.new"
  if cmp -s "$1.new" "$1"; then rm "$1.new"; else mv "$1.new" "$1"; fi
}

# The headers of CUPTI 13 and what they include: beside torch, or in a CUDA Toolkit
# (tools/FindCUPTI.cmake).
hasCupti() {
  local header
  hasFile "$torchRoot/../nvidia/*/include/crt/host_defines.h" ||
    hasFile "$torchRoot/../triton/backends/nvidia/include/crt/host_defines.h" ||
    hasFile /usr/local/cuda/include/crt/host_defines.h || return 1
  for header in "$torchRoot"/../nvidia/*/include/cupti_version.h \
    /usr/local/cuda/{include,extras/CUPTI/include}/cupti_version.h; do
    grep -qsE '^#define CUPTI_API_VERSION [0-9]{6}' "$header" && return
  done
  return 1
}

leaveOut() {  # PART SENTENCE: says it with the command that brings the part, and returns 1
  say "$2; to have it: sudo apt-get install $(missingPackages "$1")"
  return 1
}

writeFound() {
  local withGui=ON withTests=ON withCuda=ON
  hasCupti || { say "kernels of a GPU are not recorded, no CUPTI 13 was found"; withCuda=OFF; }
  ! lacks gui || leaveOut gui 'the GUI is left out, Qt 6 is not installed' || withGui=OFF
  ! lacks tests || leaveOut tests 'the tests are left out, GoogleTest is not installed' || withTests=OFF
  ! lacks gate || leaveOut gate 'jitscope check reads no jitscope.toml, toml++ is not installed' || true
  ! lacks query || leaveOut query 'jitscope query and exports of Nsight Systems, SQLite is not installed' || true
  ! lacks stacks || leaveOut stacks 'stacks show module+offset only, elfutils is not installed' || true
  ! lacks inductor || leaveOut inductor 'torch.compile builds no kernels here, Python has no headers' || true
  replaceFile .setup/found.cmake <<FOUND
# Written by tools/setup.sh. A value given with -D goes before the one found.
macro(jitscope_found name value)
  if(NOT DEFINED CACHE{\${name}})
    set(\${name} "\${value}")
  endif()
endmacro()
if(NOT DEFINED CACHE{LIBTORCH_ROOT})  # another LibTorch has another Python, or none
  jitscope_found(LIBTORCH_PYTHON "$torchPython")
endif()
jitscope_found(LIBTORCH_ROOT "$torchRoot")
jitscope_found(ARROW_ROOT "$arrowRoot")
jitscope_found(WITH_GUI $withGui)
jitscope_found(WITH_CUDA $withCuda)
jitscope_found(JITSCOPE_BUILD_TESTS $withTests)
FOUND
  replaceFile .setup/env.sh <<ENVIRONMENT
# Written by tools/setup.sh.
export JITSCOPE_PYTHON=$(printf %q "$torchPython")
export JITSCOPE_LIBTORCH_ROOT=$(printf %q "$torchRoot")
export JITSCOPE_WITH_GUI=$withGui
export JITSCOPE_BUILD_TESTS=$withTests
ENVIRONMENT
  say "ready: torch $torchVersion in $torchRoot, GUI $withGui, tests $withTests"
}

main() {
  wantedParts='build stacks gate query tests inductor gui bench speed'
  case ${1:-} in
    '') ;;
    --checks) wantedParts+=' venv checks' ;;
    *)
      say "unknown option $1; the only one is --checks"
      exit 2
      ;;
  esac
  mkdir -p .setup
  # Two set-ups at once would make one .venv twice.
  exec 9>.setup/lock
  flock -w 1800 9 || { say 'another tools/setup.sh has been running for 30 minutes'; exit 1; }

  hasCommand python3 && findTorch || [[ $wantedParts == *venv* ]] || wantedParts+=' venv'
  findMissing
  installMissing
  stopIfIncomplete
  findTorch || makeVenv
  [[ $wantedParts != *checks* ]] || makeTidy
  bringArrow
  writeFound
}
main "$@"
