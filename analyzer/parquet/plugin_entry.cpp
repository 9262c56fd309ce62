#include <exception>

#include "analyzer/parquet/parquet_file.h"
#include "analyzer/parquet/plugin.h"

using jitscope::analyzer::RowSource;

extern "C" __attribute__((visibility("default"))) void jitscopeWriteParquetFile(
    RowSource* rows, const char* path, std::string* problem);

void jitscopeWriteParquetFile(RowSource* rows, const char* path, std::string* problem) {
  try {
    const arrow::Status written = jitscope::analyzer::writeParquetFile(*rows, path);
    if (written.ok()) return;
    // The detail is the system's own word, e.g. "[errno 28] No space left on device".
    *problem = written.detail() ? written.detail()->ToString() : written.message();
  } catch (const std::exception& failure) {
    *problem = failure.what();
  }
}
