#pragma once

#include <string>
#include <string_view>

namespace jitscope::analyzer {

/// `bytes` as one member of gzip.
std::string gzipped(std::string_view bytes);

/// `bytes` as one frame of zstd.
std::string zstdPacked(std::string_view bytes);

}  // namespace jitscope::analyzer
