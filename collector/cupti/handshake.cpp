#include "collector/cupti/handshake.h"

#include <time.h>

#include <cerrno>

namespace jitscope::collector {

bool waitFor(sem_t& semaphore, int patienceMs) noexcept {
  constexpr long kSecondNs = 1'000'000'000;
  timespec deadline{};
  clock_gettime(CLOCK_MONOTONIC, &deadline);  // the other one may be set meanwhile
  deadline.tv_sec += patienceMs / 1000;
  deadline.tv_nsec += patienceMs % 1000 * 1'000'000L;
  if (deadline.tv_nsec >= kSecondNs) {
    ++deadline.tv_sec;
    deadline.tv_nsec -= kSecondNs;
  }
  int result = 0;
  while ((result = sem_clockwait(&semaphore, CLOCK_MONOTONIC, &deadline)) != 0 && errno == EINTR) {
  }
  return result == 0;
}

}  // namespace jitscope::collector
