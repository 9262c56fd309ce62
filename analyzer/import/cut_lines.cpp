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
  Place place = continuedBy(front, inner);
  if (place == open_.end()) {
    if (!front.isPart) return false;
    if (open_.size() >= kMostOpen) end(open_.begin(), visit);
    open_.push_back({front.origin, inner.rank, front.rank, {}});
    append(open_.back(), front.line);
    return true;
  }
  std::rotate(place, place + 1, open_.end());
  place = open_.end() - 1;
  append(*place, place->rank >= 0 && inner.rank == place->rank ? inner.text : front.line);
  if (!front.isPart) end(place, visit);
  return true;
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
  text = text.substr(0, mostBytes_ - bytes_);
  open.text += text;
  bytes_ += text.size();
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
