#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

#include "trace/result.h"

namespace jitscope::analyzer {

/// A file that is written from front to back (an UnfinishedTarget until it is closed), packed with
/// gzip where its name ends in .gz. For one thread. What fails is told once, by `close`.
class OutputFile {
 public:
  /// The error says why only, as that of `close` does.
  static trace::Result<OutputFile> create(const std::filesystem::path& path);

  ~OutputFile();
  OutputFile(OutputFile&&) noexcept;
  OutputFile& operator=(OutputFile&&) noexcept;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view text);

  /// Ends the file: `cannot be written: why` when not all of it reached the disk.
  trace::Result<void> close();

 private:
  class Stream;
  explicit OutputFile(std::unique_ptr<Stream> stream);
  std::unique_ptr<Stream> stream_;
};

}  // namespace jitscope::analyzer
