#pragma once

#include <QAbstractListModel>
#include <QString>
#include <functional>
#include <vector>

namespace jitscope::gui {

/// Something that the window can do, by name.
struct Command {
  QString title;
  QString hint;  ///< its key, or what it is about; may be empty
  std::function<void()> run;
};

/// The commands whose title has all letters of a pattern in their order, the tightest match first.
class CommandList final : public QAbstractListModel {
  Q_OBJECT
 public:
  enum Role { kHintRole = Qt::UserRole };

  explicit CommandList(QObject* parent = nullptr);

  void reset(std::vector<Command> commands);
  /// Shows what matches `pattern`, whatever its case; an empty one matches all.
  void filter(const QString& pattern);
  const Command& command(int row) const { return commands_[shown_[static_cast<size_t>(row)]]; }

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

 private:
  std::vector<Command> commands_;
  std::vector<size_t> shown_;
};

}  // namespace jitscope::gui
