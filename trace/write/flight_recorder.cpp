#include "trace/write/flight_recorder.h"

#include <algorithm>
#include <new>
#include <system_error>
#include <utility>

#include "trace/row_time.h"
#include "trace/sink.h"
#include "trace/write/gatherer_sink.h"
#include "trace/write/window_file.h"

namespace jitscope::trace::write {
namespace {

constexpr const char* kPlace = "flight recorder";
constexpr const char* kNoMemory = "no memory left to keep rows";
/// Rows of the past that come late are still looked for.
constexpr int64_t kSlackNs = 1'000'000'000;

size_t indexOf(TableId table) { return static_cast<size_t>(table) - 1; }

}  // namespace

FlightRecorder::FlightRecorder(const Producers& producers, FlightOptions options)
    : producers_(producers),
      options_(std::move(options)),
      ring_(static_cast<size_t>(options_.memoryBytes) / 2),
      triggers_(options_.afterNs, options_.beforeNs) {
  for (const TableDescription& table : knownTables()) {
    gathered_.push_back({RowGatherer(table), RowGatherer(table)});
  }
}

Result<void> FlightRecorder::create(const std::filesystem::path& path) {
  std::error_code ignored;
  written_.stem = std::filesystem::absolute(path, ignored);  // the program may change its folder
  if (written_.stem.empty()) written_.stem = path;
  written_.stem.replace_extension();
  written_.endNs = options_.now();  // nothing is known of what came before
  return {};
}

size_t FlightRecorder::record() noexcept {
  size_t rows = 0;
  try {
    producers_.logs.drain([&](TableId table, std::span<const int64_t> cells) {
      ++rows;
      take(table, cells);
    });
    pack();
    hearSignal();
    writeDue(false, 0);
    const int64_t keptNs = options_.beforeNs + options_.afterNs + kSlackNs;
    ring_.forgetBefore(options_.now() - keptNs);
  } catch (const std::bad_alloc&) {
    dropGathered();
  }
  return rows;
}

void FlightRecorder::dropGathered() noexcept {
  for (Gathered& each : gathered_) {
    const size_t rows = each.events.rows() + each.context.rows();
    producers_.counters.rowsWithoutMemory.fetch_add(static_cast<int64_t>(rows));
    each.events.clear();
    each.context.clear();
  }
}

void FlightRecorder::hearSignal() {
  const int64_t timeNs = options_.signalledNs ? options_.signalledNs() : 0;
  if (timeNs != 0) triggers_.add("signal", timeNs);
}

void FlightRecorder::take(TableId table, std::span<const int64_t> cells) {
  Gathered& gathered = gathered_[indexOf(table)];
  RowGatherer& rows = eventTime(table, cells) ? gathered.events : gathered.context;
  rows.add(cells);
  if (rows.isFull()) pack();
}

void FlightRecorder::pack() {
  collectLosses();
  packTexts();
  for (Gathered& each : gathered_) {
    packRows(each.events, false);
    packRows(each.context, true);
  }
}

void FlightRecorder::packTexts() {
  TextInterner& texts = producers_.texts;
  for (TextPiece piece = texts.takeNew(); !piece.lengths.empty(); piece = texts.takeNew()) {
    batch_.clear();
    batch_.addTexts(piece);
    ring_.addLasting(batch_.chunks().front(), batch_.bytes());
  }
}

void FlightRecorder::packRows(RowGatherer& rows, bool isContext) {
  if (rows.rows() == 0) return;
  batch_.clear();
  batch_.addRows(rows);
  rows.clear();
  const ChunkExtent& extent = batch_.chunks().front();
  if (!isContext) return ring_.addEvents(extent, batch_.bytes());
  switch (rows.table().id) {
    case TableId::kProcess:
    case TableId::kDevice:
      return ring_.addLasting(extent, batch_.bytes());
    case TableId::kThread:
    case TableId::kFrame:
      return ring_.addNames(extent, batch_.bytes());
    default:
      return ring_.addContext(extent, batch_.bytes());
  }
}

void FlightRecorder::collectLosses() {
  LossCounters& counters = producers_.counters;
  const auto lose = [&](const char* reason, int64_t amount) {
    if (amount == 0) return;
    losses_[reason] += amount;
    written_.rowsLost += amount;
  };
  lose(kNoMemory, counters.rowsWithoutMemory.exchange(0));
  lose("rows of tables that this version does not know", counters.rowsOfUnknownTables.exchange(0));
  lose("texts beyond the memory of the flight recorder", counters.texts.exchange(0));
}

void FlightRecorder::writeDue(bool isLast, int64_t overheadNs) {
  if (const auto trigger = triggers_.take(options_.now(), isLast)) {
    writeWindow(*trigger, overheadNs);
  }
}

/// Ids of texts of our own. Their pieces go to the ring with the next packTexts.
StringId FlightRecorder::internOwn(std::string_view text) {
  return producers_.texts.intern(keyOf(text), text).value_or(StringId{});
}

void FlightRecorder::addOwnRows(const RecordedWindowRow& window, int64_t overheadNs, Batch& batch) {
  RowGatherer windows(*knownTable(TableId::kRecordedWindow));
  RowGatherer losses(*knownTable(TableId::kLoss));
  GathererSink windowSink(windows), lossSink(losses);
  emit(windowSink, RecordedWindowRow{.reason = internOwn(options_.wish)});
  emit(windowSink, window);
  const StringId place = internOwn(kPlace);
  for (const auto& [reason, amount] : losses_) {
    emit(lossSink, LossRow{window.endNs, LossKind::kDropped, place, internOwn(reason), amount});
  }
  if (overheadNs > 0) {
    emit(lossSink, LossRow{window.endNs, LossKind::kOverhead, place,
                           internOwn("time of the writer's own thread"), overheadNs});
  }
  packTexts();
  batch.addRows(windows);
  if (losses.rows() > 0) batch.addRows(losses);
}

void FlightRecorder::writeWindow(const Triggered& trigger, int64_t overheadNs) {
  if (const int64_t rows = ring_.takeForgottenEvents()) {
    losses_["events that the memory was too small to keep that long"] += rows;
  }
  if (const int64_t rows = ring_.takeForgottenContext()) {
    losses_["compilations and frames of long ago, beyond the memory"] += rows;
  }
  const int64_t startNs = std::max(trigger.firstNs - options_.beforeNs, written_.endNs);
  const RecordedWindowRow window{.window = ++written_.number,
                                 .startNs = startNs,
                                 .endNs = options_.now(),
                                 .reason = internOwn(trigger.reason),
                                 .endReason = internOwn("time after the trigger"),
                                 .triggerNs = trigger.firstNs,
                                 .triggers = trigger.count};
  Batch own;
  addOwnRows(window, overheadNs, own);
  WindowFile file;
  const std::filesystem::path path = newPath();
  Result<void> done = file.create(path);
  if (done) {
    batch_.clear();
    for (const TableDescription& table : knownTables()) batch_.addDescription(table);
    file.add(batch_);
    for (const KeptChunk& chunk : ring_.lasting()) file.add(chunk.extent, chunk.bytes);
    for (const KeptChunk& chunk : ring_.names()) file.add(chunk.extent, chunk.bytes);
    for (const KeptChunk& chunk : ring_.context()) file.add(chunk.extent, chunk.bytes);
    for (const KeptChunk& chunk : ring_.events()) {
      if (chunk.extent.maxTimeNs >= startNs) file.add(chunk.extent, chunk.bytes);
    }
    file.add(own);
    done = file.finish();
  }
  written_.endNs = window.endNs;
  if (!done) {
    losses_["windows that could not be written: " + done.error().text] += 1;
    return;
  }
  losses_.clear();
  written_.windows.push_back(path);
  written_.bytes += file.sizeBytes();
  written_.rows += file.rows();
  makeRoom();
}

/// The process may have been another program before, which wrote windows too.
std::filesystem::path FlightRecorder::newPath() const {
  const std::string stem = written_.stem.string() + "-window-" + std::to_string(written_.number);
  std::filesystem::path path = stem + ".jitscope";
  std::error_code ignored;
  for (int next = 2; std::filesystem::exists(path, ignored); ++next) {
    path = stem + '-' + std::to_string(next) + ".jitscope";
  }
  return path;
}

/// The oldest window goes when there are more than are wanted.
void FlightRecorder::makeRoom() {
  while (static_cast<int64_t>(written_.windows.size()) > options_.mostWindows) {
    std::error_code ignored;
    std::filesystem::remove(written_.windows.front(), ignored);
    written_.windows.pop_front();
  }
}

void FlightRecorder::finish(int64_t overheadNs) noexcept {
  try {
    pack();
    hearSignal();
    writeDue(true, overheadNs);
  } catch (const std::bad_alloc&) {  // the last window is lost
  }
}

}  // namespace jitscope::trace::write
