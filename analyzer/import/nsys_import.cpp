#include "analyzer/import/nsys_import.h"

#include <fmt/format.h>

#include "analyzer/import/nsys_rows.h"
#include "analyzer/import/nsys_table.h"
#include "analyzer/import/unpacked_file.h"
#include "analyzer/sqlite/database.h"

namespace jitscope::analyzer {
namespace {

/// An error of a file of which nothing can be read, with what helps.
trace::Error unreadable(std::string_view what, const trace::Error& why) {
  return {fmt::format("{}: {}; make it anew with `nsys export --type sqlite REPORT.nsys-rep`", what,
                      why.text)};
}

bool isExport(const NsysTables& tables) {
  for (const char* const prefix :
       {"CUPTI_ACTIVITY_KIND_", "NVTX_EVENTS", "StringIds", "StringTable", "TARGET_INFO_"}) {
    if (!tables.withPrefix(prefix).empty()) return true;
  }
  return false;
}

}  // namespace

trace::Result<void> importNsys(InputBytes& bytes, Import& result) {
  trace::Result<UnpackedFile> file = UnpackedFile::of(bytes);
  if (!file) return file.error();
  // Half a database is none: its tables point everywhere.
  if (!bytes.fault().empty()) return trace::Error{std::string(bytes.fault())};
  trace::Result<Database> database = Database::openForeign(file->path(), bytes.stop());
  if (!database) return unreadable("cannot be opened as a database", database.error());
  file->removeName();
  const trace::Result<NsysTables> tables = NsysTables::of(*database);
  if (!tables) return unreadable("cannot be read as a database", tables.error());
  if (!isExport(*tables)) {
    result.refuse();
    return trace::Error{"is an SQLite database without the tables of Nsight Systems"};
  }
  NsysRows rows(*tables, result);
  const trace::Result<void> done = rows.read();
  if (!done) return unreadable("cannot be read as a database", done.error());
  // An export without device work and without ranges is one all the same, of a process that did
  // nothing to see.
  if (result.processes().empty()) emit(result.addProcess(), trace::ProcessRow{});
  return {};
}

}  // namespace jitscope::analyzer
