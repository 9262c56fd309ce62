#include "collector/python/wrapped_callable.h"

namespace jitscope::collector {
namespace {

constexpr const char* kCapsule = "jitscope.wrapping";

// What the function holds on to, so that Python's collector of cycles sees it.
enum Place : intptr_t { kCallable, kKept, kWrapping, kPlaces };

Wrapping& wrappingIn(const PythonApi& api, PythonObject* capsule) {
  return *static_cast<Wrapping*>(api.getPointer(capsule, kCapsule));
}

PythonObject* run(PythonObject* self, PythonObject* arguments, PythonObject* keywords) {
  const PythonApi& api = *pythonApi();
  Wrapping& wrapping = wrappingIn(api, api.getItem(self, kWrapping));
  return wrapping.call(api, api.getItem(self, kCallable), arguments, keywords);
}

void destroy(PythonObject* capsule) { delete &wrappingIn(*pythonApi(), capsule); }

// Python keeps a pointer to it as long as a function of it lives.
PythonMethod method{"jitscope_wrapper", run, kMethodWithKeywords, nullptr};

}  // namespace

PythonObject* wrapCallable(const PythonApi& api, PythonObject* callable, PythonObject* kept,
                           std::unique_ptr<Wrapping> wrapping) {
  PythonObject* capsule = api.newCapsule(wrapping.get(), kCapsule, destroy);
  if (!capsule) return nullptr;
  static_cast<void>(wrapping.release());  // the capsule owns it
  PythonObject* self = api.packTuple(kPlaces, callable, kept, capsule);
  api.release(capsule);
  if (!self) return nullptr;
  PythonObject* function = api.newFunction(&method, self, nullptr);
  api.release(self);
  return function;
}

}  // namespace jitscope::collector
