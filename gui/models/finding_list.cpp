#include "gui/models/finding_list.h"

#include "gui/models/tool_tip.h"

namespace jitscope::gui {

FindingList::FindingList(QObject* parent) : QAbstractListModel(parent) {}

void FindingList::reset(std::shared_ptr<const Findings> findings) {
  beginResetModel();
  findings_ = std::move(findings);
  endResetModel();
}

const FindingView& FindingList::finding(int row) const {
  return findings_->list[static_cast<size_t>(row)];
}

int FindingList::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || !findings_ ? 0 : static_cast<int>(findings_->list.size());
}

QVariant FindingList::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const FindingView& shown = finding(index.row());
  switch (role) {
    case Qt::DisplayRole:
      return shown.title;
    case Qt::ToolTipRole:
      return toolTipOf(shown.title + "\n" + shown.place);
    case kCostRole:
      return shown.cost;
    case kPlaceRole:
      return shown.place;
    case kCauseRole:
      return shown.cause;
    case kFixRole:
      return shown.fix;
    case kCategoryRole:
      return static_cast<int>(shown.category);
    default:
      return {};
  }
}

}  // namespace jitscope::gui
