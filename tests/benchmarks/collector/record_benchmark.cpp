// What recording costs a program for each small operator of LibTorch, as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/collector/run_program.h"
#include "trace/reader.h"

namespace {

using jitscope::test::ProgramRun;

constexpr int kRounds = 7;
constexpr long kOperators = 300'000;

double nanosecondsOf(const ProgramRun& run) {
  if (run.status != 0) {
    fmt::print(stderr, "the measured program failed: {}\n", run.errors);
    std::exit(1);
  }
  return std::atof(run.output.c_str());
}

}  // namespace

int main() {
  const jitscope::test::TemporaryFolder folder;
  const std::string output = folder / "out.jitscope";
  const std::vector<std::string> command = {OPERATORS_PROGRAM, "measure",
                                            std::to_string(kOperators)};
  // Alternating, and the least of each: another program on the machine only ever adds time.
  double plainNs = 1e9;
  double recordedNs = 1e9;
  for (int round = 0; round < kRounds; ++round) {
    plainNs = std::min(plainNs, nanosecondsOf(jitscope::test::runProgram(command)));
    recordedNs = std::min(recordedNs, nanosecondsOf(jitscope::test::record(output, command)));
  }
  const auto trace = jitscope::trace::TraceFile::open(output);
  const double rows =
      trace ? static_cast<double>(trace->rowCount(jitscope::trace::TableId::kOp)) : 0;
  fmt::print(
      "{{\"benchmark\": \"record_operator\", \"plain_ns\": {:.1f}, \"recorded_ns\": {:.1f}, "
      "\"cost_ns\": {:.1f}, \"rows\": {:.0f}, \"bytes_per_row\": {:.2f}}}\n",
      plainNs, recordedNs, recordedNs - plainNs, rows,
      static_cast<double>(std::filesystem::file_size(output)) / std::max(rows, 1.0));
  return 0;
}
