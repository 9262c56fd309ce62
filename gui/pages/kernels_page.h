#pragma once

#include <optional>

#include "gui/loading/kernel_lines.h"
#include "gui/loading/page_job.h"
#include "gui/pages/page.h"
#include "gui/selection.h"

class QLabel;
class QLineEdit;
class QPushButton;

namespace jitscope::gui {

class SheetView;
class ElidedLabel;
class EmptyNote;
class HistogramView;

/// The page of all kernels of the run: what took the time, how, and where the slowest is.
class KernelsPage final : public Page {
  Q_OBJECT
 public:
  explicit KernelsPage(Selection* selection, QWidget* parent = nullptr);

  void open(const std::shared_ptr<const Recording>& recording) override;

 private:
  struct Made {
    std::shared_ptr<const Recording> recording;  ///< whose groups these are
    GroupedKernels kernels;
  };

  QWidget* makeTop();
  QWidget* makeDetail();
  void follow();
  void showKernels(const Made& made);
  void failKernels(const QString& error);
  void showSpread(const analyzer::DurationSpread& spread);
  void showCount();
  /// Shows the kernel of the current row.
  void showChosen();
  void choose(size_t line);
  void goToSlowest();

  Selection* selection_;
  Made made_;
  KernelTable* table_;
  std::optional<size_t> chosen_;  ///< line of the table's list
  PageJob<Made> grouping_;
  PageJob<analyzer::DurationSpread> spreading_;
  struct Parts {
    ElidedLabel* summary = nullptr;
    QLineEdit* filter = nullptr;
    QLabel* count = nullptr;
    SheetView* view = nullptr;
    ElidedLabel* name = nullptr;
    QLabel* facts = nullptr;
    HistogramView* histogram = nullptr;
    QPushButton* slowest = nullptr;
    EmptyNote* empty = nullptr;
    QWidget* body = nullptr;
  } parts_;
};

}  // namespace jitscope::gui
