#include "gui/models/command_list.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace jitscope::gui {
namespace {

/// How far the letters of `pattern` lie apart in `title`, less where they begin words; none when
/// they are not all there.
std::optional<int> looseness(const QString& title, const QString& pattern) {
  int loose = 0;
  qsizetype at = 0;
  for (const QChar letter : pattern) {
    if (letter.isSpace()) continue;
    const qsizetype found = title.indexOf(letter, at, Qt::CaseInsensitive);
    if (found < 0) return std::nullopt;
    const bool beginsWord = found == 0 || title[found - 1].isSpace();
    loose += beginsWord ? 0 : static_cast<int>(found - at) + (found == at ? 0 : 1);
    at = found + 1;
  }
  return loose;
}

}  // namespace

CommandList::CommandList(QObject* parent) : QAbstractListModel(parent) {}

void CommandList::reset(std::vector<Command> commands) {
  commands_ = std::move(commands);
  filter({});
}

void CommandList::filter(const QString& pattern) {
  std::vector<std::pair<int, size_t>> matches;
  for (size_t i = 0; i < commands_.size(); ++i) {
    if (const auto loose = looseness(commands_[i].title, pattern)) matches.emplace_back(*loose, i);
  }
  std::sort(matches.begin(), matches.end());
  beginResetModel();
  shown_.clear();
  for (const auto& match : matches) shown_.push_back(match.second);
  endResetModel();
}

int CommandList::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(shown_.size());
}

QVariant CommandList::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  if (role == Qt::DisplayRole) return command(index.row()).title;
  return role == kHintRole ? QVariant(command(index.row()).hint) : QVariant();
}

}  // namespace jitscope::gui
