#include "trace/write/file_recorder.h"

#include <algorithm>
#include <array>
#include <new>
#include <utility>

#include "trace/clock.h"
#include "trace/sink.h"
#include "trace/write/file_header.h"
#include "trace/write/gatherer_sink.h"

namespace jitscope::trace::write {
namespace {

using format::ChunkKind;

constexpr size_t kChunksPerIndex = 4096;
constexpr int kMostAttemptsToFinish = 16;
constexpr const char* kPlace = "trace writer";
constexpr const char* kNoMemory = "no memory left to keep rows until they are written";

}  // namespace

FileRecorder::FileRecorder(ThreadLogs& logs, TextInterner& texts, LossCounters& counters)
    : logs_(logs),
      texts_(texts),
      counters_(counters),
      gatherers_(),
      isDescribed_(knownTables().size(), false),
      ownLosses_(*knownTable(TableId::kLoss)) {
  for (const TableDescription& table : knownTables()) gatherers_.emplace_back(table);
}

Result<void> FileRecorder::create(const std::filesystem::path& path) {
  return file_.create(path, newFileHeader());
}

size_t FileRecorder::record() noexcept {
  size_t rows = 0;
  try {
    logs_.drain([&](TableId table, std::span<const int64_t> cells) {
      ++rows;
      take(table, cells);
    });
    writeAll();
  } catch (const std::bad_alloc&) {
    dropGathered(kNoMemory);
  }
  return rows;
}

void FileRecorder::take(TableId table, std::span<const int64_t> cells) {
  RowGatherer& gatherer = gatherers_[indexOf(table)];
  try {
    gatherer.add(cells);
  } catch (const std::bad_alloc&) {
    loseRows(kNoMemory, 1);
    return;
  }
  if (gatherer.isFull()) writeAll();
}

/// Texts are asked for after the rows: a row's texts were interned before it was written.
void FileRecorder::collectTexts() {
  for (TextPiece piece = texts_.takeNew(); !piece.lengths.empty(); piece = texts_.takeNew()) {
    waitingTexts_.push_back(std::move(piece));
  }
}

void FileRecorder::collectCounters() {
  if (const int64_t rows = counters_.rowsWithoutMemory.exchange(0)) loseRows(kNoMemory, rows);
  if (const int64_t rows = counters_.rowsOfUnknownTables.exchange(0)) {
    loseRows("rows of tables that this version does not know", rows);
  }
  if (const int64_t texts = counters_.texts.exchange(0)) {
    losses_["texts that could not be kept whole"] += texts;
  }
}

void FileRecorder::writeAll() {
  collectCounters();
  collectTexts();
  if (isFailing_ && !writeTextsOneByOne()) {
    dropGathered(file_.problem());
    return;
  }
  batch_.clear();
  // In front of the chunks that it does not list, so that what is not indexed is the file's tail.
  if (notIndexed_.size() >= kChunksPerIndex) batch_.addIndex(notIndexed_);
  ownLosses_.clear();
  if (!isFailing_ && !losses_.empty()) addOwnLosses(0);
  for (const TextPiece& piece : waitingTexts_) batch_.addTexts(piece);
  addGatheredRows();
  if (ownLosses_.rows() > 0) addRows(ownLosses_);
  appendBatch();
  for (RowGatherer& gatherer : gatherers_) gatherer.clear();
}

/// While the file does not grow, only so much is packed as shows that it still does not.
bool FileRecorder::writeTextsOneByOne() {
  while (!waitingTexts_.empty()) {
    batch_.clear();
    ownLosses_.clear();
    batch_.addTexts(waitingTexts_.front());
    appendBatch();
    if (isFailing_) return false;
  }
  return true;
}

void FileRecorder::addGatheredRows() {
  for (const RowGatherer& gatherer : gatherers_) {
    if (gatherer.rows() > 0) addRows(gatherer);
  }
}

void FileRecorder::addRows(const RowGatherer& rows) {
  const TableDescription& table = rows.table();
  const auto isThisDescription = [&](const ChunkExtent& chunk) {
    return chunk.kind == ChunkKind::kDescription &&
           chunk.subject == static_cast<uint32_t>(table.id);
  };
  const bool isInBatch =
      std::any_of(batch_.chunks().begin(), batch_.chunks().end(), isThisDescription);
  if (!isDescribed_[indexOf(table.id)] && !isInBatch) batch_.addDescription(table);
  batch_.addRows(rows);
}

/// Gathers one row for each reason in losses_, and the writer's own time unless it is 0. Their
/// texts become pieces of their own, so that they can be written when larger ones do not fit.
void FileRecorder::addOwnLosses(int64_t overheadNs) {
  ownLosses_.reserve();  // a sink lets nothing through
  GathererSink sink(ownLosses_);
  const auto add = [&](LossKind kind, std::string_view text, int64_t amount) {
    const StringId place = texts_.intern(keyOf(kPlace), kPlace).value_or(StringId{});
    const StringId words = texts_.intern(keyOf(text), text).value_or(StringId{});
    emit(sink, LossRow{nowNs(), kind, place, words, amount});
  };
  for (const auto& [reason, amount] : losses_) add(LossKind::kDropped, reason, amount);
  if (overheadNs > 0) add(LossKind::kOverhead, "time of the writer's own thread", overheadNs);
  collectTexts();
}

void FileRecorder::appendBatch() {
  if (batch_.bytes().empty()) return;
  std::vector<size_t> boundaries;
  for (const ChunkExtent& chunk : batch_.chunks()) {
    boundaries.push_back(static_cast<size_t>(chunk.offset + chunk.bytes));
  }
  // Memory is taken before the file grows, so that every chunk is accounted for once.
  notIndexed_.reserve(notIndexed_.size() + boundaries.size());
  const size_t kept = file_.append(batch_.bytes(), boundaries);
  isFailing_ = kept < batch_.bytes().size();
  const int64_t start = file_.size() - static_cast<int64_t>(kept);
  for (size_t i = 0; i < boundaries.size(); ++i) {
    ChunkExtent chunk = batch_.chunks()[i];
    if (boundaries[i] > kept) {
      // Own losses stay in losses_ until they are in the file.
      const bool isOwnLosses = ownLosses_.rows() > 0 && i + 1 == boundaries.size();
      if (!isOwnLosses) giveUp(chunk);
      continue;
    }
    chunk.offset += start;
    keep(chunk, ownLosses_.rows() > 0 && i + 1 == boundaries.size());
  }
}

void FileRecorder::keep(const ChunkExtent& chunk, bool isOwnLosses) {
  switch (chunk.kind) {
    case ChunkKind::kIndex:
      notIndexed_.erase(notIndexed_.begin(), notIndexed_.begin() + chunk.rows);
      return;
    case ChunkKind::kDescription:
      isDescribed_[indexOf(static_cast<TableId>(chunk.subject))] = true;
      break;
    case ChunkKind::kDictionary:
      texts_.release(waitingTexts_.front().bytes.size());
      waitingTexts_.pop_front();
      break;
    case ChunkKind::kRows:
      if (isOwnLosses) losses_.clear();
      rowsWritten_ += isOwnLosses ? 0 : chunk.rows;
      break;
  }
  notIndexed_.push_back(chunk);
}

void FileRecorder::giveUp(const ChunkExtent& chunk) {
  if (chunk.kind == ChunkKind::kRows) loseRows(file_.problem(), chunk.rows);
}

void FileRecorder::dropGathered(std::string_view reason) noexcept {
  for (RowGatherer& gatherer : gatherers_) {
    if (gatherer.rows() > 0) loseRows(reason, static_cast<int64_t>(gatherer.rows()));
    gatherer.clear();
  }
}

void FileRecorder::loseRows(std::string_view reason, int64_t rows) noexcept {
  rowsLost_ += rows;
  try {
    losses_[std::string(reason)] += rows;
  } catch (const std::bad_alloc&) {  // then only the total knows of them
  }
}

void FileRecorder::finish(int64_t overheadNs) noexcept {
  try {
    collectCounters();
    for (int attempt = 0; attempt < kMostAttemptsToFinish; ++attempt) {
      if (tryToFinish(overheadNs, attempt > 0) || !makeRoom(size_t{1} << attempt)) break;
    }
  } catch (
      const std::bad_alloc&) {  // the file stays without an index, which a reader does not need
  }
  file_.close();
}

bool FileRecorder::tryToFinish(int64_t overheadNs, bool onlyNeededTexts) {
  batch_.clear();
  ownLosses_.clear();
  addOwnLosses(overheadNs);
  constexpr std::array<size_t, 2> kTextColumns = {2, 3};  // place and text of LossRow
  const auto isNeeded = [&](const TextPiece& piece) {
    for (const size_t column : kTextColumns) {
      for (const int64_t id : ownLosses_.column(column)) {
        if (id >= piece.first && id < piece.end()) return true;
      }
    }
    return false;
  };
  for (const TextPiece& piece : waitingTexts_) {
    if (!onlyNeededTexts || isNeeded(piece)) batch_.addTexts(piece);
  }
  if (ownLosses_.rows() > 0) addRows(ownLosses_);
  std::vector<ChunkExtent> chunks = notIndexed_;
  for (ChunkExtent chunk : batch_.chunks()) {
    chunk.offset += file_.size();
    chunks.push_back(chunk);
  }
  const auto indexOffset = file_.size() + static_cast<int64_t>(batch_.bytes().size());
  batch_.addIndex(chunks);
  batch_.addTrailer(indexOffset);
  return file_.append(batch_.bytes(), {}) == batch_.bytes().size();
}

/// Takes up to `chunks` chunks off the file's end.
bool FileRecorder::makeRoom(size_t chunks) {
  if (notIndexed_.empty()) return false;
  for (; chunks > 0 && !notIndexed_.empty(); --chunks) {
    const ChunkExtent chunk = notIndexed_.back();
    file_.cutTo(chunk.offset);
    if (file_.size() != chunk.offset) return false;
    notIndexed_.pop_back();
    if (chunk.kind == ChunkKind::kRows) {
      rowsWritten_ -= chunk.rows;
      loseRows(file_.problem(), chunk.rows);
    } else if (chunk.kind == ChunkKind::kDescription) {
      isDescribed_[indexOf(static_cast<TableId>(chunk.subject))] = false;
    }
  }
  return true;
}

}  // namespace jitscope::trace::write
