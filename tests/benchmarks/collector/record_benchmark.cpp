// What recording costs a program for each small operator of LibTorch, as JSON.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <string>

#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "trace/reader.h"

namespace {

using jitscope::tests::ProgramRun;

constexpr const char* kTurns = "600";

}  // namespace

int main() {
  const jitscope::tests::TemporaryFolder folder;
  const std::string output = folder / "out.jitscope";
  const ProgramRun run = jitscope::tests::record(output, {OPERATORS_PROGRAM, "measure", kTurns});
  double plainNs = 0;
  double costNs = 0;
  const bool isMeasured = std::sscanf(run.output.c_str(), "%lf %lf", &plainNs, &costNs) == 2;
  const auto trace = jitscope::trace::TraceFile::open(output);
  if (!isMeasured || !trace) {
    fmt::print(stderr, "the measured program failed: {}\n", run.errors);
    return 1;
  }
  const auto rows = static_cast<double>(trace->rowCount(jitscope::trace::TableId::kOp));
  fmt::print(
      "{{\"benchmark\": \"record_operator\", \"plain_ns\": {:.1f}, \"cost_ns\": {:.1f}, "
      "\"rows\": {:.0f}, \"bytes_per_row\": {:.2f}}}\n",
      plainNs, costNs, rows, static_cast<double>(std::filesystem::file_size(output)) / rows);
  return 0;
}
