#pragma once

#include <QAbstractListModel>
#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "gui/models/detail.h"

namespace jitscope::gui {

/// One thing that the analyzer found, as the window shows it.
struct FindingView {
  QString title;                        ///< "3 breaks: Tensor.item()"
  QString cost;                         ///< "412 µs a step"; empty when not known
  QString place;                        ///< "model.cpp:41"; empty when not known
  QString cause, fix;                   ///< a sentence each
  Category category = Category::kHost;  ///< its colour
  std::optional<int64_t> timeNs;        ///< a moment that shows it
  Detail detail;
};

/// What the analyzer found, and its verdict.
struct Findings {
  QString verdict;                ///< one sentence
  QString remark;                 ///< what stands in its way; may be empty
  std::vector<FindingView> list;  ///< the most costly first
};

/// The findings as a list: title, cost and place of each.
class FindingList final : public QAbstractListModel {
  Q_OBJECT
 public:
  enum Role { kCostRole = Qt::UserRole, kPlaceRole, kCategoryRole, kCauseRole, kFixRole };

  explicit FindingList(QObject* parent = nullptr);

  void reset(std::shared_ptr<const Findings> findings);
  const FindingView& finding(int row) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

 private:
  std::shared_ptr<const Findings> findings_;
};

}  // namespace jitscope::gui
