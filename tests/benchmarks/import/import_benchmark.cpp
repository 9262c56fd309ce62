#include <fmt/format.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

#ifdef JITSCOPE_HAS_SIMDJSON
#include <simdjson.h>
#endif

#include "analyzer/import/load_inputs.h"
#include "tests/benchmarks/import/kineto_workload.h"

/// \file
/// How fast Chrome traces are imported, against Python's json.load and simdjson's own parser, all
/// in this run, on the same file and in processor time: lines of JSON. `import_benchmark
/// [MEBIBYTES]`.
namespace jitscope::analyzer {
namespace {

constexpr int kRepeats = 3;

void print(const std::string& name, double value, const char* unit) {
  fmt::print("{{\"benchmark\": \"{}\", \"value\": {:.3f}, \"unit\": \"{}\"}}\n", name, value, unit);
  std::fflush(stdout);
}

/// Processor time of all threads so far: what others do on the machine counts little.
double processorSeconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// The least of several tries; 0 when one failed.
template <class Work>
double bestSeconds(Work work) {
  double best = 0;
  for (int i = 0; i < kRepeats; ++i) {
    const double start = processorSeconds();
    if (!work()) return 0;
    const double passed = processorSeconds() - start;
    best = i == 0 ? passed : std::min(best, passed);
  }
  return best;
}

bool pack(const std::filesystem::path& from, const std::filesystem::path& to) {
  std::ifstream source(from, std::ios::binary);
  const gzFile target = gzopen(to.c_str(), "wb6");
  if (target == nullptr) return false;
  std::string piece(1 << 20, '\0');
  bool isGood = true;
  while (isGood && source.read(piece.data(), static_cast<std::streamsize>(piece.size())),
         source.gcount() > 0) {
    const auto bytes = static_cast<unsigned>(source.gcount());
    isGood = gzwrite(target, piece.data(), bytes) == static_cast<int>(bytes);
  }
  return gzclose(target) == Z_OK && isGood;
}

double pythonSeconds(const std::filesystem::path& path, bool isPacked) {
  const std::string command = fmt::format(
      "python3 -c \"import gzip,json,time;t=time.process_time();"
      "json.load({}('{}','rb'));print(time.process_time()-t)\"",
      isPacked ? "gzip.open" : "open", path.string());
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return 0;
  double seconds = 0;
  if (std::fscanf(pipe, "%lf", &seconds) != 1) seconds = 0;
  pclose(pipe);
  return seconds;
}

double simdjsonSeconds(const std::filesystem::path& path) {
#ifdef JITSCOPE_HAS_SIMDJSON
  return bestSeconds([&] {
    simdjson::dom::parser parser;
    simdjson::dom::element root;
    return parser.load(path.string()).get(root) == simdjson::SUCCESS;
  });
#else
  static_cast<void>(path);
  return 0;
#endif
}

void measure(const std::filesystem::path& path, const std::string& form, double mebibytes) {
  const double ours = bestSeconds([&] { return static_cast<bool>(loadInputs(path, {})); });
  if (ours == 0) return;
  print("import_" + form, mebibytes / ours, "MiB/s of JSON");
  const double python = pythonSeconds(path, form == "gzip");
  if (python > 0) print("import_" + form + "_against_json.load", python / ours, "times as fast");
  const double simdjson = form == "raw" ? simdjsonSeconds(path) : 0;
  if (simdjson > 0) {
    print("simdjson_" + form, mebibytes / simdjson, "MiB/s of JSON");
    print("import_" + form + "_against_simdjson", simdjson / ours, "times as fast");
  }
}

int run(size_t mebibytes) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("import_benchmark_{}", getpid());
  std::filesystem::create_directory(folder);
  const auto raw = folder / "workload.json", packed = folder / "workload.json.gz";
  const bool isReady = writeKinetoWorkload(raw, mebibytes << 20) && pack(raw, packed);
  if (isReady) {
    measure(raw, "raw", static_cast<double>(mebibytes));
    measure(packed, "gzip", static_cast<double>(mebibytes));
  } else {
    std::fprintf(stderr, "%s: cannot be written\n", folder.c_str());
  }
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  return isReady ? 0 : 1;
}

}  // namespace
}  // namespace jitscope::analyzer

int main(int argumentCount, char** arguments) {
  constexpr size_t kMebibytes = 256;
  const long given = argumentCount > 1 ? std::strtol(arguments[1], nullptr, 10) : 0;
  return jitscope::analyzer::run(given > 0 ? static_cast<size_t>(given) : kMebibytes);
}
