#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <string>
#include <system_error>

#include "tests/benchmarks/trace/workload.h"
#include "trace/reader.h"
#include "trace/writer.h"

namespace jitscope::trace {
namespace {

/// Processor time of all threads so far, so that speeds are per core.
double processorSeconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

void print(const char* name, double value, const char* unit, double goal) {
  std::printf("{\"benchmark\": \"%s\", \"value\": %.2f, \"unit\": \"%s\", \"goal\": %.0f}\n", name,
              value, unit, goal);
}

/// Takes rows and forgets them: what making the workload costs.
class NoSink final : public EventSink {
 public:
  StringId intern(std::string_view) noexcept override { return {}; }
  void write(TableId, std::span<const int64_t> cells) noexcept override { sum += cells[0]; }
  int64_t sum = 0;
};

/// Writes the file at `path` and gives how many rows it holds; 0 when that failed.
double measureWriting(const std::filesystem::path& path, size_t events) {
  NoSink nothing;
  const double start = processorSeconds();
  writeWorkload(nothing, events);
  const double workloadSeconds = processorSeconds() - start;

  Result<std::unique_ptr<FileWriter>> writer = FileWriter::create(path);
  if (!writer) {
    std::fprintf(stderr, "%s\n", writer.error().text.c_str());
    return 0;
  }
  const double writeStart = processorSeconds();
  writeWorkload(**writer, events);
  const WriterSummary summary = (*writer)->close();
  const double seconds = processorSeconds() - writeStart - workloadSeconds;
  const auto rows = static_cast<double>(summary.rows);
  if (summary.lost > 0) {
    std::fprintf(stderr, "%ld rows were lost\n", static_cast<long>(summary.lost));
    return 0;
  }
  print("trace_size", static_cast<double>(summary.bytes) / rows, "bytes per event", 10);
  print("trace_write_speed", rows / seconds / 1e6, "million events per core second", 10);
  const double producerSeconds = seconds - static_cast<double>(summary.overheadNs) * 1e-9;
  print("trace_write_in_producer", producerSeconds / rows * 1e9, "nanoseconds per event", 20);
  return rows;
}

bool measureLoading(const std::filesystem::path& path, double rows) {
  const double start = processorSeconds();
  const Result<TraceFile> file = TraceFile::open(path);
  if (!file) {
    std::fprintf(stderr, "%s\n", file.error().text.c_str());
    return false;
  }
  const double opened = processorSeconds();
  double cells = 0;
  for (const TableDescription& table : file->tables()) {
    for (size_t i = 0; i < table.columns.size(); ++i) {
      cells += static_cast<double>(file->column(table.id, i).size());
    }
  }
  const double end = processorSeconds();
  print("trace_load_speed", rows / (end - start) / 1e6, "million events per core second", 20);
  print("trace_open_share", 100 * (opened - start) / (end - start), "percent of loading", 50);
  return cells > rows;
}

int run(size_t events) {
  std::error_code ignored;
  const std::filesystem::path path = std::filesystem::temp_directory_path() /
                                     ("trace_benchmark_" + std::to_string(getpid()) + ".jitscope");
  const double rows = measureWriting(path, events);
  const bool isLoaded = rows > 0 && measureLoading(path, rows);
  std::filesystem::remove(path, ignored);
  return isLoaded ? 0 : 1;
}

}  // namespace
}  // namespace jitscope::trace

/// `trace_benchmark [EVENTS]`: one JSON object a line.
int main(int argc, char** argv) {
  const size_t events = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 4'000'000;
  return jitscope::trace::run(events);
}
