#include "collector/record/say.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <string>

namespace jitscope::collector {
namespace {

// While one lives, a pipe that nobody reads is an error of the write. The signal is blocked and not
// ignored: what is ignored would be so in the program too.
class BrokenPipesAreErrors {
 public:
  BrokenPipesAreErrors() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    sigprocmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~BrokenPipesAreErrors() {
    if (isBroken) {
      const timespec atOnce{};
      sigtimedwait(&pipe_, nullptr, &atOnce);
    }
    sigprocmask(SIG_SETMASK, &before_, nullptr);
  }
  BrokenPipesAreErrors(const BrokenPipesAreErrors&) = delete;
  BrokenPipesAreErrors& operator=(const BrokenPipesAreErrors&) = delete;

  bool isBroken = false;  ///< a write has said so

 private:
  sigset_t pipe_{};
  sigset_t before_{};
};

}  // namespace

void say(std::string_view text) noexcept {
  try {
    std::string line = "jitscope: ";
    line += text;
    std::replace_if(
        line.begin(), line.end(), [](unsigned char letter) { return letter < ' '; }, '?');
    line += '\n';
    BrokenPipesAreErrors scope;
    for (size_t done = 0; done < line.size();) {
      const ssize_t wrote = write(STDERR_FILENO, line.data() + done, line.size() - done);
      if (wrote < 0 && errno == EINTR) continue;
      scope.isBroken = wrote < 0 && errno == EPIPE;
      if (wrote <= 0) return;
      done += static_cast<size_t>(wrote);
    }
  } catch (const std::bad_alloc&) {  // then it stays unsaid
  }
}

}  // namespace jitscope::collector
