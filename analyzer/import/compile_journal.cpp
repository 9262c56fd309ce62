#include "analyzer/import/compile_journal.h"

#include <algorithm>

namespace jitscope::analyzer {
namespace {

using trace::AttemptId, trace::FrameId, trace::emit;

/// The innermost line of a stack.
std::string_view innermost(std::string_view stack) { return stack.substr(0, stack.find('\n')); }

/// `file:line` of a stack line, without the function, which not all messages name.
std::string_view placeOf(std::string_view stack) {
  const std::string_view line = innermost(stack);
  const size_t colon = line.rfind(':');
  const size_t blank = colon == std::string_view::npos ? colon : line.find(' ', colon);
  return line.substr(0, blank);
}

/// A stack whose file is the frame's own. Comments of guards shorten paths by what they have in
/// common with PyTorch's own, and by one character more.
std::string withWholePath(const std::string& stack, const std::string& file) {
  const std::string_view place = placeOf(stack);
  const std::string_view path = place.substr(0, place.rfind(':'));
  const bool isPart = !path.empty() && path.size() < file.size() && file.ends_with(path);
  return isPart ? file + stack.substr(path.size()) : stack;
}

/// `x[0]` for the size that a reason is about, however the guard names it (`L['x']` with an index
/// in the text, `x.size()[0]`); empty for what is about no size.
std::string sizeName(const RecompileReason& reason) {
  constexpr std::string_view kSize = ".size()[", kIndex = " size mismatch at index ";
  std::string_view source = reason.source;
  std::string dimension;
  if (const size_t size = source.find(kSize); size != std::string_view::npos) {
    dimension = source.substr(size + kSize.size() - 1);
    source = source.substr(0, size);
  } else if (const size_t index = reason.text.find(kIndex); index != std::string::npos) {
    const std::string_view rest = std::string_view(reason.text).substr(index + kIndex.size());
    dimension = "[" + std::string(rest.substr(0, rest.find('.'))) + "]";
  } else {
    return {};
  }
  if (source.starts_with("L['") && source.ends_with("']"))
    source = source.substr(3, source.size() - 5);
  return std::string(source) + dimension;
}

/// The entries of one call fail at the same input: what one guard tells of it holds for all.
void shareActuals(std::vector<RecompileReason>& reasons) {
  std::map<std::string, std::string> came;
  for (const RecompileReason& reason : reasons) {
    const std::string name = reason.actual.empty() ? "" : sizeName(reason);
    if (!name.empty()) came.try_emplace(name, reason.actual);
  }
  if (came.empty()) return;
  for (RecompileReason& reason : reasons) {
    if (!reason.actual.empty()) continue;
    if (const auto known = came.find(sizeName(reason)); known != came.end())
      reason.actual = known->second;
  }
}

}  // namespace

void CompileJournal::nameFrame(const TorchCompileId& id, const FunctionPlace& function,
                               bool isSure) {
  frames_.name(id.frame, function, isSure);
}

trace::CompileRow& CompileJournal::compile(const TorchCompileId& id, const LoggedAt& at) {
  frames_.add(id.frame);
  const auto [entry, isNew] = compiles_.try_emplace(Key{id.frame, id.attempt});
  trace::CompileRow& row = entry->second;
  if (isNew) {
    row.frame = FrameId{id.frame};
    row.attempt = AttemptId{id.attempt};
    row.startNs = row.endNs = at.timeNs;
    row.thread = at.thread;
  }
  return row;
}

bool CompileJournal::knows(const TorchCompileId& id) const {
  return compiles_.contains(Key{id.frame, id.attempt});
}

void CompileJournal::addRecompile(const TorchCompileId& id, const FunctionPlace& function,
                                  const std::vector<RecompileReason>& reasons, const LoggedAt& at) {
  nameFrame(id, function);
  if (id.isTold()) missOf_[{id.frame, id.attempt}] = misses_.size();
  misses_.push_back({{id.frame, function}, id.attempt, false, reasons, at});
}

void CompileJournal::addLimit(const TorchCompileId& id, const FunctionPlace& function,
                              const std::vector<RecompileReason>& reasons, const LoggedAt& at) {
  nameFrame(id, function);
  // The recompiles log has told of the same miss just before, with more reasons.
  const Key key{id.frame, id.attempt};
  compiles_.erase(key);
  const auto told = missOf_.find(key);
  if (told != missOf_.end() && !misses_[told->second].isRefused) {
    misses_[told->second].isRefused = true;
    return;
  }
  if (id.isTold()) missOf_[key] = misses_.size();
  misses_.push_back({{id.frame, function}, id.attempt, true, reasons, at});
}

void CompileJournal::addBreak(const TorchCompileId& id, BreakMessage message, const LoggedAt& at) {
  const BreakKey key{id.frame, id.attempt, placeOf(message.stack)};
  const auto [entry, isNew] = breakAt_.try_emplace(key, breaks_.size());
  if (!isNew) {
    // The warning and the log tell the same break.
    BreakMessage& known = breaks_[entry->second].message;
    if (known.isWarning != message.isWarning) {
      if (known.isWarning) known = std::move(message);
      return;
    }
    entry->second = breaks_.size();
  }
  breaks_.push_back({{id.frame, {}}, id.attempt, std::move(message), at});
}

void CompileJournal::addArtifact(const TorchCompileId& id, std::string_view kind,
                                 std::string_view name, std::string_view content,
                                 const LoggedAt& at) {
  if (id.frame >= 0) frames_.add(id.frame);
  trace::ArtifactRow row;
  row.frame = FrameId{std::max<int64_t>(id.frame, -1)};
  row.attempt = AttemptId{std::max<int64_t>(id.attempt, -1)};
  row.timeNs = at.timeNs;
  row.kind = intern(kind);
  row.name = intern(name);
  row.content = intern(content);
  emit(sink_, row);
}

void CompileJournal::addGuards(const TorchCompileId& id, const std::vector<LoggedGuard>& guards) {
  if (!id.isTold()) return;
  for (const LoggedGuard& guard : guards) writeGuard(id, guard);
}

void CompileJournal::writeGuard(const TorchCompileId& id, const LoggedGuard& guard) {
  trace::GuardRow row;
  row.frame = FrameId{id.frame};
  row.attempt = AttemptId{id.attempt};
  row.index = guardCounts_[{id.frame, id.attempt}]++;
  row.kind = intern(guard.kind);
  row.source = intern(guard.source);
  row.expression = intern(guard.expression);
  row.stack = intern(guard.stack);
  emit(sink_, row);
}

void CompileJournal::addShapeGuard(const TorchCompileId& id, LoggedGuard guard) {
  if (id.isTold()) frames_.add(id.frame);
  shapeGuards_.emplace_back(id, std::move(guard));
}

void CompileJournal::writeShapeGuards() {
  for (auto& [id, guard] : shapeGuards_) {
    if (!id.isTold()) id = {-1, frameNumber({}), 0};
    writeGuard(id, guard);
  }
}

void CompileJournal::addSpecialization(const TorchCompileId& id, trace::SpecializationRow row) {
  if (id.isTold()) frames_.add(id.frame);
  row.frame = FrameId{id.frame};
  row.attempt = AttemptId{id.attempt};
  // The guard and the log of specialisations tell the same.
  const auto [known, isNew] = specializationAt_.try_emplace(
      {id.frame, id.attempt, static_cast<uint64_t>(row.source), row.value},
      specializations_.size());
  if (!isNew) {
    trace::StringId& stack = specializations_[known->second].stack;
    if (stack == trace::StringId{}) stack = row.stack;
    return;
  }
  specializations_.push_back(row);
}

void CompileJournal::addFailure(const TorchCompileId& id, std::string_view failure,
                                const LoggedAt& at, std::optional<BreakMessage> broken) {
  failures_.push_back({id, std::string(failure), at, std::move(broken)});
}

bool CompileJournal::isRefused(const TorchCompileId& id) const {
  const auto told = missOf_.find({id.frame, id.attempt});
  return told != missOf_.end() && misses_[told->second].isRefused;
}

void CompileJournal::finish() {
  placeFailures();
  numberAttempts();
  fillActuals();
  writeMisses();
  writeBreaks();
  writeShapeGuards();
  for (trace::SpecializationRow& row : specializations_) {
    if (row.frame == FrameId::kNone) row.frame = FrameId{frameNumber({})};
    emit(sink_, row);
  }
  for (auto& [key, row] : compiles_) {
    row.endNs = std::max(row.startNs, row.endNs);
    if (row.trigger == trace::StringId{}) row.trigger = intern("first call");
    emit(sink_, row);
  }
  writeFrames();
}

int64_t CompileJournal::frameNumber(const FrameRef& ref) {
  return ref.frame >= 0 ? ref.frame : frames_.numberOf(ref.function);
}

/// Failures without an id are compilations of a frame of their own.
void CompileJournal::placeFailures() {
  int64_t unnumbered = 0;
  for (Failure& failure : failures_) {
    if (!failure.id.isTold()) failure.id = {-1, frameNumber({}), unnumbered++};
    trace::CompileRow& row = compile(failure.id, failure.at);
    row.failure = intern(failure.text);
    row.endNs = std::max(row.endNs, failure.at.timeNs);
    if (failure.broken) addBreak(failure.id, std::move(*failure.broken), failure.at);
  }
}

/// Gives numbers to compilations that the log does not number: the first of a frame is not told,
/// the recompiles follow.
void CompileJournal::numberAttempts() {
  std::map<int64_t, int64_t> latest;
  for (const auto& [key, row] : compiles_) {
    int64_t& last = latest[key.first];
    last = std::max(last, key.second);
  }
  for (Miss& miss : misses_) {
    miss.frame.frame = frameNumber(miss.frame);
    int64_t& last = latest[miss.frame.frame];
    if (miss.attempt < 0) miss.attempt = last + 1;
    if (!miss.isRefused) last = std::max(last, miss.attempt);
  }
}

/// A guard on a value tells what was expected, not what came. What came is what the guard of the
/// entry that followed expects.
void CompileJournal::fillActuals() {
  std::map<std::tuple<int64_t, int64_t, std::string>, std::string> expected;
  for (Miss& miss : misses_) {
    shareActuals(miss.reasons);
    for (const RecompileReason& reason : miss.reasons) {
      const int64_t entry = reason.entry.attempt >= 0 ? reason.entry.attempt : miss.attempt - 1;
      expected.try_emplace({miss.frame.frame, entry, reason.source}, reason.expected);
    }
  }
  for (Miss& miss : misses_) {
    for (RecompileReason& reason : miss.reasons) {
      if (!reason.actual.empty() || reason.source.empty()) continue;
      const auto came = expected.find({miss.frame.frame, miss.attempt, reason.source});
      if (came != expected.end() && came->second != reason.expected) reason.actual = came->second;
    }
  }
}

void CompileJournal::writeMisses() {
  for (const Miss& miss : misses_) {
    if (miss.isRefused) {
      trace::CallRow call;
      call.frame = FrameId{miss.frame.frame};
      call.startNs = call.endNs = miss.at.timeNs;
      call.thread = miss.at.thread;
      call.outcome = trace::CallOutcome::kLimit;
      emit(sink_, call);
    } else {
      trace::CompileRow& row = compile({-1, miss.frame.frame, miss.attempt}, miss.at);
      if (!miss.reasons.empty() && row.trigger == trace::StringId{})
        row.trigger = intern(miss.reasons.front().text);
    }
    writeMiss(miss, miss.frame.frame, miss.attempt);
  }
}

void CompileJournal::writeMiss(const Miss& miss, int64_t frame, int64_t attempt) {
  const auto function = frames_.functions().find(frame);
  const std::string file = function != frames_.functions().end() ? function->second.file : "";
  for (const RecompileReason& reason : miss.reasons) {
    trace::GuardFailureRow row;
    row.frame = FrameId{frame};
    row.attempt = AttemptId{reason.entry.attempt >= 0 ? reason.entry.attempt : attempt - 1};
    row.timeNs = miss.at.timeNs;
    row.thread = miss.at.thread;
    row.caused = miss.isRefused ? AttemptId::kNone : AttemptId{attempt};
    row.kind = intern(reason.kind);
    row.source = intern(reason.source);
    row.expected = intern(reason.expected);
    row.actual = intern(reason.actual);
    row.text = intern(reason.text);
    row.stack = intern(withWholePath(reason.stack, file));
    emit(sink_, row);
  }
}

void CompileJournal::writeBreaks() {
  std::map<Key, int64_t> counts;
  for (const Break& each : breaks_) {
    const int64_t frame = frameNumber(each.frame);
    const Key key{frame, each.attempt};
    trace::GraphBreakRow row;
    row.frame = FrameId{frame};
    row.attempt = AttemptId{each.attempt};
    row.after = trace::SegmentId{counts[key]++};
    row.startNs = row.endNs = each.at.timeNs;
    row.thread = each.at.thread;
    row.isFirst = 1;
    row.reason = intern(each.message.skipsFrame ? "skipped frame: " + each.message.reason
                                                : each.message.reason);
    row.op = intern(each.message.op);
    row.explanation = intern(each.message.explanation);
    row.hint = intern(each.message.hint);
    row.stack = intern(each.message.stack);
    emit(sink_, row);
    const auto compiled = compiles_.find(key);
    if (compiled != compiles_.end()) ++compiled->second.breakCount;
  }
}

void CompileJournal::writeFrames() {
  for (const auto& [number, function] : frames_.functions()) {
    trace::FrameRow row;
    row.frame = FrameId{number};
    const auto first = compiles_.lower_bound(Key{number, 0});
    if (first != compiles_.end() && first->first.first == number)
      row.timeNs = first->second.startNs;
    row.name = intern(function.name);
    row.file = intern(function.file);
    row.line = function.line;
    emit(sink_, row);
  }
}

}  // namespace jitscope::analyzer
