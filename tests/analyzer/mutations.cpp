#include "tests/analyzer/mutations.h"

#include <gtest/gtest.h>
#include <sys/time.h>

#include <cstdlib>

namespace jitscope::analyzer {
namespace {

/// Ends the program after so much of its own time from now on; 0: never. What waits its turn on a
/// busy machine does not hang.
void endAfter(time_t seconds) {
  const itimerval timer{.it_interval = {}, .it_value = {.tv_sec = seconds, .tv_usec = 0}};
  setitimer(ITIMER_PROF, &timer, nullptr);
}

}  // namespace

std::string mutated(std::string bytes, std::mt19937_64& random) {
  const auto at = [&] { return static_cast<size_t>(random() % (bytes.size() + 1)); };
  switch (random() % 5) {
    case 0:
      return bytes.substr(0, at());
    case 1:
      for (int i = 0; i < 8 && !bytes.empty(); ++i)
        bytes[random() % bytes.size()] = static_cast<char>(random());
      return bytes;
    case 2:
      return bytes.erase(at(), random() % 200);
    case 3:
      return bytes.insert(at(), std::string(random() % 3000, "[{\"\\|\n\r\t "[random() % 10]));
    default: {
      const size_t from = at();
      return bytes.insert(at(), bytes.substr(from, random() % 2000));
    }
  }
}

void readMutated(const std::vector<std::string>& inputs,
                 const std::function<void(const std::string& bytes)>& read) {
  const char* const wanted = std::getenv("JITSCOPE_MUTATIONS");
  const uint64_t count = wanted == nullptr ? 100 : std::strtoull(wanted, nullptr, 10);
  for (uint64_t seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    std::string bytes = inputs[random() % inputs.size()];
    for (uint64_t damage = 1 + random() % 3; damage > 0; --damage) bytes = mutated(bytes, random);
    constexpr time_t kHangSeconds = 10;
    endAfter(kHangSeconds);
    read(bytes);
    endAfter(0);
  }
}

}  // namespace jitscope::analyzer
