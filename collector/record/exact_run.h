#pragma once

#include <string>

#include "collector/record/arguments.h"
#include "collector/record/output.h"

namespace jitscope::collector {

/// Runs the program a second time to count the bytes of its kernels, and puts them into the
/// recording that `output` holds. `status` is how the first run ended. What the program reads and
/// prints this time, and how it ends, nobody sees. Where it cannot be done, the recording says why.
void countExactly(const RecordArguments& arguments, const std::string& program,
                  const Output& output, int status);

}  // namespace jitscope::collector
