#pragma once

#include <span>
#include <string>

namespace jitscope::collector {

/// `jitscope doctor`: prints what this machine allows, one line a matter: what, its state, and what
/// to do about it. `arguments` are those after "doctor". Gives the exit status: 0 recording works,
/// 1 it does not, 2 wrong usage.
int doctorCommand(std::span<const std::string> arguments);

}  // namespace jitscope::collector
