#pragma once

#include <string>
#include <vector>

namespace jitscope::collector {

/// Runs a program and gives the first line that it prints; empty when it is not there, fails, or
/// takes longer than 10 seconds. Its complaints go nowhere.
std::string outputOf(const std::vector<std::string>& command);

}  // namespace jitscope::collector
