#!/usr/bin/env bash
# From a plain clone to a report: sets up, builds the release programs, records the sample service and
# leaves in out/ the trace, the report and (where there is Qt) a picture of the two timelines.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tools/progress.sh

step 'set up'
tools/setup.sh
. .setup/env.sh

step 'build what is needed'
targets=(jitscope decode_service)  # jitscope brings what it preloads
[[ $JITSCOPE_WITH_GUI == ON ]] && targets+=(jitscope-gui)
cmake --preset release | condense
cmake --build --preset release --target "${targets[@]}" 2>&1 | condense

programs=build/release/bin
trace=out/decode_service.jitscope
mkdir -p out

step 'record samples/decode_service'
rm -rf "$trace"
"$programs/jitscope" record -o "$trace" -- "$programs/decode_service"

step 'report'
"$programs/jitscope" report "$trace" -o out/report.txt
"$programs/jitscope" report "$trace" --format markdown -o out/report.md
cat out/report.txt

if [[ $JITSCOPE_WITH_GUI == ON ]]; then
  step 'picture'
  "$programs/jitscope-gui" "$trace" --screenshot out/timelines.png
fi

step 'done'
echo "trace    $PWD/$trace"
echo "report   $PWD/out/report.txt (and report.md)"
if [[ $JITSCOPE_WITH_GUI == ON ]]; then
  echo "picture  $PWD/out/timelines.png"
  echo "window   $programs/jitscope-gui $trace"
else
  echo 'picture  none: built without Qt'
fi
