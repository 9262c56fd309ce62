#include <array>

#include "analyzer/export/chrome_export.h"
#include "analyzer/export/csv_export.h"
#include "analyzer/export/export_run.h"
#include "analyzer/export/parquet_export.h"
#include "analyzer/export/sqlite_export.h"

namespace jitscope::analyzer {

std::span<const ExportFormat> exportFormats() {
  static constexpr std::array kFormats{
      ExportFormat{"chrome",
                   "JSON of Chrome's trace viewer, packed if OUT ends in .gz; for\n"
                   "                     Perfetto, HTA and TraceLens",
                   exportChrome, chromeLeavesOut},
      ExportFormat{"csv", "a folder with a file for each table", exportCsv},
      ExportFormat{"parquet",
                   "a folder with rank=N/TABLE.parquet; -o FOLDER/run=NAME puts\n"
                   "                     many runs into one FOLDER",
                   exportParquet},
      ExportFormat{"sqlite", "a database with a table for each table", exportSqlite},
  };
  return kFormats;
}

}  // namespace jitscope::analyzer
