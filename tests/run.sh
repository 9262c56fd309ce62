#!/usr/bin/env bash
# Sets up, builds and runs every test that this machine can run: all tests on the dev build with its
# sanitizers, then the end-to-end tests on the release build.
#
#   tests/run.sh [CTEST OPTIONS…]    for example: tests/run.sh -R Writer
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tools/progress.sh

tools/setup.sh
. .setup/env.sh
if [[ $JITSCOPE_BUILD_TESTS != ON ]]; then
  echo 'tests/run.sh: GoogleTest is missing, so no test can be built: sudo apt-get install libgtest-dev libbenchmark-dev'
  exit 1
fi

status=0
rm -f build/dev/tests.xml build/release/tests.xml build/test_counts

step 'dev build with sanitizers, and its tests'
if [[ $# == 0 ]]; then
  cmake --workflow --preset dev 2>&1 | condense || status=1
else
  { cmake --preset dev && cmake --build --preset dev && ctest --preset dev --no-tests=ignore "$@"; } \
    2>&1 | condense || status=1
fi

step 'release build, and the end-to-end tests'
{ cmake --preset release && cmake --build --preset release --target end_to_end &&
  ctest --preset release --no-tests=ignore -L end_to_end "$@"; } 2>&1 | condense || status=1

# ctest's summary of both, read from its own result files.
step 'summary'
tests=0 failed=0
for preset in dev release; do
  if [[ ! -f build/$preset/tests.xml ]]; then
    echo "$preset: no tests ran"
    continue
  fi
  suite=$(grep -m 1 -A 9 '<testsuite ' build/$preset/tests.xml | tr '\n\t' '  ')
  count() { sed -E "s/.* $1=\"([0-9]+)\".*/\1/" <<<"$suite"; }
  printf '%s: %d tests, %d failed, %d skipped\n' \
    "$preset" "$(count tests)" "$(count failures)" "$(count skipped)"
  sed -nE 's/.*<testcase name="([^"]+)".*status="fail".*/  failed: \1/p' build/$preset/tests.xml
  tests=$((tests + $(count tests))) failed=$((failed + $(count failures)))
done
((tests > 0)) || status=1
echo "$((tests - failed)) $failed" >build/test_counts
echo "$((tests - failed)) passed, $failed failed"
exit $status
