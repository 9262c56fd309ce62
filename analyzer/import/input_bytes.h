#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include "analyzer/import/decoder.h"
#include "analyzer/input.h"
#include "trace/result.h"

namespace jitscope::analyzer {

/// One input file as a stream of unpacked bytes, of text in UTF-16 as UTF-8. Its head can be looked
/// at before it is read. For one thread.
class InputBytes {
 public:
  /// Opens the file. Errors say what and where, without the path.
  static trace::Result<InputBytes> open(const std::filesystem::path& path,
                                        const LoadOptions& options);

  /// Reads from memory instead: for tests.
  static InputBytes of(std::string_view bytes);

  ~InputBytes();
  InputBytes(InputBytes&&) noexcept;
  InputBytes& operator=(InputBytes&&) noexcept;
  InputBytes(const InputBytes&) = delete;
  InputBytes& operator=(const InputBytes&) = delete;

  const std::filesystem::path& path() const;
  Encoding encoding() const;

  /// The first bytes, at most 64 KiB; all of a shorter file.
  std::string_view head() const;

  /// Fills `target` from the file's start on and gives how many bytes came; fewer than asked for
  /// only at the end.
  size_t read(std::span<char> target);

  /// How many bytes `read` gave out.
  uint64_t position() const;

  /// What `read` looks at to end early, for work that goes on after it.
  std::stop_token stop() const;

  /// Why the bytes ended before their proper end ("gzip: cut short", "stopped"); else empty.
  std::string_view fault() const;

 private:
  class Stream;
  explicit InputBytes(std::unique_ptr<Stream> stream);
  std::unique_ptr<Stream> stream_;
};

}  // namespace jitscope::analyzer
