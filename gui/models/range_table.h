#pragma once

#include <QAbstractTableModel>
#include <memory>
#include <vector>

#include "gui/models/range_statistics.h"

namespace jitscope::gui {

/// The statistics of a range as a table: one line per name, the eager and the compiled pane side by
/// side. Sorts by an order of its own, no proxy.
class RangeTable final : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column {
    kName,
    kKind,
    kEagerCount,
    kEagerSum,
    kEagerMean,
    kEagerShare,
    kCompiledCount,
    kCompiledSum,
    kCompiledMean,
    kCompiledShare,
    kChange,
    kColumnCount
  };
  explicit RangeTable(QObject* parent = nullptr);

  /// Shows other numbers, in the present order. `timeline` gives the names.
  void reset(std::shared_ptr<const Timeline> timeline, RangeStatistics statistics);
  const RangeStatistics& statistics() const { return statistics_; }
  const RangeLine& line(int row) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

 private:
  void order();
  QVariant number(const RangeLine& line, int column) const;
  QString text(const RangeLine& line, int column) const;

  std::shared_ptr<const Timeline> timeline_;
  RangeStatistics statistics_;
  std::vector<size_t> order_;
  int sortColumn_ = -1;  ///< -1: as the statistics stand, the most time first
  Qt::SortOrder sortOrder_ = Qt::DescendingOrder;
};

/// "operator", "kernel", …
QString rowKindText(RowKind kind);

}  // namespace jitscope::gui
