#pragma once

#include <string>

namespace jitscope::compiler {

/// "ns::f(at::Tensor, long)" → "ns::f".
std::string withoutArguments(std::string name);

}  // namespace jitscope::compiler
