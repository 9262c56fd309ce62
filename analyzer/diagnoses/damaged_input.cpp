#include "analyzer/diagnoses/damaged_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "analyzer/diagnoses/counted_text.h"
#include "analyzer/recording_format.h"
#include "analyzer/sum.h"

namespace jitscope::analyzer {
namespace {

/// A kind of damage by a part of what the importer says of it.
struct DamageWords {
  std::string_view part;  ///< of InputLoss::text
  const char *slug, *title, *cause, *fix;
};

constexpr const char* kRecordAgain = "record again with a newer torch, which writes valid JSON";

constexpr DamageWords kWords[] = {
    {"bare words", "bare_words", "not valid JSON: {} bare [word|words] such as NaN, inf or N/A",
     "the profiler wrote numbers that are none (a bandwidth of a copy that took no time is inf); "
     "they are read as not finite, the events around them stay",
     kRecordAgain},
    {"control characters", "control_characters",
     "not valid JSON: {} control [character|characters] inside of names",
     "the profiler's Python tracer wrote names of code objects that were freed already, which are "
     "garbage; the events stay, their names are not to be trusted",
     "record with a newer torch, or without with_stack=True"},
    {"begin no escape", "backslashes",
     "not valid JSON: {} [backslash that begins|backslashes that begin] no escape",
     "the profiler wrote Windows paths as they are; they are read as they were meant",
     kRecordAgain},
    {"quotes without", "quotes", "not valid JSON: {} [quote|quotes] inside of names",
     "the profiler wrote names with quotes in them as they are; they are read as they were meant",
     kRecordAgain},
    {"commas too many", "commas", "not valid JSON: {} [comma|commas] too many",
     "the list of events was not ended properly; nothing is missing because of it", kRecordAgain},
    {"closing brackets", "not_closed", "not valid JSON: the file is not closed",
     "the profiler was ended before it wrote the end of the file; all events that are there were "
     "read, further ones may be missing",
     "let the program leave the profiler's context before it exits"},
    {"ends after the call", "crossing_spans",
     "{} [span|spans] of steps or record_function [ends|end] after the call that [it|they] began "
     "in",
     "the profiler's Python tracer (with_stack=True) wrote starts and ends that do not nest; the "
     "spans stay here with their times, but viewers that show a stack (Perfetto) drop them",
     "record without with_stack=True where steps matter; the spans are named in the input's "
     "losses"},
    {"checksum", "checksum", "{} [payload differs|payloads differ] from [its|their] checksum",
     "the log was changed after it was written, or its file system lost a part of it; these "
     "payloads are taken as they are",
     "copy the log again from where it was written"},
};

/// One kind of damage over all files.
struct DamageGroup {
  const DamageWords* words = nullptr;
  Sum count;
  std::set<const Input*> files;
  std::set<std::string> places;
};

const DamageWords* wordsOf(const InputLoss& loss) {
  const auto* const found = std::find_if(
      std::begin(kWords), std::end(kWords),
      [&](const DamageWords& words) { return loss.text.find(words.part) != std::string::npos; });
  return found == std::end(kWords) ? nullptr : found;
}

Finding cutFinding(const Input& input, const InputLoss& loss) {
  const std::string file = input.path.filename().string();
  Finding finding;
  finding.kind = FindingKind::kRecording;
  finding.causeClass = "cut_file";
  finding.id = "recording/cut_file/" + file;
  finding.advice.title = fmt::format("{} is cut: {} ({})", file, loss.text, loss.place);
  finding.advice.cause =
      "the file ends before its proper end, so what came later is missing from every number here";
  finding.advice.fix =
      "copy it again, or record again: a full disk or a killed program cuts what it writes last";
  finding.evidence = {{"places", loss.amount}};
  return finding;
}

Finding absenceFinding(const Input& input, const InputLoss& loss) {
  Finding finding;
  finding.kind = FindingKind::kRecording;
  finding.causeClass = "absent_part";
  finding.id = "recording/absent_part/" + loss.place;
  finding.advice.title = fmt::format("{} has no {}", input.path.filename().string(), loss.place);
  finding.advice.cause = loss.text;
  finding.advice.fix = "nothing to mend in the program; record again if that part is needed";
  finding.evidence = {{"places", loss.amount}};
  return finding;
}

Finding damageFinding(const DamageGroup& group) {
  Finding finding;
  finding.kind = FindingKind::kRecording;
  finding.causeClass = "damaged_file";
  finding.id = fmt::format("recording/damaged_file/{}", group.words->slug);
  finding.advice.title = countedText(group.words->title, group.count);
  finding.advice.cause = group.words->cause;
  if (std::string_view(group.words->slug) == "crossing_spans") {
    std::string names;
    for (const std::string& place : group.places) names += (names.empty() ? "" : ", ") + place;
    finding.advice.cause += ": " + names;
  }
  finding.advice.fix = group.words->fix;
  finding.evidence = {{"places", group.count}, {"files", static_cast<int64_t>(group.files.size())}};
  return finding;
}

}  // namespace

std::vector<Finding> findDamagedInputs(const Subject& subject) {
  std::vector<Finding> findings;
  std::map<std::string_view, DamageGroup> groups;
  for (const Input& input : subject.run.inputs) {
    for (const InputLoss& loss : input.losses) {
      // What is cut in a recording of ours is a process that was killed, which the report notes.
      const bool isOurs = input.format == kRecordingFormat;
      if (loss.kind == InputLossKind::kCut && !isOurs) findings.push_back(cutFinding(input, loss));
      if (loss.kind == InputLossKind::kAbsent) findings.push_back(absenceFinding(input, loss));
      const DamageWords* const words =
          loss.kind == InputLossKind::kRepaired ? wordsOf(loss) : nullptr;
      if (words == nullptr) continue;
      DamageGroup& group = groups[words->slug];
      group.words = words;
      group.count += loss.amount;
      group.files.insert(&input);
      group.places.insert(loss.place);
    }
  }
  for (const auto& [slug, group] : groups) findings.push_back(damageFinding(group));
  return findings;
}

}  // namespace jitscope::analyzer
