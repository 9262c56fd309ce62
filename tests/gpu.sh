#!/usr/bin/env bash
# Runs what needs a GPU: the tests, then the benchmarks, whose results become a file in
# tests/benchmarks/results/ with the machine, the versions and the date.
#
#   tests/gpu.sh [BUILD]   the folder of a build; without it build/release, which is built first
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

build=${1:-}
if [[ -z $build ]]; then
  build=build/release
  tools/setup.sh
  cmake --preset release
  cmake --build --preset release
fi
. .setup/env.sh 2>/dev/null || true
python=${JITSCOPE_PYTHON:-python3}

command -v nvidia-smi >/dev/null || { echo 'tests/gpu.sh: no nvidia-smi: there is no GPU here'; exit 77; }
status=0
"$python" -B tests/gpu/record_test.py "$build" || status=1
results=$(mktemp)
trap 'rm -f "$results"' EXIT
"$python" -B tests/benchmarks/collector/gpu_cost.py "$build" >"$results" || exit 1
"$python" -B tests/benchmarks/keep_result.py collector_gpu "$results"
exit $status
