#include "compiler/aot/flow_network.h"

#include <algorithm>

namespace jitscope::compiler {

size_t FlowNetwork::addNode() {
  edgesOf_.emplace_back();
  return edgesOf_.size() - 1;
}

void FlowNetwork::addEdge(size_t from, size_t to, int64_t capacity) {
  edgesOf_[from].push_back(edges_.size());
  edges_.push_back({to, capacity});
  edgesOf_[to].push_back(edges_.size());
  edges_.push_back({from, 0});
}

bool FlowNetwork::findLevels(size_t source, size_t sink) {
  levels_.assign(edgesOf_.size(), -1);
  levels_[source] = 0;
  std::vector<size_t> queue{source};
  for (size_t i = 0; i < queue.size(); ++i) {
    for (const size_t number : edgesOf_[queue[i]]) {
      const Edge& edge = edges_[number];
      if (edge.left == 0 || levels_[edge.to] >= 0) continue;
      levels_[edge.to] = levels_[queue[i]] + 1;
      queue.push_back(edge.to);
    }
  }
  return levels_[sink] >= 0;
}

/// Pushes along one path of the levels. Without recursion: graphs may be thousands of nodes deep.
int64_t FlowNetwork::augment(size_t source, size_t sink) {
  std::vector<size_t> path;
  size_t node = source;
  while (node != sink) {
    size_t& next = next_[node];
    const auto leadsOn = [&](const Edge& edge) {
      return edge.left > 0 && levels_[edge.to] == levels_[node] + 1;
    };
    while (next < edgesOf_[node].size() && !leadsOn(edges_[edgesOf_[node][next]])) ++next;
    if (next < edgesOf_[node].size()) {
      path.push_back(edgesOf_[node][next]);
      node = edges_[path.back()].to;
      continue;
    }
    if (path.empty()) return 0;
    node = edges_[path.back() ^ 1U].to;
    path.pop_back();
    ++next_[node];
  }
  int64_t flow = kUncuttable;
  for (const size_t number : path) flow = std::min(flow, edges_[number].left);
  for (const size_t number : path) {
    edges_[number].left -= flow;
    edges_[number ^ 1U].left += flow;
  }
  return flow;
}

std::vector<bool> FlowNetwork::cut(size_t source, size_t sink) {
  while (findLevels(source, sink)) {
    next_.assign(edgesOf_.size(), 0);
    while (augment(source, sink) > 0) {
    }
  }
  // From the sink backwards: what can still reach it is on its side.
  std::vector<bool> reachesSink(edgesOf_.size());
  reachesSink[sink] = true;
  std::vector<size_t> queue{sink};
  for (size_t i = 0; i < queue.size(); ++i) {
    for (const size_t number : edgesOf_[queue[i]]) {
      const size_t from = edges_[number].to;
      if (edges_[number ^ 1U].left == 0 || reachesSink[from]) continue;
      reachesSink[from] = true;
      queue.push_back(from);
    }
  }
  std::vector<bool> isSourceSide(edgesOf_.size());
  for (size_t i = 0; i < isSourceSide.size(); ++i) isSourceSide[i] = !reachesSink[i];
  return isSourceSide;
}

}  // namespace jitscope::compiler
