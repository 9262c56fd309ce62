#pragma once

#include <memory>
#include <string_view>

#include "analyzer/import/decoder.h"

namespace jitscope::analyzer {

/// Whether a file that begins so is text in UTF-16 behind a byte order mark, as PowerShell writes
/// what it redirects.
bool isUtf16(std::string_view head);

/// The text of a file in UTF-16, as UTF-8 and without its byte order mark. Halves of characters
/// become U+FFFD.
std::unique_ptr<ByteSource> decodeUtf16(std::unique_ptr<ByteSource> text);

}  // namespace jitscope::analyzer
