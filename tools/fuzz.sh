#!/usr/bin/env bash
# Fuzzes the reader, the importers, the gate and the query, two at a time. What they keep lies in
# build/fuzz/corpus/TARGET, what they find in build/fuzz/found/TARGET.
#   tools/fuzz.sh 0 reader           the same inputs each time, some seconds: what .ci/run asks
#   tools/fuzz.sh SECONDS [TARGET…]  new ones for so long each; 0 and no target: all, a minute
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tools/progress.sh
# Sanitizers before GCC 14 and LLVM 17 mistake memory of threads for a header of old glibc, and then
# die at exit, now and then. The presets of the tests say the same.
export ASAN_OPTIONS=intercept_tls_get_addr=0

# Target, runs in about ten seconds, longest input, further seeds beside tests/traces/fuzz/TARGET.
targets() {
  cat <<END
reader      10000  65536 tests/traces/*.jitscope
kineto      800   16384 tests/traces/import/*.json*
torch_trace 800   16384 tests/traces/logs/[a-z]*.log
torch_logs  800   8192  tests/traces/logs/C*.log
nsys        8000  16384
nsys_schema 8000  4096
recording   100   4096
gate        2000  4096
query       6000  300
END
}

fuzz() {  # SECONDS TARGET RUNS LONGEST SEED…
  local seconds=$1 target=$2 runs=$3 longest=$4 amount
  [[ -x build/fuzz/bin/fuzz_$target ]] || { echo "$target: left out, what it reads with is missing"; return 0; }
  local corpus=build/fuzz/corpus/$target found=build/fuzz/found/$target
  local seeds
  seeds=$(IFS=,; echo "${*:5}")
  if ((seconds == 0)); then
    rm -rf "$corpus"
    amount=(-seed=1 "-runs=$runs" -timeout=60)
  else
    amount=("-max_total_time=$seconds" -timeout=10)
  fi
  mkdir -p "$corpus" "$found"
  "build/fuzz/bin/fuzz_$target" "${amount[@]}" "-max_len=$longest" -rss_limit_mb=2048 \
    "-artifact_prefix=$found/" ${seeds:+"-seed_inputs=$seeds"} -verbosity=0 -print_final_stats=1 \
    "$corpus" "tests/traces/fuzz/$target" >"$found.log" 2>&1
  local status=$?
  if ((status == 0)); then
    echo "$target: $(sed -n 's/^stat::number_of_executed_units: *//p' "$found.log") inputs, no fault"
  else
    tail -60 "$found.log"
    echo "$target: fault, see $found.log and $found/"
  fi
  return $status
}

seconds=${1:-0}
wanted=" ${*:2} "
programs=(fuzzers)
(($# > 1)) && programs=("${@:2}") && programs=("${programs[@]/#/fuzz_}")
cmake --preset fuzz | condense && cmake --build --preset fuzz --target "${programs[@]}" | condense || exit
status=0
while read -r target runs longest seeds; do
  [[ $wanted == '  ' || $wanted == *" $target "* ]] || continue
  if (($(jobs -rp | wc -l) >= 2)); then
    wait -n || status=1
  fi
  # shellcheck disable=SC2086  # the seeds are a pattern
  fuzz "$seconds" "$target" "$runs" "$longest" $seeds &
done < <(targets)
while (($(jobs -p | wc -l) > 0)); do
  wait -n
  case $? in 0) ;; 127) break ;; *) status=1 ;; esac
done
exit $status
