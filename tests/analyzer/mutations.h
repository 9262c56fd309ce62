#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace jitscope::analyzer {

/// Damages bytes in one of the ways in which files come to be damaged, or an attacker would.
std::string mutated(std::string bytes, std::mt19937_64& random);

/// Hands damaged versions of `inputs` to `read`, each from a seed that a failure prints: 100, or as
/// many as $JITSCOPE_MUTATIONS says. A reading that takes more than ten seconds of processor time
/// ends the program.
void readMutated(const std::vector<std::string>& inputs,
                 const std::function<void(const std::string& bytes)>& read);

}  // namespace jitscope::analyzer
