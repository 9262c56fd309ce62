#!/usr/bin/env bash
# Runs what needs a GPU: the tests, then the benchmarks. How the tests ended and what was measured
# become files in tests/benchmarks/results/ with the machine, the versions and the date.
#
#   tests/gpu.sh [BUILD]   the folder of a build; without it build/release, which is built first
#
# JITSCOPE_GPU_CASES names the folder of the workloads whose right answers are known; see
# tests/gpu/workloads_test.py.
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
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
status=0
"$python" -B tests/gpu/all_tests.py "$build" "$results/tests" || status=1
"$python" -B tests/benchmarks/keep_result.py gpu_tests "$results/tests"
"$python" -B tests/benchmarks/collector/gpu_cost.py "$build" >"$results/cost" || exit 1
"$python" -B tests/benchmarks/keep_result.py collector_gpu "$results/cost"
exit $status
