#include <algorithm>
#include <array>

#include "analyzer/export/chrome_export.h"
#include "analyzer/load/valid_time.h"
#include "analyzer/tables/run_table.h"

namespace jitscope::analyzer {
namespace {

using trace::TableId;

constexpr std::array kWithoutForm{
    TableId::kFrame,          TableId::kGuard,     TableId::kGraphLaunch,   TableId::kArtifact,
    TableId::kSpecialization, TableId::kGraphNode, TableId::kRecordedWindow};

/// What was lost while recording; what recording cost is no loss.
int64_t lossRows(const Run& run) {
  int64_t count = 0;
  for (const Process& process : run.processes) {
    for (const trace::LossRow& row : process.rows<trace::LossRow>())
      count += row.kind == trace::LossKind::kOverhead ? 0 : 1;
  }
  return count;
}

/// Rows whose times the writer steps over.
template <class Row>
int64_t rowsWithoutTime(const Run& run) {
  int64_t count = 0;
  for (const Process& process : run.processes) {
    const ColumnTable<Row> table(*process.file, process.texts);
    for (size_t i = 0; i < table.size(); ++i) {
      const int64_t startNs = table.template get<&Row::startNs>(i);
      if (!isValidSpan(startNs, table.template get<&Row::endNs>(i))) ++count;
    }
  }
  return count;
}

}  // namespace

std::vector<LeftOut> chromeLeavesOut(const Run& run) {
  std::vector<LeftOut> result;
  const std::vector<trace::TableDescription>& known = trace::knownTables();
  for (const trace::TableDescription& table : known) {
    if (std::find(kWithoutForm.begin(), kWithoutForm.end(), table.id) == kWithoutForm.end())
      continue;
    const auto rows = static_cast<int64_t>(RunTable(run, table).rowCount());
    if (rows > 0) result.push_back({table.name, rows, ""});
  }
  if (const int64_t lost = lossRows(run); lost > 0)
    result.push_back({trace::LossRow::kName, lost, ""});
  const auto addFaulty = [&]<class Row>() {
    const int64_t rows = rowsWithoutTime<Row>(run);
    if (rows > 0) result.push_back({Row::kName, rows, "a time that cannot be right"});
  };
  addFaulty.template operator()<trace::OpRow>();
  addFaulty.template operator()<trace::KernelRow>();
  addFaulty.template operator()<trace::MemcpyRow>();
  addFaulty.template operator()<trace::MemsetRow>();
  addFaulty.template operator()<trace::ApiRow>();
  addFaulty.template operator()<trace::SyncRow>();
  return result;
}

}  // namespace jitscope::analyzer
