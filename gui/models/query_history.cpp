#include "gui/models/query_history.h"

namespace jitscope::gui {

void QueryHistory::add(const QString& query) {
  if (query.trimmed().isEmpty()) return;
  queries_.removeAll(query);
  queries_ << query;
  at_ = queries_.size();
  draft_.clear();
}

QString QueryHistory::older(const QString& draft) {
  if (at_ == queries_.size()) draft_ = draft;
  while (at_ > 0) {
    --at_;
    if (queries_[at_] != draft) return queries_[at_];
  }
  return {};
}

QString QueryHistory::newer() {
  if (at_ >= queries_.size()) return {};
  ++at_;
  return at_ == queries_.size() ? QString(draft_.isNull() ? "" : draft_) : queries_[at_];
}

}  // namespace jitscope::gui
