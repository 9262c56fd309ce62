#include "analyzer/import/torch_trace_import.h"

#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "analyzer/import/log_bytes.h"
#include "analyzer/import/torch_trace_counts.h"
#include "analyzer/import/torch_trace_story.h"

namespace jitscope::analyzer {
namespace {

/// A file that names more processes is hostile; what is beyond goes to the first.
constexpr size_t kMostLoggedProcesses = 1024;

/// The story of each process. Forked children write into their parent's file; ranks come to be
/// known after the first records.
class TorchTraceProcesses {
 public:
  explicit TorchTraceProcesses(Import& result) : result_(result) {}

  void add(const TorchTraceRecord& record) { tellerOf(record).story.add(record); }

  void finish(int64_t fileNs) {
    for (Teller& teller : tellers_) {
      const int64_t offsetNs = teller.story.finish(fileNs);
      teller.trace.shiftTimes(offsetNs);
    }
  }

 private:
  struct Teller {
    explicit Teller(trace::MemoryTrace& into) : trace(into), story(into) {}
    trace::MemoryTrace& trace;
    TorchTraceStory story;
    int64_t rank = -1;
  };

  Teller& tellerOf(const TorchTraceRecord& record) {
    std::vector<Teller*>& ofProcess = byProcess_[processOf(record.prefix.process)];
    for (Teller* teller : ofProcess) {
      if (record.rank >= 0 && teller->rank >= 0 && teller->rank != record.rank) continue;
      if (teller->rank < 0) teller->rank = record.rank;
      return *teller;
    }
    if (tellers_.size() >= kMostLoggedProcesses) return tellers_.front();
    Teller& teller = tellers_.emplace_back(result_.addProcess());
    teller.rank = record.rank;
    ofProcess.push_back(&teller);
    return teller;
  }

  Import& result_;
  std::deque<Teller> tellers_;
  std::map<int64_t, std::vector<Teller*>> byProcess_;
};

void tellDamage(const TorchTraceDamage& damage, Import& result) {
  const auto lose = [&](InputLossKind kind, std::string_view place, std::string_view text,
                        int64_t amount) {
    if (amount > 0) result.lose(kind, place, text, amount);
  };
  const std::string badPlace = "line " + std::to_string(damage.firstBadPayload);
  lose(InputLossKind::kForeign, "lines", "neither record nor payload", damage.otherLines);
  lose(InputLossKind::kSkipped, "records", "header without its end", damage.brokenHeaders);
  lose(InputLossKind::kSkipped, "payloads", "longer than memory allows", damage.cutPayloads);
  lose(InputLossKind::kSkipped, "lines", kTooLongLine, damage.cutLines);
  lose(InputLossKind::kSkipped, "lines", kNotJoined, damage.notJoinedLines);
  lose(InputLossKind::kRepaired, "payloads", "carriage returns or empty lines",
       damage.repairedPayloads);
  lose(InputLossKind::kRepaired, badPlace, "payload differs from its checksum, taken as it is",
       damage.md5BadTolerant - (damage.isCut ? 1 : 0));
  lose(InputLossKind::kCut, "end", "ends in the midst of a payload", damage.isCut ? 1 : 0);
}

}  // namespace

trace::Result<void> importTorchTrace(InputBytes& bytes, Import& result) {
  TorchTraceProcesses processes(result);
  TorchTraceCounts counts;
  TorchTraceReader reader([&](const TorchTraceRecord& record) {
    counts.add(record);
    processes.add(record);
  });
  readLog(bytes, result, [&](std::string_view block) { reader.feed(block); });
  reader.finish();
  processes.finish(fileTimeNs(bytes.path()));
  for (const auto& [name, amount] : counts.list(reader.damage())) result.count(name, amount);
  tellDamage(reader.damage(), result);
  return {};
}

}  // namespace jitscope::analyzer
