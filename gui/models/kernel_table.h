#pragma once

#include <QAbstractTableModel>
#include <memory>
#include <optional>
#include <vector>

#include "gui/models/event_columns.h"
#include "gui/models/text_filter.h"

namespace jitscope::gui {

/// Kernels (or operators) of one name that came to run in the same way.
struct KernelLine {
  QString name;
  QString kind;    ///< "generated", "library", "kernel", "operator"
  QString origin;  ///< "compiled", "eager", "replay", …
  QString graph;   ///< the compile id `F/C`; empty outside of compiled graphs
  QString op;      ///< the operator that launched it; empty when not known
  Category category = Category::kHost;
  int64_t count = 0, totalNs = 0, meanNs = 0, maxNs = 0;
  std::optional<int64_t> modelledBytes, sampledBytes, exactBytes;  ///< of one, on average
  std::optional<double> bytesPerSecond;  ///< by the bytes of `KernelLines::rateSource`
  std::optional<double> peakShare;       ///< of the data sheet's rate
  int64_t slowestNs = 0;                 ///< when the slowest of them started, since the epoch
};

/// All of a run. Made on a worker, then never changed.
struct KernelLines {
  std::vector<KernelLine> list;  ///< most time first
  TextFilter filter;             ///< over `list`
  bool areOperators = false;     ///< the run has no kernels
  QString rateSource;            ///< "exact", "sampled" or "modelled"; empty without bytes
  QString summary;               ///< one line over the table
  QString whyEmpty;              ///< in words, where there is nothing
};

/// Kernels as a table that sorts and filters itself: no proxy could do it for a million lines.
class KernelTable final : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column {
    kName,
    kKind,
    kOrigin,
    kGraph,
    kOperator,
    kCount,
    kTotal,
    kMean,
    kMax,
    kModelled,
    kSampled,
    kExact,
    kRate,
    kPeakShare,
    kColumnCount
  };

  explicit KernelTable(QObject* parent = nullptr);

  /// Shows other lines, in the present order and through the present filter.
  void reset(std::shared_ptr<const KernelLines> lines);
  const std::shared_ptr<const KernelLines>& lines() const { return lines_; }

  /// Shows only lines that hold all words of `wanted`.
  void filterBy(const QString& wanted);

  /// The line of a row, as its position in the list.
  size_t lineAt(int row) const { return shown_[static_cast<size_t>(row)]; }
  /// The row of a line; -1 when it is filtered out.
  int rowOf(size_t line) const;

  /// Whether any line has something in a column.
  bool hasColumn(int column) const { return has_[static_cast<size_t>(column)]; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

 private:
  void show();
  void order();
  void findColumns();

  std::shared_ptr<const KernelLines> lines_;
  std::vector<size_t> order_;  ///< of all lines
  std::vector<size_t> shown_;  ///< of those that pass the filter
  std::vector<bool> has_;
  QString wanted_;
  int sortColumn_ = -1;  ///< -1: most time first
  Qt::SortOrder sortOrder_ = Qt::DescendingOrder;
};

/// What stands in a column of a line, as the table shows it.
QString cellText(const KernelLine& line, int column);

}  // namespace jitscope::gui
