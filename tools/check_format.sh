#!/usr/bin/env bash
# Fails when clang-format 14 would change a C++ source that git knows.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
git ls-files -z -- '*.h' '*.cpp' '*.cu' '*.cuh' | xargs -0 clang-format-14 --dry-run --Werror
echo 'the format holds'
