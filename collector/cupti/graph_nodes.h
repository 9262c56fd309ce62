#pragma once

#include <cupti.h>

#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "collector/cupti/cupti_api.h"
#include "trace/sink.h"

namespace jitscope::collector {

/// Remembers where the program made each node of its CUDA graphs, so that a kernel of a replay can
/// be joined with the operator that was being captured. Fed by CUPTI's resource callbacks, on
/// whatever thread works on a graph; errors leave a node unknown.
///
/// A node is made at capture (`created`), and cloned when the graph is instantiated; what kernels
/// name is the clone. The clone is announced by `created` too, at which nothing is being captured:
/// `cloned` comes after it and overrides.
class GraphNodes {
 public:
  GraphNodes(const CuptiApi& api, trace::EventSink& sink) : api_(api), sink_(sink) {}

  /// A node was added to a graph, now and by the calling thread.
  void created(const CUpti_GraphData& node);

  /// A node was made as a copy of another one: writes the row of the copy.
  void cloned(const CUpti_GraphData& node);

  /// A graph and all of its nodes are gone.
  void destroyed(const CUpti_GraphData& graph);

  /// How many nodes could not be remembered since the last call.
  int64_t takeForgotten();

 private:
  struct Site {
    int64_t timeNs = 0;  ///< 0: not known
    int64_t thread = 0;
  };

  void remember(uint64_t node, Site site);
  Site siteOf(uint64_t node);

  const CuptiApi& api_;
  trace::EventSink& sink_;
  std::mutex mutex_;
  std::unordered_map<uint32_t, std::vector<Site>> graphs_;  ///< by graph, then index of the node
  size_t remembered_ = 0;
  int64_t forgotten_ = 0;
};

}  // namespace jitscope::collector
