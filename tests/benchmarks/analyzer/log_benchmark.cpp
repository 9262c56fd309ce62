#include <time.h>

#include <cstdio>
#include <filesystem>

#include "analyzer/import/importer.h"
#include "analyzer/import/input_bytes.h"

namespace jitscope::analyzer {
namespace {

/// Processor time of all threads so far.
double processorSeconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// Imports a file with whichever importer takes it and prints how long that took.
int measure(const std::filesystem::path& path) {
  const double start = processorSeconds();
  trace::Result<InputBytes> bytes = InputBytes::open(path, {});
  if (!bytes) return std::fprintf(stderr, "%s\n", bytes.error().text.c_str()), 3;
  for (const Importer& importer : importers()) {
    if (!importer.recognises(bytes->head())) continue;
    Import import;
    const trace::Result<void> done = importer.import(*bytes, import);
    if (!done) return std::fprintf(stderr, "%s\n", done.error().text.c_str()), 3;
    const double seconds = processorSeconds() - start;
    std::printf(
        "{\"benchmark\": \"import\", \"seconds\": %.4f, \"bytes\": %llu, \"MB_per_s\": %.1f}\n",
        seconds, static_cast<unsigned long long>(bytes->position()),
        static_cast<double>(bytes->position()) / 1e6 / seconds);
    return 0;
  }
  std::fprintf(stderr, "%s: no importer takes it\n", path.c_str());
  return 3;
}

}  // namespace
}  // namespace jitscope::analyzer

/// Takes one file, prints one JSON object: processor seconds to import it.
int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: log_benchmark FILE\n"), 2;
  return jitscope::analyzer::measure(argv[1]);
}
