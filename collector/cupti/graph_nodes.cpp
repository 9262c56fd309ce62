#include "collector/cupti/graph_nodes.h"

#include <sys/syscall.h>
#include <unistd.h>

#include "trace/clock.h"

namespace jitscope::collector {
namespace {

/// 16 bytes each; a program that captures for ever without destroying its graphs needs an end.
constexpr size_t kMostRemembered = size_t{4} << 20;
/// Nodes are numbered within their graph, from 0 on; one number can only be this wrong.
constexpr uint32_t kLargestIndex = 1U << 24;

uint32_t graphOf(uint64_t node) { return static_cast<uint32_t>(node >> 32); }
uint32_t indexOf(uint64_t node) { return static_cast<uint32_t>(node); }

int64_t callingThread() {
  static thread_local const int64_t thread = syscall(SYS_gettid);
  return thread;
}

}  // namespace

void GraphNodes::created(const CUpti_GraphData& node) {
  uint64_t id = 0;
  if (!node.node || api_.getGraphNodeId(node.node, &id) != CUPTI_SUCCESS) return;
  remember(id, {trace::nowNs(), callingThread()});
}

void GraphNodes::cloned(const CUpti_GraphData& node) {
  uint64_t id = 0;
  uint64_t original = 0;
  if (!node.node || api_.getGraphNodeId(node.node, &id) != CUPTI_SUCCESS) return;
  if (!node.originalNode || api_.getGraphNodeId(node.originalNode, &original) != CUPTI_SUCCESS) {
    return;
  }
  const Site site = siteOf(original);
  remember(id, site);  // also when not known: a clone's own creation is no capture
  if (site.timeNs == 0) return;
  trace::emit(sink_,
              trace::GraphNodeRow{
                  .node = static_cast<int64_t>(id), .timeNs = site.timeNs, .thread = site.thread});
}

void GraphNodes::destroyed(const CUpti_GraphData& graph) {
  uint32_t id = 0;
  if (!graph.graph || api_.getGraphId(graph.graph, &id) != CUPTI_SUCCESS) return;
  const std::lock_guard lock(mutex_);
  const auto found = graphs_.find(id);
  if (found == graphs_.end()) return;
  remembered_ -= found->second.size();
  graphs_.erase(found);
}

int64_t GraphNodes::takeForgotten() {
  const std::lock_guard lock(mutex_);
  const int64_t forgotten = forgotten_;
  forgotten_ = 0;
  return forgotten;
}

void GraphNodes::remember(uint64_t node, Site site) {
  const std::lock_guard lock(mutex_);
  const uint32_t index = indexOf(node);
  std::vector<Site>& sites = graphs_[graphOf(node)];
  const size_t added = index < sites.size() ? 0 : index + size_t{1} - sites.size();
  if (index > kLargestIndex || remembered_ + added > kMostRemembered) {
    ++forgotten_;
    return;
  }
  if (added > 0) sites.resize(index + size_t{1});
  remembered_ += added;
  sites[index] = site;
}

GraphNodes::Site GraphNodes::siteOf(uint64_t node) {
  const std::lock_guard lock(mutex_);
  const auto found = graphs_.find(graphOf(node));
  const bool isKnown = found != graphs_.end() && indexOf(node) < found->second.size();
  return isKnown ? found->second[indexOf(node)] : Site{};
}

}  // namespace jitscope::collector
