#pragma once

#include <memory>

#include "collector/python/python_api.h"

namespace jitscope::collector {

/// What happens around the calls of a callable. The interpreter's lock is held.
class Wrapping {
 public:
  virtual ~Wrapping() = default;

  /// Calls `callable`, and does what it is there for. Gives its result: a new reference, or null
  /// with Python's error set.
  virtual PythonObject* call(const PythonApi& api, PythonObject* callable, PythonObject* arguments,
                             PythonObject* keywords) = 0;
};

/// Gives a callable that runs `wrapping` around `callable` and another object that is kept alive
/// with it (None when there is none): a new reference, or null with Python's error set. It is
/// written in C so that it appears in no traceback, and is collected like any other object.
PythonObject* wrapCallable(const PythonApi& api, PythonObject* callable, PythonObject* kept,
                           std::unique_ptr<Wrapping> wrapping);

}  // namespace jitscope::collector
