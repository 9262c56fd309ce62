#include "tests/trace/fuzz_reader.h"

#include <cstdlib>
#include <string_view>

#include "tests/trace/memory_file.h"
#include "trace/reader.h"

namespace jitscope::trace {
namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void readAll(const TraceFile& file) {
  size_t textBytes = 0;
  for (const TableDescription& table : file.tables()) {
    const size_t rows = file.rowCount(table.id);
    for (size_t i = 0; i < table.columns.size(); ++i) {
      const std::span<const int64_t> cells = file.column(table.id, i);
      require(cells.size() == rows);
      for (size_t row = 0; row < rows; row += 97) {
        textBytes += file.text(fromCell<StringId>(cells[row])).size();
      }
    }
    require(file.column(table.id, table.columns.size()).empty());
  }
  for (size_t id = 0; id < file.stringCount(); id += 13) {
    textBytes += file.text(static_cast<StringId>(id)).size();
  }
  for (const ReadLoss& loss : file.losses()) require(!loss.place.empty() && !loss.text.empty());
  require(textBytes < size_t{1} << 60);
}

}  // namespace
}  // namespace jitscope::trace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  using namespace jitscope::trace;
  const MemoryFile memory({reinterpret_cast<const char*>(bytes), size});
  const Result<TraceFile> file = TraceFile::open(memory.path());
  if (!file) {
    require(file.error().text.find('\n') == std::string::npos);
    return 0;
  }
  readAll(*file);
  return 0;
}
