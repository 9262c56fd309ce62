#pragma once

#include <cstring>
#include <string>
#include <string_view>

namespace jitscope::analyzer {

/// How a line that was cut is told.
inline constexpr std::string_view kTooLongLine = "the rest of a line of more than 67 MB";

/// Cuts a stream that comes in blocks of any size into lines.
class LineSplitter {
 public:
  /// Longer lines are cut, so that a file without line ends cannot take all memory.
  static constexpr size_t kLongestLine = size_t{64} << 20;

  /// Calls `take(line)` for each line that ends in `block`, without its line feed. Lines are views
  /// that are valid during the call.
  template <class Take>
  void feed(std::string_view block, Take take) {
    while (!block.empty()) {
      const void* const found = std::memchr(block.data(), '\n', block.size());
      if (found == nullptr) return keep(block);
      const auto size = static_cast<size_t>(static_cast<const char*>(found) - block.data());
      if (begun_.empty()) {
        take(block.substr(0, size));
      } else {
        keep(block.substr(0, size));
        take(std::string_view(begun_));
        begun_.clear();
        isCut_ = false;
      }
      block.remove_prefix(size + 1);
    }
  }

  /// Calls `take` with what stands behind the last line feed, if anything does.
  template <class Take>
  void finish(Take take) {
    if (!begun_.empty()) take(std::string_view(begun_));
    begun_.clear();
  }

  /// How many lines were cut.
  int64_t cutCount() const { return cutCount_; }

 private:
  void keep(std::string_view text) {
    const size_t room = kLongestLine - begun_.size();
    if (text.size() > room && !isCut_) {
      isCut_ = true;
      ++cutCount_;
    }
    begun_ += text.substr(0, room);
  }

  std::string begun_;  ///< the line that the last block has begun
  bool isCut_ = false;
  int64_t cutCount_ = 0;
};

}  // namespace jitscope::analyzer
