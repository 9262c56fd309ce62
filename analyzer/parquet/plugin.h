#pragma once

#include <filesystem>
#include <string>

#include "analyzer/parquet/row_source.h"
#include "trace/result.h"

namespace jitscope::analyzer {

/// \file
/// Arrow's libraries are large and come from a Python environment that may go away. So only a
/// library of its own is linked with them, which is opened when a Parquet file is to be written:
/// every other command starts as fast as before, and on machines without Arrow.

/// The library, beside the program's folder in `lib`.
inline constexpr const char* kParquetLibrary = "libjitscope_parquet.so";

/// The one function of the library, of the type ParquetEntry.
inline constexpr const char* kParquetEntry = "jitscopeWriteParquetFile";

/// Writes a file; `*problem` says why it could not, and stays empty when it could.
using ParquetEntry = void (*)(RowSource* rows, const char* path, std::string* problem);

/// Writes Parquet files by the library, which stays open until the program ends. For any thread.
class ParquetPlugin {
 public:
  /// Opens the library. The error says what is missing and how to get it.
  static trace::Result<ParquetPlugin> open();

  /// Creates or replaces the file `path`. Its text columns are encoded as dictionaries; bytes that
  /// are no UTF-8 become U+FFFD. A row group holds at most 131,072 rows, and no more of them are
  /// in memory at once. The error says why only; what has been written then is no whole file.
  trace::Result<void> write(RowSource& rows, const std::filesystem::path& path) const;

 private:
  explicit ParquetPlugin(ParquetEntry entry) : entry_(entry) {}
  ParquetEntry entry_;
};

}  // namespace jitscope::analyzer
