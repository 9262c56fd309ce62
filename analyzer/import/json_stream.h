#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analyzer/import/input_bytes.h"
#include "analyzer/import/json_cursor.h"

namespace jitscope::analyzer {

/// A window that slides over a JSON file: each element of a long list must fit into it, the list
/// need not. For one thread.
class JsonStream {
 public:
  explicit JsonStream(InputBytes& bytes);

  /// What came of reading one element.
  enum class Step {
    kTaken,
    kFaulty,   ///< not as expected; nothing was taken
    kTooLong,  ///< longer than the window may become; nothing was taken
    kEnd,      ///< the file ends in the midst of it
  };

  /// Calls `take` with a cursor at the next byte. It gets more bytes and is called again when it
  /// returns false because it ran out, so it must begin anew each time.
  template <class Take>
  Step step(Take take) {
    while (true) {
      const JsonRepairs before = repairs_;
      JsonCursor cursor(at_, end_, repairs_);
      if (take(cursor)) {
        at_ = cursor.at();
        return Step::kTaken;
      }
      repairs_ = before;
      if (!cursor.hasRunOut()) return Step::kFaulty;
      if (isTooLong()) return Step::kTooLong;
      if (!readMore()) return Step::kEnd;
    }
  }

  /// The next byte that is no blank, without taking it; NUL at the end of the file.
  char peek();

  /// Takes the byte that `peek` showed.
  void take() { ++at_; }

  /// Steps over the next value, however long.
  void skipLongValue();

  /// Steps over what is left of a broken element of a list of objects: to the next one, or to the
  /// end of the list. False when the file ends before.
  bool findNextElement();

  JsonRepairs& repairs() { return repairs_; }

 private:
  bool isTooLong() const;
  bool readMore();

  InputBytes& bytes_;
  std::vector<char> buffer_;
  const char* at_;
  const char* end_;
  JsonRepairs repairs_;
};

}  // namespace jitscope::analyzer
