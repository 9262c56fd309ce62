#pragma once

#include <arrow/status.h>

#include <string>

#include "analyzer/parquet/row_source.h"

namespace jitscope::analyzer {

/// Creates or replaces the Parquet file `path` with all rows of `rows`, as ParquetPlugin::write
/// says it.
arrow::Status writeParquetFile(RowSource& rows, const std::string& path);

}  // namespace jitscope::analyzer
