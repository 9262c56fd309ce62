#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace jitscope::analyzer {

/// An MD5 digest, here a checksum of log payloads and nothing more.
using Md5 = std::array<uint32_t, 4>;

/// The digest of `text`.
Md5 md5Of(std::string_view text);

/// Reads 32 hexadecimal digits; whether they are such.
bool parseMd5(std::string_view digits, Md5& digest);

/// Checks many texts against their digests, several at a time side by side, which is some times
/// faster than one after the other.
class Md5Checker {
 public:
  /// Called once for each text, in any order, with the tag it was added under.
  using Answer = std::function<void(int64_t tag, bool isRight)>;

  explicit Md5Checker(Answer answer) : answer_(std::move(answer)) {}

  /// Takes a copy of `text`; answers may come now.
  void add(int64_t tag, std::string_view text, const Md5& expected);

  /// Gives all answers that are left.
  void finish();

  /// A text that waits: where it lies in the batch, and what it should be.
  struct Job {
    int64_t tag = 0;
    size_t offset = 0, size = 0;
    Md5 expected{};
  };

 private:
  Answer answer_;
  std::string batch_;  ///< the waiting texts, one after the other
  std::vector<Job> jobs_;
};

}  // namespace jitscope::analyzer
