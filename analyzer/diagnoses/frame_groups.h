#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "analyzer/diagnoses/diagnosis.h"

namespace jitscope::analyzer {

/// What makes frames the same callable for a reader: name and place, whatever their numbers (one
/// per layer of a model, one per process).
std::string frameKey(const Run& run, FrameIndex frame);

/// The frames of one callable with their calls taken together.
struct FrameGroup {
  std::vector<FrameIndex> frames;
  int64_t hitMedianNs = 0;  ///< of the frame with most hits; 0 without hits
};

/// All frames of a run by frameKey.
std::map<std::string, FrameGroup> frameGroups(const Subject& subject);

/// How many different processes appear in occurrences.
int64_t processCount(const std::vector<Occurrence>& occurrences);

/// Gives a finding its occurrences and the evidence that goes with them: how many there are, called
/// `what`, then `further`, then from how many processes they come.
void setOccurrences(Finding& finding, std::string what, std::vector<Occurrence> occurrences,
                    std::vector<Evidence> further = {});

/// A guard failure counted, for Finding::guards.
class MismatchCounter {
 public:
  void add(const Run& run, const GuardFailure& failure);

  /// Most frequent first.
  std::vector<GuardMismatch> take();

 private:
  std::map<std::string, GuardMismatch> byGuard_;
};

}  // namespace jitscope::analyzer
