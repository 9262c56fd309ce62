#pragma once

#include <string>
#include <string_view>

namespace jitscope::analyzer {

/// What a file is that no importer takes, judged by its first bytes, with what to do about it:
/// "is an Nsight Systems report, …". Never empty.
std::string describeForeignFormat(std::string_view head);

}  // namespace jitscope::analyzer
