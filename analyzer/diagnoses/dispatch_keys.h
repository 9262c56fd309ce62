#pragma once

#include <string>
#include <string_view>

namespace jitscope::analyzer {

/// The device that a set of dispatch keys stands for, e.g. "CUDA" of `DispatchKeySet(CUDA,
/// ADInplaceOrView)`; empty when none is among them.
std::string deviceOfKeys(std::string_view keys);

/// Why two sets of dispatch keys differ, in words: "one was made under torch.inference_mode()" and
/// its like. Empty when the keys that differ are none that have such a meaning.
std::string_view differenceOfKeys(std::string_view expected, std::string_view actual);

}  // namespace jitscope::analyzer
