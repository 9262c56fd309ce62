#pragma once

#include <string>

#include "trace/result.h"

namespace jitscope::collector {

/// A library that functions are looked up in. It stays open: what was found is called for as long
/// as the process runs.
class OpenedLibrary {
 public:
  /// Opens the library at `path`; the error says why the loader could not.
  static trace::Result<OpenedLibrary> open(const std::string& path);

  /// Points `function` to the function called `name`, or to nothing where there is none.
  template <class Function>
  void find(const char* name, Function& function) {
    function = reinterpret_cast<Function>(look(name));
  }

  /// Where the loader found it, with the slash at the end; empty where it does not say.
  std::string folder() const;

  /// The first name that was looked for and is not there; null when all are.
  const char* missing() const { return missing_; }

 private:
  explicit OpenedLibrary(void* library) : library_(library) {}
  void* look(const char* name);

  void* library_;
  const char* missing_ = nullptr;
};

}  // namespace jitscope::collector
