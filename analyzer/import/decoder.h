#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace jitscope::analyzer {

/// Gives bytes one piece after the other.
class ByteSource {
 public:
  ByteSource() = default;
  virtual ~ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// Fills `target` and gives how many bytes came; fewer than asked for only at the end.
  virtual size_t read(std::span<char> target) = 0;

  /// Why the bytes ended before their proper end; empty when they did not.
  virtual std::string_view fault() const = 0;
};

/// How the bytes of a file are packed.
enum class Encoding { kNone, kGzip, kZstd };

/// Tells it by the first bytes of a file.
Encoding encodingOf(std::string_view head);

/// Unpacks `packed` as a stream, with bounded memory. For Encoding::kNone `packed` itself.
std::unique_ptr<ByteSource> decode(Encoding encoding, std::unique_ptr<ByteSource> packed);

}  // namespace jitscope::analyzer
