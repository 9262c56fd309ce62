#pragma once

#include <span>
#include <string>

/// `jitscope record --check [options of check] [options of record] [--] COMMAND...`: records, and
/// holds the recording against limits. Without `--check` it is `record` alone. Gives the program's
/// exit status if that is not 0, else that of `check`. What `check` would refuse is told before
/// the program runs.
int recordAndCheck(std::span<const std::string> words);
