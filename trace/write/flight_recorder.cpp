#include "trace/write/flight_recorder.h"

#include <algorithm>
#include <limits>
#include <new>
#include <system_error>
#include <utility>

#include "trace/row_time.h"
#include "trace/sink.h"
#include "trace/write/gatherer_sink.h"

namespace jitscope::trace::write {
namespace {

constexpr const char* kRecorderName = "flight recorder";
constexpr const char* kRowsWithoutMemory = "no memory left to keep rows";
/// Rows of the past that come late are still looked for.
constexpr int64_t kSlackNs = 1'000'000'000;

}  // namespace

FlightRecorder::FlightRecorder(const Producers& producers, FlightOptions options)
    : producers_(producers),
      options_(std::move(options)),
      ring_(static_cast<size_t>(options_.memoryBytes) / 2),
      triggers_(options_.afterNs, options_.beforeNs) {
  for (const TableDescription& table : knownTables()) {
    waiting_.rows.push_back({RowGatherer(table), RowGatherer(table)});
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
  for (Gathered& each : waiting_.rows) {
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
  Gathered& gathered = waiting_.rows[indexOf(table)];
  RowGatherer& rows = eventTime(table, cells) ? gathered.events : gathered.context;
  try {
    rows.add(cells);
  } catch (const std::bad_alloc&) {
    producers_.counters.rowsWithoutMemory.fetch_add(1);
    return;
  }
  if (rows.isFull()) pack();
}

void FlightRecorder::pack() {
  collectLosses();
  packTexts();
  for (Gathered& each : waiting_.rows) {
    packRows(each.events, false);
    packRows(each.context, true);
  }
}

/// A piece for which there is no memory waits for the next call.
void FlightRecorder::packTexts() {
  TextPiece& piece = waiting_.texts;
  for (;;) {
    if (piece.lengths.empty()) piece = producers_.texts.takeNew();
    if (piece.lengths.empty()) return;
    batch_.clear();
    batch_.addTexts(piece);
    ring_.addLasting(batch_.chunks().front(), batch_.bytes());
    piece = {};
  }
}

void FlightRecorder::packRows(RowGatherer& rows, bool isContext) {
  if (rows.rows() == 0) return;
  batch_.clear();
  batch_.addRows(rows);
  addToRing(rows.table().id, isContext);
  rows.clear();  // not sooner: rows that the ring did not take are counted
}

void FlightRecorder::addToRing(TableId table, bool isContext) {
  const ChunkExtent& extent = batch_.chunks().front();
  if (!isContext) return ring_.addEvents(extent, batch_.bytes());
  switch (table) {
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

/// Memory is taken first, here and below, so that no amount goes with an exception.
void FlightRecorder::lose(const char* reason, std::atomic<int64_t>& counter) {
  if (counter.load() == 0) return;
  int64_t& known = losses_[reason];
  const int64_t amount = counter.exchange(0);
  known += amount;
  written_.rowsLost += amount;
}

void FlightRecorder::collectLosses() {
  LossCounters& counters = producers_.counters;
  lose(kRowsWithoutMemory, counters.rowsWithoutMemory);
  lose("rows of tables that this version does not know", counters.rowsOfUnknownTables);
  lose("texts beyond the memory of the flight recorder", counters.texts);
}

void FlightRecorder::collectForgotten() {
  int64_t& events = losses_["events that the memory was too small to keep that long"];
  events += ring_.takeForgottenEvents();
  int64_t& context = losses_["compilations and frames of long ago, beyond the memory"];
  context += ring_.takeForgottenContext();
  int64_t& windows = losses_["windows that no memory was left to write"];
  windows += std::exchange(written_.withoutMemory, 0);
}

void FlightRecorder::writeDue(bool isLast, int64_t overheadNs) {
  const auto trigger = triggers_.take(options_.now(), isLast);
  if (!trigger) return;
  try {
    writeWindow(*trigger, overheadNs);
  } catch (const std::bad_alloc&) {
    ++written_.withoutMemory;
  }
  growing_.reset();
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
  const StringId place = internOwn(kRecorderName);
  for (const auto& [reason, amount] : losses_) {
    if (amount == 0) continue;
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
  collectForgotten();
  const int64_t startNs = std::max(trigger.firstNs - options_.beforeNs, written_.endNs);
  const RecordedWindowRow window{.window = ++written_.number,
                                 .startNs = startNs,
                                 .endNs = options_.now(),
                                 .reason = internOwn(trigger.reason),
                                 .endReason = internOwn("time after the trigger"),
                                 .triggerNs = trigger.firstNs,
                                 .triggers = trigger.count};
  growing_ = std::make_unique<Growing>();
  growing_->path = newPath();
  addOwnRows(window, overheadNs, growing_->own);
  const Result<void> done = writeFile(startNs);
  written_.endNs = window.endNs;
  if (!done) {
    losses_["windows that could not be written: " + done.error().text] += 1;
    return;
  }
  losses_.clear();
  written_.windows.push_back(growing_->path);
  written_.bytes += growing_->file.sizeBytes();
  written_.rows += growing_->file.rows();
  makeRoom();
}

Result<void> FlightRecorder::writeFile(int64_t startNs) {
  constexpr int64_t kAll = std::numeric_limits<int64_t>::min();
  WindowFile& file = growing_->file;
  Result<void> created = file.create(growing_->path);
  if (!created) return created;
  batch_.clear();
  for (const TableDescription& table : knownTables()) batch_.addDescription(table);
  file.add(batch_);
  add(ring_.lasting(), kAll);
  add(ring_.names(), kAll);
  add(ring_.context(), kAll);
  add(ring_.events(), startNs);
  file.add(growing_->own);
  return file.finish();
}

/// Adds the chunks that do not end before that time.
void FlightRecorder::add(const std::deque<KeptChunk>& chunks, int64_t startNs) {
  for (const KeptChunk& chunk : chunks) {
    if (chunk.extent.maxTimeNs < startNs) continue;
    growing_->file.add(chunk.extent, chunk.bytes);
    if (producers_.pause != nullptr) producers_.pause->letForkPass();
  }
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
