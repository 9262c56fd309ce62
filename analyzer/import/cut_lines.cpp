#include "analyzer/import/cut_lines.h"

#include <algorithm>
#include <utility>

namespace jitscope::analyzer {
namespace {

/// More streams than any collector mixes.
constexpr size_t kMostOpen = 256;

}  // namespace

bool CutLines::take(const LineFront& front, const Visit& visit) {
  if (!front.isPart && open_.empty()) return false;
  // The program's own fronts stand once in front of a line, those of a launcher behind the
  // collector in front of each part.
  const LineFront inner = takeLineFront(front.line);
  if (!front.isPart && continuedBy(front, inner) == open_.end()) return false;
  makeRoom(front, inner, visit);
  const Place begun = continuedBy(front, inner);
  if (begun == open_.end()) {
    open_.push_back({front.origin, inner.rank, front.rank, {}});
    append(open_.back(), front.line);
  } else {
    std::rotate(begun, begun + 1, open_.end());
    Open& open = open_.back();
    append(open, open.rank >= 0 && inner.rank == open.rank ? inner.text : front.line);
  }
  if (!front.isPart) end(open_.end() - 1, visit);
  return true;
}

/// Ends others than the one that `front` continues. A visit may take parts itself, so that no place
/// is the same after it.
void CutLines::makeRoom(const LineFront& front, const LineFront& inner, const Visit& visit) {
  const auto isShorter = [](const Open& a, const Open& b) { return a.text.size() < b.text.size(); };
  while (bytes_ + front.line.size() > mostBytes_) {
    const Place longest = std::max_element(open_.begin(), open_.end(), isShorter);
    if (longest == open_.end() || longest == continuedBy(front, inner)) break;
    giveUp(*longest);
    end(longest, visit);
  }
  while (open_.size() >= kMostOpen && continuedBy(front, inner) == open_.end()) {
    giveUp(open_.front());
    end(open_.begin(), visit);
  }
}

CutLines::Place CutLines::findOpen(uint64_t origin, int64_t rank) {
  return std::find_if(open_.begin(), open_.end(),
                      [&](const Open& open) { return open.origin == origin && open.rank == rank; });
}

CutLines::Place CutLines::continuedBy(const LineFront& front, const LineFront& inner) {
  if (const Place own = findOpen(front.origin, inner.rank); own != open_.end()) return own;
  // A rank in the midst of a line that began without one is text; else it begins a line.
  if (inner.rank >= 0) return findOpen(front.origin, -1);
  const auto latest = std::find_if(open_.rbegin(), open_.rend(),
                                   [&](const Open& open) { return open.origin == front.origin; });
  return latest == open_.rend() ? open_.end() : latest.base() - 1;
}

void CutLines::append(Open& open, std::string_view text) {
  const size_t room = mostBytes_ - bytes_;
  if (text.size() > room) giveUp(open);
  text = text.substr(0, room);
  open.text += text;
  bytes_ += text.size();
}

void CutLines::giveUp(Open& open) {
  if (!open.isShort) ++notJoinedCount_;
  open.isShort = true;
}

void CutLines::end(Place place, const Visit& visit) {
  const Open whole = std::move(*place);
  open_.erase(place);
  bytes_ -= whole.text.size();
  visit(whole.text, whole.rankOfFront);
}

void CutLines::finish(const Visit& visit) {
  while (!open_.empty()) end(open_.begin(), visit);
}

}  // namespace jitscope::analyzer
