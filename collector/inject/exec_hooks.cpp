// Another program is about to take this process over: the trace of this one ends here. A child that
// shares its parent's memory (between vfork and exec) touches nothing; endSession sees to that.
// posix_spawn and system need no hook: they exec inside the C library, in a child.
#include <alloca.h>
#include <unistd.h>

#include <cstdarg>

#include "collector/inject/original.h"
#include "collector/inject/session.h"

namespace {

using jitscope::collector::End;

using jitscope::collector::originalFunction;

// Looked up when the library is loaded: a child of a program with threads may not look up anything
// between its fork and its exec.
struct Originals {
  decltype(&::execve) execve = originalFunction<decltype(::execve)>("execve");
  decltype(&::execv) execv = originalFunction<decltype(::execv)>("execv");
  decltype(&::execvp) execvp = originalFunction<decltype(::execvp)>("execvp");
  decltype(&::execvpe) execvpe = originalFunction<decltype(::execvpe)>("execvpe");
  decltype(&::fexecve) fexecve = originalFunction<decltype(::fexecve)>("fexecve");
};

const Originals& original() {
  static const Originals found;
  return found;
}

__attribute__((constructor)) void lookUpEarly() { original(); }

// Runs `exec`, which returns only when it has failed; then the program goes on being recorded.
template <class Exec>
int withTraceEnded(Exec exec) {
  jitscope::collector::endSession(End::kExec);
  const int result = exec();
  jitscope::collector::resumeSession();
  return result;
}

// An exec that is bound to fail leaves the trace whole.
bool isExecutable(const char* path) { return path && access(path, X_OK) == 0; }

// By pointer, so that the caller goes on where these stopped.
size_t countRest(va_list* list) {
  size_t count = 0;
  while (va_arg(*list, char*)) ++count;
  return count;
}

void copyRest(va_list* list, char** to) {
  while ((*to++ = va_arg(*list, char*))) {
  }
}

// `argument` as a value that the compiler knows nothing about: the C library declares it to be
// never null, and a program that passes null all the same shall get what it would get without us.
const char* asPassed(const char* argument) {
  asm("" : "+r"(argument));
  return argument;
}

}  // namespace

#define JITSCOPE_INTERPOSED __attribute__((visibility("default")))

// An array of a variadic exec's arguments, on the caller's stack, ended by a null.
// NOLINTBEGIN(bugprone-macro-parentheses): the arguments are names that it declares.
#define JITSCOPE_COLLECT_ARGUMENTS(arguments, list, first)                    \
  const char* const head = asPassed(first);                                   \
  va_list list;                                                               \
  va_start(list, first);                                                      \
  const size_t rest = head ? countRest(&list) : 0;                            \
  va_end(list);                                                               \
  va_start(list, first);                                                      \
  char** arguments = static_cast<char**>(alloca((rest + 2) * sizeof(char*))); \
  arguments[0] = const_cast<char*>(head);                                     \
  if (head) copyRest(&list, arguments + 1)
// NOLINTEND(bugprone-macro-parentheses)

extern "C" {

JITSCOPE_INTERPOSED int execve(const char* path, char* const arguments[],
                               char* const environment[]) noexcept {
  const auto exec = [&] { return original().execve(path, arguments, environment); };
  return isExecutable(path) ? withTraceEnded(exec) : exec();
}

JITSCOPE_INTERPOSED int execv(const char* path, char* const arguments[]) noexcept {
  const auto exec = [&] { return original().execv(path, arguments); };
  return isExecutable(path) ? withTraceEnded(exec) : exec();
}

JITSCOPE_INTERPOSED int execvp(const char* file, char* const arguments[]) noexcept {
  return withTraceEnded([&] { return original().execvp(file, arguments); });
}

JITSCOPE_INTERPOSED int execvpe(const char* file, char* const arguments[],
                                char* const environment[]) noexcept {
  return withTraceEnded([&] { return original().execvpe(file, arguments, environment); });
}

JITSCOPE_INTERPOSED int fexecve(int file, char* const arguments[],
                                char* const environment[]) noexcept {
  return withTraceEnded([&] { return original().fexecve(file, arguments, environment); });
}

JITSCOPE_INTERPOSED int execl(const char* path, const char* first, ...) noexcept {
  JITSCOPE_COLLECT_ARGUMENTS(arguments, list, first);
  va_end(list);
  return execv(path, arguments);
}

JITSCOPE_INTERPOSED int execlp(const char* file, const char* first, ...) noexcept {
  JITSCOPE_COLLECT_ARGUMENTS(arguments, list, first);
  va_end(list);
  return execvp(file, arguments);
}

JITSCOPE_INTERPOSED int execle(const char* path, const char* first, ...) noexcept {
  JITSCOPE_COLLECT_ARGUMENTS(arguments, list, first);
  char* const* environment = va_arg(list, char* const*);
  va_end(list);
  return execve(path, arguments, environment);
}
}
