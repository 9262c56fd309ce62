#pragma once

#include <string_view>

#include "analyzer/run.h"

namespace jitscope::fuzz {

/// Stops the program, so that a fuzzer keeps the input, unless `holds`.
void require(bool holds);

/// Analyses, reports, compares and measures a run, and requires what holds of all of them.
void requireSound(const analyzer::Run& run);

/// Loads the bytes as a file of whatever format they are, and requires the same.
void requireSoundFile(std::string_view bytes);

}  // namespace jitscope::fuzz
