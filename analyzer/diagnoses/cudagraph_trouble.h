#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/finding.h"

namespace jitscope::analyzer {

/// What can go wrong with CUDA graphs.
enum class CudagraphTrouble {
  kMutatedInput,
  kHostDevice,
  kSeveralDevices,
  kIncompatibleOp,
  kDynamicSizes,
  kMovedInput,
  kOtherSkip,
  kPartitioned,
  kRerecorded,
  kOverwritten,
  kPendingBackward,
  kCaptureFailed,
};

/// As it stands in ids and as `cause_class`.
std::string_view name(CudagraphTrouble trouble);

/// One reason for which a graph was skipped.
struct CudagraphSkip {
  CudagraphTrouble trouble = CudagraphTrouble::kOtherSkip;
  std::string reason;   ///< in PyTorch's words
  std::string subject;  ///< the node, operator or devices that it names; may be empty
};

/// The reasons in a message of any version: newer ones give one, those up to 2.2 a Python list.
std::vector<CudagraphSkip> readCudagraphSkips(std::string_view told);

/// The tensor that a line of Python writes in place: `k_out` of `k_out.index_copy_(2, pos, k)`,
/// `self.count` of `self.count += 1`. Empty when the line shows none.
std::string mutatedTensor(std::string_view codeLine);

/// One trouble at one place, over all repeats, graphs and processes.
struct CudagraphGroup {
  CudagraphTrouble trouble = CudagraphTrouble::kOtherSkip;
  std::string reason, subject;
  Place place;
  std::string codeLine;           ///< of the place; may be empty
  std::set<std::string> graphs;   ///< compile ids
  std::vector<std::string> keys;  ///< of recordings: the sizes, each once, in their order
  int64_t sizeCount = 0;          ///< of recordings: how many sizes a warning counted
  std::vector<Occurrence> occurrences;
};

}  // namespace jitscope::analyzer
